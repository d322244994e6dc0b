import { CommandError } from '../../shared/command.ts'
import type { Environment } from '../../../env.ts'
import { unsafe, type Finding, type Judgement } from '../finding.ts'
import { NoAnswer, callHttp, toJson, toShownText, type HttpAnswer, type HttpCall } from '../../shared/http.ts'

/** The most of an answer that is read: a large site has a few megabytes of pages. */
const maxBytes = 8 * 1024 * 1024

/** A running site, and what this installation knows of it. */
export interface Site {
  readonly origin: string
  readonly env: Environment
  /** The origins that may call this installation. */
  readonly origins: readonly string[]
  /** False for a site on this machine while this installation is no production either. */
  readonly isProduction: boolean
  /** Calls one of its editor routes, and follows no redirect. Throws a {@link NoAnswer}. */
  ask(route: string, call?: Pick<HttpCall, 'method' | 'headers' | 'json'>): Promise<HttpAnswer>
}

/** Makes a site that answers in time or not at all. */
export function createSite(
  facts: Pick<Site, 'origin' | 'env' | 'origins' | 'isProduction'>,
  timeoutMs: number,
): Site {
  return {
    ...facts,
    ask: (route, call) => callHttp(toAddress(facts.origin, route), { ...call, timeoutMs, maxBytes }),
  }
}

const toAddress = (origin: string, route: string): URL => new URL(`/api/editor${route}`, origin)

/** Judges one item; where the site gives no answer, the finding says so. */
export async function judged(item: string, judge: () => Promise<Judgement>): Promise<Finding> {
  const judgement = await judge().catch((error: unknown) => {
    if (error instanceof NoAnswer) return unsafe(`The site ${error.message}; start it, or check the address.`)
    if (error instanceof CommandError) return unsafe(`Nothing was sent: ${error.message}.`)
    throw error
  })
  return { item: `Site: ${item}`, ...judgement }
}

/** What a route of a site told, or why that is of no use, as one sentence with a remedy. */
export type Told =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly says: string }

/** Reads the JSON that a route of a site answers with. Throws a {@link NoAnswer}. */
export async function readRoute({ ask }: Site, route: string): Promise<Told> {
  const answer = await ask(route)
  const { status, bytes } = answer
  const of = `GET /api/editor${route}`
  if (status !== 200) return { ok: false, says: `${of} ${said(answer)}; ${remedyOf(status)}.` }
  if (bytes === undefined) {
    return { ok: false, says: `${of} answered more than 8 MiB, which is more than is read.` }
  }
  const value = toJson(bytes)
  if (value !== undefined) return { ok: true, value }
  const kind = isHtml(answer) ? 'HTML' : 'something that is not JSON'
  return { ok: false, says: `${of} answered ${kind}; mount the editor routes before the pages of the site.` }
}

function remedyOf(status: number): string {
  if (status === 404) return 'mount the editor routes there, see createSiteEditor'
  if (status >= 300 && status < 400) return 'redirects are not followed: name the address that it leads to'
  return 'the log of the site may say why'
}

/** `answered 503: The content cannot be read now.` */
export function said({ status, bytes }: HttpAnswer): string {
  const body = bytes && toJson(bytes)
  const reason = typeof body === 'object' && body !== null && 'reason' in body ? body.reason : undefined
  const why = typeof reason === 'string' ? toShownText(reason).replace(/\.$/, '') : ''
  return `answered ${status}${why && `: ${why}`}`
}

const isHtml = ({ headers, bytes }: HttpAnswer): boolean =>
  headers.get('content-type')?.includes('html') === true || bytes?.[0] === '<'.charCodeAt(0)
