/** One of several things that words may mean. */
export interface Choice {
  /** Identifies it, for the answer in the next message. */
  readonly id: string
  readonly label: string
  /** The words that would have named it alone. */
  readonly words?: string
}

/** What is asked back. */
export interface Inquiry {
  readonly question: string
  /** Where in the message it arose; an answer is kept under this key. */
  readonly key?: string
  readonly choices?: readonly Choice[]
  /** How many further choices there are. */
  readonly more?: number
  /** The words between the message and an answer that completes it. */
  readonly joint?: string
  /** Whole messages. */
  readonly suggestions?: readonly string[]
  /** The meaning is clear and not possible: no other reading is tried. */
  readonly isFinal?: true
  /** The tokens that the words of a choice would replace. */
  readonly span?: { readonly start: number; readonly end: number }
}

/** Thrown where an action is understood and something is missing, ambiguous or not possible. */
export class Ask extends Error {
  override readonly name = 'Ask'
  readonly inquiry: Inquiry

  constructor(inquiry: Inquiry) {
    super(inquiry.question)
    this.inquiry = inquiry
  }
}

export function ask(question: string, more: Omit<Inquiry, 'question'> = {}): never {
  throw new Ask({ question, ...more })
}

/** Thrown where a reading makes no sense on this page; another one may. */
export class Unfit extends Error {
  override readonly name = 'Unfit'
}

/** What comes of something: nothing where it makes no sense, and the question where something is asked back. */
export function tryTo<T>(run: () => T): T | Ask | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof Ask) return error
    if (error instanceof Unfit) return undefined
    throw error
  }
}

/** Gives up a reading that makes no sense. It happens often, so each reason is made once. */
export function unfit(because: string): never {
  const known = reasons.get(because) ?? new Unfit(because)
  reasons.set(because, known)
  throw known
}

const reasons = new Map<string, Unfit>()

/** Reasons to give up on a reading that two people would differ about, each with when it holds. */
export type Doubts<Context> = readonly (readonly [reason: string, holds: (context: Context) => boolean])[]

/** Gives up on a reading where one of these holds. */
export function refuseDoubtful<Context>(doubts: Doubts<Context>, context: Context): void {
  const [reason] = doubts.find(([, holds]) => holds(context)) ?? []
  if (reason !== undefined) unfit(reason)
}
