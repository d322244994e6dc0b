import { labelOf } from '../../content/fields.ts'
import type { Block } from '../../content/model.ts'
import { type BlockWords, knownType, type NameSource, typeName, typeWords } from '../../content/naming.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import { ownValue } from '../../content/plain-object.ts'
import type { PendingPlan, Remark, Step } from '../types/plan.ts'
import { textsIn } from './index.ts'
import type { ChangeLine } from './phrases.ts'

/**
 * Writes one line for each operation. Looks up blocks in current or former pages, in the given order. Block
 * types have the names declared by the site, or else their built-in names.
 */
export function changeLines(ops: readonly Operation[], tense: ChangeLine['tense'], source: NameSource, ...drafts: readonly (readonly Page[])[]): string[] {
  const texts = textsIn(source.locale)
  const wordsFor = blockWords(source, drafts.flat(), ops)
  return ops.map((op) => texts.change({ op, ...wordsFor(op), tense }))
}

/** Returns one line for each operation of a plan: the planner's own line if it wrote one. */
export function announcements(steps: readonly Step[], source: NameSource, pages: readonly Page[]): string[] {
  const lines = changeLines(steps.map(({ op }) => op), 'planned', source, pages)
  return steps.map(({ line }, index) => line ?? lines[index] ?? '')
}

/** The log entry of a change, including its omissions. */
export function logLineOf(ops: readonly Operation[], notes: readonly Remark[], source: NameSource, pages: readonly Page[]): string {
  const line = textsIn(source.locale).applied(changeLines(ops, 'done', source, pages))
  return [line, ...notesIn(notes, source)].join(' ')
}

/** One sentence for each remark. */
export function notesIn(notes: readonly Remark[], source: NameSource): string[] {
  const texts = textsIn(source.locale)
  return notes.map((note) => (note.kind === 'said' ? note.text : texts.note({ kind: note.kind, type: typeName(note.type, source) })))
}

/** Renders a pending plan in its language, with the names of its site. */
export function planTexts({ locale, summary, notes, steps, images = [], reasons }: PendingPlan, pages: readonly Page[], { manifest }: Pick<NameSource, 'manifest'>) {
  const texts = textsIn(locale)
  const source = { locale, manifest }
  const lookedFor = images.map((image) => texts.image({ ...image, block: typeName(image.type, source), field: typeWords(image.type, source).field }))
  return {
    summary: [summary, ...notesIn(notes, source)].join(' '),
    changes: [...announcements(steps, source, pages), ...lookedFor],
    destructiveReasons: reasons.map((reason) => texts.reason(reason)),
  }
}

const textKinds: ReadonlySet<string | undefined> = new Set(['text', 'richtext', 'html'])

/** Suggests messages for a model to refine a single text that an edit has set; none after any other edit. */
export function refinementsOf(ops: readonly Operation[], blocks: readonly Block[], source: NameSource): readonly string[] {
  const [op, ...more] = ops
  if (op?.op !== 'update_props' || more.length > 0) return []
  const [name, ...others] = Object.keys(op.patch)
  const blockType = knownType(blocks.find(({ id }) => id === op.blockId)?.type ?? '', source)
  if (name === undefined || others.length > 0 || !blockType) return []
  const meta = ownValue(blockType.fields, name)
  return textKinds.has(meta?.kind) ? textsIn(source.locale).refine(labelOf(name, meta), blockType.displayName) : []
}

function blockWords(source: NameSource, pages: readonly Page[], ops: readonly Operation[]): (op: Operation) => BlockWords {
  let types: Map<string, string> | undefined
  const typeOf = ({ pageSlug, blockId }: { readonly pageSlug: string; readonly blockId: string }): string | undefined => {
    // Most blocks are on the page that their operation names; the other pages are read only if not.
    const here = pages.find(({ slug }) => slug === pageSlug)?.blocks.find(({ id }) => id === blockId)
    return here?.type ?? (types ??= typesIn(pages, ops)).get(blockId)
  }
  return (op) => typeWords(op.op === 'add_block' ? op.block.type : 'blockId' in op ? typeOf(op) : undefined, source)
}

/** Returns the types of all blocks, including those that an operation adds. */
function typesIn(pages: readonly Page[], ops: readonly Operation[]): Map<string, string> {
  const types = new Map(ops.flatMap((op) => (op.op === 'add_block' ? [[op.block.id, op.block.type] as const] : [])))
  for (const page of pages.toReversed()) for (const { id, type } of page.blocks) types.set(id, type)
  return types
}
