import type { PlanningInput } from '../../chat/port.ts'
import { applyBatch, type BatchSuccess } from '../../content/batch.ts'
import { toDraft } from '../../content/draft-view.ts'
import { fieldKinds } from '../../content/fields.ts'
import type { BatchFailure } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { badLinks } from '../../content/operations/links.ts'
import type { Block, Props } from '../../content/page.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { sameJson } from '../../content/same-json.ts'
import { keepsLinks, namesBothButtons } from '../language.ts'
import { blockAt, blockTypeAt, pageAt } from '../lookup.ts'
import type { Subject } from '../prompt/context.ts'
import { type CheckedPlan, fieldsIn, hasLetters, strays, type TouchedField, untranslated } from './translation.ts'

/** What is wrong with a plan, reported to the model once so that it fixes it. */
export interface Violation {
  /** Where in the plan, such as `ops[2].patch.heading`. */
  readonly path: string
  /** Such as `type mismatch`. */
  readonly kind: string
  readonly message: string
}

/** What the checks say of a plan. */
export interface Judgement {
  /** It can be applied, whatever it left out. */
  readonly fits: boolean
  /** Everything that it may be sent back for. */
  readonly violations: readonly Violation[]
  /** What it replaces although the model was not shown it whole. */
  readonly unseen: readonly Violation[]
  readonly untranslated: readonly TouchedField[]
  readonly missed: readonly Violation[]
}

/** Applies a plan to a copy of the draft, and looks whether it does all that was asked for. Nothing is written. */
export function judge(ops: readonly Operation[], { input, words, now, context }: Subject): Judgement {
  const tried = triedOut(ops, input, now)
  const unseen = ops.flatMap((op, at) => unseenTexts(op, { input, context }).map((path) => ({ path: `ops[${at}].patch.${path}`, kind: 'not shown whole', message: unseenMessage })))
  const broken = [...(tried.ok ? [] : unfit(tried)), ...linkViolations(ops, input), ...unseen]
  const fits = broken.length === 0
  if (!tried.ok) return { fits, violations: broken, unseen, untranslated: [], missed: [] }
  const pages = input.draft.pages.map((page) => [page.slug, tried.change.pages.get(page.slug)?.after ?? page] as const)
  const plan = { ops: tried.ops, input, words, after: new Map(pages) }
  const left = untranslated(plan)
  const missed = missedButtons(plan)
  return { fits, violations: [...broken, ...perBlock(left, 'not translated', 'these texts have no translation yet'), ...perBlock(strays(plan), 'to be left alone', 'a translation leaves these as they are'), ...missed], unseen, untranslated: left, missed }
}

const unseenMessage = 'was not shown whole, so its texts cannot be replaced: leave it out, or ask for the section to be selected, which shows it whole'

function perBlock(fields: readonly TouchedField[], kind: string, message: string): readonly Violation[] {
  return Object.entries(Object.groupBy(fields, ({ blockId }) => blockId)).map(([blockId, some = []]) =>
    ({ path: `block ${blockId}`, kind, message: `${message}: ${some.map(({ path }) => path).join(', ')}` }))
}

function triedOut(ops: readonly Operation[], input: PlanningInput, now: Date): BatchSuccess | BatchFailure {
  const { draft, registry, manifest, selection } = input
  const known = ops.map((op) => withoutUnknownProps(op, input))
  return applyBatch(toDraft(draft), known, { source: 'planner', registry, manifest, now, currentSlug: selection.slug })
}

/** Props that no type has are no reason to ask again: they are removed later, with a note. */
function withoutUnknownProps(op: Operation, input: PlanningInput): Operation {
  if (op.op !== 'update_props') return op
  const blockType = blockAt(input, { ...op })?.blockType
  const allowed = blockType && (blockType.propsSchema.properties ?? blockType.fields)
  return allowed ? { ...op, patch: Object.fromEntries(Object.entries(op.patch).filter(([name]) => Object.hasOwn(allowed, name))) } : op
}

