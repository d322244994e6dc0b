import * as v from 'valibot'
import { operations } from '../../plugins/content/operations/index.ts'
import { Page } from '../../plugins/content/page.ts'

export const categories = [
  'text_edit',
  'add_block',
  'remove_block',
  'move_block',
  'list_ops',
  'page_ops',
  'multi_op',
  'rewrite',
  'ambiguous',
  'robustness',
  'natural',
] as const
const statuses = ['applied', 'plan_ready', 'needs_clarification', 'info', 'advice', 'canceled'] as const

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const pattern = v.pipe(text, v.check(isPattern, 'is not a regular expression'))
const maybe = v.optional(text)
/** A block by its id, or the first of a type. */
const block = { blockId: maybe, blockType: maybe }
const target = { ...block, slug: maybe }
type Target = { readonly blockId?: string | undefined; readonly blockType?: string | undefined }
const named = <T extends Target>() =>
  v.check<T, string>(
    ({ blockId, blockType }) => (blockId ?? blockType) !== undefined,
    'needs a blockId or a blockType',
  )

/** A condition on the outcome, after the message is applied or its plan is approved. */
export const Assertion = v.variant('type', [
  v.pipe(
    v.strictObject({ type: v.literal('block_prop_equals'), ...target, prop: text, value: v.unknown() }),
    named(),
  ),
  v.pipe(v.strictObject({ type: v.literal('block_prop_matches'), ...target, prop: text, pattern }), named()),
  v.pipe(v.strictObject({ type: v.literal('block_prop_changed'), ...target, prop: text }), named()),
  v.pipe(v.strictObject({ type: v.literal('block_exists'), ...target }), named()),
  v.pipe(v.strictObject({ type: v.literal('block_not_exists'), ...target }), named()),
  v.strictObject({ type: v.literal('block_count'), slug: maybe, blockType: maybe, count }),
  /** All blocks of the page, each by its id or type. */
  v.strictObject({ type: v.literal('block_order'), slug: maybe, blocks: v.array(text) }),
  v.strictObject({ type: v.literal('page_exists'), slug: text, title: maybe }),
  v.strictObject({ type: v.literal('page_not_exists'), slug: text }),
  v.pipe(
    v.strictObject({
      type: v.literal('item_count_delta'),
      ...target,
      prop: text,
      delta: v.pipe(v.number(), v.integer()),
    }),
    named(),
  ),
  /** An operation of the plan contains these fields. */
  v.strictObject({
    type: v.literal('op_equals'),
    op: v.looseObject({ op: v.picklist([...operations.keys()]) }),
  }),
  v.strictObject({ type: v.literal('draft_unchanged') }),
])
export type Assertion = v.InferOutput<typeof Assertion>

/** A prop of a block; without a block, the answer. */
const prop = { ...block, prop: text }
const answers = ['summary', 'summary_for_user']
const namedOrAnswer = <T extends Target & { readonly prop: string }>() =>
  v.check<T, string>(
    ({ blockId, blockType, prop }) => (blockId ?? blockType) !== undefined || answers.includes(prop),
    'needs a blockId or a blockType, or summary for its prop',
  )

/** A condition on a text. */
export const ContentCheck = v.variant('type', [
  v.pipe(v.strictObject({ type: v.literal('max_word_count'), ...prop, maxWords: count }), namedOrAnswer()),
  v.pipe(
    v.strictObject({ type: v.literal('no_banned_words'), ...prop, bannedWords: v.array(text) }),
    namedOrAnswer(),
  ),
  v.pipe(v.strictObject({ type: v.literal('matches_regex'), ...prop, pattern }), namedOrAnswer()),
])
export type ContentCheck = v.InferOutput<typeof ContentCheck>

const Status = v.picklist(statuses)
const texts = v.optional(v.array(text), [])

/** A message and its expected outcome. */
export const Case = v.strictObject({
  id: v.pipe(text, v.regex(/^[a-z0-9-]+$/, 'has other characters than a-z, 0-9 and -')),
  category: v.picklist(categories),
  /** The selected page. */
  slug: text,
  message: text,
  tags: texts,
  /** Whether the offer of a refusal is sent as well, as with its button; then its outcome counts. */
  clicks: v.optional(v.boolean(), false),
  weight: v.optional(v.pipe(v.number(), v.gtValue(0)), 1),
  /** Replaces the shared pages. */
  fixture: v.optional(v.array(Page)),
  activeBlockId: maybe,
  activeEditablePath: maybe,
  /** The accepted status, or a list of them. */
  expectedStatus: v.union(
    [Status, v.pipe(v.array(Status), v.nonEmpty('must not be empty'))],
    `expected one of ${statuses.join(', ')}, or a list of them`,
  ),
  expectedOpTypes: v.optional(v.array(v.picklist([...operations.keys()])), []),
  expectedOpCount: v.optional(v.strictObject({ min: count, max: count })),
  expectedTargetBlockIds: texts,
  expectedTargetBlockTypes: texts,
  forbiddenBlockIds: texts,
  assertions: v.optional(v.array(Assertion), []),
  contentChecks: v.optional(v.array(ContentCheck), []),
})
export type Case = v.InferOutput<typeof Case>

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp
  } catch {
    return false
  }
}

/** The accepted statuses. */
export const statusesOf = ({ expectedStatus }: Case): readonly string[] => [expectedStatus].flat()

/**
 * Whether the message itself must not change the draft: it requests no change, or one that needs approval.
 */
export const mustNotChange = (wanted: Case): boolean =>
  !statusesOf(wanted).includes('applied') || wanted.assertions.some(({ type }) => type === 'draft_unchanged')

/** Whether a change is expected, directly or after approval. */
export const asksForChange = (wanted: Case): boolean =>
  statusesOf(wanted).includes('plan_ready') || !mustNotChange(wanted)

/** Whether the case checks operations, which only a pending plan exposes. */
export const looksAtOps = ({ assertions }: Case): boolean =>
  assertions.some(({ type }) => type === 'op_equals')
