import t from 'tap'
import * as v from 'valibot'
import { use } from '../../../kernel/index.ts'
import { navigationOf } from '../../../plugins/content/navigation.ts'
import { loadRenderer } from '../../../plugins/demo-site/port.ts'
import preview from '../../../plugins/preview/index.ts'
import { pageOf } from '../../helpers/content.ts'
import { openDrafts } from '../../helpers/stack.ts'
import { cpuOf, longestTurn } from '../../helpers/turns.ts'

const Link = v.object({ url: v.string() })

t.test('others are answered while a large page is rendered', async (t) => {
  const { bootstrap, send, ask } = openDrafts(t, { plugins: [use(preview, {})] })
  const { renderPage } = await loadRenderer()
  for (const part of ['# a\n', 'a\n']) {
    const body = part.repeat(120_000 / part.length)
    const blocks = ['b_1', 'b_2', 'b_3'].map((id) => ({ id, type: 'RichText', props: { body } }))
    const large = pageOf('/', blocks)
    await bootstrap([large], { overwrite: true })
    const { url } = v.parse(Link, (await send('/preview/links', { what: 'draft' })).json())
    const [shown, longest] = await longestTurn(() => ask({ url }))
    t.equal(shown.status, 200)
    t.ok(shown.text.length > 3 * body.length, 'complete')
    const navigation = navigationOf({ slugs: ['/'], config: {}, siteId: 'local' })
    const atOnce = cpuOf(() =>
      renderPage({ page: large, navigation, siteName: 'Fern & Spoke', draft: false }),
    )
    t.ok(longest < atOnce / 2, `${longest} of ${atOnce} microseconds for ${JSON.stringify(part)}`)
  }
})
