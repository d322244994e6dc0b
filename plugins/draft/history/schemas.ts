import * as v from 'valibot'
import { explained, optionally } from '../../content/plain-object.ts'
import { FieldDiff, PageDiff } from '../../content/diff/index.ts'
import { Page } from '../../content/page.ts'
import { limitQuery } from '../../content/limit.ts'
import { ShownText } from '../../content/shown-text.ts'
import { changeFields, ClientQuery, ShownEntry } from '../port.ts'
import { draftFields, RequiredSlug } from '../../scope/port.ts'

export const StatusQuery = v.object({
  ...draftFields,
  slug: RequiredSlug,
  names: optionally(v.literal('1'), 'Also returns the labels of the next undo and redo.'),
  mine: optionally(v.literal('1'), 'Reports the own changes of the caller only, as `mine` of undo and redo.'),
  client: ClientQuery,
})
export const LogQuery = v.object({
  ...draftFields,
  slug: v.optional(
    v.pipe(v.string(), v.description('Only the changes of this page, also under its former addresses.')),
  ),
  limit: limitQuery(50, 100),
})
export const StepBody = v.pipe(
  v.object({
    ...changeFields,
    slug: RequiredSlug,
    mine: optionally(
      v.boolean(),
      "Undoes the caller's own newest change of the page instead of the newest one, or redoes what the caller undid last. Whose a change is: by the token of a program, else by `client`.",
    ),
  }),
  v.examples([{ session: 'dev', siteId: 'demo', slug: '/hello' }]),
)
export type StepBody = v.InferOutput<typeof StepBody>
export const RestoreBody = v.object({
  ...changeFields,
  targetVersion: v.pipe(v.number('targetVersion must be a number'), v.integer()),
})
export const UndoChangeBody = v.object({
  ...changeFields,
  version: v.pipe(v.number('version must be a number'), v.integer(), v.examples([2])),
  withDependents: optionally(
    v.boolean(),
    'Also undo the later changes of the same fields, instead of refusing with 409.',
  ),
})
export const DiscardBody = v.object({
  ...changeFields,
  slug: v.optional(v.string()),
  blockId: optionally(v.string(), 'Only this block of the page `slug`; its place among others stays.'),
  field: optionally(v.string(), 'Only this field of the block `blockId`.'),
  siteOrigin: v.optional(v.string()),
})
export type DiscardBody = v.InferOutput<typeof DiscardBody>

const Steps = v.object({ canUndo: v.boolean(), canRedo: v.boolean() })
/** `undo` and `redo`: the summaries of the changes, with `names`. */
export const NamedSteps = v.object({
  ...Steps.entries,
  undo: v.optional(v.string()),
  redo: v.optional(v.string()),
})

export const Log = v.object({
  /** Oldest first. */
  entries: v.array(ShownEntry),
  currentVersion: v.number(),
})

export const PageQuery = v.object({
  ...draftFields,
  slug: RequiredSlug,
  version: v.pipe(
    v.string('version is required'),
    v.regex(/^\d{1,15}$/, 'must be a version of the log'),
    v.examples(['1']),
    v.transform(Number),
  ),
  against: explained(
    v.optional(v.picklist(['before', 'now']), 'before'),
    'What `changes` compares the page with: itself before the change, or the present draft.',
  ),
})
/** A page around a change; `null` where it did not exist. */
export const PageAt = v.object({
  entry: ShownEntry,
  before: v.nullable(Page),
  page: v.nullable(Page),
  changes: v.optional(PageDiff),
  settings: explained(
    v.array(FieldDiff),
    'What the change did to name, logo and menu of the site, always against before.',
  ),
  canUndo: explained(
    v.boolean(),
    'False if an undo of the change would change nothing, as after a first import.',
  ),
})

export const StepTaken = v.object({
  status: v.literal('applied'),
  previewVersion: v.number(),
  ...Steps.entries,
  navigateToSlug: v.optional(v.string()),
  notes: v.array(v.string()),
  message: ShownText,
})
