import * as v from 'valibot'
import type { BatchResults, Manifest, PageChange, Source } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { defineEvent } from '../bus/port.ts'
import { service, slot } from '../../kernel/index.ts'
import type { DraftId } from '../scope/port.ts'
import type { Transaction } from '../store/port.ts'
import type { Bootstrapped, Skipped } from './schemas.ts'

/** Where a change came from, as the version log shows it. */
export type ChangeSource = 'chat' | 'direct' | 'undo' | 'redo' | 'restore' | 'bootstrap' | 'discard' | 'agent' | 'jira' | 'checks'

/** By which way a change reached the service. */
export type Channel = 'api' | 'chat' | 'mcp' | 'agent' | 'jira' | 'history' | 'site' | 'checks'

/** Who changed a draft. */
export interface Actor {
  readonly kind: 'person' | 'agent' | 'system'
  /** Tells callers apart where a gate can; never a credential. */
  readonly id?: string
  /** What the program of an agent calls itself; anyone may call itself anything. */
  readonly client?: string
}

/** What to do to a draft. */
export type Edit =
  /** A batch of operations, applied whole or not at all. */
  | {
      readonly kind: 'operations'
      readonly ops: readonly Operation[]
      readonly source: Source
      readonly manifest?: Manifest | undefined
      readonly allowStructuralEdits?: boolean | undefined
      readonly playground?: Playground | undefined
      readonly summary?: string | undefined
      /** What the version log calls its source, where that is neither `direct` nor `chat`. */
      readonly logSource?: ChangeSource | undefined
      /** The page that the client shows, where it is known. */
      readonly currentSlug?: string | undefined
      /** What the site has for keys that the draft has not. */
      readonly siteConfig?: SiteConfig | undefined
    }
  /** A patch of the site config, merged at its first level; `siteConfig` is what the site has for keys that the draft has not. */
  | { readonly kind: 'config'; readonly patch: SiteConfig; readonly siteConfig?: SiteConfig | undefined }
  /**
   * Pages put back or taken away (`undefined`). `undo` says for which of them an undo entry is kept: `all`, or only
   * those that were there before. With `exactly` the draft has these pages afterwards and no others.
   */
  | {
      readonly kind: 'pages'
      readonly pages: ReadonlyMap<string, Page | undefined>
      /** The site config that comes with the pages; without `overwrite`, keys that the draft has stay as they are. */
      readonly siteConfig?: { readonly values: SiteConfig; readonly overwrite: boolean } | undefined
      readonly source: 'bootstrap' | 'restore' | 'discard'
      readonly summary: string
      readonly undo: 'all' | 'replaced' | 'none'
      readonly exactly?: true
      /** Block types that the site declares, for the repair of incoming pages. */
      readonly manifest?: Manifest | undefined
      /** Sets the mark that makes the next overwriting bootstrap a no-op. */
      readonly marksRestored?: true
    }
  /** Takes back the newest change of a page, or brings the newest taken back one again. */
  | { readonly kind: 'undo' | 'redo'; readonly slug: string }
  /** Puts the page of a logged version back as it was after it. */
  | { readonly kind: 'restore'; readonly version: number }
  /** Takes back what a run did after a version, but for pages that somebody else has changed since: they stay as they are. */
  | { readonly kind: 'rollback'; readonly run: string; readonly since: number; readonly summary: string }

/** Limits of the operations for a public demo. */
export interface Playground {
  readonly ops: ReadonlySet<string>
  readonly blockTypes: ReadonlySet<string>
}

/** The version that a caller saw; `any` for callers that state none. */
export type Expected = number | 'any'

/** The field of a body that states the version its sender saw. */
export const BaseVersion = v.optional(v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.description('The version of the draft that the caller saw, as in `If-Match`; a change of any other one is refused.'),
))

export interface CommitRequest {
  readonly id: DraftId
  readonly edit: Edit
  readonly actor: Actor
  readonly channel: Channel
  readonly expect?: Expected | undefined
  readonly requestId?: string | undefined
  /**
   * Names the run of which this is a step. Steps that follow each other are one entry of the log and one undo, each with a
   * version and an event of its own; what somebody else changes in between begins a new entry.
   */
  readonly run?: string | undefined
  /** A key under which the answer is kept for 24 hours, with a fingerprint of the request that it answers. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string } | undefined
  /** What changes together with the draft, or not at all. */
  readonly also?: Companion | undefined
}

/**
 * A write beside a change, in its transaction: it is asked before the edit is looked at, when it may still refuse, and
 * gives what to do once the change is taken, with what that did.
 *
 * It writes nothing before that, because other changes share the transaction.
 */
export type Companion = (tx: Transaction) => Promise<(committed: Committed) => Promise<unknown>>

/** What a commit did. */
export interface Committed {
  /** The version after the change; the version before it when nothing changed. */
  readonly previewVersion: number
  /** False when the edit led to the very same content, and nothing was written. */
  readonly changed: boolean
  /** By slug: every page whose document changed. Empty for a stored answer. */
  readonly pages: ReadonlyMap<string, PageChange>
  /** After an edit of the site config: the whole config. */
  readonly config?: SiteConfig
  /** What a batch of operations tells its caller. */
  readonly results?: BatchResults
  /** The operations of a batch, with ids and slugs as they turned out. */
  readonly ops?: readonly Operation[]
  /** The pages of the draft in stored order, where an edit put pages in. */
  readonly slugs?: readonly string[]
  /** The page that an undo, redo or restore is about, and where to go from it. */
  readonly slug?: string
  readonly navigateToSlug?: string
  readonly canUndo?: boolean
  readonly canRedo?: boolean
  /** Pages on which a rollback left what the run did. */
  readonly kept?: readonly string[]
  readonly notes: readonly string[]
}

/** Turns what a commit did into the answer that is sent and, under an idempotency key, stored. */
export type ToAnswer<A> = (committed: Committed) => A

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
  /** True while a snapshot restore shields this draft from the next overwriting bootstrap; reading it spends the mark. */
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

/** What the outside is told of one change: which pages, never their content. */
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

export { readCapabilities, readManifest, SiteCapabilities } from './declared.ts'
export { changeHeaders, clientHeader, toCommitContext } from './request.ts'
