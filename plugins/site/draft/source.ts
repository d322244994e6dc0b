import * as v from 'valibot'
import type { Mount } from '../../../kernel/index.ts'
import { signerHeader, signers } from '../../auth/port.ts'
import { Page, SiteConfig } from '../../content/page.ts'
import { drafts as draftsRef, type DraftView } from '../../draft/port.ts'
import { scope as scopeRef } from '../../scope/port.ts'
import type { DraftAccess } from './signature.ts'

/**
 * Reads one page of a draft; `undefined` if the token that signed the access has ended. Rejects if the
 * orchestrator does not answer.
 */
export type DraftSource = (access: DraftAccess, slug: string) => Promise<DraftView | undefined>

const View = v.object({
  page: v.nullable(Page),
  slugs: v.array(v.string()),
  siteConfig: v.looseObject(SiteConfig.entries),
  redirects: v.record(v.string(), v.string()),
})
const Ended = v.object({ code: v.literal('entry_ended') })
const timeoutMs = 5_000

/** Reads drafts from a remote orchestrator, with an access token if it requires one; times out after 5 s. */
export function draftsAt(url: string, token?: string): DraftSource {
  const origin = url.replace(/(?<!\/)\/+$/, '')
  return async ({ siteId, session, by }, slug) => {
    const response = await fetch(`${origin}/draft/view?${new URLSearchParams({ siteId, session, slug })}`, {
      headers: { ...(token && { 'x-access-token': token }), ...(by && { [signerHeader]: by }) },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.ok) {
      const { page, ...view } = v.parse(View, await response.json())
      return { page: page ?? undefined, ...view }
    }
    if (by !== undefined && v.is(Ended, await response.json().catch(() => undefined))) return undefined
    throw new Error(`the orchestrator answered ${response.status}`)
  }
}

/** Reads drafts from an orchestrator mounted in this process, without the network and without gates. */
export function draftsIn(mount: Pick<Mount, 'get'>): DraftSource {
  return async ({ by, ...access }, slug) => {
    if (by !== undefined && !(await (await mount.get(signers)).isLive(by))) return undefined
    const [drafts, scope] = await Promise.all([mount.get(draftsRef), mount.get(scopeRef)])
    return drafts.view(scope.draft(access), slug)
  }
}
