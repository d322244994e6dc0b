/** One of several meanings of an ambiguous phrase. */
export interface Choice {
  /** Identifies the choice in the stored question. */
  readonly id: string
  readonly label: string
  /** A phrase that names only this choice. */
  readonly words?: string
}

/** A question to the user. */
export interface Inquiry {
  readonly question: string
  /** Identifies the phrase that is asked about; the answer is stored under this key. */
  readonly key?: string
  readonly choices?: readonly Choice[]
  /** How many further choices there are. */
  readonly more?: number
  /** Joins the message and an answer that completes it. */
  readonly joint?: string
  /** Complete messages. */
  readonly suggestions?: readonly string[]
  /** The meaning is clear but not possible: no other reading is tried. */
  readonly isFinal?: true
  /** The tokens that the words of a choice would replace. */
  readonly span?: { readonly start: number; readonly end: number }
}

/** Thrown when an action is understood but something is missing, ambiguous or impossible. */
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

/** Thrown when a reading is invalid on this page; another one may be valid. */
export class Rejected extends Error {
  override readonly name = 'Rejected'
}

/** Runs a function: gives the `Ask` that it throws, and `undefined` when it is rejected. */
export function tryTo<T>(run: () => T): T | Ask | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof Ask) return error
    if (error instanceof Rejected) return undefined
    throw error
  }
}

/** Rejects a reading. Frequent, so each error is created once per reason. */
export function reject(reason: string): never {
  const known = rejections.get(reason) ?? new Rejected(reason)
  rejections.set(reason, known)
  throw known
}

const rejections = new Map<string, Rejected>()

/** Conditions under which a reading is too ambiguous to apply, each with its reason. */
export type Doubts<Context> = readonly (readonly [reason: string, holds: (context: Context) => boolean])[]

/** Rejects a reading if one of the conditions holds. */
export function rejectDoubtful<Context>(doubts: Doubts<Context>, context: Context): void {
  const [reason] = doubts.find(([, holds]) => holds(context)) ?? []
  if (reason !== undefined) reject(reason)
}
