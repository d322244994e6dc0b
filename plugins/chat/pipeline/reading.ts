import * as v from 'valibot'
import { findJsonProblem } from '../../../kernel/index.ts'
import type { Page } from '../../content/page.ts'
import { picked } from '../../content/plain-object.ts'
import { homeFirst, slugSpellings } from '../../content/slugs.ts'
import { declaredTypes, personOf, readCapabilities } from '../../draft/port.ts'
import type { DraftId } from '../../scope/port.ts'
import { guidanceOf, ownHosts } from '../../sites/port.ts'
import { asksForNewPage, cleanMessage, promptExcerpt, wantsPlanFirst } from '../message.ts'
import { badAcceptedOps, foreignAttachment, messageRequired, pageNotFound } from '../refusals.ts'
import type { ChatRequest, PlacedRequest } from '../request.ts'
import type { RunStart } from '../types/events.ts'
import type { Selection } from '../types/plan.ts'
import { type DraftSnapshot, type RecentEdit, SiteContext } from '../types/planner.ts'
import { startRecord } from '../types/record.ts'
import type { RunOptions } from '../types/run.ts'
import type { Chat, MessageRun, RunContext, SessionState } from './run.ts'

const mostRecentEdits = 10

/**
 * Reads a complete draft, inside `WholeDrafts.use`.
 *
 * The version is read first: after a concurrent change it is too old, which a commit detects, never too new.
 */
export async function readDraft({ drafts, sites }: Chat, id: DraftId): Promise<DraftSnapshot> {
  const { version } = await drafts.head(id)
  const [stored, config = {}] = await Promise.all([drafts.pages(id), drafts.config(id)])
  return { version, config, pages: homeFirst(stored), ownHosts: await ownHosts(id, sites) }
}

/** Describes a run before its request is checked. */
export function startOf({ scope, terms, promptHash }: Chat, request: PlacedRequest, id: string): RunStart {
  const message = cleanMessage(request.message ?? '')
  return {
    id,
    request,
    message,
    session: scope.key(scope.draft(request)),
    modelKey: request.modelKey ?? terms.tier,
    promptHash: promptHash(message),
    promptExcerpt: promptExcerpt(message),
  }
}

/** Reads a request. Refuses with 400 invalid fields and a missing message. */
export async function readRun(chat: Chat, start: RunStart, how: RunOptions): Promise<MessageRun> {
  const { request, message, promptHash, modelKey: tier } = start
  const { executionMode: mode, acceptedOps, attachments = [] } = request
  if ((mode === 'auto' || mode === 'plan_only') && message === '') throw messageRequired()
  if (acceptedOps?.length === 0) throw badAcceptedOps('is empty')
  if (new Set(acceptedOps).size < (acceptedOps?.length ?? 0)) throw badAcceptedOps('names an operation twice')
  if (attachments.some(({ url }) => url !== undefined && !chat.media?.owns(url))) throw foreignAttachment()
  const id = chat.scope.draft(request)
  const mayEdit = how.limits?.may('edit') ?? true
  return {
    chat,
    request,
    how,
    message,
    promptHash,
    tier,
    id,
    person: how.actor && personOf(how.actor),
    isPlanFirst: mode === 'plan_only' || !mayEdit || (mode === 'auto' && wantsPlanFirst(message)),
    locale: request.locale ?? 'en',
    site: {
      manifest: await declaredTypes(request.componentsManifest, id, chat.sites),
      allowStructuralEdits: readCapabilities(request.siteCapabilities),
    },
    siteContext: readSiteContext(request),
    record: startRecord(chat.clock, chat.terms.prices, how.emit),
    changeRun: how.id,
  }
}

export async function readSession(
  { memories, pendingPlans }: Chat,
  { id, person, request }: Pick<MessageRun, 'id' | 'person'> & Partial<Pick<MessageRun, 'request'>>,
): Promise<SessionState> {
  const plan = pendingPlans.find(id, person, request?.pendingPlanId)
  const [memory, pending] = await Promise.all([memories.read(id, person), plan])
  return { memory, pending }
}

/** Adds draft and selection to a session. Refuses with 404 if the page is not in the draft. */
export async function readContext(run: MessageRun, session: SessionState): Promise<RunContext> {
  const { chat, id, request } = run
  const draft = await readDraft(chat, id)
  const [first] = draft.pages
  const anywhere = first && asksForNewPage(run.message) ? { slug: first.slug } : undefined
  const selection = selectionOf(request, draft) ?? anywhere
  if (!selection) throw pageNotFound(request.slug, await chat.drafts.whyEmpty(id))
  run.how.emit({ type: 'context', slug: selection.slug })
  return { draft, selection, ...session }
}

/**
 * Reads the same for an approval. A plan whose page is gone is not refused here: its operations are
 * validated later.
 */
export async function readApproval(run: MessageRun, { memory, pending }: SessionState): Promise<RunContext> {
  const { slug } = run.request
  const draft = await readDraft(run.chat, run.id)
  const requested = selectionOf(run.request, draft)
  const isOfPlan = pending?.requestedSlug === slug || pending?.selection.slug === slug
  const selection = pending?.selection ?? requested
  if (!selection || (!requested && !isOfPlan)) throw pageNotFound(slug)
  run.how.emit({ type: 'context', slug: selection.slug })
  return { draft, selection, memory }
}

/** Describes the site as its registration does, except for what the request says about it. */
export async function readSiteDescription(
  { chat, id, siteContext }: MessageRun,
  { config }: DraftSnapshot,
): Promise<SiteContext> {
  const site = await chat.sites.registered(id)
  return defined({ siteName: config.name ?? site.name, ...guidanceOf(site), ...siteContext })
}

/** Reads the last changes of a draft, oldest first. */
export async function readRecentEdits({ drafts }: Chat, id: DraftId): Promise<readonly RecentEdit[]> {
  const entries = await drafts.log(id, { limit: mostRecentEdits })
  return entries.map(({ at, slug, summary, opTypes, source }) => ({ at, slug, summary, opTypes, source }))
}

type EditorContext = Pick<PlacedRequest, 'slug' | 'activeBlockId' | 'activeEditablePath'>

/** Returns the editor selection; a selected block decides the page. `undefined` if the draft has neither. */
export function selectionOf(at: EditorContext, { pages }: DraftSnapshot): Selection | undefined {
  const { slug, activeBlockId: blockId, activeEditablePath: path } = at
  const spellings = slugSpellings(slug)
  const requested =
    pages.find((each) => each.slug === slug) ?? pages.find((each) => spellings.includes(each.slug))
  if (blockId !== undefined) {
    const hasBlock = (page: Page): boolean => page.blocks.some(({ id }) => id === blockId)
    const withBlock = requested && hasBlock(requested) ? requested : pages.find(hasBlock)
    if (withBlock) return { slug: withBlock.slug, blockId, path }
  }
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
  const given = (raw: unknown): SiteContext => (raw === undefined ? {} : defined(v.parse(Given, raw)))
  return defined({ purpose: sitePurpose, ...given(businessContext), ...given(siteContext) })
}

const defined = (context: SiteContext): SiteContext => picked(context, (value) => value !== undefined)
