import * as v from 'valibot'
import type { SiteContent } from '../content/adapter.ts'
import type { PageChange } from '../content/model.ts'
import type { Locked } from '../content/locked.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import type { Immutable } from '../content/plain-object.ts'
import type { Redirects } from '../content/redirects.ts'
import { defineEvent } from '../bus/port.ts'
import { service, slot } from '../../kernel/index.ts'
import type { DraftId } from '../scope/port.ts'
import type { Transaction } from '../store/port.ts'
import type { Actor } from './actor.ts'
import type { ChangeSource, Channel, CommitRequest, LeftOut, ToAnswer } from './change.ts'
import { PageRename } from './renames.ts'
import type { Bootstrapped, ShownEntry, Skipped } from './schemas.ts'

export { type Actor, ActorShown, Client, ClientQuery, personOf } from './actor.ts'
export * from './change.ts'

/** A row of a draft's page list. */
export interface PageRow {
  readonly slug: string
  readonly title: string
  readonly updatedAt: string
  readonly blockCount: number
  /** The place of the page: ranks sort as text in page order. */
  readonly rank: string
}

/** A page with its JSON, ready to send. */
export interface StoredPage {
  readonly page: Page
  /** The place of the page: ranks sort as text in page order. */
  readonly rank: string
  readonly bytes: Uint8Array
  /** A version of the draft; the page is at least as new. */
  readonly previewVersion: number
}

export interface DraftHead {
  /** 0 until the first change. */
  readonly version: number
  readonly pageCount: number
  /** Bytes of all pages as JSON; 0 in a draft that was never changed. */
  readonly pageBytes: number
  /** True if the draft never had a page; false if it was emptied. */
  readonly isUnfilled: boolean
  /** True if the site config is complete; otherwise the site keeps the fields that the draft lacks. */
  readonly hasWholeConfig: boolean
  /** True if it is known what the draft has changed since it last agreed with its site. */
  readonly agreed: boolean
  /** Grows when draft and site agree on something else, also where the version stays. */
  readonly rebased: number
  /** The number of open conflicts when the draft was compared with its site last. */
  readonly conflicts: number
  /** Pages of the site that could not be used when they were loaded; some may be in the draft since then. */
  readonly leftOut: readonly LeftOut[]
  /** Blocks of its pages that cannot be read. */
  readonly locked: readonly Locked[]
}

/** An entry of the version log. */
export interface LogEntry extends Immutable<Omit<ShownEntry, 'actor'>> {
  readonly source: ChangeSource
  readonly channel: Channel
  readonly actor: Actor
}

export interface DraftSummary {
  readonly id: DraftId
  readonly version: number
  readonly pageCount: number
  readonly lastMutatedAt: string | null
}

/** A page of a draft with the data of its header. */
export interface DraftView {
  /** `undefined` if the draft has no page at the address. */
  readonly page: Page | undefined
  /** The slugs of all pages, home first. */
  readonly slugs: readonly string[]
  readonly siteConfig: SiteConfig
  /** Former addresses with what they lead to. */
  readonly redirects: Redirects
}

