import type { Lexicon, Rule } from '../lexicon/lexicon.ts'
import { byFirstWord, cluesOf, firstWordsOf, type ClueGround, type Clues, type FirstWords } from './clues.ts'
import { indexPhrases, stepsOf, type PhraseIndex, type Step } from './matcher.ts'
import { toPattern, type Pattern } from './pattern.ts'

/** A form of a slot. */
interface Form extends Clues {
  readonly form: string
  readonly steps: Step
}

/** A form of a rule. */
interface RuleForm extends Clues {
  readonly rule: Rule
  readonly steps: Step
}

/** A lexicon, ready to be matched: forms are found by the word that they begin with. */
export interface Compiled {
  readonly phrases: (className: string) => PhraseIndex
  readonly forms: (slotName: string) => (word: string) => readonly Form[]
  readonly rules: (word: string) => readonly RuleForm[]
  readonly questions: (word: string) => readonly RuleForm[]
}

const compiledLexicons = new WeakMap<Lexicon, Compiled>()

/** The forms of a lexicon are read once. */
export function compiled(lexicon: Lexicon): Compiled {
  const known = compiledLexicons.get(lexicon)
  if (known) return known
  const classes = new Map(Object.entries(lexicon.words).map(([name, phrases]) => [name, indexPhrases(phrases)]))
  const phrases = (className: string): PhraseIndex => {
    const index = classes.get(className)
    if (!index) throw new Error(`The lexicon has no word class '${className}'.`)
    return index
  }
  const slots = new Map(Object.entries(lexicon.slots).map(([name, forms]) =>
    [name, Object.entries(forms).flatMap(([form, texts]) => texts.map((text) => ({ form, pattern: toPattern(text) })))]))
  const starts = new Map<string, FirstWords>()
  const firstOfClass = new Map<string, ReadonlySet<string>>()
  const ground: ClueGround = {
    ofClass(name) {
      const words = firstOfClass.get(name) ?? new Set(phrases(name).keys())
      firstOfClass.set(name, words)
      return words
    },
    ofSlot(name) {
      if (starts.has(name)) return starts.get(name)
      starts.set(name, undefined)
      const own = slots.get(name)
      const first = own && firstWordsOf({ kind: 'choice', options: own.map(({ pattern }) => pattern) }, ground)
      starts.set(name, first)
      return first
    },
  }
  const ready = (pattern: Pattern) => ({ steps: stepsOf(pattern), ...cluesOf(pattern, ground) })
  const formsOf = (rules: readonly Rule[]) =>
    byFirstWord(rules.flatMap((rule) => rule.forms.map((form) => ({ rule, ...ready(toPattern(form)) }))))
  const forms = new Map([...slots].map(([name, rows]) => [name, byFirstWord(rows.map(({ form, pattern }) => ({ form, ...ready(pattern) })))]))
  const made: Compiled = {
    phrases,
    forms(slotName) {
      const found = forms.get(slotName)
      if (!found) throw new Error(`The lexicon has no slot '${slotName}'.`)
      return found
    },
    rules: formsOf(lexicon.rules),
    questions: formsOf(lexicon.questions),
  }
  compiledLexicons.set(lexicon, made)
  return made
}
