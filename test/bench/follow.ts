/** What it costs a draft to follow a change of one page of its site, by the number of pages. */
import { give } from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import { contentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import type { Page } from '../../plugins/content/page.ts'
import { pageOf } from '../helpers/content.ts'
import { publishing } from '../helpers/publishing.ts'
import { editor } from '../helpers/stack.ts'
import { report } from './harness.ts'
import type { Bench } from './run.ts'

const rounds = 9
const [few, many] = [10, 10_000]
const pageAt = (at: number, text: string): Page =>
  pageOf(at === 0 ? '/' : `/p${at}`, [{ id: `b${at}`, type: 'Quote', props: { quote: text } }])

/** CPU milliseconds of a diff after one page of the site has changed, and of one without news. */
async function costOf(count: number) {
  const ends: (() => unknown)[] = []
  let content: SiteContent = { pages: Array.from({ length: count }, (_, at) => pageAt(at, 'Old')) }
  const setting = publishing({
    env: { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' },
    seeds: [give(contentAdapter, { readContent: async () => content })],
  })
  const mounted = mountForTest({ teardown: (end) => void ends.push(end) }, setting)
  const edit = editor((request) => mounted.inject(request), { siteId: 'acme', session: 'dev' })
  const diff = async (): Promise<number> => {
    const before = process.cpuUsage()
    const answer = await edit.get('/publish/diff')
    if (answer.status !== 200) throw new Error(`the diff was refused with ${answer.status}`)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  await edit.get('/draft/slugs')
  await diff()
  const [quiet, news]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    quiet.push(await diff())
    content = { pages: content.pages.with(count - 1, pageAt(count - 1, `New ${round}`)) }
    news.push(await diff())
  }
  for (const end of ends) await end()
  return { quiet, own: news.map((each, at) => Math.max(0.1, each - (quiet[at] ?? 0))) }
}

const follow: Bench = async () => {
  const [small, large] = [await costOf(few), await costOf(many)]
  report(`a diff without news, ${few} pages`, small.quiet, {}, ' ms')
  report(`a diff without news, ${many} pages`, large.quiet, {}, ' ms')
  report(`to follow one of ${few} pages`, small.own, {}, ' ms')
  return report(`to follow one of ${many} pages`, large.own, {}, ' ms')
}

export const benches = { follow }