/** Reads of drafts, and the single write path for their changes. */
export interface Drafts {
  head(id: DraftId): Promise<DraftHead>
  /** Returns a page if it is in memory, for frequent readers; `undefined` does not mean "no such page". */
  pageInMemory(id: DraftId, slug: string): StoredPage | undefined
  /** Returns a page; one that is read together with all others is not cached. */
  page(id: DraftId, slug: string, isCached?: boolean): Promise<StoredPage | undefined>
  /** Returns the page at an address in any spelling: encoded, decomposed, with a trailing `/`. */
  pageAtAddress(id: DraftId, address: string): Promise<StoredPage | undefined>
  /** Returns what a website needs to render the page at an address, in any spelling of that. */
  view(id: DraftId, address: string): Promise<DraftView>
  /** Returns the slugs of pages of the site, with those that they have in the draft, where these differ. */
  renames(id: DraftId, site: SiteContent): Promise<ReadonlyMap<string, string>>
  /** Returns the page list in stored order, without loading pages. */
  rows(id: DraftId): Promise<readonly PageRow[]>
  /** Returns every page in stored order. */
  pages(id: DraftId): Promise<readonly Page[]>
  /**
   * Returns the pages changed after the version `since`; all pages (`isComplete`) without `since` or if the
   * changes after it are no longer stored. The pages are at least as new as `version`.
   *
   * They are read one by one in stored order, with pauses for other requests. A page that changes meanwhile
   * is yielded again, as `undefined` if it was removed: the last values of all slugs are of one draft
   * version.
   */
  read(
    id: DraftId,
    since?: number,
  ): Promise<{
    readonly version: number
    readonly isComplete: boolean
    readonly pages: AsyncIterable<readonly [slug: string, page: StoredPage | undefined]>
  }>
  /**
   * Returns the site config that a publish sends; `undefined` for a draft that never had one. A config that
   * was changed before the site's config was known is merged into `published`.
   */
  config(id: DraftId, published?: SiteConfig): Promise<SiteConfig | undefined>
  /** Returns the site config for editors and previews; a draft without one inherits its site's. */
  shownConfig(id: DraftId): Promise<SiteConfig>
  /** Returns the redirects of a draft; `undefined` if its site takes none. */
  redirects(id: DraftId): Promise<Redirects | undefined>
  /** Returns why a draft never had a page, as a sentence with the remedy; `undefined` for other drafts. */
  whyEmpty(id: DraftId): Promise<string | undefined>
  /** Whether a page has changes to undo and redo, or of the actor `mine`; with `names`, their summaries. */
  steps(
    id: DraftId,
    slug: string,
    options?: { readonly names?: boolean; readonly mine?: Actor | undefined },
  ): Promise<{
    readonly canUndo: boolean
    readonly canRedo: boolean
    readonly undo?: string | undefined
    readonly redo?: string | undefined
  }>
  /** Returns the newest `limit` entries, oldest first, of all pages or of one, also at former slugs. */
  log(
    id: DraftId,
    options: { readonly slug?: string | undefined; readonly limit: number },
  ): Promise<readonly LogEntry[]>
  /**
   * Returns a page right before and right after a change in the log, `undefined` if it did not exist, with
   * the entry of the change. Returns `undefined` for a version that is not in the log.
   */
  pageAt(
    id: DraftId,
    slug: string,
    version: number,
  ): Promise<
    | {
        readonly entry: LogEntry
        readonly page: Page | undefined
        readonly before: Page | undefined
        /** The page of today, which may have moved since. */
        readonly now: Page | undefined
        /** What the change set in the site config, before and after it. */
        readonly config: { readonly before: SiteConfig; readonly after: SiteConfig }
        /** False if an undo of the change would change nothing, as after the first import of a site. */
        readonly canUndo: boolean
      }
    | undefined
  >
  /**
   * Shows the own changes after a version to `visit`, not what was taken over from the site, newest first, until
   * that returns `true`; of pages, those of `slugs`, also where they had other ones.
   */
  changesBack(
    id: DraftId,
    of: { readonly since: number; readonly slugs: Iterable<string> },
    visit: (change: PastChange) => boolean,
  ): Promise<void>
  /** Returns the changes after a version, oldest first; `undefined` if deleted, or for a future version. */
  changesAfter(id: DraftId, version: number): Promise<readonly ChangeEvent[] | undefined>
  summary(id: DraftId): Promise<DraftSummary>
  /** Lists every draft that was ever changed. */
  list(): Promise<readonly DraftSummary[]>
  /** Whether a snapshot restore protects the draft from the next overwriting bootstrap; removes the mark. */
  spendRestoredMark(id: DraftId): Promise<boolean>
  /**
   * Returns the stored answer to the same request, if any, for callers with checks before a commit. Refuses
   * with 422 `idempotency_key_reused`.
   */
  answered(
    request: Pick<CommitRequest, 'id' | 'idempotency'>,
  ): Promise<{ readonly answer: unknown } | undefined>
  /**
   * Changes a draft in one transaction: pages, order, site config, version, change record and answer. A draft
   * that was never filled is first filled from its site. Resolves once the commit is durable; the event of
   * the change is sent after that.
   *
   * Refuses, without writing, with 409 `version_mismatch` if `expect` is not the current version, 422
   * `idempotency_key_reused`, 404 for a missing page, 400 with the category of a failed operation, 400
   * `nothing_to_undo` and `nothing_to_redo`, and 503 `store_unavailable`.
   */
  commit<A>(request: CommitRequest, toAnswer: ToAnswer<A>): Promise<A>
  /** Ends a run whose steps `continue`, so that the draft follows its site again; never rejects. */
  endRun(id: DraftId, run: string): Promise<void>
}

