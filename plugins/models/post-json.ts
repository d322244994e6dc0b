import * as v from 'valibot'
import { Refusal } from '../../kernel/index.ts'
import {
  UpstreamFailure,
  type Outbound,
  type OutboundRequest,
  type OutboundResponse,
} from '../outbound/port.ts'
import { ModelFailure, type Failures } from './failure.ts'

/** The meanings of a provider's error codes: an equivalent status, or that the model declined. */
export type ErrorMeanings = ReadonlyMap<string, number | 'refused'>

interface PostJson extends Required<
  Pick<OutboundRequest, 'headers' | 'json' | 'maxBytes' | 'timeoutMs' | 'signal'>
> {
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly failures: Failures
  readonly meanings: ErrorMeanings
}

const word = v.fallback(v.optional(v.string()), undefined)
const ErrorBody = v.object({
  error: v.object({
    code: word,
    type: word,
    status: word,
    message: word,
    details: v.fallback(v.array(v.object({ reason: word })), []),
  }),
})

/**
 * Calls a provider at its configured address, which may be on a private network, and returns its answer.
 *
 * No redirects, because the request contains a key. Throws a ModelFailure; only the log quotes the provider.
 */
export async function postJson(
  url: string,
  { outbound, failures, meanings, ...request }: PostJson,
): Promise<unknown> {
  const { timeoutMs, signal } = request
  try {
    const answer = await outbound.fetch(url, {
      ...request,
      method: 'POST',
      followsRedirects: false,
      allowOrigins: [new URL(url).origin],
    })
    if (answer.status === 200) return answer.json()
    throw failureIn(answer, failures, meanings)
  } catch (error) {
    if (signal.aborted) throw failures.aborted()
    if (error instanceof UpstreamFailure && error.kind === 'timeout') throw failures.tookTooLong(timeoutMs)
    if (error instanceof Refusal) throw failures.brokenOff({ type: error.code, cause: error })
    throw error
  }
}

/** Converts an error response to a failure. */
export function failureIn(
  answer: Pick<OutboundResponse, 'status' | 'headers' | 'json'>,
  failures: Failures,
  meanings: ErrorMeanings,
): ModelFailure {
  const headers = new Headers(answer.headers)
  const { code, type, status, message: text, details } = errorIn(answer)
  const codes = [...details.map(({ reason }) => reason), code, type, status].filter(
    (each) => each !== undefined,
  )
  const meaning = codes.map((each) => meanings.get(each)).find((each) => each !== undefined)
  const symptoms = { type: codes[0], text, headers, requestId: headers.get('x-request-id') }
  return meaning === 'refused'
    ? failures.refused(symptoms)
    : failures.of({ ...symptoms, status: meaning ?? answer.status })
}

function errorIn(answer: Pick<OutboundResponse, 'json'>): v.InferOutput<typeof ErrorBody>['error'] {
  try {
    return v.parse(ErrorBody, answer.json()).error
  } catch {
    return { code: undefined, type: undefined, status: undefined, message: undefined, details: [] }
  }
}
