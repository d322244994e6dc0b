import t from 'tap'
import { mountForTest } from '../../../kernel/testing.ts'
import { readDraft } from '../../../plugins/chat/stages/context.ts'
import type { Drafts } from '../../../plugins/draft/port.ts'
import type { Sites } from '../../../plugins/sites/port.ts'
import { pageOf } from '../../helpers/content.ts'
import { chatInMemory, chatter } from '../../helpers/chat.ts'

const id = { session: 'dev', siteId: 'acme' }

/** A draft of so many pages, which notes how it is read; each page takes so many milliseconds of the process. */
function largeDraft(count: number, { busyFor = 0, gone = '' } = {}) {
  const slugs = ['/about', '/', ...Array.from({ length: count - 2 }, (_, n) => `/page-${n}`)]
  const noted = { whole: 0, atOnce: 0, mostAtOnce: 0 }
  const drafts: Pick<Drafts, 'head' | 'rows' | 'pages' | 'page'> = {
    head: async () => ({ version: 7, pageCount: count }),
    rows: async () => slugs.map((slug) => ({ slug, title: slug, updatedAt: '', blockCount: 0 })),
    async pages() {
      noted.whole += 1
      return slugs.map((slug) => pageOf(slug, []))
    },
    async page(_, slug) {
      noted.mostAtOnce = Math.max(noted.mostAtOnce, (noted.atOnce += 1))
      for (const start = performance.now(); performance.now() - start < busyFor;);
      await Promise.resolve()
      noted.atOnce -= 1
      return slug === gone ? undefined : { page: pageOf(slug, []), bytes: new Uint8Array(), previewVersion: 7 }
    },
  }
  const sites: Pick<Sites, 'config'> = { config: async () => ({}) }
  return { noted, read: () => readDraft(id, { drafts: Object.assign(Object.create(null), drafts), sites: Object.assign(Object.create(null), sites) }) }
}

t.test('a small draft is read at once', async (t) => {
  const { noted, read } = largeDraft(16)
  const { version, pages } = await read()
  t.same([version, pages.length, pages[0]?.slug, noted.whole, noted.mostAtOnce], [7, 16, '/', 1, 0])
})

t.test('a large one is read a few pages at a time, home first, without what goes meanwhile', async (t) => {
  const { noted, read } = largeDraft(100, { gone: '/page-50' })
  const { version, pages } = await read()
  t.same([version, pages.length, pages[0]?.slug, pages[1]?.slug], [7, 99, '/', '/about'])
  t.notOk(pages.some(({ slug }) => slug === '/page-50'))
  t.equal(noted.whole, 0, 'never all of it')
  t.ok(noted.mostAtOnce <= 16, `${noted.mostAtOnce} pages at once`)
})

t.test('others get their turn while a large draft is read', async (t) => {
  const { read } = largeDraft(64, { busyFor: 2 })
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await read()
  isOver = true
  t.ok(turns >= 3, `${turns} turns`)
})

t.test('chat works on a large draft as on any other', async (t) => {
  const mounted = mountForTest(t, chatInMemory({ script: { Look: ({ draft }) => ({ kind: 'answer', status: 'info', summary: `${draft.pages.length} pages`, findings: [draft.pages[0]?.slug ?? ''], suggestions: [] }) } }))
  const { bootstrap, say } = chatter((wish) => mounted.inject(wish))
  await bootstrap(['/about', ...Array.from({ length: 40 }, (_, n) => `/page-${n}`), '/'].map((slug) => pageOf(slug, [])))
  t.match((await say('Look')).json(), { summary: '42 pages', changes: ['/'] })
})
