import t from 'tap'
import * as v from 'valibot'
import checks from '../../../plugins/checks/index.ts'
import { defineRule } from '../../../plugins/checks/port.ts'
import { createChecker, type CheckerOptions } from '../../../plugins/checks/testing.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import { goodPage, text } from '../../helpers/checks.ts'
import { collectGarbage } from '../../helpers/memory.ts'

/** A checker, with the options of the plugin, of a draft whose pages are made as they are read. */
function openChecker(slugs: readonly string[], pageOf: (slug: string) => object) {
  const calls = { read: 0, checked: 0 }
  let changed: readonly string[] = []
  let version = 1
  const counting = defineRule({
    id: 'own.counting',
    title: 'Counts',
    severity: 'info',
    page() {
      calls.checked += 1
      return []
    },
  })
  const drafts = {
    head: async () => ({ version, pageCount: slugs.length, pageBytes: slugs.length * 10_000 }),
    async read(_: unknown, since: number | undefined) {
      const pages = (since === undefined ? slugs : changed).values().map((slug) => {
        calls.read += 1
        return [slug, { page: pageOf(slug) }] as const
      })
      return { version, isComplete: since === undefined, pages }
    },
    rows: async () => slugs.map((slug) => ({ slug })),
    shownConfig: async () => ({}),
    redirects: async () => undefined,
  }
  const sites = { blocks: async () => undefined, previewUrl: async () => '' }
  const parts = { drafts, store: createMemoryStore(), sites, rules: [counting], address: '' }
  const options = v.parse(
    v.object({ maxPages: v.number(), maxDraftBytes: v.number() }),
    v.parse(checks.options, {}),
  )
  const { check } = createChecker({ ...parts, ...options } as unknown as CheckerOptions)
  return {
    check: () => check({ siteId: 'acme', session: 'dev' }),
    edit(slug: string) {
      version += 1
      changed = [slug]
    },
    /** Returns how many pages were read and checked since it was called. */
    count() {
      const now = { ...calls }
      Object.assign(calls, { read: 0, checked: 0 })
      return now
    },
  }
}

t.test('of 10,000 pages only those that have changed are read and checked again', async (t) => {
  const slugs = Array.from({ length: 10_000 }, (_, at) => `/~content/${at}.md`)
  const { check, edit, count } = openChecker(slugs, (slug) => goodPage(slug))
  t.equal((await check()).slugs.length, 10_000)
  t.strictSame(count(), { read: 10_000, checked: 10_000 })
  await check()
  t.strictSame(count(), { read: 0, checked: 0 })
  edit('/~content/7.md')
  await check()
  t.strictSame(count(), { read: 1, checked: 1 })
})

t.test('what is remembered of a page holds none of its texts in memory', async (t) => {
  const mebibyte = 1024 * 1024
  const slugs = Array.from({ length: 60 }, (_, at) => `/page-${at}`)
  const { check } = openChecker(slugs, (slug) => {
    const link = `[words](/a-page-with-a-long-address${slug}#and-a-long-anchor)`
    return goodPage(slug, [text('b', link.padEnd(mebibyte, ' words of the page'))])
  })
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  await check()
  collectGarbage()
  t.ok(process.memoryUsage().heapUsed - before < 10 * mebibyte)
  const { links } = (await check()).site.pages[7] ?? {}
  t.match(links, [{ target: '/a-page-with-a-long-address/page-7#and-a-long-anchor' }])
})
