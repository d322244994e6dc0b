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
}

/** A page with its JSON, ready to send. */
export interface StoredPage {
  readonly page: Page
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
  /** It never had a page, which is not the same as one that was emptied. */
  readonly isUnfilled: boolean
  /** Its site config stands for all that the site has; otherwise the site keeps what it does not name. */
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

/** Reads of drafts, and the one way in which a draft changes. */
export interface Drafts {
  head(id: DraftId): Promise<DraftHead>
  /** The page where it is in memory already, for readers that come often; `undefined` says nothing about the page. */
  pageInMemory(id: DraftId, slug: string): StoredPage | undefined
  page(id: DraftId, slug: string): Promise<StoredPage | undefined>
  /** The page list in stored order, without loading pages. */
  rows(id: DraftId): Promise<readonly PageRow[]>
  /** Every page in stored order. */
  pages(id: DraftId): Promise<readonly Page[]>
  /**
   * Every page in stored order, read one by one with pauses for other requests. A page that changes meanwhile comes once
   * more, as `undefined` when it is gone: the last of each slug belong to one version of the draft.
   */
  each(id: DraftId): AsyncIterable<readonly [slug: string, page: StoredPage | undefined]>
  /**
   * Pages as `each` gives them: those that changed after the version `since`, or all of them (`isComplete`) without one or
   * where the changes after it are no longer known. What was read is at least as new as `version`.
   */
  read(id: DraftId, since?: number): Promise<{ readonly version: number; readonly isComplete: boolean; readonly pages: ReturnType<Drafts['each']> }>
  /**
   * The site config that a publish sends; `undefined` for a draft that never had one. One that was changed before anything
   * was known of the site lies on top of what is `published`.
   */
  config(id: DraftId, published?: SiteConfig): Promise<SiteConfig | undefined>
  /** The site config as editors and previews show it: a draft without one takes over that of its site. */
  shownConfig(id: DraftId): Promise<SiteConfig>
  /** Why a draft that never had a page has none, as a sentence with the remedy; `undefined` for any other draft. */
  whyEmpty(id: DraftId): Promise<string | undefined>
  steps(id: DraftId, slug: string): Promise<{ readonly canUndo: boolean; readonly canRedo: boolean }>
  /** The newest `limit` entries, oldest first, of one page or of all. */
  log(id: DraftId, options: { readonly slug?: string | undefined; readonly limit: number }): Promise<readonly LogEntry[]>
  /**
   * A page as it stood right after a change that the log shows, and the entry of that change; the page is `undefined` where
   * it was not there. `undefined` for a version that the log does not show.
   */
  pageAt(id: DraftId, slug: string, version: number): Promise<{ readonly page: Page | undefined; readonly entry: LogEntry } | undefined>
  /** Changes after a version, oldest first; `undefined` when they are no longer kept, or the version lies ahead. */
  changesAfter(id: DraftId, version: number): Promise<readonly ChangeEvent[] | undefined>
  summary(id: DraftId): Promise<DraftSummary>
  /** Every draft that was ever changed. */
  list(): Promise<readonly DraftSummary[]>
  /** True while a snapshot restore shields this draft from the next overwriting bootstrap; reading it removes the mark. */
  spendRestoredMark(id: DraftId): Promise<boolean>
  /**
   * The answer that is kept for this very request, for callers who look around before they commit; `undefined` when
   * there is none. Refuses with 422 `idempotency_key_reused`.
   */
  answered(request: Pick<CommitRequest, 'id' | 'idempotency'>): Promise<{ readonly answer: unknown } | undefined>
  /**
   * Changes a draft: one transaction with the pages, their order, the site config, the version, the change record and
   * the answer. A draft that was never filled is filled from its site first. It resolves after the commit is durable, and the event of the change leaves after that.
   *
   * Refuses with 409 `version_mismatch` when `expect` is not the current version, 422 `idempotency_key_reused`, 404
   * for a page that is not there, 400 with the category of an operation that failed, 400 `nothing_to_undo` and
   * `nothing_to_redo`, and 503 `store_unavailable`. Nothing is written then.
   */
  commit<A>(request: CommitRequest, toAnswer: ToAnswer<A>): Promise<A>
}

export const drafts = service<Drafts>('drafts')

/** Pages of a site on their way into a draft. */
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
 * Brings the pages of a site into its draft, or says why there is nothing to do, as `POST /draft/bootstrap` does.
 *
 * Refuses with 409 `refused` pages of another origin than that of the site, and with 400 `invalid_pages` where none can be used.
 */
export type BootstrapDraft = (request: BootstrapRequest) => Promise<Bootstrapped | Skipped>

/** Brings the pages of a site into its draft, by the rules of `POST /draft/bootstrap`. */
export const bootstrapDraft = service<BootstrapDraft>('drafts.bootstrap')

/** What an event says of one change: which pages, never their content. */
export const ChangeEvent = v.object({
  siteId: v.string(),
  session: v.string(),
  previewVersion: v.number(),
  source: v.string(),
  channel: v.string(),
  /** Changed pages that are there now, home first. */
  slugs: v.array(v.string()),
  removedSlugs: v.optional(v.array(v.string())),
  configChanged: v.optional(v.boolean()),
  at: v.string(),
})
export type ChangeEvent = v.InferOutput<typeof ChangeEvent>

/** One change of a draft, after it was committed. */
export const draftChanged = defineEvent('draft.changed', ChangeEvent)

/**
 * Writes beside a change of a draft, in its transaction: what it writes is there if the change is, and never otherwise.
 *
 * It awaits nothing but the transaction. What it throws fails every change that shares the transaction, so it throws nothing.
 */
export type ChangeParticipant = (tx: Transaction, event: ChangeEvent) => Promise<void>

/** Writes beside every change of a draft, in its transaction. */
export const changeParticipants = slot<ChangeParticipant>('draft.participants')

export { readCapabilities, readManifest, SiteCapabilities, siteFields } from './request.ts'
export { changeHeaders, clientHeader, toCommitContext } from './request.ts'
