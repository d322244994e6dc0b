import * as v from 'valibot'
import type { Operation } from '../../content/operations/index.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import { sourceKinds } from '../images/source.ts'
import { ChatDebug, Tier } from '../result.ts'
import type { PendingPlan } from './pending-plan.ts'

const text = v.string()
const number = v.number()
const texts = v.array(text)
const onBlock = { pageSlug: text, blockId: text, field: text }

const Step = v.object({ op: v.custom<Operation>((op) => parseOperations([op]).ok), line: v.optional(text) })

const PlannedImage = v.object({
  at: v.variant('kind', [
    v.object({ kind: v.literal('block'), ...onBlock }),
    v.object({ kind: v.literal('row'), ...onBlock, listKey: text, index: number }),
    v.object({ kind: v.literal('page'), pageSlug: text }),
    v.object({ kind: v.literal('site') }),
  ]),
  type: text,
  query: text,
  source: v.optional(v.picklist(sourceKinds)),
  was: text,
})

const Remark = v.variant('kind', [
  v.object({ kind: v.literal('said'), text }),
  v.object({ kind: v.picklist(['unknown_props', 'references', 'descriptions', 'images', 'unfit_images', 'no_images']), type: text }),
])

const Reason = v.variant('kind', [
  v.object({ kind: v.literal('remove_page'), slug: text, title: text, blockCount: number }),
  v.object({ kind: v.literal('multi_page_plan'), slugs: texts }),
  v.object({ kind: v.literal('bulk_remove_blocks'), count: number }),
  v.object({ kind: v.literal('majority_page_wipe'), slug: text, removing: number, total: number }),
])

/** What is only said beside a plan may be missing: another version of this service may have stored it. */
const StoredPlan = v.object({
  id: text,
  createdAt: text,
  expiresAt: text,
  promptHash: text,
  message: text,
  locale: text,
  requestedSlug: text,
  selection: v.object({ slug: text, blockId: v.optional(text), path: v.optional(text) }),
  summary: text,
  steps: v.array(Step),
  images: v.optional(v.array(PlannedImage)),
  suggestions: v.optional(texts, []),
  mentionedSlugs: v.optional(texts, []),
  notes: v.optional(v.array(Remark), []),
  reasons: v.optional(v.array(Reason), []),
  source: v.object({ plannerSource: text, modelUsed: text, plannerTier: ChatDebug.entries.plannerTier, modelKey: v.optional(Tier) }),
  draftVersion: number,
  componentsManifest: v.optional(v.unknown()),
  allowStructuralEdits: v.optional(v.boolean()),
})

/** Reads a plan as it was stored; `undefined` where too little of it is there to be shown and applied. */
export function readStoredPlan(stored: unknown): PendingPlan | undefined {
  const read = v.safeParse(StoredPlan, stored)
  return read.success ? read.output : undefined
}
