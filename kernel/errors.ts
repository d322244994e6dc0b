/** The properties of a refusal. */
export interface RefusalParts {
  readonly status: number
  /** The code for programs, in snake_case. */
  readonly code: string
  /** A sentence that names the remedy. */
  readonly reason: string
  /** The field `error`: by default the reason, which existing clients print; a word if clients compare it. */
  readonly error?: string | undefined
  /** Further fields of the answer. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** An error that the caller may read. Thrown anywhere below a route; the kernel answers with its envelope. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly error: string
  readonly reason: string
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    { status, code, reason, error = reason, extra = {}, headers = {} }: RefusalParts,
    options?: ErrorOptions,
  ) {
    // A stack costs more than the rest of the answer, and says nothing that code and reason do not. With frozen
    // intrinsics it stays.
    const { stackTraceLimit } = Error
    Reflect.set(Error, 'stackTraceLimit', 0)
    super(reason, options)
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
    this.status = status
    this.code = code
    this.error = error
    this.reason = reason
    this.extra = extra
    this.headers = headers
  }

  /** The error envelope: `error`, `code`, `reason`, and further fields of this kind of refusal. */
  toBody(): Readonly<Record<string, unknown>> {
    return { error: this.error, code: this.code, reason: this.reason, ...this.extra }
  }
}

/** A kind of refusal, for the routes that list it and for the API description. */
export interface RefusalKind {
  readonly status: number
  readonly code: string
  /** Returns the reason with an ellipsis in place of each detail; `undefined` if nothing else is left of it. */
  describe(): string | undefined
}

/** Declares a kind of refusal. The returned function takes the details of one case. */
export function defineRefusal<D extends readonly unknown[]>(kind: {
  readonly status: number
  readonly code: string
  readonly error?: string
  readonly reason: (...details: D) => string
  readonly extra?: (...details: D) => Readonly<Record<string, unknown>>
  readonly headers?: (...details: D) => Readonly<Record<string, string>>
  /** The error behind the refusal, for the log. */
  readonly cause?: (...details: D) => unknown
}): ((...details: D) => Refusal) & RefusalKind {
  const create = (...details: D): Refusal =>
    new Refusal(
      {
        ...kind,
        reason: kind.reason(...details),
        extra: kind.extra?.(...details),
        headers: kind.headers?.(...details),
      },
      kind.cause && { cause: kind.cause(...details) },
    )
  return Object.assign(create, {
    status: kind.status,
    code: kind.code,
    describe: () => describe(kind.reason),
  })
}

const ellipses = Array.from({ length: 5 }, () => '…')

/** Reasons that calculate with their details, or take lists and objects, cannot be described this way. */
function describe(reason: (...details: never) => string): string | undefined {
  try {
    const text: unknown = Reflect.apply(reason, undefined, ellipses)
    return typeof text === 'string' && /\p{L}{3}/u.test(text) && !/\b(?:NaN|undefined)\b/.test(text)
      ? text
      : undefined
  } catch {
    return undefined
  }
}

/** All problems that prevent the start, reported at once. */
export class BootError extends Error {
  override readonly name = 'BootError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(
      `The orchestrator cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
      options,
    )
    this.problems = problems
  }
}
