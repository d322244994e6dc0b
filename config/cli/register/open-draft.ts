import { setTimeout as pause } from 'node:timers/promises'
import { draftLink } from '../../../plugins/site/draft-link.ts'
import { callHttp, type HttpAnswer } from '../shared/http.ts'
import type { Wishes } from './wishes.ts'

/**
 * What a site makes of the address that opens its draft: it shows a page, does not answer, does not know the secret, or
 * answers something else.
 */
export type Opening = { readonly state: 'open' | 'down' | 'locked' } | { readonly state: 'failed'; readonly status: number }

/** What is known of a draft's address. */
export type Tried = Opening & { readonly address: string }

/** The most of a page that is read; what it shows is not looked at. */
const maxBytes = 8 * 1024 * 1024

/**
 * Opens the draft of a site as a browser would: by the address that sets the cookie, and then the page that it leads to.
 *
 * It tries again for `reloadMs`, for a site that reads its variables anew when the file changes.
 */
export async function openDraft(
  { siteId, session, previewUrl }: Pick<Wishes, 'siteId' | 'session' | 'previewUrl'>,
  { secret, now, timeoutMs, reloadMs }: { readonly secret: string; readonly now: Date; readonly timeoutMs: number; readonly reloadMs: number },
): Promise<Tried> {
  const link = draftLink(previewUrl, { siteId, session }, { secret, now })
  const until = performance.now() + reloadMs
  let opening = await tryLink(link, timeoutMs)
  while (opening.state !== 'open' && performance.now() < until) {
    await pause(200)
    opening = await tryLink(link, timeoutMs)
  }
  return { ...opening, address: link.href }
}

async function tryLink(link: URL, timeoutMs: number): Promise<Opening> {
  try {
    const entered = await callHttp(link, { timeoutMs, maxBytes })
    if (entered.status === 401 || entered.status === 503) return { state: 'locked' }
    const target = targetOf(entered, link)
    if (target === undefined) return { state: 'failed', status: entered.status }
    const cookie = entered.headers.getSetCookie().map((line) => line.split(';', 1)[0]).join('; ')
    const { status } = await callHttp(target, { headers: { cookie }, timeoutMs, maxBytes })
    return status < 400 ? { state: 'open' } : { state: 'failed', status }
  } catch {
    // Whatever it is, the registration is done and what it needs has to be written.
    return { state: 'down' }
  }
}

/** Where an answer leads on to, on the same site. */
function targetOf({ status, headers }: HttpAnswer, link: URL): URL | undefined {
  const target = status >= 300 && status < 400 ? URL.parse(headers.get('location') ?? '', link) : null
  return target?.origin === link.origin ? target : undefined
}
