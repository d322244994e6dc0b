import * as v from 'valibot'
import { Operations } from '../../content/operations/parse.ts'
import { baseVersion, count, optionalBaseVersion, optionalSlug, type Permission, requestTool, slug, type Tool } from './tool.ts'

const removals: ReadonlySet<unknown> = new Set(['remove_page', 'remove_block', 'remove_item'])

/** The service says what is wrong with operations, one by one; here only what they remove is looked at. */
const removing = ({ ops }: { readonly ops: readonly Readonly<Record<string, unknown>>[] }): Permission | undefined =>
  ops.some(({ op }) => removals.has(op)) ? 'delete' : undefined

const loose = v.pipe(v.array(v.looseObject({}), 'must be a list of operations'), v.minLength(1, 'must hold at least one operation'), v.maxLength(100, 'may hold at most 100 operations'))
const ops = v.pipe(loose, v.metadata({ describedBy: Operations }))

/** Tools for many operations at once, and for what was done. */
export const changeTools: readonly Tool[] = [
  requestTool({
    name: 'edit-content',
    description: 'Applies operations to the draft, all of them or none. Take baseVersion from what you read.',
    input: v.object({ baseVersion, ops }),
    byDefault: true,
    destructive: true,
    needs: removing,
    route: 'POST /ops',
    request: ({ ops, baseVersion }) => ({ json: { ops }, baseVersion }),
  }),
  requestTool({
    name: 'revert-change',
    description: 'Takes back the latest change of a page. Take baseVersion from what you read.',
    input: v.object({ slug, baseVersion }),
    byDefault: true,
    route: 'POST /history/undo',
    request: ({ baseVersion, ...json }) => ({ json, baseVersion }),
  }),
  requestTool({
    name: 'list-history',
    description: 'Lists the newest changes of the draft, oldest first: who made them, and what they did.',
    input: v.object({ slug: optionalSlug, limit: count(100, 'How many changes; 50 without it.') }),
    reads: true,
    byDefault: true,
    route: 'GET /history/log',
    request: (query) => ({ query }),
  }),
  requestTool({
    name: 'batch-apply',
    description: 'Applies 1 to 100 operations to the draft, all of them or none.',
    input: v.object({ ops, baseVersion: optionalBaseVersion }),
    destructive: true,
    needs: removing,
    route: 'POST /ops',
    request: ({ ops, baseVersion }) => ({ json: { ops }, baseVersion }),
  }),
  ...(['undo', 'redo'] as const).map((step) =>
    requestTool({
      name: `${step}-edit`,
      description: step === 'undo' ? 'Takes back the latest change of a page.' : 'Brings back the change of a page that was taken back last.',
      input: v.object({ slug, baseVersion: optionalBaseVersion }),
      route: `POST /history/${step}`,
      request: ({ baseVersion, ...json }) => ({ json, baseVersion }),
    }),
  ),
  requestTool({
    name: 'restore-version',
    description: 'Puts the page of a version that list-history shows back as it was after it.',
    input: v.object({ targetVersion: v.pipe(v.number(), v.integer()), baseVersion: optionalBaseVersion }),
    route: 'POST /history/restore',
    request: ({ baseVersion, ...json }) => ({ json, baseVersion }),
  }),
]

/** Tools for what is wrong with a draft. */
export const checkTools: readonly Tool[] = [
  requestTool({
    name: 'list-checks',
    description: 'Lists what is wrong with the draft: links, descriptions of images, headings, required fields.',
    input: v.object({ slug: optionalSlug, severity: v.optional(v.picklist(['error', 'warning', 'info'])) }),
    reads: true,
    byDefault: true,
    route: 'GET /checks',
    request: (query) => ({ query }),
  }),
  requestTool({
    name: 'fix-checks',
    description: 'Puts findings of list-checks right, all in one change that can be undone.',
    input: v.object({ findingIds: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(200)), dryRun: v.optional(v.boolean()), baseVersion: optionalBaseVersion }),
    route: 'POST /checks/fix',
    request: ({ baseVersion, ...json }) => ({ json, baseVersion }),
  }),
]
