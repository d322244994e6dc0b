import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { createRedactor } from '../../../kernel/index.ts'
import { draftLink } from '../../../plugins/site/index.ts'
import { CommandError } from '../shared/command.ts'
import { NoAnswer, callHttp, toJson, toShownText } from '../shared/http.ts'
import type { Registration } from './registration.ts'

/** The status is `registered` or `unchanged`. */
const Answer = v.object({ status: v.string(), siteId: v.string(), warnings: v.array(v.string()) })
const Refused = v.fallback(v.object({ reason: v.optional(v.string()), error: v.optional(v.string()) }), {})

/** The maximum size of an answer: a name and a few warnings, or an error page. */
const answerBytes = 1024 * 1024

/** Registers a site. Throws a CommandError with a remedy; hides the secret and token even if echoed. */
export async function send(registration: Registration, secret: string | undefined) {
  const { siteId, name, port, previewUrl, purpose, session, orchestrator, token, timeoutMs, own } =
    registration
  const redact = createRedactor([secret, token].filter((value) => value !== undefined))
  const shown = (text: string): string => toShownText(redact(text))
  const { status, bytes } = await callHttp(new URL(`${orchestrator}/sites/register`), {
    method: 'POST',
    headers: token === undefined ? {} : { 'x-access-token': token },
    json: {
      siteId,
      name,
      port,
      previewUrl,
      purpose,
      secret,
      session,
      ownPages: own.home ? { '/': own.home } : {},
    },
    timeoutMs,
    maxBytes: answerBytes,
  }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error
    throw new CommandError(`${orchestrator} ${error.message}; start it, or name another with --orchestrator`)
  })
  const body = toJson(bytes)
  if (status < 200 || status >= 300) {
    const { reason, error } = v.parse(Refused, body)
    const why = shown(reason ?? error ?? '')
    const remedy = remedyOf(status, token !== undefined)
    throw new CommandError(`${orchestrator} answered ${status}${why && `: ${why}`}${remedy && `\n${remedy}`}`)
  }
  const parsed = v.safeParse(Answer, body)
  if (parsed.success)
    return { status: shown(parsed.output.status), warnings: parsed.output.warnings.map(shown) }
  const what = body === undefined ? 'something that is not JSON' : 'JSON that does not answer a registration'
  throw new CommandError(
    `${orchestrator} answered ${bytes ? what : `more than ${answerBytes} bytes`}; ${wrongServer}`,
  )
}

/** False if the orchestrator refuses the pages of the site. */
export async function mayCall({ orchestrator, previewUrl, timeoutMs }: Registration): Promise<boolean> {
  const headers = { origin: previewUrl, 'access-control-request-method': 'GET' }
  const preflight = callHttp(new URL(`${orchestrator}/events`), {
    method: 'OPTIONS',
    headers,
    timeoutMs,
    maxBytes: answerBytes,
  })
  return preflight.then(
    ({ status }) => status !== 403,
    () => true,
  )
}

const wrongServer = 'check that --orchestrator names an orchestrator'

function remedyOf(status: number, hasToken: boolean): string {
  if (status === 401 && hasToken) return 'It does not accept the access token; check --access-token.'
  if (status === 401) return 'Pass an access token with --access-token or in ORCHESTRATOR_ACCESS_TOKEN.'
  if (status >= 300 && status < 400)
    return 'Redirects are not followed; name the final address with --orchestrator.'
  return [404, 405, 501].includes(status) ? `It has no route to register at; ${wrongServer}.` : ''
}

/** The maximum size of a page; its content is not used. */
const pageBytes = 8 * 1024 * 1024

/**
 * Opens the draft of a site like a browser: the link that sets the cookie, then the page of the redirect.
 * Retries for `reloadMs`, because a site may reload its variables when the file changes. A site that refuses
 * the signature is tried with the secret itself.
 */
export async function openDraft(
  { siteId, session, previewUrl, timeoutMs }: Registration,
  { secret, now, reloadMs }: { readonly reloadMs: number } & Parameters<typeof draftLink>[2],
) {
  const link = draftLink(previewUrl, { siteId, session }, { secret, now })
  const until = performance.now() + reloadMs
  let opened = await tryLink(link, timeoutMs)
  while (opened.state !== 'open' && performance.now() < until) {
    await pause(200)
    opened = await tryLink(link, timeoutMs)
  }
  if (opened.state === 'locked') {
    // Sites of an earlier version compare the secret itself.
    const plain = new URL(link)
    plain.searchParams.set('secret', secret)
    const other = await tryLink(plain, timeoutMs)
    if (other.state === 'open') opened = other
  }
  return { ...opened, address: opened.address ?? link.href }
}

/** The result of opening a link: a page, no answer, a refused secret, or an error. */
interface Opened {
  readonly state: 'open' | 'down' | 'locked' | 'failed'
  readonly status?: number
  /** The link, in the spelling that the website knows. */
  readonly address?: string
}

async function tryLink(link: URL, timeoutMs: number): Promise<Opened> {
  try {
    const { status, headers, url } = await callHttp(link, { timeoutMs, maxBytes: pageBytes })
    const address = url.href
    if (status === 401 || status === 503) return { state: 'locked', address }
    const target = status >= 300 && status < 400 ? URL.parse(headers.get('location') ?? '', link) : null
    if (target?.origin !== link.origin) return { state: 'failed', status }
    const cookie = headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ')
    const page = await callHttp(target, { headers: { cookie }, timeoutMs, maxBytes: pageBytes })
    return page.status < 400 ? { state: 'open', address } : { state: 'failed', status: page.status, address }
  } catch {
    // The registration has succeeded, and its variables must still be written.
    return { state: 'down' }
  }
}
