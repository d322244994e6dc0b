/** The blocks of the pages of files are read when they are used. */
import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { contentFiles } from '../../config/content-files.ts'
import type { Page } from '../../plugins/content/page.ts'
import { astro, boats, filesIn, stateOf } from '../helpers/website-files.ts'

const blog = 'src/content/blog'

t.test('only the blocks that were used last are in memory', async (t) => {
  const long = Array.from({ length: 15_000 }, (_, n) => `P ${n}.`).join('\n\n')
  const site = filesIn(t, { ...astro, [`${blog}/one.md`]: long, [`${blog}/two.md`]: `${long}\n\nEnd.` })
  const { pages } = await contentFiles(site.folder).readContent()
  const [one, two] = ['one', 'two'].map((name) => pages.find(({ slug }) => slug.endsWith(`/${name}.md`)))
  const used = one?.blocks
  t.equal(one?.blocks, used, 'uses that follow each other have the same object')
  t.equal(two?.blocks.length, 15_001)
  t.not(one?.blocks, used)
  t.strictSame(one?.blocks.at(-1), used?.at(-1))
})

t.test('a page is one as any other', async (t) => {
  const site = filesIn(t, astro)
  const { pages } = await contentFiles(site.folder).readContent()
  const page = pages.find(({ slug }) => slug === boats)
  t.strictSame(JSON.parse(JSON.stringify(page)), { ...page })
  t.strictSame({ ...page, title: 'Other' }.blocks, page?.blocks)
  t.ok(Object.keys(page ?? {}).includes('blocks'))
})

t.test('without what is known of it, a page is read from its file, unless that has changed', async (t) => {
  const site = filesIn(t, astro)
  const { pages } = await contentFiles(site.folder).readContent()
  const page = pages.find(({ slug }) => slug === boats)
  rmSync(join(site.folder, '.orchestrator'), { recursive: true })
  t.equal(page?.blocks.length, 5)
  const again = (await contentFiles(site.folder).readContent()).pages.find(({ slug }) => slug === boats)
  rmSync(join(site.folder, '.orchestrator'), { recursive: true })
  site.edit(`${blog}/boats.md`, 'Two planks.', 'Two long planks.')
  t.throws(() => again?.blocks, { code: 'content_changed' })
})

t.test('what a publish takes from its path is still read afterwards, as that is compared', async (t) => {
  const long = Array.from({ length: 4_100 }, (_, n) => `P ${n}.`).join('\n\n')
  const site = filesIn(t, {
    ...Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [`${blog}/${name}.md`, `# ${name}\n\n${name}.\n`]),
    ),
    [`${blog}/long.md`]: long,
  })
  const adapter = contentFiles(site.folder)
  const { pages } = await adapter.readContent()
  const at = (name: string) => `/~${blog}/${name}.md`
  const slugs: Readonly<Record<string, string>> = {
    [at('a')]: at('b'),
    [at('b')]: at('a'),
    [at('c')]: at('e'),
  }
  const sent = pages
    .filter(({ slug }) => slug !== at('d'))
    .map((page) => ({ ...page, slug: slugs[page.slug] ?? page.slug }))
  await adapter.writeContent?.({ pages: sent })
  t.equal(
    pages.find(({ slug }) => slug.endsWith('/long.md'))?.blocks.length,
    4_100,
    'others leave the memory',
  )
  const now = await adapter.readContent()
  for (const name of ['a', 'b', 'c', 'd'])
    t.match(pages.find(({ slug }) => slug === at(name))?.blocks.at(-1)?.props, { text: `${name}.` }, name)
  t.match(now.pages.find(({ slug }) => slug === at('a'))?.blocks.at(-1)?.props, { text: 'b.' })
})

t.test('a page is read as it was, whatever publishes have made of its file since', async (t) => {
  const long = Array.from({ length: 4_100 }, (_, n) => `P ${n}.`).join('\n\n')
  const site = filesIn(t, {
    ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`${blog}/${name}.md`, `# ${name}\n\n${name}.\n`])),
    [`${blog}/long.md`]: long,
  })
  const adapter = contentFiles(site.folder)
  const { pages: first } = await adapter.readContent()
  const at = (name: string) => `/~${blog}/${name}.md`
  const textOf = (pages: readonly Page[], name: string) =>
    pages.find(({ slug }) => slug === at(name))?.blocks.at(-1)?.props['text']
  const now = new Date(Date.now() + 60_000)
  utimesSync(join(site.folder, blog, 'a.md'), now, now)
  for (const round of [1, 2, 3]) {
    const { pages } = await adapter.readContent()
    const sent = pages.flatMap((page) => {
      if (page.slug === at('c')) return []
      if (page.slug === at('b')) return [stateOf(page, round)]
      const isMoved = page.slug.includes('/a')
      return [isMoved ? { ...page, slug: at(`a${round}`) } : page]
    })
    await adapter.writeContent?.({ pages: sent })
    t.equal(pages.find(({ slug }) => slug === at('long'))?.blocks.length, 4_100, 'others leave the memory')
    for (const name of ['a', 'b', 'c']) t.equal(textOf(first, name), `${name}.`, `${name}, round ${round}`)
  }
  t.equal(textOf((await adapter.readContent()).pages, 'a3'), 'a.')
})
