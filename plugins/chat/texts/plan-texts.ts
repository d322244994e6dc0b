import type { Page } from '../../content/page.ts'
import type { DeclaredSite } from '../run/run.ts'
import type { PendingPlan } from '../sessions/pending-plan.ts'
import type { Remark, Step } from '../validate/step.ts'
import { blockWords, typeName, typeWords } from './change-line.ts'
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
