import type { Operation } from '../../content/operations/index.ts'

/** What a planner proposes to do to a draft: data, which others check, hold, apply and undo. */
export interface Plan {
  /** One short sentence in the future tense, for people. */
  readonly summary: string
  /** One line for each operation, in the same order, with the values that change. */
  readonly changeLog: readonly string[]
  /** What people should know beside the changes, such as what was left out; whole sentences. */
  readonly remarks?: readonly string[]
  /** At least one, unless it asks for images alone; ids and slugs may still be as people wrote them. */
  readonly ops: readonly Operation[]
  /** New images that are to be looked for: each a `WantedImage`, read like anything from outside. */
  readonly images?: readonly unknown[] | undefined
  /** What the person may ask next, each a whole message. */
  readonly suggestions?: readonly string[]
}

/** An action that was understood and lacks something, kept so that the next message can fill it in. */
export interface OpenQuestion {
  /** The message that was asked about. */
  readonly message: string
  /** What the planner that asked needs to go on; JSON, because it is stored. */
  readonly memory?: unknown
}

/** Stands between a request and an answer to what was asked about it, where they are one message. */
export const answerMark = '\n\n'

/** A message, after the one that it answers where it is an answer. */
export const withAnswered = ({ open, message }: { readonly open?: OpenQuestion | undefined; readonly message: string }): string =>
  open ? `${open.message}${answerMark}${message}` : message

/** Wants what the checks find on a page, or on the site where `slug` is missing; to hear it, or to have put right what can be. */
export interface ChecksWish {
  readonly slug?: string | undefined
  readonly fixes: boolean
}

/** What a planner made of a message. */
export type Outcome =
  | { readonly kind: 'plan'; readonly plan: Plan }
  /** Understood, and everything is so already. */
  | { readonly kind: 'unchanged'; readonly summary: string }
  /** The action is understood; something is missing, ambiguous, or not allowed. */
  | { readonly kind: 'question'; readonly question: string; readonly suggestions: readonly string[]; readonly open?: OpenQuestion }
  /** Nothing is to be changed; the person wants to know something. */
  | { readonly kind: 'answer'; readonly status: 'info' | 'advice'; readonly summary: string; readonly findings: readonly string[]; readonly suggestions: readonly string[]; readonly checks?: ChecksWish }
  /** This planner cannot do it. */
  | { readonly kind: 'unsupported'; readonly suggestions: readonly string[] }

/** What the person may ask next, where nothing is planned. */
/** Characters that a suggestion has at most: editors show it as the label of a button. */
export const longestSuggestion = 40

export const suggestionsIn = (outcome: Outcome): readonly string[] => ('suggestions' in outcome ? outcome.suggestions : [])
