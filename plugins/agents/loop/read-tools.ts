import * as v from 'valibot'
import { isInternal } from '../../content/fields.ts'
import type { BlockType } from '../../content/model.ts'
import type { Block, Page } from '../../content/page.ts'
import { ownValue } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { homeFirst } from '../../content/slugs.ts'
import { encoded } from '../../models/port.ts'
import { defineLoopTool, toolAnswer } from './loop-tool.ts'
import type { LoopTool } from './loop-types.ts'
import { type Session, toolError } from './session.ts'

const text = v.pipe(v.string(), v.nonEmpty())
/** The maximum size of a page in characters of JSON; further blocks are only named. */
const mostCharacters = 48 * 1024
const mostPages = 500

/** Creates the tools that only read. */
export function readTools(session: Session): readonly LoopTool[] {
  const {
    drafts,
    run: { id },
  } = session
  return [
    defineLoopTool(
      {
        name: 'get_page',
        description:
          'Gets a page with its blocks. The last blocks of a large page are only named: request them with blockIds.',
        input: v.object({ pageSlug: text, blockIds: v.optional(v.array(text)) }),
      },
      async ({ pageSlug, blockIds }) => {
        const page = await session.page(pageSlug)
        if (!page) return toolError(`Page '${pageSlug.slice(0, 200)}' does not exist. Call list_pages.`)
        return toolAnswer(shownPage(page, session, blockIds && new Set(blockIds)))
      },
    ),
    defineLoopTool(
      { name: 'list_pages', description: 'Lists the pages of the site.', input: v.object({}) },
      async () => toolAnswer({ pages: await pageList(session) }),
    ),
    defineLoopTool(
      {
        name: 'get_block_schema',
        description:
          'Gets the JSON schema of the props of a block type, its field metadata and its defaults.',
        input: v.object({ blockType: text }),
      },
      async ({ blockType }) => {
        const found = session.typeOf(blockType)
        return found
          ? toolAnswer(shownType(found))
          : toolError(
              `Block type '${blockType.slice(0, 80)}' does not exist. Available types: ${typeNames(session).join(', ')}.`,
            )
      },
    ),
    defineLoopTool(
      {
        name: 'get_site_config',
        description: 'Gets the name, logo and navigation of the site.',
        input: v.object({}),
      },
      async () => {
        const { name, logo, navLabels, navGroups } = await drafts.shownConfig(id)
        return toolAnswer({ name, logo, navLabels, navGroups })
      },
    ),
  ]
}

/** Lists the pages of a site, starting with the home page. */
export async function pageList({ drafts, run: { id } }: Session): Promise<readonly object[]> {
  const rows = await drafts.rows(id)
  return homeFirst(rows)
    .slice(0, mostPages)
    .map(({ slug, title, blockCount }) => ({ slug, title, blockCount }))
}

/** The usable block types: those declared by the site, otherwise the built-in ones; page chrome always. */
export const typeNames = ({ manifest }: Session): readonly string[] => [
  ...new Set(
    [
      ...(manifest?.types() ?? builtinRegistry.types()),
      ...builtinRegistry.types().filter(({ chrome }) => chrome),
    ].map(({ type }) => type),
  ),
]

/** Returns a block without its internal props. */
export function shownBlock(
  { id, type, props }: Block,
  session: Session,
): { readonly id: string; readonly type: string; readonly props: object } {
  const fields = session.typeOf(type)?.fields
  return {
    id,
    type,
    props: Object.fromEntries(
      Object.entries(props).filter(([name]) => !isInternal(name, ownValue(fields, name))),
    ),
  }
}

function shownPage(
  { slug, title, meta, blocks }: Page,
  session: Session,
  wanted: ReadonlySet<string> | undefined,
): object {
  let remaining = mostCharacters
  const shown = blocks.map((block) => {
    const complete = shownBlock(block, session)
    if (wanted && !wanted.has(block.id)) return { id: block.id, type: block.type }
    remaining -= encoded(complete).length
    return remaining >= 0 ? complete : { id: block.id, type: block.type, cut: true }
  })
  return { slug, title, meta: meta ?? null, blocks: shown }
}

function shownType({
  type,
  displayName,
  description,
  chrome,
  fields,
  propsSchema,
  starter,
}: BlockType): object {
  const isShown = ([name]: readonly [string, unknown]): boolean => !isInternal(name, ownValue(fields, name))
  const only = (object: object = {}) => Object.fromEntries(Object.entries(object).filter(isShown))
  return {
    type,
    name: displayName,
    description,
    pinned: chrome,
    schema: { ...propsSchema, properties: only(propsSchema.properties) },
    fields: only(fields),
    defaults: only(starter()),
  }
}
