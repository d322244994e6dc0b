import type { Clock, Ids, Logger } from '../../kernel/index.ts'
import type { Blobs } from '../blobs/port.ts'
import type { Bus } from '../bus/port.ts'
import type { SiteContent } from '../content/adapter.ts'
import { checkDestructivePublish } from '../content/destructive.ts'
import { diffContent, type ContentDiff } from '../content/diff/index.ts'
import { builtinRegistry } from '../content/registry.ts'
import { homeFirst } from '../content/slugs.ts'
import type { Actor, Drafts } from '../draft/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import { packAssets } from './assets.ts'
import type { PublishLog } from './log.ts'
import { published, type Baselines, type Publication, type PublishOutcome, type PublishTarget, type Snapshots } from './port.ts'
import type { LogRow, PublishAnswer, Tracker } from './schemas.ts'
import { settledBy } from './status.ts'
import { countsOf, summaryOf } from './summary.ts'
import type { Chosen } from './targets/choose.ts'

export interface PublishRequest extends Chosen {
  readonly id: DraftId
  readonly allowDelete: boolean
  readonly actor: Actor
  readonly signal: AbortSignal
}

export interface PublishContext {
  readonly drafts: Drafts
  readonly sites: Sites
  readonly scope: Scope
  readonly blobs: Blobs
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly baselines: Baselines
  readonly snapshots: Snapshots
  readonly publishLog: PublishLog
  readonly publicOrigin: string
}

/** The whole draft of a site, home first. */
export async function contentOf(id: DraftId, { drafts, sites }: Pick<PublishContext, 'drafts' | 'sites'>): Promise<SiteContent> {
  const bySlug = new Map((await drafts.pages(id)).map((page) => [page.slug, page]))
  return { pages: homeFirst([...bySlug.keys()]).flatMap((slug) => bySlug.get(slug) ?? []), siteConfig: await sites.config(id) }
}

/** Compares a draft with what is published. */
export async function diffOf(id: DraftId, siteOrigin: string | undefined, context: Pick<PublishContext, 'drafts' | 'sites' | 'baselines'>): Promise<ContentDiff> {
  const [baseline, draft] = await Promise.all([context.baselines.read(id, { siteOrigin }), contentOf(id, context)])
  return diffContent({ draft, baseline, registry: builtinRegistry })
}

/** Makes the publisher: checks, target, snapshot, log, in this order. */
export function createPublisher(context: PublishContext) {
  const { drafts, sites, scope, blobs, bus, clock, ids, log, baselines, snapshots, publishLog, publicOrigin } = context

  const record = async ({ id, actor, target }: PublishRequest, outcome: PublishOutcome, facts: { readonly slugs: readonly string[]; readonly pageCount: number; readonly startedAt: string; readonly diff: ContentDiff | undefined }): Promise<void> => {
    const updatedAt = clock.now().toISOString()
    const { deploymentId, inspectUrl } = outcome.tracker
    const error = typeof outcome.body['error'] === 'string' ? outcome.body['error'] : outcome.tracker.deployResponse
    const diffSummary = countsOf(facts.diff)
    const row: LogRow = {
      id: ids.uuid(),
      session: scope.key(id),
      siteId: id.siteId,
      target: target.name,
      status: outcome.ok ? (settledBy(outcome.tracker.vercelState) ?? 'triggered') : 'failed',
      at: facts.startedAt,
      updatedAt,
      summary: outcome.ok ? summaryOf(facts.diff, facts.pageCount) : String(outcome.body['reason'] ?? error ?? 'The publish failed.'),
      pageCount: facts.pageCount,
      slugs: [...facts.slugs],
      actor,
      ...(outcome.commit !== undefined && { commit: outcome.commit }),
      ...(deploymentId !== undefined && { deploymentId }),
      ...(inspectUrl !== undefined && { inspectUrl }),
      ...(!outcome.ok && { error: error ?? 'The publish failed.' }),
      ...(diffSummary && { diffSummary }),
    }
    const tracker: Tracker = { session: id.session, status: outcome.ok ? 'triggered' : 'failed', startedAt: facts.startedAt, updatedAt, slugs: [...facts.slugs], ...outcome.tracker }
    await publishLog.add(id, row, tracker)
    await bus.publish(published, { siteId: id.siteId, session: id.session, id: row.id, status: row.status, at: row.at })
  }

  const run = async (target: PublishTarget, publication: Publication): Promise<PublishOutcome> => {
    const outcome = await target.publish(publication)
    if (!outcome.ok) return outcome
    const commit = await snapshots.keep(publication.id, publication.key, { pages: publication.pages, siteConfig: publication.siteConfig }, publication.publishedAt)
    return { ...outcome, commit: outcome.commit ?? commit, body: { commitSha: commit.slice(0, 12), ...outcome.body } }
  }

  return async (request: PublishRequest): Promise<{ readonly httpStatus: PublishOutcome['httpStatus']; readonly body: PublishAnswer }> => {
    const { id, target, siteOrigin, allowDelete, signal } = request
    const draft = await contentOf(id, { drafts, sites })
    const baseline = await baselines.read(id, { siteOrigin })
    const diff = baseline && diffContent({ draft, baseline, registry: builtinRegistry })
    const startedAt = clock.now().toISOString()

    const destructive = checkDestructivePublish({ pages: draft.pages, baseline: baseline?.pages, allowDelete })
    const outcome = destructive.ok ? await publish() : refusedOutcome(destructive.reason)
    const slugs = outcome.slugs ?? draft.pages.map(({ slug }) => slug)
    await record(request, outcome, { slugs, pageCount: draft.pages.length, startedAt, diff })
    if (!outcome.ok) log.warn({ target: target.name, siteId: id.siteId, status: outcome.httpStatus }, 'publish failed')
    return { httpStatus: outcome.httpStatus, body: { ...outcome.body, status: outcome.status, session: id.session, slugs: [...slugs] } }

    async function publish(): Promise<PublishOutcome> {
      const { content, assets } = await packAssets(draft, { blobs, publicOrigin })
      return run(target, { id, key: scope.key(id), pages: content.pages, siteConfig: content.siteConfig ?? {}, siteOrigin, allowDelete, publishedAt: startedAt, assets, signal })
    }
  }
}

function refusedOutcome(reason: string): PublishOutcome {
  return { ok: false, httpStatus: 409, status: 'failed', body: { ok: false, error: 'refused', reason }, tracker: { deployStatus: 409 } }
}
