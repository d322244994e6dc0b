import * as v from 'valibot'
import { Page } from '../../content/page.ts'
import { optionalSlug, slug } from '../arguments.ts'
import { defineTool, expected, Failed, type Answered, type Tool, type Toolbox } from '../tool.ts'

const labelLength = 80
const labelled = ['title', 'heading', 'headline', 'name', 'label', 'text', 'body'] as const

/** The beginning of the first text that people know a block by. */
function labelOf(props: Readonly<Record<string, unknown>>): string | undefined {
  const found = labelled.map((name) => props[name]).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found.slice(0, labelLength).toWellFormed() : undefined
}

/** The list of pages, with the version of the draft. It is asked for before a page is, which is then at least as new. */
const pagesOf = ({ ask }: Toolbox): Promise<Answered> => ask({ method: 'GET', path: '/draft/slugs' })

async function pageOf({ ask }: Toolbox, slug: string): Promise<Page> {
  return expected(Page, (await ask({ method: 'GET', path: '/draft/pages', query: { slug } })).json)
}

/** Tools for reading a draft in small parts. */
export const outlineTools: readonly Tool[] = [
  defineTool({
    name: 'get-outline',
    description: 'Begin here. Lists the pages of the draft or, with a slug, the blocks of one page, and gives the baseVersion for changes.',
    input: v.object({ slug: optionalSlug }),
    reads: true,
    byDefault: true,
    routes: ['GET /draft/slugs', 'GET /draft/pages'],
    async run({ slug }, box) {
      const { json, version: baseVersion } = await pagesOf(box)
      if (slug === undefined) return { json: { baseVersion, ...expected(v.looseObject({}), json) } }
      const { blocks, title, meta } = await pageOf(box, slug)
      return { json: { baseVersion, slug, title, meta, blocks: blocks.map(({ id, type, props }) => ({ id, type, label: labelOf(props) })) } }
    },
  }),
  defineTool({
    name: 'get-block',
    description: 'Gives one block of a page, whole, and the baseVersion for changes.',
    input: v.object({ slug, blockId: v.pipe(v.string(), v.nonEmpty(), v.description('As get-outline shows it.')) }),
    reads: true,
    byDefault: true,
    routes: ['GET /draft/slugs', 'GET /draft/pages'],
    async run({ slug, blockId }, box) {
      const { version: baseVersion } = await pagesOf(box)
      const block = (await pageOf(box, slug)).blocks.find(({ id }) => id === blockId)
      if (!block) throw new Failed('The page has no block of that id. get-outline lists its blocks.')
      return { json: { baseVersion, block } }
    },
  }),
]
