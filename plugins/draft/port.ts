import * as v from 'valibot'
import type { Page, SiteConfig } from '../content/page.ts'
import { defineEvent } from '../bus/port.ts'
import { service, slot } from '../../kernel/index.ts'
import type { DraftId } from '../scope/port.ts'
import type { Transaction } from '../store/port.ts'
import type { Actor, ChangeSource, Channel, CommitRequest, ToAnswer } from './change.ts'
import type { Bootstrapped, Skipped } from './schemas.ts'

export { BaseVersion, type Actor, type ChangeSource, type Channel, type CommitRequest, type Committed, type Companion, type Edit, type Expected, type Playground, type ToAnswer } from './change.ts'

/** A row of a draft's page list. */
export interface PageRow {
  readonly slug: string
  readonly title: string
  readonly updatedAt: string
  readonly blockCount: number
  /** Its place: the order of these texts is the order of the pages. */
  readonly rank: string
}

/** A page with its JSON, ready to send. */
export interface StoredPage {
  readonly page: Page
  /** Its place: the order of these texts is the order of the pages. */
  readonly rank: string
  readonly bytes: Uint8Array
  /** A version of the draft that the page is at least as new as. */
  readonly previewVersion: number
}

export interface DraftHead {
  /** 0 until the first change. */
  readonly version: number
  readonly pageCount: number
  /** Bytes of its pages as JSON; 0 in a draft that was never changed. */
  readonly pageBytes: number
  /** It never had a page; false for a draft that was emptied. */
  readonly isUnfilled: boolean
  /** Its site config is complete; otherwise the site keeps fields that it does not have. */
  readonly hasWholeConfig: boolean
}

/** An entry of the version log. */
export interface LogEntry {
  readonly version: number
  readonly slug: string
  readonly summary: string
  readonly opTypes: readonly string[]
  readonly opCount: number
  readonly at: string
  readonly source: ChangeSource
  readonly actor: Actor
  readonly channel: Channel
  readonly slugs: readonly string[]
}

export interface DraftSummary {
  readonly id: DraftId
  readonly version: number
  readonly pageCount: number
  readonly lastMutatedAt: string | null
}

/** Reads of drafts, and the single write path for their changes. */
export interface Drafts {
  head(id: DraftId): Promise<DraftHead>
  /** The page if it is in memory, for frequent readers; `undefined` does not mean that it is missing. */
  pageInMemory(id: DraftId, slug: string): StoredPage | undefined
  page(id: DraftId, slug: string): Promise<StoredPage | undefined>
  /** The page list in stored order, without loading pages. */
  rows(id: DraftId): Promise<readonly PageRow[]>
  /** Every page in stored order. */
  pages(id: DraftId): Promise<readonly Page[]>
  /**
   * Every page in stored order, read one by one with pauses for other requests. A page that changes in the meantime is yielded
   * again, as `undefined` if it was removed: the last ones of all slugs belong to one version of the draft.
   */
  each(id: DraftId): AsyncIterable<readonly [slug: string, page: StoredPage | undefined]>
  /**
   * Pages as `each` gives them: those that changed after the version `since`, or all of them (`isComplete`) without one or
   * where the changes after it are no longer known. What was read is at least as new as `version`.
   */
  read(id: DraftId, since?: number): Promise<{ readonly version: number; readonly isComplete: boolean; readonly pages: ReturnType<Drafts['each']> }>
  /**
   * The site config that a publish sends; `undefined` for a draft that never had one. A config that was changed before anything
   * was known of the site is merged into the `published` one.
   */
  config(id: DraftId, published?: SiteConfig): Promise<SiteConfig | undefined>
  /** The site config as editors and previews show it: a draft without one inherits that of its site. */
  shownConfig(id: DraftId): Promise<SiteConfig>
  /** Why a draft that never had a page has none, as a sentence with the remedy; `undefined` for any other draft. */
  whyEmpty(id: DraftId): Promise<string | undefined>
  steps(id: DraftId, slug: string): Promise<{ readonly canUndo: boolean; readonly canRedo: boolean }>
  /** The newest `limit` entries, oldest first, of one page or of all. */
  log(id: DraftId, options: { readonly slug?: string | undefined; readonly limit: number }): Promise<readonly LogEntry[]>
  /**
   * A page right after a change in the log, and the entry of that change; the page is `undefined` if
   * it did not exist. `undefined` for a version that is not in the log.
   */
  pageAt(id: DraftId, slug: string, version: number): Promise<{ readonly page: Page | undefined; readonly entry: LogEntry } | undefined>
  /** Changes after a version, oldest first; `undefined` if they are no longer stored, or the version is newer than the draft. */
  changesAfter(id: DraftId, version: number): Promise<readonly ChangeEvent[] | undefined>
  summary(id: DraftId): Promise<DraftSummary>
  /** Every draft that was ever changed. */
  list(): Promise<readonly DraftSummary[]>
  /** True while a snapshot restore protects this draft from the next overwriting bootstrap; reading it removes the mark. */
  spendRestoredMark(id: DraftId): Promise<boolean>
  /**
   * The stored answer to the same request, for callers with checks before a commit; `undefined` if
   * there is none. Refuses with 422 `idempotency_key_reused`.
   */
  answered(request: Pick<CommitRequest, 'id' | 'idempotency'>): Promise<{ readonly answer: unknown } | undefined>
  /**
   * Changes a draft: one transaction with the pages, their order, the site config, the version, the change record and
   * the answer. A draft that was never filled is filled from its site first. It resolves
   * once the commit is durable; the event of the change is sent after that.
   *
   * Refuses with 409 `version_mismatch` when `expect` is not the current version, 422 `idempotency_key_reused`, 404
   * for a missing page, 400 with the category of an operation that failed, 400 `nothing_to_undo` and
   * `nothing_to_redo`, and 503 `store_unavailable`. Nothing is written then.
   */
  commit<A>(request: CommitRequest, toAnswer: ToAnswer<A>): Promise<A>
}

