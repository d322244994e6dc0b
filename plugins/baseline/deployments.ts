import type { Page, SiteConfig } from '../content/page.ts'
import type { DraftId } from '../scope/port.ts'
import type { Deployment, StoredBaseline } from './record.ts'

/** How publishes went, as their log knows it. */
export interface PublishResults {
  /** Whether a deployment has failed; `undefined` as long as it may be under way. */
  hasFailed(siteId: string, deployment: Deployment): Promise<boolean | undefined>
  /** Replaces the notes of a publish on what its site does not show. */
  note(id: DraftId, publishId: string, notes: string[] | undefined): Promise<void>
}

/** Makes pages that a draft has published, and what is around them, changes of it again. */
export type Reopen = (
  id: DraftId,
  /** By their slugs in the publish, with what the site has. */
  pages: readonly { readonly sent: string | undefined; readonly page: Page | undefined }[],
  /** The settings and the order that the site has, where a publish has brought others. */
  around?: { readonly config?: SiteConfig | undefined; readonly order?: readonly string[] | undefined },
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
  results: Pick<PublishResults, 'hasFailed'>,
): Promise<ReadonlyMap<string, EndedDeployment>> {
  const rows = [...record.pages.values(), record.config, record.order]
  const open = new Map(rows.flatMap((row) => (row?.until ? [[row.until.publishId, row.until]] : [])))
  const ended = new Map<string, EndedDeployment>()
  for (const [publishId, deployment] of open) {
    const hasFailed = await results.hasFailed(siteId, deployment)
    if (hasFailed !== undefined) ended.set(publishId, { session: deployment.session, hasFailed })
  }
  return ended
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
    const pages = rows.map(([, { known, before }]) => ({ sent: known?.slug, page: before ?? undefined }))
    const config = record.config && isOfIt(record.config) ? record.config.before : undefined
    const names = record.order && isOfIt(record.order) ? record.order.before : undefined
    const former = new Map(rows.map(([name, { before }]) => [name, before?.slug]))
    const order = names?.flatMap((name) => (former.has(name) ? (former.get(name) ?? []) : [name]))
    await reopen({ siteId, session }, pages, { config, order })
  }
}
