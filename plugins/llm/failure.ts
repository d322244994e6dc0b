/**
 * Why a call gave no whole answer. `overload` and `network` may pass by themselves; `provider` needs somebody to change a
 * setting, `uninstalled` a package; `refused` and `truncated` are the model's own ends; `aborted` is the caller's.
 */
export type ModelFailureKind = 'overload' | 'network' | 'timeout' | 'provider' | 'uninstalled' | 'refused' | 'truncated' | 'aborted'

/** What a provider said of a call that failed, for the log alone. */
export interface ProviderWords {
  readonly requestId?: string | undefined
  readonly type?: string | undefined
  readonly text?: string | undefined
}

/** A call that failed. Its reason names the provider, the remedy and the variable, and holds nothing of what the provider said. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly kind: ModelFailureKind
  readonly reason: string
  /** As people know it, such as `Anthropic`; `undefined` where they would not. */
  readonly provider: string | undefined
  /** The HTTP status, or the one that stands for an error in the middle of an answer. */
  readonly status: number | undefined
  /** How long the provider asked to wait. */
  readonly retryAfterMs: number | undefined
  readonly said: ProviderWords

  constructor(kind: ModelFailureKind, reason: string, { provider, status, retryAfterMs, said = {}, cause }: {
    readonly provider: string | undefined
    readonly status?: number | undefined
    readonly retryAfterMs?: number | undefined
    readonly said?: ProviderWords
    readonly cause?: unknown
  }) {
    super(reason, cause === undefined ? {} : { cause })
    this.kind = kind
    this.reason = reason
    this.provider = provider
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.said = said
  }

  /** What operators look for in the log. */
  toLog() {
    const { kind, status, reason, said } = this
    return { kind, status, reason, ...said }
  }
}

/** What an operator has to do with a provider: its name, and the variables that may be wrong. */
export interface ProviderSettings {
  /** As people know it, such as `Anthropic`; `undefined` where they would not. */
  readonly provider: string | undefined
  readonly key: string
  readonly address: string
  readonly models: string
  /** The key itself, which a provider may repeat. */
  readonly secret: string
}

/** What is known of a failed call: its status, or the type of an error that came in the middle of an answer. */
export interface Symptoms {
  readonly status?: number | undefined
  /** Those of the answer, of which `retry-after` and `date` count. */
  readonly headers?: Pick<Headers, 'get'> | undefined
  readonly requestId?: string | null | undefined
  readonly type?: string | null | undefined
  readonly text?: string | undefined
  readonly cause?: unknown
}

/** Names failures of calls to one provider. */
export interface Failures {
  /** By status and type, never by words. */
  of(symptoms: Symptoms): ModelFailure
  /** The connection could not be made, or ended before the answer did. */
  brokenOff(symptoms?: Symptoms): ModelFailure
  /** The caller wants no answer any more. */
  aborted(): ModelFailure
  /** The answer took longer than it may. */
  tookTooLong(milliseconds: number): ModelFailure
  /** The model declined. */
  refused(symptoms: Symptoms): ModelFailure
  /** The answer reached the length that it may have. */
  truncated(symptoms: Symptoms): ModelFailure
}

/** The status that goes with each type of error, for errors that arrive after a status of 200. */
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

/** Makes what names the failures of a provider. */
export function failuresOf(settings: ProviderSettings): Failures {
  const { provider, key, address, models } = settings
  const remedies: ReadonlyMap<number, string> = new Map([
    [400, `did not accept the request. Check that the account has credit, and the models in ${models}.`],
    [401, `did not accept the key. Check ${key} in the environment of the server, and restart it.`],
    [402, `asks for payment. Check the billing of the account that ${key} belongs to.`],
    [403, `does not allow this with the key. Check what ${key} may use.`],
    [404, `does not know the model or the address. Check ${models}, and ${address}.`],
    [413, 'finds the request too large. Select one block and ask for a change to it.'],
    [429, `takes no more requests for now: the limit of the account is reached. Wait, or raise the limits of the account that ${key} belongs to.`],
  ])
  const failure = (kind: ModelFailureKind, what: string, { status, headers, cause, ...said }: Symptoms = {}): ModelFailure =>
    new ModelFailure(kind, `${provider ?? 'The provider of the language model'} ${what}`, { provider, status, retryAfterMs: waitIn(headers), said: wordsOf(said, settings.secret), cause })
  const brokenOff = (symptoms?: Symptoms): ModelFailure =>
    failure('network', `could not be reached, or broke off in the middle of an answer. Check the network and ${address}, then try again.`, symptoms)
  return {
    of(symptoms) {
      const { type } = symptoms
      const status = symptoms.status ?? statusOfType.get(type ?? '')
      const known = { ...symptoms, status }
      if (status === undefined && !type) return brokenOff(symptoms)
      if (status === undefined || status >= 500 || status === 408) return failure('overload', 'is overloaded or has a fault. Try again in a few minutes.', known)
      if (status < 400) return failure('provider', `answered with a redirect, which is not followed. Check ${address}.`, known)
      return failure('provider', remedies.get(status) ?? `did not accept the request. Check ${models}, and ${address}.`, known)
    },
    brokenOff,
    aborted: () => failure('aborted', 'was not waited for: the call was canceled.'),
    tookTooLong: (milliseconds) => failure('timeout', `did not answer within ${milliseconds / 1000} seconds. Try again, or ask for a smaller change.`),
    refused: (symptoms) => failure('refused', 'declined this request. Word it differently.', symptoms),
    truncated: (symptoms) => failure('truncated', 'cut off its answer, because it got too long. Ask for less at once.', symptoms),
  }
}

/** Milliseconds to wait: the header has seconds or a date, by the clock of the provider. */
function waitIn(headers: Symptoms['headers']): number | undefined {
  const text = headers?.get('retry-after')
  if (!text) return undefined
  const seconds = Number(text)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.parse(headers?.get('date') ?? '')
  return wait >= 0 ? wait : undefined
}

const longest = 300

/** What the provider said, on one line and without the key. */
function wordsOf({ requestId, type, text }: Symptoms, secret: string): ProviderWords {
  const clean = (words: string | null | undefined): string | undefined => {
    if (!words) return undefined
    const plain = words.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    return (secret === '' ? plain : plain.replaceAll(secret, '***')).slice(0, longest)
  }
  return { requestId: clean(requestId), type: clean(type), text: clean(text) }
}
