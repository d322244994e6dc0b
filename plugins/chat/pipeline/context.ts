import * as v from 'valibot'
import { findJsonProblem } from '../../../kernel/index.ts'
import type { Page } from '../../content/page.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { homeFirst, slugSpellings } from '../../content/slugs.ts'
import { readCapabilities, readManifest } from '../../draft/port.ts'
import type { DraftId } from '../../scope/port.ts'
import { guidanceOf } from '../../sites/port.ts'
import { badAcceptedOps, foreignAttachment, messageRequired, pageNotFound } from '../refusals.ts'
import type { ChatRequest, PlacedRequest } from '../request.ts'
import { type DraftSnapshot, type RecentEdit, type Selection, type SiteContext, withModel } from '../types/planner.ts'
import { type EditorContext, mayOnlyPropose, type Run, type RunContext, type RunOptions, type SessionState } from '../types/run.ts'
import type { Deps } from './deps.ts'
import { startRecord, startTimeline } from './record.ts'

/** Reads a request. Refuses with 400 what cannot be read, and a missing message. */
export function readRun(request: PlacedRequest, how: RunOptions, { scope, words, promptHash, clock, prices, owns, defaultTier, playground, maxOperations, planners }: Deps): Run {
  const id = scope.draft(request)
  const message = words.clean(request.message ?? '')
  const { executionMode: mode, acceptedOps, attachments = [], slug, activeBlockId, activeEditablePath } = request
  if ((mode === 'auto' || mode === 'plan_only') && message === '') throw messageRequired()
  if (acceptedOps?.length === 0) throw badAcceptedOps('is empty')
  if (acceptedOps && new Set(acceptedOps).size < acceptedOps.length) throw badAcceptedOps('names an operation twice')
  if (attachments.some(({ url }) => url !== undefined && !owns(url))) throw foreignAttachment()
  return {
    request,
    how,
    id,
    message,
    promptHash: promptHash(message),
    said: message,
    at: { slug, activeBlockId, activeEditablePath },
    isStep: false,
    isPlanFirst: mayOnlyPropose(how) || mode === 'plan_only' || (mode === 'auto' && words.wantsPlanFirst(message)),
    locale: request.locale ?? 'en',
    tier: request.modelKey ?? defaultTier,
    site: {
      manifest: readManifest(request.componentsManifest, builtinRegistry),
      allowStructuralEdits: readCapabilities(request.siteCapabilities),
    },
    playground,
    maxOperations,
    hasModel: withModel(planners).length > 0,
    siteContext: readSiteContext(request),
    timeline: startTimeline(clock, how),
    record: startRecord(prices, how),
  }
}

/** Reads the state of a session. */
export async function readSession({ id }: Pick<Run, 'id'>, { memories, pendingPlans }: Pick<Deps, 'memories' | 'pendingPlans'>): Promise<SessionState> {
  const [memory, pending] = await Promise.all([memories.read(id), pendingPlans.find(id)])
  return { memory, pending }
}

/** Reads draft, selection and memory. Refuses with 404 when the page is not in the draft. */
export async function readContext(run: Run, { memory }: SessionState, deps: Deps): Promise<RunContext> {
  const draft = await readDraft(run.id, deps)
  const selection = selectionOf(run.at, draft) ?? selectionOf(run.request, draft) ?? (deps.words.asksForNewPage(run.message) ? anywhere(draft) : undefined)
  if (!selection) throw pageNotFound(run.request.slug, await deps.drafts.whyEmpty(run.id))
  run.how.emit({ type: 'context', slug: selection.slug, pages: draft.pages })
  return { draft, selection, memory }
}

/**
 * The same for an approval. Where the plan was made on a page that is gone, it is not refused here: its operations are
 * validated later.
 */
export async function readApprovalContext(run: Run, { memory, pending }: SessionState, deps: Deps): Promise<RunContext> {
  const draft = await readDraft(run.id, deps)
  const { slug } = run.request
  const isOfPlan = pending !== undefined && (pending.requestedSlug === slug || pending.selection.slug === slug)
  const selection = selectionOf(run.request, draft) ?? (isOfPlan ? pending.selection : undefined)
  if (!selection) throw pageNotFound(slug)
  const worked = pending?.selection ?? selection
  run.how.emit({ type: 'context', slug: worked.slug, pages: draft.pages })
  return { draft, selection: worked, memory }
}

/**
 * Reads a complete draft, inside `WholeDrafts.use`.
 *
 * The version is read first: after a concurrent change it is too old, which a commit notices, never too new.
 */
export async function readDraft(id: DraftId, { drafts, sites }: Pick<Deps, 'drafts' | 'sites'>): Promise<DraftSnapshot> {
  const { version } = await drafts.head(id)
  const [stored, config = {}, registered] = await Promise.all([drafts.pages(id), drafts.config(id), sites.registered(id)])
  const bySlug = new Map(stored.map((page) => [page.slug, page]))
  const name = config.name ?? registered.name
  const known = { ...config, ...guidanceOf(registered), ...(name !== undefined && { name }) }
  return { version, config: known, pages: homeFirst([...bySlug.keys()]).flatMap((slug) => bySlug.get(slug) ?? []) }
}

const mostRecentEdits = 10

/** Reads the last changes of a draft, oldest first. */
export async function readRecentEdits(id: DraftId, { drafts }: Pick<Deps, 'drafts'>): Promise<readonly RecentEdit[]> {
  const entries = await drafts.log(id, { limit: mostRecentEdits })
  return entries.map(({ at, slug, summary, opTypes, source }) => ({ at, slug, summary, opTypes, source }))
}

/** What the editor shows; a selected block decides the page. `undefined` when neither is in the draft. */
export function selectionOf({ slug, activeBlockId: blockId, activeEditablePath: path }: EditorContext, { pages }: DraftSnapshot): Selection | undefined {
  const spellings = slugSpellings(slug)
  const requested = pages.find((page) => page.slug === slug) ?? pages.find((page) => spellings.includes(page.slug))
  const hasBlock = (page: Page | undefined): boolean => page?.blocks.some(({ id }) => id === blockId) ?? false
  const withBlock = blockId === undefined ? undefined : hasBlock(requested) ? requested : pages.find(hasBlock)
  if (withBlock) return { slug: withBlock.slug, blockId, path }
  return requested && { slug: requested.slug }
}

const anywhere = ({ pages: [first] }: DraftSnapshot): Selection | undefined => first && { slug: first.slug }

const text = v.fallback(v.optional(v.string()), undefined)
const Context = v.object({
  siteName: text,
  gdriveFolderId: text,
  purpose: text,
  tone: text,
  constraints: v.fallback(v.optional(v.array(v.string())), undefined),
  pageTemplates: v.fallback(v.optional(v.array(v.object({ name: v.string(), description: v.string() }))), undefined),
})

/**
 * What a request says about its site, in one newer and two older fields; the newer one has precedence.
 * What cannot be read is left out: it only helps planners.
 */
function readSiteContext({ siteContext, businessContext, sitePurpose }: ChatRequest): SiteContext {
  const [newer, older] = [siteContext, businessContext].map((raw) => v.parse(Context, toObject(raw)))
  return { purpose: sitePurpose, ...withoutUndefined(older), ...withoutUndefined(newer) }
}

/** An object, or one as JSON text; anything else is an empty one. */
function toObject(raw: unknown): object {
  const value = typeof raw === 'string' ? parsed(raw) : raw
  return isPlainObject(value) && findJsonProblem(value) === undefined ? value : {}
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return undefined
  }
}

const withoutUndefined = (context: SiteContext = {}): SiteContext => Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined))
