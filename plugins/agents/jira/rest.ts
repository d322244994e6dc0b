import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { retryAfterOf } from '../../models/port.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from '../../outbound/port.ts'
import type { JiraConnection } from './settings.ts'

interface RestContext {
  readonly connection: JiraConnection
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly redact: (text: string) => string
  /** Milliseconds before each retry, unless Jira specifies a time. */
  readonly retryAfterMs: readonly number[]
  /** Aborts requests when the service stops. */
  readonly signal: AbortSignal
}

/** Calls of the REST API. They throw a {@link JiraFailure}, or the failure of `outbound`. */
export type Rest = ReturnType<typeof createRest>

const timeoutMs = 15_000
const mostBytes = 16 * 1024 * 1024
/** The maximum length of the excerpt from a failed answer. */
const longestDetail = 240
/** The maximum pause in milliseconds; if Jira asks for a longer one, the request fails. */
const longestPauseMs = 30_000
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Creates the client for Jira at the configured address. Retries only reads. */
export function createRest({ connection, outbound, redact, retryAfterMs, signal }: RestContext) {
  const { baseUrl, deployment, authorization } = connection
  const base = `${baseUrl}/rest/api/${deployment === 'cloud' ? 3 : 2}`
  const limits = {
    headers: { authorization },
    allowOrigins: [new URL(baseUrl).origin],
    accept: 'application/json',
    maxBytes: mostBytes,
    timeoutMs,
    followsRedirects: false,
    signal,
  } as const

  const ask = async (
    path: string,
    request: Pick<OutboundRequest, 'method' | 'json'> = {},
  ): Promise<OutboundResponse> => {
    for (let attempt = 0; ; attempt++) {
      const answer = await outbound.fetch(base + path, { ...limits, ...request })
      const usual = retryAfterMs[attempt]
      if (request.method !== undefined || !passing.has(answer.status) || usual === undefined) return answer
      const wait = retryAfterOf(new Headers(answer.headers)) ?? usual
      if (wait > longestPauseMs) return answer
      await pause(wait, undefined, { signal })
    }
  }
  const understood = <S extends v.GenericSchema>(schema: S, answer: OutboundResponse): v.InferOutput<S> => {
    const { status } = answer
    if (status < 200 || status >= 300)
      throw new JiraFailure(status, redact(answer.text().slice(0, 4 * longestDetail)).slice(0, longestDetail))
    const parsed = v.safeParse(schema, answer.bytes.length === 0 ? undefined : answer.json())
    if (!parsed.success)
      throw new JiraFailure(status, `unexpected answer: ${v.getDotPath(parsed.issues[0]) ?? 'not an object'}`)
    return parsed.output
  }

  return {
    async read<S extends v.GenericSchema>(
      schema: S,
      path: string,
      query: Readonly<Record<string, string>> = {},
    ): Promise<v.InferOutput<S>> {
      const search = String(new URLSearchParams(query))
      return understood(schema, await ask(search === '' ? path : `${path}?${search}`))
    },
    send: async <S extends v.GenericSchema>(
      schema: S,
      method: 'POST' | 'PUT',
      path: string,
      body: unknown,
    ): Promise<v.InferOutput<S>> => understood(schema, await ask(path, { method, json: body })),
  }
}

/** Thrown if Jira gives no usable answer. The message names the remedy; `detail` is for logs and records. */
export class JiraFailure extends Error {
  override readonly name = 'JiraFailure'
  readonly status: number
  readonly detail: string

  constructor(status: number, detail: string) {
    super(remedyOf(status))
    this.status = status
    this.detail = detail
  }
}

function remedyOf(status: number): string {
  if (status === 401) return 'Jira rejected the credentials. Check JIRA_USER_EMAIL and JIRA_API_TOKEN.'
  if (status === 403)
    return 'The account of JIRA_API_TOKEN is not allowed to do this in Jira. Check its permissions in the project.'
  if (status === 404)
    return 'The ticket does not exist in Jira, or the account may not see it. Check the ticket key and JIRA_BASE_URL.'
  if (status === 429) return 'Jira is limiting requests. Try again in a few minutes.'
  if (status >= 500) return 'Jira has an internal error. Try again in a few minutes.'
  if (status >= 300 && status < 400)
    return 'Jira answered with a redirect, which is not followed. Check JIRA_BASE_URL.'
  return `Jira rejected the request with status ${status}. Check JIRA_BASE_URL and JIRA_DEPLOYMENT.`
}
