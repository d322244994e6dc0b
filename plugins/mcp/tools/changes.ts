import * as v from 'valibot'
import { Operations } from '../../content/operations/parse.ts'
import {
  baseVersion,
  count,
  optionalBaseVersion,
  optionalSlug,
  type Permission,
  requestTool,
  slug,
  text,
  type Tool,
} from './tool.ts'

const removals: ReadonlySet<unknown> = new Set(['remove_page', 'remove_block', 'remove_item'])

/** Detects removals; the service validates operations. */
const removing = ({
  ops,
}: {
  readonly ops: readonly Readonly<Record<string, unknown>>[]
}): Permission | undefined => (ops.some(({ op }) => removals.has(op)) ? 'delete' : undefined)

const loose = v.pipe(
  v.array(v.looseObject({}), 'must be a list of operations'),
  v.minLength(1, 'must hold at least one operation'),
  v.maxLength(100, 'may hold at most 100 operations'),
)
const ops = v.pipe(loose, v.metadata({ describedBy: Operations }))

/** Tools for batches of operations, and for the history. */
export const changeTools: readonly Tool[] = [
  requestTool({
    name: 'edit-content',
    route: 'POST /ops',
    needs: removing,
    destructive: true,
    byDefault: true,
    description: 'Applies operations to the draft, all or none. Use the baseVersion that you read.',
    input: v.object({ baseVersion, ops }),
  }),
  requestTool({
    name: 'revert-change',
    route: 'POST /history/undo',
    byDefault: true,
    description: 'Undoes the latest change of a page. Use the baseVersion that you read.',
    input: v.object({ slug, baseVersion }),
  }),
  requestTool({
    name: 'list-history',
    route: 'GET /history/log',
    reads: true,
    byDefault: true,
    description: 'Lists the newest changes of the draft, oldest first, with their authors and effects.',
    input: v.object({ slug: optionalSlug, limit: count(100, 'The number of changes; default 50.') }),
  }),
  requestTool({
    name: 'batch-apply',
    route: 'POST /ops',
    needs: removing,
    destructive: true,
    description: 'Applies 1 to 100 operations to the draft, all or none.',
    input: v.object({ ops, baseVersion: optionalBaseVersion }),
  }),
  ...(['undo', 'redo'] as const).map((step) =>
    requestTool({
      name: `${step}-edit`,
      route: `POST /history/${step}`,
      description:
        step === 'undo'
          ? 'Undoes the latest change of a page.'
          : 'Redoes the change of a page that was undone last.',
      input: v.object({ slug, baseVersion: optionalBaseVersion }),
    }),
  ),
  requestTool({
    name: 'undo-change',
    route: 'POST /history/undo-change',
    description:
      'Undoes one change of the history, which need not be the newest. Later changes of the same fields are listed in a refusal, or undone too.',
    input: v.object({
      version: v.pipe(v.number(), v.integer()),
      withDependents: v.optional(v.boolean()),
      baseVersion: optionalBaseVersion,
    }),
  }),
  requestTool({
    name: 'discard-changes',
    route: 'POST /history/discard',
    needs: 'delete',
    destructive: true,
    description:
      'Resets a field, a block, a page or, without arguments, all pages to what is published; can be undone.',
    input: v.object({
      slug: optionalSlug,
      blockId: text('Only this block of the page.'),
      field: text('Only this field of the block.'),
      baseVersion: optionalBaseVersion,
    }),
  }),
  requestTool({
    name: 'restore-version',
    route: 'POST /history/restore',
    description: 'Restores a page to its state after a version in the history.',
    input: v.object({ targetVersion: v.pipe(v.number(), v.integer()), baseVersion: optionalBaseVersion }),
  }),
]

/** Tools for findings about a draft. */
export const checkTools: readonly Tool[] = [
  requestTool({
    name: 'list-checks',
    route: 'GET /checks',
    reads: true,
    byDefault: true,
    description: 'Lists problems of the draft: links, image descriptions, headings, required fields.',
    input: v.object({ slug: optionalSlug, severity: v.optional(v.picklist(['error', 'warning', 'info'])) }),
  }),
  requestTool({
    name: 'fix-checks',
    route: 'POST /checks/fix',
    description: 'Fixes findings of the checks in one change that can be undone.',
    input: v.object({
      findingIds: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(200)),
      dryRun: v.optional(v.boolean()),
      baseVersion: optionalBaseVersion,
    }),
  }),
]
