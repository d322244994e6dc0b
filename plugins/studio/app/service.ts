/** The service of this page, by the typed client that every other program uses. */
import { computed, signal } from '@preact/signals'
import {
  ApiError,
  createClient,
  type AnswerOf,
  type Client,
  type ServiceRoutes,
} from '../../../config/client.ts'

export { ApiError }
export type Answer<N extends keyof ServiceRoutes> = AnswerOf<ServiceRoutes[N]>

/** The path under which the service is mounted; empty at the root of its origin. */
export const basePath = location.pathname.replace(/\/studio\/?$/, '')

const tokenKey = 'content-orchestrator:token'
const token = signal(sessionStorage.getItem(tokenKey) ?? undefined)
/** Names this editor in the history. */
const headers = { 'x-orchestrator-client': 'studio' }
const client = computed(() => createClient({ url: basePath, token: token.value, headers }))

/** Whether the service waits for its password; `wrong` after one that it refused. */
export const access = signal<'open' | 'asks' | 'wrong'>('open')
let waiting = Promise.withResolvers<void>()

/** Exchanges the password for a token, which this tab keeps, and continues what waited for it. */
export async function unlock(password: string): Promise<void> {
  const verified = await client.value
    .call('POST /auth/verify', { body: { password } })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) return undefined
      throw error
    })
  if (!verified) return void (access.value = 'wrong')
  const { accessToken } = verified
  sessionStorage.setItem(tokenKey, accessToken)
  token.value = accessToken
  access.value = 'open'
  waiting.resolve()
  waiting = Promise.withResolvers()
}

/** Sends a request; where the service asks for its password, waits for it and sends the request again. */
export const call: Client['call'] = async (route, ...request) => {
  for (;;) {
    try {
      return await client.value.call(route, ...request)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      access.value = access.value === 'wrong' ? 'wrong' : 'asks'
      await waiting.promise
    }
  }
}

/** Streams the events of a route. */
export const stream: Client['stream'] = (route, ...request) => client.value.stream(route, ...request)

/** Says in one sentence why a request failed. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) {
    const { body } = error
    const reason = typeof body === 'object' && body !== null && 'reason' in body ? body.reason : undefined
    return typeof reason === 'string' ? reason : error.message
  }
  return navigator.onLine ? 'The service does not answer. Check that it runs.' : 'You are offline.'
}
