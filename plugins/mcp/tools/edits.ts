import * as v from 'valibot'
import { addBlock } from '../../content/operations/add-block.ts'
import { addItem } from '../../content/operations/add-item.ts'
import { pageFields } from '../../content/operations/create-page.ts'
import { duplicateBlock } from '../../content/operations/duplicate-block.ts'
import { moveBlock } from '../../content/operations/move-block.ts'
import { moveItem } from '../../content/operations/move-item.ts'
import { removeBlock } from '../../content/operations/remove-block.ts'
import { removeItem } from '../../content/operations/remove-item.ts'
import { updateItem } from '../../content/operations/update-item.ts'
import { updateProps } from '../../content/operations/update-props.ts'
import { configFields } from '../../content/operations/update-site-config.ts'
import {
  given,
  readTool,
  optionalBaseVersion,
  optionalBaseVersion as baseVersion,
  requestTool,
  slug,
  text,
  type Tool,
} from './tool.ts'

const { blocks, meta } = pageFields
const metaEntries = {
  title: text('The title in search results.'),
  description: text('The description in search results; "" removes it.'),
  ogImage: text('The image of link previews; "" removes it.'),
}

/** Builds a request body with one operation. */
const one = (op: string, fields: object, base: number | undefined) => ({
  json: { ops: [{ op, ...fields }] },
  baseVersion: base,
})

/** Tools for pages and the site config. */
export const pageTools: readonly Tool[] = [
  requestTool({
    name: 'get-page',
    route: 'GET /draft/pages',
    reads: true,
    description: 'Gets a complete page of the draft.',
    input: v.object({ slug }),
  }),
  readTool('list-pages', 'GET /draft/slugs', 'Lists the pages of the draft.'),
  requestTool({
    name: 'create-page',
    route: 'POST /ops',
    description: 'Adds a page.',
    input: v.object({ slug, title: v.string(), blocks, meta, baseVersion }),
    request: ({ baseVersion, blocks = [], ...page }) =>
      one('create_page', { page: given({ ...page, blocks }) }, baseVersion),
  }),
  requestTool({
    name: 'rename-page',
    route: 'POST /ops',
    description: 'Changes the slug or the title of a page, or both. Links and menus are updated.',
    input: v.object({ slug, newSlug: text('The new slug.'), newTitle: text('The new title.'), baseVersion }),
    oneOf: ['newSlug', 'newTitle'],
    request: ({ slug, newSlug, newTitle, baseVersion }) =>
      one('rename_page', given({ pageSlug: slug, newPageSlug: newSlug, newTitle }), baseVersion),
  }),
  requestTool({
    name: 'duplicate-page',
    route: 'POST /ops',
    description: 'Copies a page; the answer maps the block ids to the new ones.',
    input: v.object({
      slug,
      newSlug: text('The slug of the copy.'),
      newTitle: text('The title of the copy.'),
      afterSlug: text('The page that the copy comes after.'),
      baseVersion,
    }),
    request: ({ slug, newSlug, newTitle, afterSlug, baseVersion }) =>
      one(
        'duplicate_page',
        given({ pageSlug: slug, newPageSlug: newSlug, newTitle, afterPageSlug: afterSlug }),
        baseVersion,
      ),
  }),
  requestTool({
    name: 'remove-page',
    route: 'POST /ops',
    needs: 'delete',
    destructive: true,
    description: 'Removes a page.',
    input: v.object({ slug, baseVersion }),
    request: ({ slug, baseVersion }) => one('remove_page', { pageSlug: slug }, baseVersion),
  }),
  requestTool({
    name: 'update-page-meta',
    route: 'POST /ops',
    description: 'Changes the metadata of a page for search engines and link previews.',
    input: v.object({ slug, ...metaEntries, baseVersion }),
    oneOf: ['title', 'description', 'ogImage'],
    request: ({ slug, baseVersion, ...patch }) =>
      one('update_page_meta', { pageSlug: slug, patch: given(patch) }, baseVersion),
  }),
  readTool('get-site-config', 'GET /draft/site-config', 'Gets the site-wide settings of the draft.'),
  requestTool({
    name: 'update-site-config',
    route: 'POST /ops',
    description: 'Changes the name, logo and menus of the site.',
    input: v.object({ ...configFields, baseVersion }),
    oneOf: ['name', 'logo', 'navLabels', 'navGroups'],
    request: ({ baseVersion, ...patch }) => one('update_site_config', { patch: given(patch) }, baseVersion),
  }),
]

interface OperationParts {
  readonly name: string
  readonly summary: string
  readonly schema: v.ObjectSchema<v.ObjectEntries, v.ErrorMessage<v.ObjectIssue> | undefined>
}

/** Creates a tool whose arguments are the fields of one operation. */
function operationTool(name: string, operation: OperationParts): Tool {
  const { op: _, ...entries } = operation.schema.entries
  const removes = operation.name.startsWith('remove_')
  return requestTool({
    name,
    description: operation.summary,
    input: v.object({ ...entries, baseVersion: optionalBaseVersion }),
    ...(removes && { destructive: true, needs: 'delete' }),
    route: 'POST /ops',
    request: ({ baseVersion, ...fields }) => one(operation.name, fields, baseVersion),
  })
}

/** Tools with exactly one operation. */
export const operationTools: readonly Tool[] = [
  operationTool('add-block', addBlock),
  operationTool('update-block-props', updateProps),
  operationTool('remove-block', removeBlock),
  operationTool('move-block', moveBlock),
  operationTool('duplicate-block', duplicateBlock),
  operationTool('add-list-item', addItem),
  operationTool('update-list-item', updateItem),
  operationTool('remove-list-item', removeItem),
  operationTool('move-list-item', moveItem),
]
