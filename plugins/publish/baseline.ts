import { readFile } from 'node:fs/promises'
import { findJsonProblem, type Logger } from '../../kernel/index.ts'
import type { ContentAdapter, SiteContent } from '../content/adapter.ts'
import { toBaseline } from '../content/baseline.ts'
import type { Outbound } from '../outbound/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import { readContentOf } from '../site/port.ts'
import { otherSiteIn } from '../sites/port.ts'
import type { Baseline, Baselines, Snapshots } from './port.ts'
import type { SiteOrigins } from './site-origins.ts'

export interface BaselineContext {
  readonly origins: SiteOrigins
  readonly scope: Pick<Scope, 'siteId'>
  readonly outbound: Outbound
  readonly snapshots: Snapshots
  readonly adapter: ContentAdapter | undefined
  /** The site that the adapter belongs to. */
  readonly adapterSiteId: string
  /** A file with published content. */
  readonly contentPath: string | undefined
  readonly log: Logger
}

const siteLimits = { timeoutMs: 8_000, maxBytes: 10 * 1024 * 1024, types: ['application/json'] }
const jsonLimits = { depth: 64, values: 1_000_000 }

type Source = () => Promise<Baseline>

/**
 * Makes the reader of what is published.
 *
 * The first source that applies decides, also when it fails: content that cannot be read is unavailable, and
 * another source in its place would make pages look removed that are not.
 */
export function createBaselines(context: BaselineContext): Baselines {
  const { origins, scope, outbound, snapshots, adapter, adapterSiteId, contentPath, log } = context

  const fromSite = async (id: DraftId, origin: string): Promise<Baseline> => {
    const answer = await outbound.fetch(`${origin}/api/editor/pages`, {
      ...siteLimits,
      allowOrigins: [origin],
    })
    if (answer.status >= 300) throw new Error(`the site answered ${answer.status}`)
    const content = answer.json()
    const other = otherSiteIn(content, id, scope)
    return other === undefined ? { content: toContent(content) } : { content: undefined, otherSite: isOther(origin, other, id) }
  }

  const sourceOf = async (id: DraftId, siteOrigin: string | undefined): Promise<Source> => {
    const named = await origins.named(id, siteOrigin)
    if (named !== undefined) return () => fromSite(id, named)
    if (adapter && id.siteId === adapterSiteId) return async () => ({ content: await readContentOf(adapter) })
    if (contentPath !== undefined) return async () => ({ content: toContent(JSON.parse(await readText(contentPath))) })
    const registered = await origins.registered(id)
    if (registered !== undefined) return () => fromSite(id, registered)
    return async () => {
      const newest = await snapshots.newest(id)
      // Nothing else is known of the header here, so a first site config is a change that a diff has to show.
      return { content: newest && { ...newest, siteConfig: newest.siteConfig ?? {} } }
    }
  }

  return {
    async read(id, { siteOrigin }) {
      const source = await sourceOf(id, siteOrigin)
      return source().catch((err: unknown) => {
        log.warn({ err, siteId: id.siteId }, 'published content could not be read')
        return { content: undefined }
      })
    },
  }
}

const isOther = (origin: string, other: string, { siteId }: DraftId): string =>
  `${origin} is the site '${other}', not '${siteId}'. Register '${siteId}' with the address of its own.`

/** Some editors begin a file with a byte order mark, which is no JSON. */
const readText = async (path: string) => (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')

/** Content from outside this process, held to the same rules as a request body. */
function toContent(value: unknown): SiteContent | undefined {
  const problem = findJsonProblem(value, jsonLimits)
  if (problem !== undefined) throw new Error(problem)
  return toBaseline(value)
}
