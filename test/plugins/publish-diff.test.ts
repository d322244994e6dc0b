import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { give, systemClock } from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { diffContent } from '../../plugins/content/diff/index.ts'
import type { Page } from '../../plugins/content/page.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { baselines as baselinesRef } from '../../plugins/baseline/port.ts'
import { drafts as draftsRef } from '../../plugins/draft/port.ts'
import { same } from '../helpers/canonical.ts'
import { pageOf } from '../helpers/content.ts'
import fc, { runs } from '../helpers/property.ts'
import { draftsInMemory, editor, refused, textBlock, type SmallOptions } from '../helpers/stack.ts'

const at = { siteId: 'acme', session: 'dev' }
const slugs = ['/', '/a', '/b', '/c', '/d']
const pageWith = (slug: string, body: string): Page => pageOf(slug, [textBlock(`b${slug}`, body)])

/** A service, its diff, and the diff calculated directly from both sides. */
async function open(
  t: Parameters<typeof mountForTest>[0],
  options: SmallOptions,
  target: Readonly<Record<string, string>> = at,
) {
  const mounted = mountForTest(t, draftsInMemory(options))
  const [drafts, baselines] = [await mounted.get(draftsRef), await mounted.get(baselinesRef)]
  const edit = editor((request) => mounted.inject(request), target)
  const id = { siteId: target['siteId'] ?? '', session: target['session'] ?? '' }
  const diffs = async () => {
    const answer = (await edit.get('/publish/diff')).json()
    const { content: baseline } = await baselines.read(id, {})
    const siteConfig = await drafts.config(id, baseline?.siteConfig)
    const { version: previewVersion } = await drafts.head(id)
    const draft = { pages: await drafts.pages(id), ...(siteConfig && { siteConfig }) }
    return {
      answer,
      full: JSON.parse(
        JSON.stringify({
          ...diffContent({ draft, baseline, registry: builtinRegistry }),
          conflicts: v.parse(Conflicts, answer).conflicts,
          previewVersion,
        }),
      ) as unknown,
    }
  }
  return { ...edit, diffs }
}
type OpenedDraft = Awaited<ReturnType<typeof open>>

const Conflicts = v.object({ conflicts: v.array(v.unknown()) })
const Snapshots = v.object({ snapshots: v.array(v.looseObject({ commit: v.string() })) })
const Log = v.object({ entries: v.array(v.looseObject({ version: v.number() })) })
const nth = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)]

const slug = fc.constantFrom(...slugs)
const word = fc.constantFrom('one', 'two', 'three')
const number = fc.nat(20)
type DiffStep = (edit: OpenedDraft) => Promise<unknown>
const op = step((op: object, { ops }: OpenedDraft) => ops([op]))
/** Makes a step from a generated value. */
function step<T>(act: (value: T, edit: OpenedDraft) => Promise<unknown>): (value: T) => DiffStep {
  return (value) => (edit) => act(value, edit)
}
/** Every way to change a draft or the published content. */
const steps: readonly fc.Arbitrary<DiffStep>[] = [
  fc
    .tuple(slug, word)
    .map(([pageSlug, body]) =>
      op({ op: 'update_props', pageSlug, blockId: `b${pageSlug}`, patch: { body } }),
    ),
  fc
    .tuple(slug, slug, word)
    .map(([pageSlug, newPageSlug, newTitle]) => op({ op: 'rename_page', pageSlug, newPageSlug, newTitle })),
  slug.map((pageSlug) => op({ op: 'remove_page', pageSlug })),
  slug.map((slug) => op({ op: 'create_page', page: { slug, blocks: [textBlock(`n${slug}`, 'new')] } })),
  slug.map(step((slug, { undo }) => undo(slug))),
  slug.map(step((slug, { redo }) => redo(slug))),
  word.map(step((name, { config }) => config({ name }))),
  fc.constant(({ send }) => send('/publish', { allowDelete: true })),
  fc.tuple(fc.subarray(slugs), word, fc.boolean()).map(([some, body, overwrite]): DiffStep => {
    const pages = some.map((slug) => pageWith(slug, body))
    return ({ bootstrap }) => bootstrap(pages, { overwrite })
  }),
  fc.option(slug, { nil: undefined }).map(step((slug, { send }) => send('/history/discard', { slug }))),
  number.map(
    step(async (index, { get, send }) => {
      const { entries } = v.parse(Log, (await get('/history/log')).json())
      return send('/history/restore', { targetVersion: nth(entries, index)?.version ?? 1 })
    }),
  ),
  number.map(
    step(async (index, { get, send }) => {
      const { snapshots } = v.parse(Snapshots, (await get('/restore/snapshots')).json())
      return send('/restore/snapshot', { commit: nth(snapshots, index)?.commit ?? 'abcdef' })
    }),
  ),
]

