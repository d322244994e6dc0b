import * as v from 'valibot'
import { type Clock, findJsonProblem } from '../../../kernel/index.ts'
import type { Page } from '../../content/page.ts'
import { picked } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { homeFirst, slugSpellings } from '../../content/slugs.ts'
import { type Drafts, readCapabilities, readManifest } from '../../draft/port.ts'
import type { DraftId, Scope } from '../../scope/port.ts'
import { guidanceOf, type Sites } from '../../sites/port.ts'
import { asksForNewPage, cleanMessage, wantsPlanFirst } from '../intent.ts'
import { badAcceptedOps, foreignAttachment, messageRequired, pageNotFound } from '../refusals.ts'
import type { ChatRequest, PlacedRequest } from '../request.ts'
import type { Memories } from '../sessions/memory.ts'
import type { PendingPlans } from '../sessions/pending-plans.ts'
import type { Selection } from '../types/plan.ts'
import { type DraftSnapshot, type ModelTerms, type RecentEdit, SiteContext } from '../types/planner.ts'
import { startRecord } from '../types/record.ts'
import {
  mayOnlyPropose,
  type Run,
  type RunContext,
  type RunOptions,
  type SessionState,
} from '../types/run.ts'

interface ReadingParts {
  readonly drafts: Drafts
  readonly sites: Sites
  readonly scope: Scope
  readonly clock: Clock
  readonly memories: Memories
  readonly pendingPlans: PendingPlans
  readonly terms: ModelTerms
  readonly promptHash: (message: string) => string
  /** Whether this service itself serves an address. */
  readonly owns: (address: string) => boolean
}

const mostRecentEdits = 10

/** Reads what a run works on: the request, the session, and the draft. */
export type Reading = ReturnType<typeof createReading>

export function createReading(parts: ReadingParts) {
  const { drafts, sites, scope, clock, memories, pendingPlans, terms, promptHash, owns } = parts

  /**
   * Reads a complete draft, inside `WholeDrafts.use`.
   *
   * The version is read first: after a concurrent change it is too old, which a commit detects, never too new.
   */
  async function draft(id: DraftId): Promise<DraftSnapshot> {
    const { version } = await drafts.head(id)
    const reads = [drafts.pages(id), drafts.config(id), sites.registered(id)] as const
    const [stored, config = {}, site] = await Promise.all(reads)
    const name = config.name ?? site.name
    const named = { ...config, ...guidanceOf(site), ...(name !== undefined && { name }) }
    return { version, config: named, pages: homeFirst(stored) }
  }

  return {
    draft,

    /** Reads a request. Refuses with 400 invalid fields and a missing message. */
    run(request: PlacedRequest, how: RunOptions): Run {
      const { executionMode: mode, acceptedOps, attachments = [] } = request
      const message = cleanMessage(request.message ?? '')
      if ((mode === 'auto' || mode === 'plan_only') && message === '') throw messageRequired()
      if (acceptedOps?.length === 0) throw badAcceptedOps('is empty')
      if (new Set(acceptedOps).size < (acceptedOps?.length ?? 0))
        throw badAcceptedOps('names an operation twice')
      if (attachments.some(({ url }) => url !== undefined && !owns(url))) throw foreignAttachment()
      return {
        request,
        how,
        id: scope.draft(request),
        message,
        promptHash: promptHash(message),
        isPlanFirst:
          mode === 'plan_only' || mayOnlyPropose(how) || (mode === 'auto' && wantsPlanFirst(message)),
        locale: request.locale ?? 'en',
        tier: request.modelKey ?? terms.tier,
        site: {
          manifest: readManifest(request.componentsManifest, builtinRegistry),
          allowStructuralEdits: readCapabilities(request.siteCapabilities),
        },
        siteContext: readSiteContext(request),
        record: startRecord(clock, terms.prices, how.emit),
      }
    },

    async session(id: DraftId): Promise<SessionState> {
      const [memory, pending] = await Promise.all([memories.read(id), pendingPlans.find(id)])
      return { memory, pending }
    },

    /** Adds draft and selection to a session. Refuses with 404 if the page is not in the draft. */
    async context(run: Run, session: SessionState): Promise<RunContext> {
      const snapshot = await draft(run.id)
      const [first] = snapshot.pages
      const anywhere = first && asksForNewPage(run.message) ? { slug: first.slug } : undefined
      const selection = selectionOf(run.request, snapshot) ?? anywhere
      if (!selection) throw pageNotFound(run.request.slug, await drafts.whyEmpty(run.id))
      run.how.emit({ type: 'context', slug: selection.slug, pages: snapshot.pages })
      return { draft: snapshot, selection, ...session }
    },

    /**
     * Reads the same for an approval. A plan whose page is gone is not refused here: its operations are
     * validated later.
     */
    async approvalContext(run: Run, session: SessionState): Promise<RunContext> {
      const { pending } = session
      const snapshot = await draft(run.id)
      const { slug } = run.request
      const requested = selectionOf(run.request, snapshot)
      const isOfPlan = pending?.requestedSlug === slug || pending?.selection.slug === slug
      const selection = pending?.selection ?? requested
      if (!selection || (!requested && !isOfPlan)) throw pageNotFound(slug)
      run.how.emit({ type: 'context', slug: selection.slug, pages: snapshot.pages })
      return { draft: snapshot, selection, ...session, pending: undefined }
    },

    /** Reads the last changes of a draft, oldest first. */
    async recentEdits(id: DraftId): Promise<readonly RecentEdit[]> {
      const entries = await drafts.log(id, { limit: mostRecentEdits })
      return entries.map(({ at, slug, summary, opTypes, source }) => ({ at, slug, summary, opTypes, source }))
    },
  }
}

type EditorContext = Pick<PlacedRequest, 'slug' | 'activeBlockId' | 'activeEditablePath'>

/** Returns the editor selection; a selected block decides the page. `undefined` if the draft has neither. */
export function selectionOf(at: EditorContext, { pages }: DraftSnapshot): Selection | undefined {
  const { slug, activeBlockId: blockId, activeEditablePath: path } = at
  const spellings = slugSpellings(slug)
  const requested =
    pages.find((each) => each.slug === slug) ?? pages.find((each) => spellings.includes(each.slug))
  if (blockId === undefined) return requested && { slug: requested.slug }
  const hasBlock = (page: Page): boolean => page.blocks.some(({ id }) => id === blockId)
  const withBlock = requested && hasBlock(requested) ? requested : pages.find(hasBlock)
  if (withBlock) return { slug: withBlock.slug, blockId, path }
  return requested && { slug: requested.slug }
}

/** An object, or an object as JSON text; anything else becomes an empty object. */
const Given = v.fallback(
  v.pipe(
    v.union([v.pipe(v.string(), v.parseJson()), v.unknown()]),
    v.check((value) => findJsonProblem(value) === undefined),
    SiteContext,
  ),
  {},
)

/**
 * Reads the site description of a request from one newer and two older fields; the newer one has precedence.
 * Unreadable parts are left out: they only help planners.
 */
function readSiteContext({ siteContext, businessContext, sitePurpose }: ChatRequest): SiteContext {
  const given = (raw: unknown): SiteContext => picked(v.parse(Given, raw), (value) => value !== undefined)
  return { purpose: sitePurpose, ...given(businessContext), ...given(siteContext) }
}
