/** One of several things that words may mean. */
export interface Choice {
  /** What identifies it, for the answer that comes with the next message. */
  readonly id: string
  /** How people tell it from the others. */
  readonly label: string
  /** The words that would have named it alone. */
  readonly words?: string
}

/** What is asked back. */
export interface Inquiry {
  readonly question: string
  /** Where in the message it arose; an answer is kept under this key. */
  readonly key?: string
  /** The first few of them. */
  readonly choices?: readonly Choice[]
  /** How many further choices there are. */
  readonly more?: number
  /** The words that go between the message and an answer that completes it. */
  readonly joint?: string
  /** Whole messages. */
  readonly suggestions?: readonly string[]
  /** What is meant is clear, and not possible: no other reading of the words is tried. */
  readonly isFinal?: true
  /** The tokens that the words of a choice would replace. */
  readonly span?: Span
}

/** From one token up to another. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Thrown where an action is understood, and something is missing, ambiguous or not possible. */
export class Ask extends Error {
  override readonly name = 'Ask'
  readonly inquiry: Inquiry

  constructor(inquiry: Inquiry) {
    super(inquiry.question)
    this.inquiry = inquiry
  }
}

/** Thrown where a reading makes no sense on this page; another one may. */
export class Unfit extends Error {
  override readonly name = 'Unfit'
}

/** Gives up a reading that makes no sense. Happens all the time, so that each reason is made only once. */
export function unfit(because: string): never {
  const known = reasons.get(because) ?? new Unfit(because)
  reasons.set(because, known)
  throw known
}

const reasons = new Map<string, Unfit>()
