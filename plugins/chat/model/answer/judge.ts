import type { PlanningInput } from '../../port.ts'
import { declaredType } from '../../../content/registry.ts'
import { applyBatch } from '../../../content/batch.ts'
import { toDraft } from '../../../content/draft-view.ts'
import {
  effectiveItemFields,
  fieldKinds,
  isDeclaredList,
  isInternal,
  isTranslatable,
  labelOf,
} from '../../../content/fields.ts'
import type { BatchFailure, FieldMeta, Fields } from '../../../content/model.ts'
import type { Operation } from '../../../content/operations/index.ts'
import { badLinks } from '../../../content/operations/links.ts'
import type { ShapeIssue } from '../../../content/operations/parse.ts'
import type { Block, Page, Props } from '../../../content/page.ts'
import { isPlainObject, picked, sameJson } from '../../../content/plain-object.ts'
import { blockAt, pageAt } from '../lookup.ts'
import type { Subject } from '../prompt/context.ts'
import type { ReadPlan } from './plan.ts'
import { replacedIn } from './replace.ts'

/** The problems of a plan, reported to the model once for a repair. */
interface Violation extends ShapeIssue {
  /** Such as `type mismatch`. */
  readonly kind: string
}

/** Applies a plan to a copy of the draft, and checks whether it fulfils the request. Nothing is written. */
export function judge(
  { ops, isTranslation, replacements }: Pick<ReadPlan, 'ops' | 'isTranslation' | 'replacements'>,
  subject: Subject,
) {
  const { input, now, context } = subject
  const { selection, registry, manifest } = input
  const draft = toDraft(input.draft)
  const pruned = ops.map((op) => withoutUnknownProps(op, subject))
  const options = { source: 'planner', registry, manifest, now, currentSlug: selection.slug } as const
  const tried = applyBatch(draft, pruned, options)
  const links = badLinks(ops, { draft, registry, manifest }).map(({ path, problem: message }): Violation => ({
    path,
    kind: 'string constraint',
    message,
  }))
  const changes = tried.ok ? tried.change.pages : undefined
  const renamed = new Map(
    ops.flatMap((op) => (op.op === 'rename_page' ? [[op.pageSlug, op.newPageSlug ?? ''] as const] : [])),
  )
  const pageAfter = (page: Page): Page =>
    changes?.get(page.slug)?.after ?? changes?.get(renamed.get(page.slug) ?? '')?.after ?? page
  const touched = tried.ok ? touchedFields(tried.ops, input, pageAfter) : []
  const changed = touched.filter(({ old, value }) => !sameJson(old, value))
  const isReplaced = ({ old, value }: TouchedField): boolean =>
    replacements.length > 0 && sameJson(replacements.reduce(replacedIn, old), value)
  const hidden = changed.filter(
    (field) =>
      !context.isComplete(field.of) &&
      fieldKinds[field.meta.kind].translatable &&
      hasLetters(field.old) &&
      !isReplaced(field),
  )
  const isOneField =
    selection.path !== undefined &&
    changed.every(({ at, path }) => at === `block ${selection.blockId}` && path === selection.path)
  const untranslated = touched.filter(
    (field) =>
      isTranslation &&
      !isOneField &&
      isTranslatable(field.meta) &&
      hasLetters(field.old) &&
      !changed.includes(field),
  )
  const strays = changed.filter(({ meta }) => isTranslation && !isTranslatable(meta))
  const unseen = together(hidden, 'not shown whole', unseenMessage)
  const missed = tried.ok ? missedButtons(tried.ops, subject, pageAfter) : []
  const broken = [...(tried.ok ? [] : unfit(tried)), ...links, ...unseen]
  return {
    /** True if the plan can be applied, even if something is left out. */
    fits: broken.length === 0,
    /** All problems for which the plan may be sent back. */
    violations: [
      ...broken,
      ...together(untranslated, 'not translated', 'these texts have no translation yet'),
      ...together(strays, 'to be left alone', 'a translation leaves these as they are, unless named'),
      ...missed,
    ],
    /** Values that the plan replaces although the model was shown only a part of them. */
    unseen,
    /** The labels, for people, of fields that a translation should have changed. */
    untranslated: untranslated.map(({ label }) => label),
    /** The targets that the request names and the plan leaves out. */
    missed,
  }
}

/** The result of the checks of a plan. */
export type Judgement = ReturnType<typeof judge>

const unseenMessage = 'was not shown whole; leave these texts out, or ask for the section to be selected'

/** One violation for each block or page. */
function together(fields: readonly TouchedField[], kind: string, message: string): readonly Violation[] {
  return Object.entries(Object.groupBy(fields, ({ at }) => at)).map(([at, some = []]) => ({
    path: at,
    kind,
    message: `${message}: ${some.map(({ path }) => path).join(', ')}`,
  }))
}

/** Drops unknown props, which are not sent back: they are removed later, with a note. */
function withoutUnknownProps(op: Operation, { input }: Subject): Operation {
  if (op.op !== 'update_props') return op
  const blockType = blockAt(input, { ...op })?.blockType
  const allowed = blockType && (blockType.propsSchema.properties ?? blockType.fields)
  return allowed ? { ...op, patch: picked(op.patch, (_, name) => Object.hasOwn(allowed, name)) } : op
}

/** Returns why a plan cannot be applied, for the model to fix. A plan that changes nothing is valid. */
function unfit(failure: BatchFailure): readonly Violation[] {
  const { category, index = 0, path = '', message } = failure
  if (category === 'no_effective_change') return []
  return [{ path: `ops[${index}]${path && `.${path}`}`, kind: kindOf(failure), message }]
}

