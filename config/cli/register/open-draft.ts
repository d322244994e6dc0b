import { setTimeout as pause } from 'node:timers/promises'
import { draftLink } from '../../../plugins/site/draft/signature.ts'
import { callHttp } from '../shared/http.ts'
import type { Registration } from './registration.ts'

/** How the site answers the link to its draft: with a page, not at all, with a refusal of the secret, or with an error status. */
interface Opening {
  readonly state: 'open' | 'down' | 'locked' | 'failed'
  readonly status?: number
}

export type OpenedDraft = Opening & { readonly address: string }

/** The most of a page that is read; its content is not used. */
const maxBytes = 8 * 1024 * 1024

/**
 * Opens the draft of a site as a browser would: the link that sets the cookie, then the page that it redirects to. It tries
 * again for `reloadMs`, for a site that reloads its variables when the file changes.
 */
export async function openDraft(
  { siteId, session, previewUrl }: Registration,
  { secret, now, timeoutMs, reloadMs }: { readonly secret: string; readonly now: Date; readonly timeoutMs: number; readonly reloadMs: number },
): Promise<OpenedDraft> {
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
    const { status, headers } = await callHttp(link, { timeoutMs, maxBytes })
    if (status === 401 || status === 503) return { state: 'locked' }
    const target = status >= 300 && status < 400 ? URL.parse(headers.get('location') ?? '', link) : null
    if (target?.origin !== link.origin) return { state: 'failed', status }
    const cookie = headers.getSetCookie().map((line) => line.split(';', 1)[0]).join('; ')
    const page = await callHttp(target, { headers: { cookie }, timeoutMs, maxBytes })
    return page.status < 400 ? { state: 'open' } : { state: 'failed', status: page.status }
  } catch {
    // Whatever the reason, the registration is done and its variables have to be written.
    return { state: 'down' }
  }
}
