import { labelOf } from '../../content/field-meta.ts'
import type { Block, Manifest } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import { ownValue } from '../../content/plain-object.ts'
import type { DeclaredSite, PendingPlan } from '../types/run.ts'
import type { Remark, Step } from '../types/plan.ts'
import { blockWords, knownType, typeName, typeWords } from './change-line.ts'
import { textsIn } from './index.ts'
import type { Texts } from './texts.ts'

/** What is to be said beside the changes, one sentence for each. */
export const notesIn = (texts: Texts, notes: readonly Remark[], manifest: DeclaredSite['manifest']): string[] =>
  notes.map((note) => (note.kind === 'said' ? note.text : texts.note({ kind: note.kind, type: typeName(note.type, { texts, manifest }) })))

/** A plan that waits, in the words of its own language and of its site. */
export function planTexts({ locale, summary, notes, steps, images = [], reasons }: PendingPlan, pages: readonly Page[], { manifest }: DeclaredSite) {
  const texts = textsIn(locale)
  const words = { texts, manifest }
  const lookedFor = images.map((image) => texts.image({ ...image, block: typeName(image.type, words), field: typeWords(image.type, words).field }))
  return {
    summary: [summary, ...notesIn(texts, notes, manifest)].join(' '),
    changes: [...announcements(steps, { locale, manifest }, pages), ...lookedFor],
    destructiveReasons: reasons.map((reason) => texts.reason(reason)),
  }
}

/** The language of a text, and what the site calls its own block types. */
interface Tongue {
  readonly locale: string
  readonly manifest?: DeclaredSite['manifest']
}

/** One line for each operation of a plan, the planner's own where it wrote one. */
export function announcements(steps: readonly Step[], { locale, manifest }: Tongue, pages: readonly Page[]): string[] {
  const texts = textsIn(locale)
  const wordsFor = blockWords({ texts, manifest }, pages)
  return steps.map(({ op, line }) => line ?? texts.change({ op, ...wordsFor(op), tense: 'planned' }))
}

/** What the log of versions calls a change. */
export function logLineOf(steps: readonly Step[], { locale, manifest }: Tongue, pages: readonly Page[]): string {
  const texts = textsIn(locale)
  const wordsFor = blockWords({ texts, manifest }, pages)
  return texts.applied(steps.map(({ op }) => texts.change({ op, ...wordsFor(op), tense: 'done' })))
}

/** A line of that log, and what is not there of the change so far. */
export function logLineWith(line: string, notes: readonly Remark[], { locale, manifest }: Tongue): string {
  return [line, ...notesIn(textsIn(locale), notes, manifest)].join(' ')
}

const textKinds: ReadonlySet<string | undefined> = new Set(['text', 'richtext', 'html'])

/** What a model could make of the one text that an edit has set; nothing after any other edit. */
export function refinementsOf(ops: readonly Operation[], blocks: readonly Block[], manifest: Manifest | undefined, texts: Texts): readonly string[] {
  const [op, ...more] = ops
  if (op?.op !== 'update_props' || more.length > 0) return []
  const [name, ...others] = Object.keys(op.patch)
  const type = blocks.find(({ id }) => id === op.blockId)?.type ?? ''
  const blockType = knownType(type, { texts, manifest })
  if (name === undefined || others.length > 0 || !blockType) return []
  const meta = ownValue(blockType.fields, name)
  return textKinds.has(meta?.kind) ? texts.refine(labelOf(name, meta), blockType.displayName) : []
}