function kindOf({ category, path = '', admissible, violation = 'unknown' }: BatchFailure): string {
  if (category === 'not_found') return 'unknown target'
  if (/(?:^|\.)(?:index|afterIndex)$/.test(path)) return 'out of range'
  if (!admissible) return violation
  return path.startsWith('item.') || path.endsWith('.type') ? 'invalid discriminator' : 'invalid enum'
}

const namesButtons = / (?:ctas?|buttons?|calls? to action) /
const namesEnd = / (?:closing|footer|bottom|final|last) /

/** Returns what follows the first words that match, or nothing. */
function after(text: string, words: RegExp): string {
  const found = words.exec(text)
  return found ? text.slice(found.index + found[0].length) : ''
}

const keepsLinks = (text: string): boolean =>
  /(?:unchanged|same|as (?:they are|it is)) /.test(after(text, / links? /)) ||
  /links? /.test(after(text, /(?:keep|leave)s? /))

/**
 * Returns the omissions of a plan if the request names both the hero button and the button at the page end.
 *
 * Both texts have to change; if the request keeps the links, no link may change.
 */
function missedButtons(
  ops: readonly Operation[],
  { input, words: { text } }: Subject,
  pageAfter: (page: Page) => Page,
): readonly Violation[] {
  const page = pageAt(input, input.selection.slug)
  const hasButton = ({ props }: Block): boolean =>
    typeof props['ctaText'] === 'string' && props['ctaText'] !== ''
  const hero = page?.blocks.find((block) => block.type === 'Hero' && hasButton(block))
  const end = page?.blocks.findLast((block) => block !== hero && hasButton(block))
  if (!page || !hero || !end || !text.includes(' hero ') || !namesButtons.test(text) || !namesEnd.test(text))
    return []
  const now = pageAfter(page).blocks
  const missed = [hero, end].filter(
    ({ id, props }) => now.find((block) => block.id === id)?.props['ctaText'] === props['ctaText'],
  )
  const isLink = (name: string): boolean => name.toLowerCase().endsWith('href')
  const moved = keepsLinks(text)
    ? ops.flatMap((op, at) => ('patch' in op && Object.keys(op.patch).some(isLink) ? [at] : []))
    : []
  const kind = 'target left out'
  return [
    ...missed.map(({ id }) => ({
      path: `block ${id}`,
      kind,
      message: 'the request names the button of this block; its ctaText has to change',
    })),
    ...moved.map((at) => ({
      path: `ops[${at}].patch`,
      kind,
      message: 'the request wants links to stay as they are; leave them out of the patch',
    })),
  ]
}

/** A field of a block or of one of its rows, with its value before and after; the label is for people. */
interface ChangedField {
  /** Such as `items[1].q`. */
  readonly path: string
  readonly label: string
  readonly meta: FieldMeta
  readonly old: unknown
  readonly value: unknown
}

/** A field of a block or page that a plan changes. */
interface TouchedField extends ChangedField {
  readonly of: Block | Page
  /** Such as `block b_hero_1`. */
  readonly at: string
}

/** Every field of the blocks and pages that a plan changes. */
function touchedFields(
  ops: readonly Operation[],
  input: PlanningInput,
  pageAfter: (page: Page) => Page,
): readonly TouchedField[] {
  const touched = new Set(ops.flatMap((op) => ('blockId' in op ? [op.blockId] : [])))
  return input.draft.pages.flatMap((page) => {
    const after = pageAfter(page)
    const ofPage = after === page ? [] : fieldsIn(page.meta ?? {}, after.meta ?? {}, pageFields)
    const ofBlocks = page.blocks.flatMap((block) => {
      const now = touched.has(block.id) && after.blocks.find(({ id }) => id === block.id)
      const { displayName = block.type, fields = {} } = declaredType(block.type, input) ?? {}
      const at = { of: block, at: `block ${block.id}` }
      return (now ? fieldsIn(block.props, now.props, fields) : []).map((field) => ({
        ...field,
        ...at,
        label: `${displayName}: ${field.label}`,
      }))
    })
    const changed = ofPage.filter(({ old, value }) => !sameJson(old, value))
    return [...changed.map((field) => ({ ...field, of: page, at: `page ${page.slug}` })), ...ofBlocks]
  })
}

const pageFields: Fields = { title: { kind: 'text' }, description: { kind: 'text' } }

/** Every original field of a block, including row fields, with its value before and after. */
function fieldsIn(before: Props, now: Props, fields: Fields): readonly ChangedField[] {
  return Object.entries(fields).flatMap(([name, meta]): readonly ChangedField[] => {
    if (isInternal(name, meta)) return []
    const old = before[name]
    const value = now[name]
    const label = labelOf(name, meta)
    if (!isDeclaredList(meta)) return [{ path: name, label, meta, old, value }]
    if (!Array.isArray(old) || !Array.isArray(value)) return []
    return old.flatMap((row: unknown, at) => {
      const other: unknown = value[at]
      if (!isPlainObject(row) || !isPlainObject(other)) return []
      return fieldsIn(row, other, effectiveItemFields(meta, row)).map((field) => ({
        ...field,
        path: `${name}[${at}].${field.path}`,
        label: `${label} ${at + 1}, ${field.label}`,
        meta: meta.localized === false ? { ...field.meta, localized: false } : field.meta,
      }))
    })
  })
}

/** Whether a text, or one of a list of texts, has a letter. */
const hasLetters = (value: unknown): boolean =>
  typeof value === 'string' ? /\p{L}/u.test(value) : Array.isArray(value) && value.some(hasLetters)
