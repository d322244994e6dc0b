import type { Refusal } from '../errors.ts'
import type { GatedRoute } from '../permission.ts'
import { refusals } from '../refusals.ts'
import { slot } from '../service.ts'
import { allowedHeaders, allowedMethods, defaultHeaders, exposedHeaders, type HeaderList } from './headers.ts'
import type { HttpRequest, HttpResponse } from './message.ts'

/** Origins whose pages may call, and host names of the service. */
export interface OriginRules {
  /** Origins such as `https://editor.example`; `localhost` and `127.0.0.1` are equivalent. */
  readonly origins: readonly string[]
  /** Those of them that are defaults, which the limits of `admittedOrigins` restrict; none if it is absent. */
  readonly usual?: readonly string[]
  /** Host names, without port, that requests may name besides `localhost` and IP addresses; default: any. */
  readonly hosts?: readonly string[]
}

/** Restricts what pages of an admitted origin may do. */
export interface OriginLimits {
  /** Called with the checked input before the handler; refuses with 403 a site that these pages may not use. */
  checkSite(
    route: GatedRoute,
    input: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
  ): void
}

/** Decides whether pages of an origin may call. Called for every request of an origin that is not listed. */
export type JudgeOrigin = (origin: string) => boolean | OriginLimits

/** Decides whether pages of an origin that is not listed may call, and within which limits. */
export const admittedOrigins = slot<JudgeOrigin>('kernel.admitted-origins')

export type CrossOrigin = ReturnType<typeof createCrossOrigin>

const exposed = ['access-control-expose-headers', exposedHeaders.join(', ')]
const preflightHeaders: HeaderList = Object.entries({
  ...defaultHeaders,
  'access-control-allow-methods': allowedMethods.join(','),
  'access-control-allow-headers': allowedHeaders.join(', '),
  'access-control-max-age': '600',
  vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
}).flat()

/** Creates the checks of origins and hosts. */
export function createCrossOrigin(
  { origins, hosts, usual = [] }: OriginRules,
  admitted: readonly JudgeOrigin[],
) {
  const listed = new Set(origins.flatMap(withLoopbackTwin))
  const restricted = new Set(usual.flatMap(withLoopbackTwin))
  const names = hosts && new Set(hosts.map((host) => host.toLowerCase()))
  const allow = (origin: string): HeaderList => ['access-control-allow-origin', origin, ...exposed]
  const allowListed = new Map([...listed].map((origin) => [origin, allow(origin)]))
  const isAdmitted = (origin: string): boolean => admitted.some((admits) => admits(origin) !== false)

  // Caches the last host, because nearly every request has the same one.
  let lastHost: string | undefined
  const isForeign = (request: Pick<HttpRequest, 'header'>): boolean => {
    const origin = request.header('origin')
    return (
      origin !== undefined &&
      !listed.has(origin) &&
      !isOwnOrigin(origin, request.header('host')) &&
      !isAdmitted(origin)
    )
  }

  return {
    /** Answers a preflight, without the headers of its origin; `undefined` for other requests. */
    preflight(request: HttpRequest): HttpResponse | undefined {
      if (request.method !== 'OPTIONS') return undefined
      if (
        request.header('origin') === undefined ||
        request.header('access-control-request-method') === undefined
      ) {
        throw refusals.badRequest(
          'A preflight names its Origin and Access-Control-Request-Method. Other OPTIONS requests are not answered.',
        )
      }
      if (isForeign(request)) throw refusals.originNotAllowed()
      return { status: 204, headers: preflightHeaders, body: null }
    },
    /** The limits of a page of another origin; `undefined` without limits, and for other callers. */
    limitsOf(request: Pick<HttpRequest, 'header'>): OriginLimits | undefined {
      const origin = admitted.length > 0 ? request.header('origin') : undefined
      if (origin === undefined) return undefined
      if (isOwnOrigin(origin, request.header('host'))) return undefined
      if (listed.has(origin) && !restricted.has(origin)) return undefined
      const verdicts = admitted.map((admits) => admits(origin))
      return verdicts.includes(true) ? undefined : verdicts.find((verdict) => typeof verdict === 'object')
    },
    /** The headers that let a listed origin read the answer; empty for other origins. */
    headersFor: (origin: string) => allowListed.get(origin) ?? (isAdmitted(origin) ? allow(origin) : []),
    /** Returns the refusal of a foreign Host or Origin. Called after the gate. */
    judge(request: Pick<HttpRequest, 'method' | 'header'>): Refusal | undefined {
      const host = request.header('host')
      if (names && (host === undefined || host !== lastHost)) {
        if (!isKnownHost(host, names)) return refusals.hostNotAllowed()
        lastHost = host
      }
      if (request.method !== 'GET' && request.method !== 'HEAD' && isForeign(request))
        return refusals.originNotAllowed()
      return undefined
    },
  }
}

/**
 * Returns an origin, and the same origin under the other name of the loopback address.
 *
 * Only `localhost` and `127.0.0.1`, and only if the configured origin already uses one of them.
 */
export function withLoopbackTwin(origin: string): readonly string[] {
  const twin = /^(https?:\/\/)(localhost|127\.0\.0\.1)(:\d+)?$/.exec(origin)
  return twin
    ? [origin, `${twin[1]}${twin[2] === 'localhost' ? '127.0.0.1' : 'localhost'}${twin[3] ?? ''}`]
    : [origin]
}

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}

function isKnownHost(host: string | undefined, names: ReadonlySet<string>): boolean {
  if (host === undefined) return false
  const name = host.replace(/:\d*$/, '').toLowerCase()
  return name === 'localhost' || isAddress(name) || names.has(name)
}

const isAddress = (name: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name)
