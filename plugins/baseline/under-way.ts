/** What publishes have not brought yet: pages that a site does not show, and deployments that may fail. */
import type { SiteContent } from '../content/adapter.ts'
import { notArrived } from '../content/arrival.ts'
import { bySlug } from '../content/diff/index.ts'
import { sameAsRead } from '../content/merge/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import type { DraftId } from '../scope/port.ts'
import { meaningOf, withoutFormer } from './meaning.ts'
import type { RenamedPages } from './sent.ts'
import type { StoredBaseline, Deployment } from './record.ts'

/**
 * Returns the slugs of changed pages of a publish of which a site shows nothing: its answer `seen` still
 * means what the site meant before. `record` is the one before the publish.
 */
export async function notShown(
  record: StoredBaseline,
  sides: Readonly<Record<'sent' | 'before' | 'seen', SiteContent>>,
  changed: readonly string[],
): Promise<readonly string[]> {
  const { sent, before, seen } = sides
  const [wanted, shown] = [bySlug(sent.pages), bySlug(seen.pages)]
  const others = changed.filter((slug) => !sameAsRead(wanted.get(slug), shown.get(slug)))
  if (others.length === 0) return []
  // What publishes before have replaced may have been put back by this one.
  const { content } = await meaningOf(seen, withoutFormer(record, Infinity))
  const { pages, inPart } = await notArrived(sent, before, content)
  return others.toSorted().filter((slug) => pages.includes(slug) || inPart.includes(slug))
}

/** Tells whether a deployment of a site has failed; `undefined` as long as it may be under way. */
export type HasFailed = (siteId: string, deployment: Deployment) => Promise<boolean | undefined>

/** Makes pages that a draft has published, and what is around them, changes of it again. */
export type Reopen = (
  id: DraftId,
  /** By their slugs in the publish, with what that has sent, and what the site has. */
  pages: readonly {
    readonly sent: string | undefined
    readonly was?: Page | undefined
    readonly page: Page | undefined
  }[],
  /** The settings and the order that the site has, where a publish has brought others. */
  around?: {
    readonly config?: Readonly<Record<'was' | 'before', SiteConfig | undefined>> | undefined
    readonly order?: readonly string[] | undefined
  },
) => Promise<void>

/** How a deployment of a session has ended. */
interface EndedDeployment {
  readonly session: string
  readonly hasFailed: boolean
}

/** Returns the deployments of a record that have ended, by their publishes; asks for their state. */
export async function endedIn(
  record: StoredBaseline,
  siteId: string,
  hasFailed: HasFailed,
): Promise<ReadonlyMap<string, EndedDeployment>> {
  const rows = [...record.pages.values(), record.config, record.order]
  const open = new Map(rows.flatMap((row) => (row?.until ? [[row.until.publishId, row.until]] : [])))
  const ended = new Map<string, EndedDeployment>()
  for (const [publishId, deployment] of open) {
    const isFailure = await hasFailed(siteId, deployment)
    if (isFailure !== undefined) ended.set(publishId, { session: deployment.session, hasFailed: isFailure })
  }
  return ended
}

/** Returns the pages that failed deployments have renamed, with the way back to their addresses. */
export function failedRenames(
  record: StoredBaseline,
  ended: ReadonlyMap<string, EndedDeployment>,
): readonly RenamedPages[] {
  return [...record.pages.values()].flatMap(({ known, before, until }): RenamedPages[] => {
    if (!until || !ended.get(until.publishId)?.hasFailed) return []
    if (!known || !before || known.slug === before.slug) return []
    const renames = new Map([[known.slug, before.slug]])
    return [{ before: { pages: [known] }, after: { pages: [before] }, renames }]
  })
}

/** The changes of deployments that failed are changes of their drafts again. */
export async function reopenFailed(
  record: StoredBaseline,
  siteId: string,
  ended: ReadonlyMap<string, EndedDeployment>,
  reopen: Reopen,
): Promise<void> {
  for (const [publishId, { session, hasFailed }] of ended) {
    if (!hasFailed) continue
    const isOfIt = ({ until }: { readonly until?: Deployment | undefined }): boolean =>
      until?.publishId === publishId
    const rows = [...record.pages].filter(([, row]) => isOfIt(row))
    const pages = rows.map(([, { known, before }]) => ({
      sent: known?.slug,
      was: known ?? undefined,
      page: before ?? undefined,
    }))
    const { known: was, before } = record.config ?? {}
    const config = record.config && isOfIt(record.config) ? { was, before } : undefined
    const names = record.order && isOfIt(record.order) ? record.order.before : undefined
    const former = new Map(rows.map(([name, { before }]) => [name, before?.slug]))
    const order = names?.flatMap((name) => (former.has(name) ? (former.get(name) ?? []) : [name]))
    await reopen({ siteId, session }, pages, { config, order })
  }
}