export const drafts = service<Drafts>('drafts')

/** A request to import pages of a site into a draft. */
export interface BootstrapRequest {
  readonly id: DraftId
  readonly pages: unknown
  readonly siteConfig: SiteConfig | undefined
  readonly overwrite: boolean
  /** The origin of the pages, as stated by the caller. */
  readonly origin: string | undefined
  readonly context: Omit<CommitRequest, 'id' | 'edit'>
}

/**
 * Imports a site's pages into its draft, or returns why there is nothing to do; see `POST /draft/bootstrap`.
 *
 * Refuses pages of another origin with 409 `refused`, and a lack of usable pages with 400 `invalid_pages`.
 */
export type BootstrapDraft = (request: BootstrapRequest) => Promise<Bootstrapped | Skipped>

/** Imports the pages of a site into its draft, by the rules of `POST /draft/bootstrap`. */
export const bootstrapDraft = service<BootstrapDraft>('drafts.bootstrap')

/** The event of a change: the slugs of its pages, never their content. */
export const ChangeEvent = v.object({
  siteId: v.string(),
  session: v.string(),
  previewVersion: v.number(),
  source: v.string(),
  channel: v.string(),
  /** Changed pages that exist now, home first. */
  slugs: v.array(v.string()),
  removedSlugs: v.optional(v.array(v.string())),
  renamed: v.optional(v.array(PageRename)),
  configChanged: v.optional(v.boolean()),
  at: v.string(),
})
export type ChangeEvent = v.InferOutput<typeof ChangeEvent>

/** The end of a run that had several steps, after which its draft follows its site. */
export const runEnded = defineEvent('draft.run-ended', v.object({ siteId: v.string(), session: v.string() }))

/** A change of a draft, as it was. */
export interface PastChange {
  /** Whether it decides the conflicts at its places. */
  readonly isTyped: boolean
  readonly pages: ReadonlyMap<string, PageChange>
  /** What it set in the site config, before and after it. */
  readonly config: { readonly before: SiteConfig; readonly after: SiteConfig }
}

/** A committed change of a draft. */
export const draftChanged = defineEvent('draft.changed', ChangeEvent)

/**
 * Writes in the transaction of a change of a draft: the writes are stored if and only if the change is. It
 * gets the changed pages by slug.
 *
 * It must await nothing but the transaction. An error refuses its change, and no other one in the
 * transaction.
 */
export type ChangeParticipant = (
  tx: Transaction,
  event: ChangeEvent,
  pages: ReadonlyMap<string, PageChange>,
) => Promise<void>

/** Writes in the transaction of every change of a draft. */
export const changeParticipants = slot<ChangeParticipant>('draft.participants')

export { inParts, pagesInParts, putParts, putPartsAhead, removeUnusedParts } from './stored-pages.ts'
export { inSequence, PageRename, slugsBefore } from './renames.ts'
export { type FillingRead, type LinkedSite, siteLink, type SiteLink, type Typed } from './site-link.ts'
export { ofChange, ShownEntry, SlugList } from './schemas.ts'
export { declaredTypes, readCapabilities, readManifest, SiteCapabilities, siteFields } from './request.ts'
export { changeHeaders, clientHeader, toCommitContext, toOrigin } from './request.ts'
export {
  alreadyUndone,
  batchRefusals,
  changedByOthers,
  changedSince,
  changeRefusals,
  invalidField,
  newDraftRefusals,
  noneOfYours,
  noSuchVersion,
  notRestorable,
  nothingToRedo,
  nothingToUndo,
  sizeRefusals,
} from './refusals.ts'
