/** The blocks of the pages of files are read when they are used. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { contentFiles } from '../../config/content-files.ts'
import { astro, boats, filesIn } from '../helpers/website-files.ts'

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
