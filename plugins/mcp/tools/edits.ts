import * as v from 'valibot'
import { addBlock } from '../../content/operations/add-block.ts'
import { addItem } from '../../content/operations/add-item.ts'
import { createPage } from '../../content/operations/create-page.ts'
import { duplicateBlock } from '../../content/operations/duplicate-block.ts'
import { moveBlock } from '../../content/operations/move-block.ts'
import { moveItem } from '../../content/operations/move-item.ts'
import { removeBlock } from '../../content/operations/remove-block.ts'
import { removeItem } from '../../content/operations/remove-item.ts'
import { updateItem } from '../../content/operations/update-item.ts'
import { updateProps } from '../../content/operations/update-props.ts'
import { updateSiteConfig } from '../../content/operations/update-site-config.ts'
import { given, nothing, optionalBaseVersion, optionalBaseVersion as baseVersion, requestTool, slug, text, type Tool } from './tool.ts'

const { blocks, meta } = createPage.schema.entries.page.entries
const metaEntries = { title: text('What search engines show.'), description: text('What search engines show below it; "" takes it away.'), ogImage: text('The picture of link previews; "" takes it away.') }

/** One operation as the body of a request. */
const one = (op: string, fields: object, base: number | undefined) => ({ json: { ops: [{ op, ...fields }] }, baseVersion: base })

/** Tools for pages and for what all of them share. */
export const pageTools: readonly Tool[] = [
  requestTool({
    name: 'get-page',
    description: 'Gives one page of the draft, whole.',
    input: v.object({ slug }),
    reads: true,
    route: 'GET /draft/pages',
    request: (query) => ({ query }),
  }),
  requestTool({ name: 'list-pages', description: 'Lists the pages of the draft.', input: nothing, reads: true, route: 'GET /draft/slugs' }),
  requestTool({
    name: 'create-page',
    description: 'Adds a page.',
    input: v.object({ slug, title: v.string(), blocks, meta, baseVersion }),
    route: 'POST /ops',
    request: ({ baseVersion, blocks = [], ...page }) => one('create_page', { page: given({ ...page, blocks }) }, baseVersion),
  }),
  requestTool({
    name: 'rename-page',
    description: 'Gives a page another address, another title, or both. Links and menus follow.',
    input: v.object({ slug, newSlug: text('The new address.'), newTitle: text('The new title.'), baseVersion }),
    oneOf: ['newSlug', 'newTitle'],
    route: 'POST /ops',
    request: ({ slug, newSlug, newTitle, baseVersion }) => one('rename_page', given({ pageSlug: slug, newPageSlug: newSlug, newTitle }), baseVersion),
  }),
  requestTool({
    name: 'duplicate-page',
    description: 'Copies a page; the answer has the new id of each block.',
    input: v.object({ slug, newSlug: text('The address of the copy.'), newTitle: text('The title of the copy.'), afterSlug: text('The page that the copy comes after.'), baseVersion }),
    route: 'POST /ops',
    request: ({ slug, newSlug, newTitle, afterSlug, baseVersion }) =>
      one('duplicate_page', given({ pageSlug: slug, newPageSlug: newSlug, newTitle, afterPageSlug: afterSlug }), baseVersion),
  }),
  requestTool({
    name: 'remove-page',
    description: 'Removes a page.',
    input: v.object({ slug, baseVersion }),
    destructive: true,
    needs: 'delete',
    route: 'POST /ops',
    request: ({ slug, baseVersion }) => one('remove_page', { pageSlug: slug }, baseVersion),
  }),
  requestTool({
    name: 'update-page-meta',
    description: 'Changes what search engines and link previews read of a page.',
    input: v.object({ slug, ...metaEntries, baseVersion }),
    oneOf: ['title', 'description', 'ogImage'],
    route: 'POST /ops',
    request: ({ slug, baseVersion, ...patch }) => one('update_page_meta', { pageSlug: slug, patch: given(patch) }, baseVersion),
  }),
  requestTool({ name: 'get-site-config', description: 'Gives the site-wide settings of the draft.', input: nothing, reads: true, route: 'GET /draft/site-config' }),
  requestTool({
    name: 'update-site-config',
    description: 'Changes name, logo and menu of the site.',
    input: v.object({ ...updateSiteConfig.schema.entries.patch.entries, baseVersion }),
    oneOf: ['name', 'logo', 'navLabels', 'navGroups'],
    route: 'POST /ops',
    request: ({ baseVersion, ...patch }) => one('update_site_config', { patch: given(patch) }, baseVersion),
  }),
]

interface OperationParts {
  readonly name: string
  readonly summary: string
  readonly schema: v.ObjectSchema<v.ObjectEntries, v.ErrorMessage<v.ObjectIssue> | undefined>
}

/** Makes a tool of one kind of operation: its arguments are the fields of that. */
function operationTool(name: string, operation: OperationParts): Tool {
  const { op: _, ...entries } = operation.schema.entries
  const removes = operation.name.startsWith('remove_')
  return requestTool({
    name,
    description: operation.summary,
    input: v.object({ ...entries, baseVersion: optionalBaseVersion }),
    ...(removes && { destructive: true, needs: 'delete' }),
    route: 'POST /ops',
    request: ({ baseVersion, ...fields }) => ({ json: { ops: [{ op: operation.name, ...fields }] }, baseVersion }),
  })
}

/** Tools whose arguments are those of an operation. */
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
