import * as v from 'valibot'
import { type Ids, describedBy } from '../../../kernel/index.ts'
import { addBlock } from '../../content/operations/add-block.ts'
import { addItem } from '../../content/operations/add-item.ts'
import { definitions } from '../../content/operations/index.ts'
import { moveBlock } from '../../content/operations/move-block.ts'
import { moveItem } from '../../content/operations/move-item.ts'
import { removeBlock } from '../../content/operations/remove-block.ts'
import { removeItem } from '../../content/operations/remove-item.ts'
import { updateItem } from '../../content/operations/update-item.ts'
import { updateProps } from '../../content/operations/update-props.ts'
import { updateSiteConfig } from '../../content/operations/update-site-config.ts'
import { wordSet } from '../../content/words.ts'
import { defineLoopTool } from './loop-tool.ts'
import type { LoopTool } from './loop-types.ts'
import { type Session, toolError } from './session.ts'

/** The operations that have a tool with other arguments. */
const adapted = wordSet('update_props add_block create_page update_site_config')
/** Those with a tool of the same name and arguments. */
const direct = definitions.filter(({ name }) => !adapted.has(name))

const text = v.pipe(v.string(), v.nonEmpty())
const props = v.record(v.string(), v.unknown())
const pageSlug = v.pipe(text, v.description('The slug of the page, such as "/about".'))
const afterBlockId = v.pipe(
  v.optional(text),
  v.description('The id of the block directly before it; default: last on the page.'),
)

/** Accepts any object: the parser of operations validates it later, with better messages. */
const raw = v.record(v.string(), v.unknown())
/** The operations of `edit_page`, which names the page once. */
const ofOnePage = [
  updateProps,
  addBlock,
  removeBlock,
  moveBlock,
  addItem,
  updateItem,
  removeItem,
  moveItem,
] as const
const schemasOfOnePage = ofOnePage.map(({ schema }) => v.omit(schema, ['pageSlug']))
const namesOfOnePage: readonly unknown[] = ofOnePage.map(({ name }) => name)
const mostOperations = 50
const operations = v.pipe(
  v.array(v.pipe(raw, describedBy(v.union(schemasOfOnePage)))),
  v.minLength(1),
  v.maxLength(mostOperations),
)

/** Creates the tools that change the draft; each call applies completely or not at all. */
export function writeTools(session: Session, ids: Ids): readonly LoopTool[] {
  const freshId = (): string => `b_${ids.uuid().replaceAll('-', '').slice(0, 12)}`
  return [
    defineLoopTool(
      {
        name: 'edit_page',
        description:
          'Applies several operations to one page, all or none. Prefer it if more than one block or field of a page changes.',
        input: v.object({ pageSlug, operations }),
      },
      async ({ pageSlug, operations }) => {
        const isForeign = operations.some(({ op }) => !namesOfOnePage.includes(op))
        if (isForeign) return toolError(`edit_page accepts only the operations ${namesOfOnePage.join(', ')}.`)
        return session.write(
          'edit_page',
          operations.map((op) => ({ ...op, pageSlug })),
        )
      },
    ),
    defineLoopTool(
      {
        name: 'batch_update_props',
        description: updateProps.summary,
        input: v.omit(updateProps.schema, ['op']),
      },
      (input) => session.write('batch_update_props', [{ op: 'update_props', ...input }]),
    ),
    defineLoopTool(
      {
        name: 'add_block_with_content',
        description:
          'Adds a block with its content to a page. Missing props get the defaults of the type; get_block_schema lists them.',
        input: v.object({ pageSlug, blockType: text, props, afterBlockId }),
      },
      ({ pageSlug, blockType, props, afterBlockId }) => {
        const block = {
          id: freshId(),
          type: blockType,
          props: { ...session.typeOf(blockType)?.starter(), ...props },
        }
        return session.write('add_block_with_content', [{ op: 'add_block', pageSlug, block, afterBlockId }])
      },
    ),
    defineLoopTool(
      {
        name: 'create_page',
        description: 'Adds a page with its blocks, last in order.',
        input: v.object({
          slug: text,
          title: text,
          blocks: v.pipe(
            v.array(v.object({ id: v.optional(text), type: text, props })),
            v.maxLength(mostOperations),
          ),
        }),
      },
      ({ slug, title, blocks }) =>
        session.write('create_page', [
          {
            op: 'create_page',
            page: { slug, title, blocks: blocks.map((block) => ({ ...block, id: block.id ?? freshId() })) },
          },
        ]),
    ),
    defineLoopTool(
      {
        name: 'update_site_config',
        description: updateSiteConfig.summary,
        input: updateSiteConfig.schema.entries.patch,
      },
      (patch) => session.write('update_site_config', [{ op: 'update_site_config', patch }]),
    ),
    ...direct.map(({ name, summary, schema }) => {
      const { op: _, ...entries } = schema.entries
      return defineLoopTool({ name, description: summary, input: v.object(entries) }, (input) =>
        session.write(name, [{ ...input, op: name }]),
      )
    }),
  ]
}
