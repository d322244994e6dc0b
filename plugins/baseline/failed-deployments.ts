/** Deployments that failed: what they would have brought is a change of its draft again. */
import type { Page, SiteConfig } from '../content/page.ts'
import type { DraftId } from '../scope/port.ts'
import type { RenamedPages } from './sent.ts'
import type { Deployment, EndedDeployment, StoredBaseline } from './record.ts'

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
