import type { SiteContent } from '../content/adapter.ts'
import type { DraftId } from '../scope/port.ts'
import { ambiguousSnapshot, unknownSnapshot } from './refusals.ts'

/** A snapshot without its content. */
export interface SnapshotRow {
  /** 40 hexadecimal digits. */
  readonly commit: string
  readonly siteId: string
  readonly session: string
  readonly committedAt: string
  readonly message: string
  readonly pageCount: number
  readonly homeHeading: string
  /** Equal for publishes of one site with the same heading and the same pages. */
  readonly likeness: string
}

/** Stored content of a publish. */
export interface StoredContent {
  readonly id: DraftId
  readonly content: SiteContent
  /** ISO time of the publish. */
  readonly at: string
}

/** The content of every successful publish, and what a site had before the first one. */
export interface Snapshots {
  /**
   * Stores a snapshot and returns its id. Keeps only the newest 80 snapshots of a draft. The first one of a site has
   * that of `before`, what was published until then, before it.
   */
  keep(
    id: DraftId,
    key: string,
    content: SiteContent,
    at: string,
    details?: { readonly before?: SiteContent | undefined; readonly publishId?: string },
  ): Promise<string>
  /** Stores what a publish is about to send; `keep` makes it a snapshot. */
  keepAhead(
    id: DraftId,
    content: SiteContent,
    details: { readonly publishId: string; readonly at: string },
  ): Promise<void>
  /** Removes what was stored ahead of a publish that failed. */
  dropAhead(publishId: string): Promise<void>
  /** Returns what a draft is about to publish, stored by `keepAhead`. */
  ahead(id: DraftId): Promise<StoredContent | undefined>
  /** Returns what a publish of a site has sent, or is about to send, as long as it is stored. */
  sentBy(siteId: string, publishId: string): Promise<StoredContent | undefined>
  /** Returns every snapshot of one site, or of all, newest first. */
  list(siteId: string | undefined): Promise<readonly SnapshotRow[]>
  /** Finds a snapshot of one site, or of any, by the start of its id in any case; `undefined` for none, `ambiguous` for several. */
  find(
    prefix: string,
    siteId: string | undefined,
  ): Promise<{ readonly row: SnapshotRow; readonly content: SiteContent } | undefined | 'ambiguous'>
  /**
   * Removes a snapshot by its complete id; returns whether it existed. The newest published content stays
   * available until the next publish.
   */
  remove(commit: string): Promise<boolean>
  /** Returns the content of the newest publish of a draft or, without a session, of a site. */
  newest(of: { readonly siteId: string; readonly session?: string }): Promise<SiteContent | undefined>
  /** Returns the id of the snapshot of `newest`. */
  newestCommit(of: { readonly siteId: string; readonly session?: string }): Promise<string | undefined>
}

/**
 * Finds the snapshot of a commit; with `siteId`, only a snapshot of that site. Refuses with 400
 * `unknown_snapshot` and `ambiguous_snapshot`.
 */
export async function findSnapshot(snapshots: Snapshots, commit: string, siteId?: string) {
  const found = await snapshots.find(commit, siteId)
  if (found === 'ambiguous') throw ambiguousSnapshot(commit.trim())
  if (found === undefined) throw unknownSnapshot(commit.trim())
  return found
}
