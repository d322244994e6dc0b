import * as v from 'valibot'
import { findJsonProblem } from '../../../kernel/index.ts'
import type { Page } from '../../content/page.ts'
import { picked } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { homeFirst, slugSpellings } from '../../content/slugs.ts'
import { readCapabilities, readManifest } from '../../draft/port.ts'
import type { DraftId } from '../../scope/port.ts'
import { guidanceOf } from '../../sites/port.ts'
import { badAcceptedOps, foreignAttachment, messageRequired, pageNotFound } from '../refusals.ts'
import type { ChatRequest, PlacedRequest } from '../request.ts'
import type { Selection } from '../types/plan.ts'
import { type DraftSnapshot, type RecentEdit, SiteContext } from '../types/planner.ts'
import { startRecord } from '../types/record.ts'
import {
  type EditorContext, mayOnlyPropose, type Run, type RunContext, type RunOptions, type SessionState,
} from '../types/run.ts'
import type { Deps, Parts } from './deps.ts'

/** Reads a request. Refuses with 400 invalid fields and a missing message. */
export function readRun(request: PlacedRequest, how: RunOptions, deps: Deps): Run {
  const { words, clock } = deps
  const id = deps.scope.draft(request)
  const message = words.clean(request.message ?? '')
  const { executionMode: mode, acceptedOps, attachments = [] } = request
  const { slug, activeBlockId, activeEditablePath } = request
  const isAuto = mode === 'auto'
  const isPlanOnly = mode === 'plan_only'
  if ((isAuto || isPlanOnly) && message === '') throw messageRequired()
  if (acceptedOps?.length === 0) throw badAcceptedOps('is empty')
  if (new Set(acceptedOps).size < (acceptedOps?.length ?? 0)) throw badAcceptedOps('names an operation twice')
  if (attachments.some(({ url }) => url !== undefined && !deps.owns(url))) throw foreignAttachment()
  return {
    request,
    how,
    id,
    message,
    promptHash: deps.promptHash(message),
    said: message,
    at: { slug, activeBlockId, activeEditablePath },
    isStep: false,
    isPlanFirst: isPlanOnly || mayOnlyPropose(how) || (isAuto && words.wantsPlanFirst(message)),
    locale: request.locale ?? 'en',
    tier: request.modelKey ?? deps.defaultTier,
    site: {
      manifest: readManifest(request.componentsManifest, builtinRegistry),
      allowStructuralEdits: readCapabilities(request.siteCapabilities),
    },
    siteContext: readSiteContext(request),
    record: startRecord(clock, deps.prices, how.emit),
  }
}

export async function readSession(id: DraftId, { memories, pendingPlans }: Deps): Promise<SessionState> {
  const [memory, pending] = await Promise.all([memories.read(id), pendingPlans.find(id)])
  return { memory, pending }
}

/** Adds draft and selection to a session. Refuses with 404 if the page is not in the draft. */
export async function readContext(run: Run, session: SessionState, deps: Deps): Promise<RunContext> {
  const draft = await readDraft(run.id, deps)
  const [first] = draft.pages
  const anywhere = first && deps.words.asksForNewPage(run.message) ? { slug: first.slug } : undefined
  const selection = selectionOf(run.at, draft) ?? selectionOf(run.request, draft) ?? anywhere
  if (!selection) throw pageNotFound(run.request.slug, await deps.drafts.whyEmpty(run.id))
  run.how.emit({ type: 'context', slug: selection.slug, pages: draft.pages })
  return { draft, selection, ...session }
}

/**
 * Reads the same for an approval. A plan whose page is gone is not refused here: its operations are validated
 * later.
 */
export async function readApprovalContext(run: Run, session: SessionState, deps: Deps): Promise<RunContext> {
  const { pending } = session
  const draft = await readDraft(run.id, deps)
  const { slug } = run.request
  const requested = selectionOf(run.request, draft)
  const isOfPlan = pending?.requestedSlug === slug || pending?.selection.slug === slug
  const selection = pending?.selection ?? requested
  if (!selection || (!requested && !isOfPlan)) throw pageNotFound(slug)
  run.how.emit({ type: 'context', slug: selection.slug, pages: draft.pages })
  return { draft, selection, ...session, pending: undefined }
}

/**
 * Reads a complete draft, inside `WholeDrafts.use`.
 *
 * The version is read first: after a concurrent change it is too old, which a commit detects, never too new.
 */
export async function readDraft(id: DraftId, { drafts, sites }: Parts): Promise<DraftSnapshot> {
  const { version } = await drafts.head(id)
  const reads = [drafts.pages(id), drafts.config(id), sites.registered(id)] as const
  const [stored, config = {}, site] = await Promise.all(reads)
  const name = config.name ?? site.name
  return { version, config: { ...config, ...guidanceOf(site), ...(name !== undefined && { name }) }, pages: homeFirst(stored) }
}

const mostRecentEdits = 10

/** Reads the last changes of a draft, oldest first. */
export async function readRecentEdits(id: DraftId, { drafts }: Deps): Promise<readonly RecentEdit[]> {
  const entries = await drafts.log(id, { limit: mostRecentEdits })
  return entries.map(({ at, slug, summary, opTypes, source }) => ({ at, slug, summary, opTypes, source }))
}

/** Returns the editor selection; a selected block decides the page. `undefined` if the draft has neither. */
export function selectionOf(at: EditorContext, { pages }: DraftSnapshot): Selection | undefined {
  const { slug, activeBlockId: blockId, activeEditablePath: path } = at
  const spellings = slugSpellings(slug)
  const spelled = pages.find((each) => spellings.includes(each.slug))
  const requested = pages.find((each) => each.slug === slug) ?? spelled
  if (blockId === undefined) return requested && { slug: requested.slug }
  const hasBlock = (page: Page): boolean => page.blocks.some(({ id }) => id === blockId)
  const withBlock = requested && hasBlock(requested) ? requested : pages.find(hasBlock)
  if (withBlock) return { slug: withBlock.slug, blockId, path }
  return requested && { slug: requested.slug }
}

/** An object, or an object as JSON text; anything else becomes an empty object. */
const Given = v.fallback(v.pipe(
  v.union([v.pipe(v.string(), v.parseJson()), v.unknown()]),
  v.check((value) => findJsonProblem(value) === undefined),
  SiteContext,
), {})

/**
 * Reads the site description of a request from one newer and two older fields; the newer one has precedence.
 * Unreadable parts are left out: they only help planners.
 */
function readSiteContext({ siteContext, businessContext, sitePurpose }: ChatRequest): SiteContext {
  const given = (raw: unknown): SiteContext => picked(v.parse(Given, raw), (value) => value !== undefined)
  return { purpose: sitePurpose, ...given(businessContext), ...given(siteContext) }
}
