import * as v from 'valibot'
import { operations } from '../../plugins/content/operations/index.ts'
import { Page } from '../../plugins/content/page.ts'

export const categories = ['text_edit', 'add_block', 'remove_block', 'move_block', 'list_ops', 'page_ops', 'multi_op', 'rewrite', 'ambiguous', 'robustness'] as const
const statuses = ['applied', 'plan_ready', 'needs_clarification', 'info', 'advice', 'canceled'] as const

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const pattern = v.pipe(text, v.check(isPattern, 'is no regular expression'))
const maybe = v.optional(text)
/** A block by its id, or the first of a type. */
const block = { blockId: maybe, blockType: maybe }
const target = { ...block, slug: maybe }
type Target = { readonly blockId?: string | undefined; readonly blockType?: string | undefined }
const named = <T extends Target>() => v.check<T, string>(({ blockId, blockType }) => (blockId ?? blockType) !== undefined, 'needs a blockId or a blockType')

/** What has to be so once the message is carried out, or the plan that it led to is approved. */
export const Assertion = v.variant('type', [
  v.pipe(v.strictObject({ type: v.literal('block_prop_equals'), ...target, prop: text, value: v.unknown() }), named()),
  v.pipe(v.strictObject({ type: v.literal('block_prop_matches'), ...target, prop: text, pattern }), named()),
  v.pipe(v.strictObject({ type: v.literal('block_prop_changed'), ...target, prop: text }), named()),
  v.pipe(v.strictObject({ type: v.literal('block_exists'), ...target }), named()),
  v.pipe(v.strictObject({ type: v.literal('block_not_exists'), ...target }), named()),
  v.strictObject({ type: v.literal('block_count'), slug: maybe, blockType: maybe, count }),
  /** The whole page, each block by its id or its type. */
  v.strictObject({ type: v.literal('block_order'), slug: maybe, blocks: v.array(text) }),
  v.strictObject({ type: v.literal('page_exists'), slug: text, title: maybe }),
  v.strictObject({ type: v.literal('page_not_exists'), slug: text }),
  v.pipe(v.strictObject({ type: v.literal('item_count_delta'), ...target, prop: text, delta: v.pipe(v.number(), v.integer()) }), named()),
  /** One of the operations of the plan has these fields, whatever else it has. */
  v.strictObject({ type: v.literal('op_equals'), op: v.looseObject({ op: v.picklist([...operations.keys()]) }) }),
  v.strictObject({ type: v.literal('draft_unchanged') }),
])
export type Assertion = v.InferOutput<typeof Assertion>

/** A prop of a block, or without one the answer itself. */
const prop = { ...block, prop: text }
const answers = ['summary', 'summary_for_user']
const namedOrAnswer = <T extends Target & { readonly prop: string }>() =>
  v.check<T, string>(({ blockId, blockType, prop }) => (blockId ?? blockType) !== undefined || answers.includes(prop), 'needs a blockId or a blockType, or summary for its prop')

/** What a text has to be like. */
export const ContentCheck = v.variant('type', [
  v.pipe(v.strictObject({ type: v.literal('max_word_count'), ...prop, maxWords: count }), namedOrAnswer()),
  v.pipe(v.strictObject({ type: v.literal('no_banned_words'), ...prop, bannedWords: v.array(text) }), namedOrAnswer()),
  v.pipe(v.strictObject({ type: v.literal('matches_regex'), ...prop, pattern }), namedOrAnswer()),
])
export type ContentCheck = v.InferOutput<typeof ContentCheck>

const Status = v.picklist(statuses)
const texts = v.optional(v.array(text), [])

/** One message of a person, and what should become of it. */
export const Case = v.strictObject({
  id: v.pipe(text, v.regex(/^[a-z0-9-]+$/, 'has other characters than a-z, 0-9 and -')),
  category: v.picklist(categories),
  /** The page that the person looks at. */
  slug: text,
  message: text,
  tags: texts,
  weight: v.optional(v.pipe(v.number(), v.gtValue(0)), 1),
  /** In place of the shared pages. */
  fixture: v.optional(v.array(Page)),
  activeBlockId: maybe,
  activeEditablePath: maybe,
  /** One, or every one that would be right. */
  expectedStatus: v.union([Status, v.pipe(v.array(Status), v.nonEmpty('must not be empty'))], `expected one of ${statuses.join(', ')}, or a list of them`),
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

/** The answers that would be right. */
export const statusesOf = ({ expectedStatus }: Case): readonly string[] => [expectedStatus].flat()

/** The message itself must leave the draft alone: it asks for nothing, or for something that a person has to approve. */
export const mustNotChange = (wanted: Case): boolean =>
  !statusesOf(wanted).includes('applied') || wanted.assertions.some(({ type }) => type === 'draft_unchanged')

/** Something is to be done, at once or after a yes. */
export const asksForChange = (wanted: Case): boolean => statusesOf(wanted).includes('plan_ready') || !mustNotChange(wanted)

/** Something is said about the operations themselves, which only a plan shows. */
export const looksAtOps = ({ assertions }: Case): boolean => assertions.some(({ type }) => type === 'op_equals')
