import type { Environment } from '../../env.ts'
import { CommandError } from '../shared/command.ts'
import { NoAnswer, callHttp, toJson, toShownText, type HttpAnswer, type HttpCall } from '../shared/http.ts'
import { unsafe, type Finding, type Judgement } from './finding.ts'

/** A running site, and the facts about it in this installation: its environment, and the origins that may call it. */
export interface Site {
  readonly origin: string
  readonly env: Environment
  readonly origins: readonly string[]
  /** False for a site on this machine outside production. */
  readonly isProduction: boolean
  /** Calls one of its editor routes, without following redirects. Throws a {@link NoAnswer}. */
  ask(route: string, call?: Pick<HttpCall, 'method' | 'headers' | 'json'>): Promise<HttpAnswer>
}

/** The most of an answer that is read: a large site has a few megabytes of pages. */
const maxBytes = 8 * 1024 * 1024

export const createSite = (facts: Omit<Site, 'ask'>, timeoutMs: number): Site => ({
  ...facts,
  ask: (route, call) => callHttp(new URL(`/api/editor${route}`, facts.origin), { ...call, timeoutMs, maxBytes }),
})

/** Judges one item; a site that does not answer is a finding too. */
export async function judged(item: string, judge: () => Promise<Judgement>): Promise<Finding> {
  const judgement = await judge().catch((error: unknown) => {
    if (error instanceof NoAnswer) return unsafe(`The site ${error.message}; start it, or check the address.`)
    if (error instanceof CommandError) return unsafe(`Nothing was sent: ${error.message}.`)
    throw error
  })
  return { item: `Site: ${item}`, ...judgement }
}

/** The JSON of a route, or a sentence with the reason why it cannot be used. */
export type RouteAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly says: string }

/** Reads the JSON that a route of a site answers with. Throws a {@link NoAnswer}. */
export async function readRoute({ ask }: Site, route: string): Promise<RouteAnswer> {
  const answer = await ask(route)
  const { status, headers, bytes } = answer
  const of = `GET /api/editor${route}`
  if (status !== 200) return { ok: false, says: `${of} ${said(answer)}; ${remedyOf(status)}.` }
  if (bytes === undefined) return { ok: false, says: `${of} answered more than 8 MiB, the most that is read.` }
  const value = toJson(bytes)
  if (value !== undefined) return { ok: true, value }
  const isHtml = headers.get('content-type')?.includes('html') === true || bytes[0] === '<'.charCodeAt(0)
  return { ok: false, says: `${of} answered ${isHtml ? 'HTML' : 'something that is not JSON'}; mount the editor routes before the pages of the site.` }
}

function remedyOf(status: number): string {
  if (status === 404) return 'mount the editor routes there, see createSiteEditor'
  if (status >= 300 && status < 400) return 'redirects are not followed: use the final address'
  return 'see the log of the site'
}

/** `answered 503: The content cannot be read now.` */
export function said({ status, bytes }: HttpAnswer): string {
  const body = toJson(bytes)
  const reason = typeof body === 'object' && body !== null && 'reason' in body ? body.reason : undefined
  const why = typeof reason === 'string' ? toShownText(reason).replace(/\.$/, '') : ''
  return `answered ${status}${why && `: ${why}`}`
}