/** What keeps a plan from being applied, as far as the model can fix it. A plan that changes nothing is in order. */
function unfit(failure: BatchFailure): readonly Violation[] {
  if (failure.category === 'no_effective_change') return []
  const path = failure.path === undefined ? `ops[${failure.index ?? 0}]` : `ops[${failure.index ?? 0}].${failure.path}`
  return [{ path, kind: kindOf(failure), message: failure.message }]
}

function kindOf({ category, path, admissible, violation = 'unknown' }: BatchFailure): string {
  if (category === 'not_found') return 'unknown target'
  if (path !== undefined && /(?:^|\.)(?:index|afterIndex)$/.test(path)) return 'out of range'
  if (admissible) return path?.startsWith('item.') || path?.endsWith('.type') ? 'invalid discriminator' : 'invalid enum'
  return violation
}

/** The rule for links is that of every plan: what it would refuse is sent back first. */
function linkViolations(ops: readonly Operation[], { draft, registry, manifest }: PlanningInput): readonly Violation[] {
  const bad = badLinks(ops, { draft: toDraft(draft), registry, manifest })
  return bad.map(({ path, problem }) => ({ path, kind: 'string constraint', message: problem }))
}

/**
 * What a plan left out of a request that names the buttons of the hero and of the end of the page together.
 *
 * Both texts have to change; where the links are to stay, no link may.
 */
function missedButtons({ input, words, after, ops }: CheckedPlan): readonly Violation[] {
  const page = input.draft.pages.find(({ slug }) => slug === input.selection.slug)
  const hasButton = ({ props }: Block): boolean => typeof props['ctaText'] === 'string' && props['ctaText'] !== ''
  const hero = page?.blocks.find((block) => block.type === 'Hero' && hasButton(block))
  const end = page?.blocks.findLast((block) => block !== hero && hasButton(block))
  if (!page || !hero || !end || !namesBothButtons(words)) return []
  const now = after.get(page.slug)?.blocks ?? []
  const missed = [hero, end].filter(({ id, props }) => now.find((block) => block.id === id)?.props['ctaText'] === props['ctaText'])
  const isLink = (name: string): boolean => name.toLowerCase().endsWith('href')
  const moved = keepsLinks(words) ? ops.flatMap((op, at) => ('patch' in op && Object.keys(op.patch).some(isLink) ? [at] : [])) : []
  const kind = 'target left out'
  return [
    ...missed.map(({ id }) => ({ path: `block ${id}`, kind, message: 'the request names the button of this block; its ctaText has to change' })),
    ...moved.map((at) => ({ path: `ops[${at}].patch`, kind, message: 'the request wants links to stay as they are; leave them out of the patch' })),
  ]
}

/** The texts that an operation replaces although they were not shown whole: what it writes there is made up. */
function unseenTexts(op: Operation, { input, context: { isWhole } }: Pick<Subject, 'input' | 'context'>): readonly string[] {
  if (op.op === 'update_page_meta') {
    const page = pageAt(input, op.pageSlug)
    return page && !isWhole(page) ? Object.keys(op.patch).filter((name) => name !== 'ogImage' && hasLetters(page.meta?.[name])) : []
  }
  if (op.op !== 'update_props' && op.op !== 'update_item') return []
  // A page that the draft does not have may be one that the plan renames before.
  const pages = pageAt(input, op.pageSlug) ? [] : input.draft.pages
  const block = blockAt(input, { ...op })?.block ?? pages.flatMap(({ blocks }) => blocks).find(({ id }) => id === op.blockId)
  if (!block || isWhole(block)) return []
  const fields = fieldsIn(block.props, afterwards(op, block), blockTypeAt(input, block.type)?.fields ?? {})
  return fields.filter(({ meta, old, value }) => fieldKinds[meta.kind].translatable && hasLetters(old) && !sameJson(old, value)).map(({ path }) => path)
}

function afterwards(op: Extract<Operation, { op: 'update_props' | 'update_item' }>, { props }: Block): Props {
  if (op.op === 'update_props') return { ...props, ...op.patch }
  const rows = props[op.listKey]
  return Array.isArray(rows) ? { ...props, [op.listKey]: rows.map((row: unknown, at) => (at === op.index && isPlainObject(row) ? { ...row, ...op.patch } : row)) } : props
}