export const drafts = service<Drafts>('drafts')

/** A request to bring pages of a site into a draft. */
export interface BootstrapRequest {
  readonly id: DraftId
  readonly pages: unknown
  readonly siteConfig: SiteConfig | undefined
  readonly overwrite: boolean
  /** Where the pages come from, as the caller states it. */
  readonly origin: string | undefined
  readonly context: Omit<CommitRequest, 'id' | 'edit'>
}

/**
 * Brings the pages of a site into its draft, or returns why there is nothing to do, as `POST /draft/bootstrap` does.
 *
 * Refuses with 409 `refused` pages of another origin than that of the site, and with 400 `invalid_pages` where none can be used.
 */
export type BootstrapDraft = (request: BootstrapRequest) => Promise<Bootstrapped | Skipped>

/** Brings the pages of a site into its draft, by the rules of `POST /draft/bootstrap`. */
export const bootstrapDraft = service<BootstrapDraft>('drafts.bootstrap')

/** The event of a change: its pages, never their content. */
export const ChangeEvent = v.object({
  siteId: v.string(),
  session: v.string(),
  previewVersion: v.number(),
  source: v.string(),
  channel: v.string(),
  /** Changed pages that exist now, home first. */
  slugs: v.array(v.string()),
  removedSlugs: v.optional(v.array(v.string())),
  configChanged: v.optional(v.boolean()),
  at: v.string(),
})
export type ChangeEvent = v.InferOutput<typeof ChangeEvent>

/** One change of a draft, after it was committed. */
export const draftChanged = defineEvent('draft.changed', ChangeEvent)

/**
 * Writes in the transaction of a change of a draft: its writes are stored if and only if the change is.
 *
 * It must await nothing but the transaction, and must not throw: that would fail every change in the transaction.
 */
export type ChangeParticipant = (tx: Transaction, event: ChangeEvent) => Promise<void>

/** Writes in the transaction of every change of a draft. */
export const changeParticipants = slot<ChangeParticipant>('draft.participants')

export { readCapabilities, readManifest, SiteCapabilities, siteFields } from './request.ts'
export { changeHeaders, clientHeader, toCommitContext } from './request.ts'
