/**
 * The reason for an incomplete answer. `overload` and `network` may pass; `provider` needs other settings,
 * `uninstalled` a package; `refused` and `truncated` mean the model ended the answer, `aborted` the caller.
 */
export type ModelFailureKind =
  'overload' | 'network' | 'timeout' | 'provider' | 'uninstalled' | 'refused' | 'truncated' | 'aborted'

/** The provider's report on a failed call, only for the log. */
interface ProviderReport {
  readonly requestId?: string | undefined
  readonly type?: string | undefined
  readonly text?: string | undefined
}

/** A failed call. Its reason names provider, remedy and variable, and never quotes the provider. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly kind: ModelFailureKind
  readonly reason: string
  /** The well-known name, such as `Anthropic`; `undefined` for other services. */
  readonly provider: string | undefined
  /** The HTTP status, or the equivalent of an error within a stream. */
  readonly status: number | undefined
  /** The delay requested by the provider. */
  readonly retryAfterMs: number | undefined
  readonly said: ProviderReport

  constructor(
    kind: ModelFailureKind,
    reason: string,
    { provider, status, retryAfterMs, said = {}, cause }: Details,
  ) {
    super(reason, cause === undefined ? {} : { cause })
    this.kind = kind
    this.reason = reason
    this.provider = provider
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.said = said
  }

  /** The facts for the log. */
  toLog() {
    const { kind, status, reason, said } = this
    return { kind, status, reason, ...said }
  }
}

type Details = Pick<ModelFailure, 'provider' | 'cause'> &
  Partial<Pick<ModelFailure, 'status' | 'retryAfterMs' | 'said'>>

/** The name of a provider and its variables, for failures. */
interface ProviderSettings {
  /** The well-known name, such as `Anthropic`; `undefined` for other services. */
  readonly provider: string | undefined
  readonly key: string
  readonly address: string
  readonly models: string
  /** The key itself, removed from quoted messages. */
  readonly secret: string
}

/** Describes a failed call by its status, or by the type of an error within the stream. */
interface Symptoms {
  readonly status?: number | undefined
  /** The headers of the answer; `retry-after` and `date` are read. */
  readonly headers?: Pick<Headers, 'get'> | undefined
  readonly requestId?: string | null | undefined
  readonly type?: string | null | undefined
  readonly text?: string | undefined
  readonly cause?: unknown
}

/** The status of each error type, for errors that arrive after a status of 200. */
const statusOfType: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['insufficient_quota', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['api_error', 500],
  ['server_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

export type Failures = ReturnType<typeof failuresOf>

/** Creates the failures for a provider. */
export function failuresOf(settings: ProviderSettings) {
  const { provider, key, address, models } = settings
  const remedies: ReadonlyMap<number, string> = new Map([
    [400, `did not accept the request. Check that the account has credit, and the models in ${models}.`],
    [401, `did not accept the key. Check ${key} in the environment of the server, and restart it.`],
    [402, `requires payment. Check the billing of the account that ${key} belongs to.`],
    [403, `does not allow this with the key. Check the permissions of ${key}.`],
    [404, `does not know the model or the address. Check ${models}, and ${address}.`],
    [413, 'rejected the request as too large. Select one block and ask for a change to it.'],
    [
      429,
      `takes no more requests for now: the limit of the account is reached. Wait, or raise the limits of the account that ${key} belongs to.`,
    ],
  ])
  const failure = (
    kind: ModelFailureKind,
    what: string,
    { status, headers, cause, ...report }: Symptoms = {},
  ): ModelFailure =>
    new ModelFailure(kind, `${provider ?? 'The provider of the language model'} ${what}`, {
      provider,
      status,
      retryAfterMs: retryAfterOf(headers),
      said: reportOf(report, settings.secret),
      cause,
    })
  const brokenOff = (symptoms?: Symptoms): ModelFailure =>
    failure(
      'network',
      `could not be reached, or broke off in the middle of an answer. Check the network and ${address}, then try again.`,
      symptoms,
    )
  return {
    /** Chooses a failure by status and type, never by the message. */
    of(symptoms: Symptoms): ModelFailure {
      const { type } = symptoms
      const status = symptoms.status ?? statusOfType.get(type ?? '')
      const complete = { ...symptoms, status }
      if (status === undefined && !type) return brokenOff(symptoms)
      if (status === undefined || status >= 500 || status === 408)
        return failure('overload', 'is overloaded or failing. Try again in a few minutes.', complete)
      if (status < 400)
        return failure(
          'provider',
          `answered with a redirect, which is not followed. Check ${address}.`,
          complete,
        )
      return failure(
        'provider',
        remedies.get(status) ?? `did not accept the request. Check ${models}, and ${address}.`,
        complete,
      )
    },
    /** The connection failed, or broke before the end of the answer. */
    brokenOff,
    aborted: () => failure('aborted', 'did not finish, because the call was canceled.'),
    tookTooLong(milliseconds: number): ModelFailure {
      const limit = `${milliseconds / 1000} seconds`
      return failure('timeout', `did not answer within ${limit}. Try again, or ask for a smaller change.`)
    },
    refused: (symptoms: Symptoms) => failure('refused', 'declined this request. Rephrase it.', symptoms),
    /** The answer reached its length limit. */
    truncated: (symptoms: Symptoms) =>
      failure('truncated', 'reached the length limit of an answer. Ask for less at once.', symptoms),
  }
}

/** Returns the delay in milliseconds: the header contains seconds, or a date by the provider's clock. */
export function retryAfterOf(headers: Symptoms['headers']): number | undefined {
  const text = headers?.get('retry-after')
  if (!text) return undefined
  const seconds = Number(text)
  const wait = Number.isFinite(seconds)
    ? seconds * 1000
    : Date.parse(text) - Date.parse(headers?.get('date') ?? '')
  return wait >= 0 ? wait : undefined
}

/** Returns the report of the provider, on one line and without the key. */
function reportOf({ requestId, type, text }: Symptoms, secret: string): ProviderReport {
  const clean = (words: string | null | undefined): string | undefined => {
    if (!words) return undefined
    const plain = words.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    return (secret === '' ? plain : plain.replaceAll(secret, '***')).slice(0, 300)
  }
  return { requestId: clean(requestId), type: clean(type), text: clean(text) }
}
