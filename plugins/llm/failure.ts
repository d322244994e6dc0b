import { ModelFailure, type ModelFailureKind } from './port.ts'

/** What is known of a failed call: its status, or the type of an error that came in the middle of an answer. */
export interface Symptoms {
  readonly status?: number | undefined
  readonly type?: string | null | undefined
  /** The header `retry-after`. */
  readonly retryAfter?: string | null | undefined
  readonly cause?: unknown
}

/** The status that goes with each type of error, for errors that arrive after a status of 200. */
const statusOfType: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

const inGeneral = 'Anthropic did not accept the request. Check ANTHROPIC_MODEL_FAST, _BALANCED, _REASONING and _CODEX, and ANTHROPIC_BASE_URL.'
const redirected = 'The address of Anthropic answered with a redirect, which is not followed. Check ANTHROPIC_BASE_URL.'

/** What to do about each status. */
const remedies: ReadonlyMap<number, string> = new Map([
  [400, 'Anthropic did not accept the request. Check that the account has credit, and the models in ANTHROPIC_MODEL_FAST, _BALANCED, _REASONING and _CODEX.'],
  [401, 'Anthropic did not accept the key. Check ANTHROPIC_API_KEY in the environment of the server, and restart it.'],
  [402, 'Anthropic asks for payment. Check the billing of the account that ANTHROPIC_API_KEY belongs to.'],
  [403, 'Anthropic does not allow this with the key. Check what ANTHROPIC_API_KEY may use.'],
  [404, 'Anthropic does not know the model or the address. Check ANTHROPIC_MODEL_FAST, _BALANCED, _REASONING and _CODEX, and ANTHROPIC_BASE_URL.'],
  [413, 'The request is too large for Anthropic. Select one block and ask for a change to it.'],
  [429, 'Anthropic takes no more requests for now: the limit of the account is reached. Wait, or raise the limits of the account that ANTHROPIC_API_KEY belongs to.'],
])

const overloaded = 'Anthropic is overloaded or has a fault. Try again in a few minutes.'
const unreachable = 'Anthropic could not be reached, or broke off in the middle of an answer. Check the network and ANTHROPIC_BASE_URL, then try again.'

/** Names a failure by its status and type, never by words in its text. */
export function toFailure({ status, type, retryAfter, cause }: Symptoms): ModelFailure {
  const code = status ?? statusOfType.get(type ?? '')
  const [kind, reason] = judged(code, type)
  return new ModelFailure(kind, reason, { status: code, retryAfterMs: toMilliseconds(retryAfter), cause })
}

function judged(status: number | undefined, type: string | null | undefined): readonly [ModelFailureKind, string] {
  if (status === undefined) return type ? ['overload', overloaded] : ['network', unreachable]
  if (status >= 500 || status === 408) return ['overload', overloaded]
  if (status >= 300 && status < 400) return ['provider', redirected]
  return ['provider', remedies.get(status) ?? inGeneral]
}

function toMilliseconds(seconds: string | null | undefined): number | undefined {
  const wait = Number(seconds ?? undefined)
  return Number.isFinite(wait) && wait >= 0 ? wait * 1000 : undefined
}

/** The connection could not be made, or ended before the answer did. */
export function brokenOff(cause?: unknown): ModelFailure {
  return new ModelFailure('network', unreachable, { cause })
}

/** The caller wants no answer any more. */
export function aborted(): ModelFailure {
  return new ModelFailure('aborted', 'The call of the model was canceled.')
}

/** The answer took longer than it may. */
export function tookTooLong(milliseconds: number): ModelFailure {
  return new ModelFailure('timeout', `Anthropic did not answer within ${milliseconds / 1000} seconds. Try again, or ask for a smaller change.`)
}

/** The model ended its answer in a way that makes it no answer; `undefined` for the ends that are fine. */
export function badEnd(reason: string | null | undefined): ModelFailure | undefined {
  if (reason === 'refusal') return new ModelFailure('refused', 'The model of Anthropic declined this request. Word it differently.')
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') {
    return new ModelFailure('truncated', 'The answer of the model of Anthropic was cut off, because it got too long. Ask for less at once.')
  }
  return undefined
}
