import * as v from 'valibot'
import { parseManifest } from '../../content/manifest.ts'
import type { BlockType } from '../../content/model.ts'
import { Block, Page } from '../../content/page.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { SlugList } from '../../draft/port.ts'
import {
  type RouteAnswer,
  defineTool,
  expected,
  Failed,
  nothing,
  optionalSlug,
  slug,
  type Tool,
  type Toolbox,
} from './tool.ts'

const labelLength = 80
const labelled = ['title', 'heading', 'headline', 'name', 'label', 'text', 'body'] as const

/** Returns the start of the first text by which people identify a block. */
function labelOf(props: Readonly<Record<string, unknown>>): string | undefined {
  const found = labelled.map((name) => props[name]).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found.slice(0, labelLength).toWellFormed() : undefined
}

/** Lists the pages, with the draft version. Read before a page, so that the page is at least as new. */
const pagesOf = ({ ask }: Toolbox): Promise<RouteAnswer> => ask({ method: 'GET', path: '/draft/slugs' })

async function pageOf({ ask }: Toolbox, slug: string): Promise<Page> {
  return expected(Page, (await ask({ method: 'GET', path: '/draft/pages', query: { slug } })).json)
}

const version = { baseVersion: v.optional(v.number()) }
const Pages = v.object({ ...version, ...v.omit(SlugList, ['slugs']).entries })
const Blocks = v.array(
  v.object({ ...v.pick(v.object(Block.entries), ['id', 'type']).entries, label: v.optional(v.string()) }),
)
const PageOutline = v.object({
  ...version,
  ...v.pick(v.object(Page.entries), ['slug', 'title', 'meta']).entries,
  blocks: Blocks,
})

/** Tools for reading a draft in small parts. */
export const outlineTools: readonly Tool[] = [
  defineTool({
    name: 'get-outline',
    routes: ['GET /draft/slugs', 'GET /draft/pages'],
    reads: true,
    byDefault: true,
    description:
      'Start here. Lists the pages of the draft or, with a slug, the blocks of one page, and returns the baseVersion for changes.',
    input: v.object({ slug: optionalSlug }),
    output: v.union([Pages, PageOutline]),
    async run({ slug }, box) {
      const { json, version: baseVersion } = await pagesOf(box)
      if (slug === undefined) return { json: { baseVersion, ...expected(SlugList, json) } }
      const { blocks, title, meta } = await pageOf(box, slug)
      return {
        json: {
          baseVersion,
          slug,
          title,
          meta,
          blocks: blocks.map(({ id, type, props }) => ({ id, type, label: labelOf(props) })),
        },
      }
    },
  }),
  defineTool({
    name: 'get-block',
    routes: ['GET /draft/slugs', 'GET /draft/pages'],
    reads: true,
    byDefault: true,
    description: 'Gets a complete block of a page, and the baseVersion for changes.',
    input: v.object({
      slug,
      blockId: v.pipe(v.string(), v.nonEmpty(), v.description('The id of a block in the outline.')),
    }),
    output: v.object({ ...version, block: Block }),
    async run({ slug, blockId }, box) {
      const { version: baseVersion } = await pagesOf(box)
      const block = (await pageOf(box, slug)).blocks.find(({ id }) => id === blockId)
      const outline = box.nameOf('get-outline')
      if (!block) throw new Failed(`The page has no block with this id. ${outline} lists its blocks.`)
      return { json: { baseVersion, block } }
    },
  }),
]

/** Returns the block types declared by the website, otherwise the built-in ones; page chrome always. */
export async function blockTypes({ ask }: Pick<Toolbox, 'ask'>): Promise<readonly BlockType[]> {
  const { json } = await ask({ method: 'GET', path: '/sites/blocks' })
  const verdict = parseManifest(json, builtinRegistry)
  if (!verdict.ok)
    throw new Failed(`The website declares invalid block types: ${verdict.path} ${verdict.problem}`)
  const { manifest = builtinRegistry } = verdict
  return [
    ...manifest.types(),
    ...builtinRegistry.types().filter(({ chrome, type }) => chrome && !manifest.get(type)),
  ]
}

const optionalText = v.optional(v.string())
const TypeSummary = v.object({
  type: v.string(),
  displayName: v.string(),
  description: optionalText,
  category: optionalText,
  chrome: v.optional(v.boolean()),
})
const anyObject = v.record(v.string(), v.unknown())

/** Tools for block types. */
export const blockTypeTools: readonly Tool[] = [
  defineTool({
    name: 'list-block-types',
    routes: ['GET /sites/blocks'],
    reads: true,
    byDefault: true,
    description: 'Lists the available block types.',
    input: nothing,
    output: v.object({ blockTypes: v.array(TypeSummary) }),
    async run(_, box) {
      const types = await blockTypes(box)
      return {
        json: {
          blockTypes: types.map(({ type, displayName, description, category, chrome }) => ({
            type,
            displayName,
            description,
            category,
            ...(chrome && { chrome }),
          })),
        },
      }
    },
  }),
  defineTool({
    name: 'get-block-schema',
    routes: ['GET /sites/blocks'],
    reads: true,
    byDefault: true,
    description: 'Gets the props of a block type.',
    input: v.object({
      type: v.pipe(v.string(), v.nonEmpty(), v.description('A block type, such as "Hero".')),
    }),
    output: v.object({
      ...TypeSummary.entries,
      fields: anyObject,
      propsSchema: anyObject,
      starter: anyObject,
    }),
    async run({ type: wanted }, box) {
      const types = await blockTypes(box)
      const found = types.find(({ type }) => type === wanted)
      if (!found)
        throw new Failed(
          `There is no such block type. Available types: ${types.map(({ type }) => type).join(', ')}.`,
        )
      const { starter, ...facts } = found
      return { json: { ...facts, starter: starter() } }
    },
  }),
]
