/** A website that says what has changed is followed as one that is read as a whole. */
import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { contentFiles } from '../../config/content-files.ts'
import type { ContentAdapter } from '../../plugins/content/adapter.ts'
import { withChanges } from '../helpers/changing-adapter.ts'
import { draftWith } from '../helpers/draft-reader.ts'
import fc, { pick, costlyRuns } from '../helpers/property.ts'
import { astro, boats, filesIn, serviceOn } from '../helpers/website-files.ts'

const blog = 'src/content/blog'
const start = {
  ...astro,
  [`${blog}/sails.md`]: '# Sails\n\nOne sail.\n\nTwo sails.\n',
  [`${blog}/masts.md`]: '---\ntitle: Masts\n---\n\nOne mast.\n\nTwo masts.\n',
}
const names = ['boats', 'oars', 'sails', 'masts', 'keels']

/** What a person, or a developer, does; `at` and `on` choose a file and a paragraph. */
const step = fc.record({
  kind: pick('type', 'type', 'edit', 'edit', 'add', 'remove', 'move', 'break', 'follow', 'diff', 'publish'),
  at: fc.nat({ max: names.length - 1 }),
  on: fc.nat({ max: 4 }),
})
type FileStep = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A website with a draft; its files are found by all, or by what has changed. */
async function websiteOf(t: Test, wrap: (adapter: ContentAdapter) => ContentAdapter) {
  const site = filesIn(t, start)
  const draft = await serviceOn(t, site.folder, { adapter: wrap(contentFiles(site.folder)) })
  const read = async () => {
    const pages = []
    for (const slug of await draft.slugs()) {
      const { updatedAt: _time, ...page } = await draft.page(slug)
      pages.push(page)
    }
    const { previewVersion: _version, ...diff } = await draft.diff()
    return JSON.parse(
      JSON.stringify({ pages, diff, texts: textsOf() }).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '""'),
    )
  }
  const pathOf = (at: number): string => `${blog}/${names[at]}.md`
  const textsOf = () =>
    names.map((_, at) => {
      const isThere = statSync(join(site.folder, pathOf(at)), { throwIfNoEntry: false })
      return isThere && site.text(pathOf(at))
    })
  /** Each text has another length, as a file that is written twice in a moment differs only in that. */
  const wordOf = (n: number): string => `Round ${n}${'.'.repeat(n + 1)}`

  const type = async (n: number, { at, on }: FileStep): Promise<void> => {
    const slug = `/~${pathOf(at)}`
    if (!(await draft.slugs()).includes(slug)) return
    const texts = (await draft.page(slug)).blocks.filter(({ type }) => type === 'Paragraph')
    const block = texts[on % Math.max(1, texts.length)]
    const op = { op: 'update_props', pageSlug: slug, blockId: block?.id, patch: { text: wordOf(n) } }
    if (block) await draft.ops([op])
  }
  const edit = (n: number, { at, on }: FileStep): void => {
    const text = textsOf()[at]
    const lines = text?.split('\n') ?? []
    const places = lines.flatMap((line, place) => (/^\p{Lu}.*\.$/u.test(line) ? [place] : []))
    const place = places[on % Math.max(1, places.length)]
    if (text !== undefined && place !== undefined)
      site.set({ [pathOf(at)]: lines.with(place, wordOf(n)).join('\n') })
  }
  const act: Readonly<Record<FileStep['kind'], (n: number, step: FileStep) => unknown>> = {
    type,
    edit,
    add: (n, { at }) => site.set({ [pathOf(at)]: `# New\n\n${wordOf(n)}\n\nOther.\n` }),
    remove: (_n, { at }) => textsOf()[at] !== undefined && site.set({ [pathOf(at)]: undefined }),
    move: (_n, { at, on }) => {
      if (textsOf()[at] !== undefined && textsOf()[on] === undefined)
        renameSync(join(site.folder, pathOf(at)), join(site.folder, pathOf(on)))
    },
    break: (n, { at }) => site.set({ [pathOf(at)]: `---\na: [${'.'.repeat(n)}\n---\n` }),
    follow: () => draft.follow(),
    diff: () => draft.diff(),
    publish: () => draft.publish({ allowDelete: true }),
  }
  return { read, act: (n: number, step: FileStep) => act[step.kind](n, step) }
}

t.test('a draft and a site are the same, whether a site is read as a whole or by its changes', async (t) => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
    const whole = await websiteOf(t, ({ changes: _changes, read: _read, ...adapter }) => adapter)
    const byChanges = await websiteOf(t, (adapter) => adapter)
    for (const [n, each] of steps.entries()) {
      for (const website of [whole, byChanges]) await website.act(n, each)
      if (['follow', 'diff', 'publish'].includes(each.kind))
        t.strictSame(await byChanges.read(), await whole.read(), JSON.stringify(steps.slice(0, n + 1)))
    }
    t.strictSame(await byChanges.read(), await whole.read(), JSON.stringify(steps))
    return t.passing()
  })
  await fc.assert(property, { numRuns: costlyRuns(12) })
})

t.test('a look reads only the pages that have changed', async (t) => {
  const site = filesIn(t, start)
  const { adapter, asked } = withChanges(contentFiles(site.folder))
  const draft = await serviceOn(t, site.folder, { adapter })
  await draft.diff()
  asked.length = 0
  await draft.diff()
  t.same(asked, [])
  site.edit(`${blog}/boats.md`, 'Two planks.', 'Two long planks.')
  t.match(await draft.diff(), { summary: { totalChangedFields: 0 } })
  t.same(asked, [boats])
  t.ok((await draft.texts(boats)).includes('Two long planks.'))
})

t.test('an edit looks only at its file, and finds what else has changed at the next look', async (t) => {
  const site = filesIn(t, start)
  const files = contentFiles(site.folder)
  const { pages } = await files.readContent()
  const edited = (text: string) =>
    pages.map((page) =>
      page.slug === boats
        ? {
            ...page,
            blocks: page.blocks.map((block, n) => (n === 4 ? { ...block, props: { text } } : block)),
          }
        : page,
    )
  const written = astro[`${blog}/boats.md`]
  const draft = draftWith(pages)
  const filesOf = async (now: typeof pages) => {
    draft.set(now)
    return (await files.filesOf(draft.reader)).files
  }
  t.same([...(await filesOf(pages))], [])
  t.same(
    [...(await filesOf(edited('Three, first.')))],
    [[`${blog}/boats.md`, written.replace('Three planks.', 'Three, first.')]],
  )
  site.set({ [`${blog}/boats.md`]: `${written}\nFour planks.\n`, [`${blog}/new.md`]: '# New\n' })
  const after = await filesOf(edited('Three, second.'))
  t.same(
    [...after.keys()].toSorted(),
    [`${blog}/boats.md`, `${blog}/new.md`],
    'its file has changed: all is read',
  )
  t.same([...(await filesOf(pages))].length, 2)
})