for (const [name, options] of Object.entries<SmallOptions>({
  'a draft': {},
  'a draft with few stored changes': { draft: { keptChangesPerDraft: 2 } },
  'a draft with demo content': { sites: { demoContent: true } },
})) {
  t.test(`the diff of ${name} equals that of both sides, after any history`, async (t) => {
    let opened = 0
    const property = fc.asyncProperty(
      fc.array(fc.oneof(...steps), { minLength: 1, maxLength: 25 }),
      async (list) => {
        const edit = await open(
          t,
          { ...options, env: { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' } },
          { siteId: 'acme', session: `s${++opened}` },
        )
        if (!options.sites) await edit.bootstrap(slugs.slice(0, 3).map((slug) => pageWith(slug, 'one')))
        for (const step of list) {
          await step(edit)
          const { answer, full } = await edit.diffs()
          same(answer, full, 'the diff equals that of both sides')
        }
      },
    )
    await fc.assert(property, { numRuns: runs(14), interruptAfterTimeLimit: 15_000 })
    t.pass('by chance')
  })
}

t.test('after each change, the diff of many pages equals that of both sides', async (t) => {
  const { bootstrap, send, ops, undo, diffs } = await open(t, {})
  const names = ['/', ...Array.from({ length: 300 }, (_, at) => `/page-${at}`)]
  await bootstrap(names.map((slug) => pageWith(slug, 'one')))
  await send('/publish')
  const body = (pageSlug: string, text: string) => () =>
    ops([{ op: 'update_props', pageSlug, blockId: `b${pageSlug}`, patch: { body: text } }])
  for (const change of [
    async () => undefined,
    body('/page-40', 'two'),
    body('/page-40', 'three'),
    body('/page-200', 'two'),
    () => ops([{ op: 'remove_page', pageSlug: '/page-7' }]),
    () => ops([{ op: 'create_page', page: { slug: '/page-7b', blocks: [] } }]),
    () => undo('/page-40'),
    () => undo('/page-40'),
  ]) {
    await change()
    const { answer, full } = await diffs()
    t.strictSame(answer, full)
  }
})

t.test('a file, an adapter and the pages of a site are compared in their current state', async (t) => {
  const path = join(t.testdir({}), 'content.json')
  const write = (pages: readonly Page[], seconds: number): void => {
    writeFileSync(path, JSON.stringify(pages))
    utimesSync(path, seconds, seconds)
  }
  write([pageWith('/', 'one')], 1)
  // Two hours later than it is: the file was changed long ago.
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 7_200_000) }
  const filed = await open(t, { clock, env: { PUBLISHED_CONTENT_PATH: path } })
  await filed.bootstrap(slugs.map((slug) => pageWith(slug, 'one')))
  const content = { pages: [pageWith('/', 'one')] }
  const mounted = await open(t, {
    env: { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' },
    seeds: [give(contentAdapter, { readContent: async () => content })],
  })
  await mounted.bootstrap(
    slugs.map((slug) => pageWith(slug, 'one')),
    { overwrite: true },
  )
  for (const [at, body] of ['one', 'two', 'six', 'two'].entries()) {
    write([pageWith('/', body), pageWith('/a', 'one')], at + 2)
    content.pages = [pageWith('/', body), pageWith('/a', 'one')]
    for (const edit of [filed, mounted]) {
      for (const title of ['Same', `Title ${at}`]) {
        await edit.retitle('/a', title)
        const { answer, full } = await edit.diffs()
        same(answer, full, body)
      }
    }
  }
  t.pass('in turn')
})

t.test('a diff that is too large is refused, and the next smaller one succeeds', async (t) => {
  const edit = await open(t, { publish: { maxDiffBytes: 2_000 } })
  await edit.bootstrap([pageWith('/', 'one')])
  await edit.send('/publish')
  const ask = () => edit.get('/publish/diff')
  t.equal((await ask()).status, 200)
  const blocks = Array.from({ length: 40 }, (_, index) => textBlock(`b${index}`, 'new'))
  await edit.ops([{ op: 'create_page', page: { slug: '/long', title: 'Long', blocks } }])
  t.match(refused(await ask()), { status: 413, code: 'diff_too_large' })
  await edit.ops([{ op: 'remove_page', pageSlug: '/long' }])
  t.match((await ask()).json(), { summary: { pagesUnchanged: 1 } })
})
