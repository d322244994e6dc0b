import * as v from 'valibot'
import type { SiteContent } from '../../content/adapter.ts'
import { Page, SiteConfig } from '../../content/page.ts'
import type { DraftAccess } from '../cookies.ts'

/** Where drafts come from. */
export interface DraftSource {
  /** Address of the orchestrator. */
  readonly url: string
  /** Sent along where the orchestrator asks for a token. */
  readonly token?: string | undefined
}

/** One page of a draft with what its header needs. */
export interface DraftView {
  readonly page: Page | undefined
  readonly slugs: readonly string[]
  readonly siteConfig: SiteConfig
}

const Slugs = v.object({ slugs: v.array(v.string()) })
const Config = v.looseObject(SiteConfig.entries)
const waitsFor = 5_000

/** Reads a page of a draft from the orchestrator; `undefined` when it cannot be reached. */
export async function readDraft(
  { url, token }: DraftSource,
  { siteId, session }: DraftAccess,
  slug: string,
): Promise<DraftView | undefined> {
  const scope = new URLSearchParams({ siteId, session })
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      headers: token === undefined ? {} : { 'x-access-token': token },
      signal: AbortSignal.timeout(waitsFor),
    })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`the orchestrator answered ${response.status}`)
    return response.json()
  }
  try {
    const [page, slugs, siteConfig] = await Promise.all([
      get(`/draft/pages?${scope}&slug=${encodeURIComponent(slug)}`),
      get(`/draft/slugs?${scope}`),
      get(`/draft/site-config?${scope}`),
    ])
    return {
      page: page === undefined ? undefined : v.parse(Page, page),
      slugs: v.parse(Slugs, slugs).slugs,
      siteConfig: v.parse(Config, siteConfig),
    }
  } catch {
    return undefined
  }
}

/** One page of the published content with what its header needs. */
export function publishedView({ pages, siteConfig = {} }: SiteContent, slug: string): DraftView {
  return { page: pages.find((page) => page.slug === slug), slugs: pages.map((page) => page.slug), siteConfig }
}
