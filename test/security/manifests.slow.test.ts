import t from 'tap'
import { pageOf } from '../helpers/content.ts'
import { heavyRequests } from '../helpers/heavy-requests.ts'
import { openDrafts } from '../helpers/stack.ts'

t.test('an expensive request is applied or refused quickly, and a refused one changes nothing', async (t) => {
  for (const [name, { ops, manifest, pages = [pageOf('/')], says }] of Object.entries(heavyRequests)) {
    const { bootstrap, send, page, version } = openDrafts(t)
    await bootstrap(pages)
    const before = await page('/')
    const answer = await send('/ops', { ops, componentsManifest: manifest })
    t.equal(answer.status, says ? 400 : 200, `${name}: ${answer.text.slice(0, 200)}`)
    if (!says) continue
    t.match(answer.json(), { reason: says }, name)
    t.same([await page('/'), await version()], [before, 1], name)
  }
})
