import * as v from 'valibot'
import { parseManifest } from '../../content/manifest.ts'
import type { BlockType } from '../../content/model.ts'
import { Page } from '../../content/page.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { type Answered, defineTool, expected, Failed, nothing, optionalSlug, slug, type Tool, type Toolbox } from './tool.ts'

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

/** The block types that the website declares, else those that come with the service. */
export async function blockTypes({ siteBlocks }: Pick<Toolbox, 'siteBlocks'>): Promise<readonly BlockType[]> {
  const verdict = parseManifest(await siteBlocks(), builtinRegistry)
  if (!verdict.ok) throw new Failed(`The website declares block types that cannot be used: ${verdict.path} ${verdict.problem}`)
  return (verdict.manifest ?? builtinRegistry).types()
}

/** Tools for what blocks there may be. */
export const blockTypeTools: readonly Tool[] = [
  defineTool({
    name: 'list-block-types',
    description: 'Lists the types that blocks may have.',
    input: nothing,
    reads: true,
    byDefault: true,
    routes: [],
    async run(_, box) {
      const types = await blockTypes(box)
      return { json: { blockTypes: types.map(({ type, displayName, description, category, chrome }) => ({ type, displayName, description, category, ...(chrome && { chrome }) })) } }
    },
  }),
  defineTool({
    name: 'get-block-schema',
    description: 'Tells which props a type of block has.',
    input: v.object({ type: v.pipe(v.string(), v.nonEmpty(), v.description('As list-block-types shows it.')) }),
    reads: true,
    byDefault: true,
    routes: [],
    async run({ type: wanted }, box) {
      const types = await blockTypes(box)
      const found = types.find(({ type }) => type === wanted)
      if (!found) throw new Failed(`There is no such block type. The types are ${types.map(({ type }) => type).join(', ')}.`)
      const { starter, ...facts } = found
      return { json: { ...facts, starter: starter() } }
    },
  }),
]
