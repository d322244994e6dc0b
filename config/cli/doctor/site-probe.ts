import { createRedactor } from '../../../kernel/index.ts'
import type { Assembly } from '../../assemble.ts'
import { secretValues } from '../../secrets.ts'
import { isLocal } from '../../values.ts'
import { CommandError } from '../shared/command.ts'
import { NoAnswer, callHttp, toJson, toShownText, type HttpAnswer, type HttpCall } from '../shared/http.ts'
import { unsafe, type Finding, type CheckResult } from './finding.ts'

/** The maximum size of an answer: a large site has a few megabytes of pages. */
const maxBytes = 8 * 1024 * 1024

type Facts = Pick<Assembly, 'env' | 'settings'>

/** Creates the probe of a running site. */
export function createSite(origin: string, { env, settings }: Facts, timeoutMs: number) {
  const redact = createRedactor(secretValues(env))
  return {
    origin,
    env,
    origins: settings.origins.value,
    /** False for a site on this machine outside production. */
    isProduction: settings.nodeEnv.value === 'production' || !isLocal(origin),
    /** Calls an editor route of the site, without following redirects. Throws a {@link NoAnswer}. */
    ask: (route: string, call?: Pick<HttpCall, 'method' | 'headers' | 'json'>): Promise<HttpAnswer> =>
      callHttp(new URL(`/api/editor${route}`, origin), { ...call, timeoutMs, maxBytes }),
    /** Checks one item; an unusable answer becomes a finding. No finding contains a secret. */
    async check(item: string, check: () => CheckResult | Promise<CheckResult>): Promise<Finding> {
      const { state, says } = await Promise.resolve().then(check).catch(problemOf)
      return { item: `Site: ${item}`, state, says: redact(says) }
    },
  }
}

export type Site = ReturnType<typeof createSite>

/** An unusable answer, which makes its item unsafe; the message is the sentence of the finding. */
export class Unusable extends Error {}

function problemOf(error: unknown): CheckResult {
  if (error instanceof Unusable) return unsafe(error.message)
  if (error instanceof NoAnswer) return unsafe(`The site ${error.message}; start it, or check the address.`)
  if (error instanceof CommandError) return unsafe(`Nothing was sent: ${error.message}.`)
  throw error
}

/** Reads JSON from a route of a site. Throws a {@link NoAnswer} or {@link Unusable}. */
export async function readRoute({ ask }: Site, route: string): Promise<unknown> {
  const answer = await ask(route)
  const { status, headers, bytes } = answer
  const of = `GET /api/editor${route}`
  if (status !== 200) throw new Unusable(`${of} ${said(answer)}; ${remedyOf(status)}.`)
  if (bytes === undefined) throw new Unusable(`${of} answered more than 8 MiB, the most that is read.`)
  const value = toJson(bytes)
  if (value !== undefined) return value
  const isHtml = headers.get('content-type')?.includes('html') === true || bytes[0] === '<'.charCodeAt(0)
  const what = isHtml ? 'HTML' : 'something that is not JSON'
  throw new Unusable(`${of} answered ${what}; mount the editor routes before the pages of the site.`)
}

function remedyOf(status: number): string {
  if (status === 404) return 'mount the editor routes there, see createSiteEditor'
  if (status >= 300 && status < 400) return 'redirects are not followed: use the final address'
  return 'see the log of the site'
}

/** Describes an answer: `answered 503: The content cannot be read now.` */
export function said({ status, bytes }: HttpAnswer): string {
  const body = toJson(bytes)
  const reason = typeof body === 'object' && body !== null && 'reason' in body ? body.reason : undefined
  const why = typeof reason === 'string' ? toShownText(reason).replace(/\.$/, '') : ''
  return `answered ${status}${why && `: ${why}`}`
}
