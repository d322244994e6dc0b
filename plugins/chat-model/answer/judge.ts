import { applyBatch } from '../../content/batch.ts'
import { toDraft } from '../../content/draft-view.ts'
import { effectiveItemFields, fieldKinds, isDeclaredList, isInternal, isTranslatable, labelOf } from '../../content/fields.ts'
import type { BatchFailure, FieldMeta, Fields } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { badLinks } from '../../content/operations/links.ts'
import type { ShapeIssue } from '../../content/operations/parse.ts'
import type { Block, Page, Props } from '../../content/page.ts'
import { isPlainObject, picked } from '../../content/plain-object.ts'
import { sameJson } from '../../content/same-json.ts'
import { isFieldTranslation, isOnlyTranslation, isPageTranslation, keepsLinks, namesBothButtons } from '../language.ts'
import { blockAt, blockTypeAt, pageAt } from '../lookup.ts'
import type { Subject } from '../prompt/context.ts'

/** The problems of a plan, reported to the model once for a repair. */
interface Violation extends ShapeIssue {
  /** Such as `type mismatch`. */
  readonly kind: string
}

/** Applies a plan to a copy of the draft, and checks whether it fulfils the request. Nothing is written. */
export function judge(ops: readonly Operation[], subject: Subject) {
  const { input, words, now } = subject
  const { selection, registry, manifest } = input
  const draft = toDraft(input.draft)
  const known = ops.map((op) => withoutUnknownProps(op, subject))
  const tried = applyBatch(draft, known, { source: 'planner', registry, manifest, now, currentSlug: selection.slug })
  const links = badLinks(ops, { draft, registry, manifest })
    .map(({ path, problem }) => ({ path, kind: 'string constraint', message: problem }))
  const unseen = ops.flatMap((op, at) => unseenTexts(op, subject)
    .map((path) => ({ path: `ops[${at}].patch.${path}`, kind: 'not shown whole', message: unseenMessage })))
  const broken = [...(tried.ok ? [] : unfit(tried)), ...links, ...unseen]
  const pageAfter = (page: Page): Page => (tried.ok ? tried.change.pages.get(page.slug)?.after : undefined) ?? page
  const touched = tried.ok ? touchedFields(tried.ops, subject, pageAfter) : []
  const missed = tried.ok ? missedButtons(tried.ops, subject, pageAfter) : []
  const isOneField = isFieldTranslation(words, selection)
  const isMeant = ({ blockId, path }: TouchedField): boolean =>
    !isOneField || (blockId === selection.blockId && path === selection.path)
  const untranslated = touched.filter(({ meta, old, value }) =>
    isPageTranslation(words, selection) && isTranslatable(meta) && hasLetters(old) && sameJson(old, value))
  const strays = touched.filter((field) =>
    isOnlyTranslation(words) && !sameJson(field.old, field.value) && !(isTranslatable(field.meta) && isMeant(field)))
  const left = [
    ...perBlock(untranslated, 'not translated', 'these texts have no translation yet'),
    ...perBlock(strays, 'to be left alone', 'a translation leaves these as they are'),
  ]
  return {
    /** True if the plan can be applied, even if something is left out. */
    fits: broken.length === 0,
    /** All problems for which the plan may be sent back. */
    violations: [...broken, ...left, ...missed],
    /** Values that the plan replaces although the model was shown only a part of them. */
    unseen,
    /** The labels, for people, of fields that a page translation should have changed. */
    untranslated: untranslated.map(({ label }) => label),
    /** The targets that the request names and the plan leaves out. */
    missed,
  }
}

/** The result of the checks of a plan. */
export type Judgement = ReturnType<typeof judge>

const unseenMessage = 'was not shown whole, so its texts cannot be replaced: leave it out, or ask for the section to be selected, which shows it whole'

function perBlock(fields: readonly TouchedField[], kind: string, message: string): readonly Violation[] {
  return Object.entries(Object.groupBy(fields, ({ blockId }) => blockId)).map(([blockId, some = []]) =>
    ({ path: `block ${blockId}`, kind, message: `${message}: ${some.map(({ path }) => path).join(', ')}` }))
}

/** Drops unknown props, which are not sent back: they are removed later, with a note. */
function withoutUnknownProps(op: Operation, { input }: Subject): Operation {
  if (op.op !== 'update_props') return op
  const blockType = blockAt(input, { ...op })?.blockType
  const allowed = blockType && (blockType.propsSchema.properties ?? blockType.fields)
  return allowed ? { ...op, patch: picked(op.patch, (_, name) => Object.hasOwn(allowed, name)) } : op
}

