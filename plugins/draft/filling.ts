import { findJsonProblem, Refusal, type Clock, type Logger } from '../../kernel/index.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import type { Outbound } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'
import { scopeOf } from './collections.ts'
import { readIncoming } from './incoming.ts'
import { Lru } from './lru.ts'
import type { Drafts } from './port.ts'

export interface FillingContext {
  readonly adapter: ContentAdapter | undefined
  /** The site that the adapter belongs to. */
  readonly adapterSiteId: string
  readonly outbound: Outbound | undefined
  /** Where drafts of other sites find their pages. */
  readonly origin: string | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly pageBytes: number
}

/** Drafts as they are, without this filling: what it uses itself. */
type Unfilled = Pick<Drafts, 'head' | 'commit'>

const firstWait = 5_000
const longestWait = 5 * 60_000
const rememberedFailures = 10_000
/** What a site sends is trusted no more than what a client sends. */
const siteJson = { depth: 64, values: 1_000_000 }
const siteTimes = { timeoutMs: 8_000, maxBytes: 10 * 1024 * 1024, types: ['application/json'] }

/**
 * Fills empty drafts from their site when somebody first looks at them.
 *
 * One fetch at a time per draft, which everybody who waits shares; after a failure the next one waits, from five
 * seconds to five minutes. A failure is logged, and the reader sees the draft as it is.
 */
export function createFilling({
  adapter,
  adapterSiteId,
  outbound,
  origin,
  clock,
  log,
  pageBytes,
}: FillingContext) {
  const running = new Map<string, Promise<void>>()
  const failed = new Lru<string, { readonly until: number; readonly wait: number }>(rememberedFailures)

  const fromAdapter = (id: DraftId): boolean => adapter !== undefined && id.siteId === adapterSiteId

  const fetchPages = async (id: DraftId): Promise<readonly unknown[]> => {
    if (adapter && fromAdapter(id)) return (await adapter.readContent()).pages
    const answer = await outbound?.fetch(
      `${origin}/api/editor/pages?siteId=${encodeURIComponent(id.siteId)}`,
      siteTimes,
    )
    if (!answer || answer.status >= 300) throw new Error(`the site answered ${answer?.status}`)
    const content = answer.json()
    const problem = findJsonProblem(content, siteJson)
    if (problem !== undefined) throw new Error(problem)
    return pagesIn(content)
  }

  const fill = async (id: DraftId, drafts: Unfilled): Promise<void> => {
    // Asked before the site is: what somebody else puts into the draft meanwhile is not overwritten.
    const expect = (await drafts.head(id)).version
    const { pages, count } = readIncoming(await fetchPages(id), { pageBytes })
    if (pages.size === 0) throw new Error('the site has no usable page')
    const edit = {
      kind: 'pages',
      pages,
      source: 'bootstrap',
      summary: `Loaded ${count} pages from the site`,
      undo: 'none',
    } as const
    await drafts
      .commit({ id, edit, actor: { kind: 'system' }, channel: 'site', expect }, () => undefined)
      .catch((error: unknown) => {
        if (!(error instanceof Refusal && error.code === 'version_mismatch')) throw error
      })
  }

  return {
    /** Fills a draft that has no page, where there is something to fill it from. */
    async ensure(id: DraftId, drafts: Unfilled, by: 'read' | 'change'): Promise<void> {
      if (!fromAdapter(id) && (by === 'change' || !outbound || origin === undefined)) return
      const scope = scopeOf(id)
      const under = running.get(scope)
      if (under) return under
      const before = failed.get(scope)
      if (before && before.until > clock.now().getTime()) return
      const work = fill(id, drafts).then(
        () => void failed.delete(scope),
        (err: unknown) => {
          const wait = Math.min(longestWait, before ? before.wait * 2 : firstWait)
          failed.set(scope, { until: clock.now().getTime() + wait, wait })
          log.warn(
            { err, siteId: id.siteId, nextInSeconds: wait / 1000 },
            'draft could not be filled from its site',
          )
        },
      )
      running.set(scope, work)
      await work.finally(() => running.delete(scope))
    },
  }
}

/** The pages of a site's answer, which is an object with `pages` or the bare array. */
function pagesIn(answer: unknown): readonly unknown[] {
  const pages = typeof answer === 'object' && answer !== null && 'pages' in answer ? answer.pages : answer
  return Array.isArray(pages) ? pages : []
}

export type Filling = ReturnType<typeof createFilling>
