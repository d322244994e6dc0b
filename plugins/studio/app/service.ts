/** The service of this page, by the typed client that every other program uses. */
import { computed, signal } from '@preact/signals'
import {
  ApiError,
  createClient,
  type AnswerOf,
  type Client,
  type EventOf,
  type ServiceRoutes,
  type StreamName,
} from '../../client/client.ts'
import { hasSent, sender } from './person.ts'
import { sendAgain } from './send-again.ts'
import { inTurns } from './turns.ts'

export { ApiError }
export type Answer<N extends keyof ServiceRoutes> = AnswerOf<ServiceRoutes[N]>
export type Streamed<N extends StreamName> = EventOf<ServiceRoutes[N]>

/** The path under which the service is mounted; empty at the root of its origin. */
export const basePath = location.pathname.replace(/\/studio\/?$/, '')

/** What this tab keeps, and no other: a reload needs no second password. */
const sessionValue = (name: string) => {
  const key = `content-orchestrator:${name}`
  const value = signal(sessionStorage.getItem(key) ?? undefined)
  const keep = (text: string): void => {
    sessionStorage.setItem(key, text)
    value.value = text
  }
  return { value, keep }
}
const token = sessionValue('token')
const publishToken = sessionValue('publish-token')
/** Grows with every answer of the service. */
export const answers = signal(0)
/** Grows with every token, for stores that depend on what it allows. */
export const holder = computed(() => token.value.value)

type Send = Parameters<typeof createClient>[0]['fetch']

const clientWith = (bearer: string | undefined, fetch: Send = sendAgain) => {
  const publishing = publishToken.value.value
  const headers = { ...(publishing !== undefined && { 'x-publish-token': publishing }) }
  return createClient({ url: basePath, token: bearer, headers, fetch })
}
const client = computed(() => clientWith(token.value.value))

/** What the service waits for: its password or a token, or the token for publishing. */
export const credentialRequest = signal<
  { readonly what: 'password' | 'publish'; readonly isWrong: boolean } | undefined
>(undefined)
let waiting = Promise.withResolvers<void>()

function admit(): void {
  credentialRequest.value = undefined
  waiting.resolve()
  waiting = Promise.withResolvers()
}

const unlessRefused = (error: unknown): undefined => {
  if (error instanceof ApiError && error.status === 401) return undefined
  throw error
}

/** Takes a password, or an access token, and continues what waited for it. */
export async function unlock(text: string): Promise<void> {
  if (credentialRequest.value?.what === 'publish') {
    publishToken.keep(text)
    return admit()
  }
  const verified = text.startsWith('cot_')
    ? undefined
    : await client.value.call('POST /auth/verify', { body: { password: text } }).catch(unlessRefused)
  const found = verified?.accessToken ?? text
  const access = await clientWith(found).call('GET /auth/access').catch(unlessRefused)
  if (!access) return void (credentialRequest.value = { what: 'password', isWrong: true })
  token.keep(found)
  admit()
}

export const stopAsking = (): void => void (credentialRequest.value = undefined)

/** What a refusal asks for; other refusals are for the person to read. */
const wants: Readonly<Record<string, 'password' | 'publish'>> = {
  unauthorized: 'password',
  publish_token_invalid: 'publish',
}

/** The requests whose sender the service stores, or knows its own changes by. */
const isSigned = (route: string): boolean =>
  /^(?:POST|PUT) \/(?:ops|chat|checks\/fix|draft|history|publish|restore)\b/.test(route)

/** Adds the sender to the body of a request. */
function signed<R extends readonly unknown[]>(route: string, request: R): R {
  const { body, ...rest } = Object(request[0])
  return isSigned(route) && body ? ([{ ...rest, body: { ...body, client: sender() } }] as never) : request
}

/** Sends requests; where the service asks for its password, waits for it and sends the request again. */
const callBy =
  (now: () => Client): Client['call'] =>
  async (route, ...request) => {
    for (;;) {
      try {
        const answer = await now().call(route, ...signed(route, request))
        answers.value += 1
        hasSent.value ||= isSigned(route)
        return answer
      } catch (error) {
        const what = error instanceof ApiError && error.status === 401 ? wants[error.code] : undefined
        if (what === undefined) throw error
        const isWrong = what === 'publish' && publishToken.value.value !== undefined
        credentialRequest.value = { what, isWrong: isWrong || credentialRequest.value?.isWrong === true }
        await waiting.promise
      }
    }
  }

export const call: Client['call'] = callBy(() => client.value)
/** Calls by another way to send, such as one that tells how far it is. */
export const callThrough = (send: Send): Client['call'] => callBy(() => clientWith(token.value.value, send))

/** Sends a request that goes on when the page is closed; its answer is not read. */
export const callLast: Client['call'] = (...request) =>
  clientWith(token.value.value, (address, request) => fetch(address, { ...request, keepalive: true })).call(
    ...request,
  )

/** Streams the events of a route, in turns with the other streams of this browser. */
export const stream: Client['stream'] = (route, ...request) =>
  inTurns({ ...request[0] }, (part) => client.value.stream(route, { ...request[0], ...part } as never))

/** Whether the service itself has refused: a proxy that answers for it gives no reason. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status < 502 || Object(error.body).reason !== undefined)

/** Says in one sentence why a request failed. */
export function sentenceOf(error: unknown): string {
  if (isRefusal(error)) {
    const { reason, summary } = Object(error.body)
    return [reason, summary].find((text) => typeof text === 'string') ?? error.message
  }
  return navigator.onLine ? 'The service does not answer. Check that it runs.' : 'You are offline.'
}