/** Returns why a plan cannot be applied, for the model to fix. A plan that changes nothing is valid. */
function unfit({ category, index = 0, path = '', message, admissible, violation = 'unknown' }: BatchFailure): readonly Violation[] {
  if (category === 'no_effective_change') return []
  const ofChoice = path.startsWith('item.') || path.endsWith('.type') ? 'invalid discriminator' : 'invalid enum'
  const isPosition = /(?:^|\.)(?:index|afterIndex)$/.test(path)
  const kind = category === 'not_found' ? 'unknown target' : isPosition ? 'out of range' : admissible ? ofChoice : violation
  return [{ path: path === '' ? `ops[${index}]` : `ops[${index}].${path}`, kind, message }]
}

/**
 * Returns the omissions of a plan if the request names both the hero button and the button at the page end.
 *
 * Both texts have to change; if the request keeps the links, no link may change.
 */
function missedButtons(ops: readonly Operation[], { input, words }: Subject, pageAfter: (page: Page) => Page): readonly Violation[] {
  const { draft, selection } = input
  const page = draft.pages.find(({ slug }) => slug === selection.slug)
  const hasButton = ({ props }: Block): boolean => typeof props['ctaText'] === 'string' && props['ctaText'] !== ''
  const hero = page?.blocks.find((block) => block.type === 'Hero' && hasButton(block))
  const end = page?.blocks.findLast((block) => block !== hero && hasButton(block))
  if (!page || !hero || !end || !namesBothButtons(words)) return []
  const now = pageAfter(page).blocks
  const missed = [hero, end].filter(({ id, props }) => now.find((block) => block.id === id)?.props['ctaText'] === props['ctaText'])
  const isLink = (name: string): boolean => name.toLowerCase().endsWith('href')
  const moved = keepsLinks(words) ? ops.flatMap((op, at) => ('patch' in op && Object.keys(op.patch).some(isLink) ? [at] : [])) : []
  const kind = 'target left out'
  return [
    ...missed.map(({ id }) => ({ path: `block ${id}`, kind, message: 'the request names the button of this block; its ctaText has to change' })),
    ...moved.map((at) => ({ path: `ops[${at}].patch`, kind, message: 'the request wants links to stay as they are; leave them out of the patch' })),
  ]
}

/** The texts that an operation replaces although the model was shown only a part of them. */
function unseenTexts(op: Operation, { input, context: { isComplete } }: Subject): readonly string[] {
  if (op.op === 'update_page_meta') {
    const page = pageAt(input, op.pageSlug)
    if (!page || isComplete(page)) return []
    return Object.keys(op.patch).filter((name) => name !== 'ogImage' && hasLetters(page.meta?.[name]))
  }
  if (op.op !== 'update_props' && op.op !== 'update_item') return []
  // A page that is not in the draft may be one that the plan renames earlier.
  const pages = pageAt(input, op.pageSlug) ? [] : input.draft.pages
  const block = blockAt(input, { ...op })?.block ?? pages.flatMap(({ blocks }) => blocks).find(({ id }) => id === op.blockId)
  if (!block || isComplete(block)) return []
  const fields = fieldsIn(block.props, afterwards(op, block), blockTypeAt(input, block.type)?.fields ?? {})
  return fields.filter(({ meta, old, value }) => fieldKinds[meta.kind].translatable && hasLetters(old) && !sameJson(old, value)).map(({ path }) => path)
}

function afterwards(op: Extract<Operation, { op: 'update_props' | 'update_item' }>, { props }: Block): Props {
  if (op.op === 'update_props') return { ...props, ...op.patch }
  const rows = props[op.listKey]
  return Array.isArray(rows) ? { ...props, [op.listKey]: rows.map((row: unknown, at) => (at === op.index && isPlainObject(row) ? { ...row, ...op.patch } : row)) } : props
}

/** A field of a block or of one of its rows, with its value before and after; the label is for people. */
interface Field {
  /** Such as `items[1].q`. */
  readonly path: string
  readonly label: string
  readonly meta: FieldMeta
  readonly old: unknown
  readonly value: unknown
}

type TouchedField = ReturnType<typeof touchedFields>[number]

/** Every field of the blocks that a plan changes. */
function touchedFields(ops: readonly Operation[], { input }: Subject, pageAfter: (page: Page) => Page) {
  const touched = new Set(ops.flatMap((op) => ('blockId' in op ? [op.blockId] : [])))
  return input.draft.pages.flatMap((page) => page.blocks.filter(({ id }) => touched.has(id)).flatMap(({ id, type, props }) => {
    const now = pageAfter(page).blocks.find((block) => block.id === id)
    const { displayName = type, fields = {} } = blockTypeAt(input, type) ?? {}
    return now ? fieldsIn(props, now.props, fields).map((field) => ({ ...field, blockId: id, label: `${displayName}: ${field.label}` })) : []
  }))
}

/** Every original field of a block, including row fields, with its value before and after. */
function fieldsIn(before: Props, now: Props, fields: Fields): readonly Field[] {
  return Object.entries(fields).flatMap(([name, meta]): readonly Field[] => {
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
