import * as v from 'valibot'
import type { Mount } from '../../../kernel/index.ts'
import { signerHeader, signers } from '../../auth/port.ts'
import { Page, SiteConfig } from '../../content/page.ts'
import type { Redirects } from '../../content/redirects.ts'
import { homeFirst } from '../../content/slugs.ts'
import { drafts as draftsRef } from '../../draft/port.ts'
import { scope as scopeRef } from '../../scope/port.ts'
import type { DraftAccess } from './signature.ts'

/** A page with the data of its header. */
export interface PageView {
  /** `undefined` if the slug has no page. */
  readonly page: Page | undefined
  /** The slugs of all pages of the site, home first. */
  readonly slugs: readonly string[]
  readonly siteConfig: SiteConfig
  /** Former addresses with what they lead to. */
  readonly redirects: Redirects
}

/**
 * Reads one page of a draft; `undefined` if the token that signed the access has ended. Rejects if the orchestrator does
 * not answer.
 */
export type DraftSource = (access: DraftAccess, slug: string) => Promise<PageView | undefined>

const Slugs = v.object({ slugs: v.array(v.string()) })
const Config = v.looseObject({
  ...SiteConfig.entries,
  redirects: v.optional(v.record(v.string(), v.string()), {}),
})
const Ended = v.object({ code: v.literal('entry_ended') })
const ended = new Error('the token that signed the access has ended')
const timeoutMs = 5_000

/** Reads drafts from a remote orchestrator, with an access token if it requires one; times out after 5 s. */
export function draftsAt(url: string, token?: string): DraftSource {
  const origin = url.replace(/(?<!\/)\/+$/, '')
  const get = async (path: string, by: string | undefined): Promise<unknown> => {
    const response = await fetch(`${origin}${path}`, {
      headers: { ...(token && { 'x-access-token': token }), ...(by && { [signerHeader]: by }) },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 404) return undefined
    if (response.ok) return response.json()
    if (by !== undefined && v.is(Ended, await response.json().catch(() => undefined))) throw ended
    throw new Error(`the orchestrator answered ${response.status}`)
  }
  return async ({ siteId, session, by }, slug) => {
    const draft = new URLSearchParams({ siteId, session })
    const parts = await Promise.all([
      get(`/draft/pages?${draft}&slug=${encodeURIComponent(slug)}`, by),
      get(`/draft/slugs?${draft}`, by),
      get(`/draft/site-config?${draft}&redirects=1`, by),
    ]).catch((error: unknown) => {
      if (error === ended) return undefined
      throw error
    })
    if (!parts) return undefined
    const [page, slugs, config] = parts
    const { redirects, ...siteConfig } = v.parse(Config, config)
    return {
      page: page === undefined ? undefined : v.parse(Page, page),
      slugs: v.parse(Slugs, slugs).slugs,
      siteConfig,
      redirects,
    }
  }
}

/** Reads drafts from an orchestrator mounted in this process, without the network and without gates. */
export function draftsIn(mount: Pick<Mount, 'get'>): DraftSource {
  return async ({ by, ...access }, slug) => {
    if (by !== undefined && !(await (await mount.get(signers)).isLive(by))) return undefined
    const [drafts, scope] = await Promise.all([mount.get(draftsRef), mount.get(scopeRef)])
    const id = scope.draft(access)
    const [stored, rows, siteConfig, redirects = {}] = await Promise.all([
      drafts.pageAtAddress(id, slug),
      drafts.rows(id),
      drafts.shownConfig(id),
      drafts.redirects(id),
    ])
    return { page: stored?.page, slugs: homeFirst(rows.map((row) => row.slug)), siteConfig, redirects }
  }
}
