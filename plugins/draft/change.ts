import * as v from 'valibot'
import type { AvailableTypes, BatchResults, Manifest, PageChange, Source } from '../content/model.ts'
import type { BatchSuccess } from '../content/batch.ts'
import type { Operation } from '../content/operations/index.ts'
import type { Playground } from '../content/operations/state.ts'
import type { Conflict, FormerIds, Merged, Renames, Side, Three } from '../content/merge/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import type { Unreadable } from '../content/read-pages.ts'
import { draftFields, type DraftId } from '../scope/port.ts'
import type { Store, Transaction } from '../store/port.ts'
import { type Actor, Client } from './actor.ts'

export type { Playground }

/** The source of a change in the version log. */
export type ChangeSource =
  | 'chat'
  | 'direct'
  | 'undo'
  | 'redo'
  | 'restore'
  | 'bootstrap'
  | 'discard'
  | 'agent'
  | 'jira'
  | 'checks'
  | 'site'

/** The channel of a change. */
export type Channel = 'api' | 'chat' | 'mcp' | 'agent' | 'jira' | 'history' | 'site' | 'checks'

/** The state of a site that was compared with a draft; without settings if it does not define its header. */
export interface SiteState extends Pick<Side, 'order' | 'siteConfig'> {
  /** The slugs of the pages that differ from those of the draft. */
  readonly differing: readonly string[]
  readonly pages: Pick<Side['pages'], 'get'>
  /** What the site has and cannot be read, if that is known. */
  readonly unreadable?: readonly Unreadable[]
}

/** What is known of a draft that has no base when it is compared with its site for the first time. */
export interface FirstComparison {
  /** The pages that were published, or were not there, as they are in the draft. */
  readonly pages: ReadonlyMap<string, Page | undefined>
  /** The order and the settings of the newest publishes. */
  readonly published: readonly Pick<SiteState, 'order' | 'siteConfig'>[]
}

/** What was published of a draft, which may have been changed since. */
export interface PublishedDraft {
  readonly version: number | undefined
  /** The slugs of the pages that it has added to the site. */
  readonly added: ReadonlySet<string>
}

/** The ids that publishes gave to pages, by their former ids, with the slugs then where these are stored. */
export type LaterIds = ReadonlyMap<string, { readonly id: string; readonly slug?: string }>

/** What a site has, and what its answer may show instead of that, for the comparison of copies. */
export interface KnownSite {
  /** Returns what the site has and may show at a slug. */
  pagesAt(slug: string): readonly Page[]
  /** Returns where the site has pages, by their ids. */
  slugsById(): Promise<ReadonlyMap<string, string>>
  readonly siteConfigs: readonly SiteConfig[]
  /** Addresses, up to their `?`, that the site has otherwise at every read. */
  readonly volatile?: ReadonlySet<string> | undefined
  laterIds(reader: Transaction): Promise<LaterIds>
}

/** Who published something, and when. */
export interface Published {
  readonly at: string
  readonly actor: Actor
}

/** A conflict with the time since when the site has its value, and who published that, where it is known. */
export type OpenConflict = Conflict & Pick<Published, 'at'> & Partial<Published>

/** Tells who published what a site has; the slug of the site config is empty. */
export interface SiteAuthors {
  /** Returns who published the site's values of conflicts, by their ids, where that is known. */
  ofConflicts(
    reader: Store | Transaction,
    conflicts: readonly Conflict[],
    sides: Three<Side> & Partial<AvailableTypes>,
  ): Promise<ReadonlyMap<string, Published>>
  /** Returns who published all changes of the site on these pages; `undefined` if not one person. */
  ofPages(
    reader: Store | Transaction,
    slugs: Iterable<string>,
    sides: Pick<Three<Side>, 'base' | 'theirs'>,
  ): Promise<Actor | undefined>
}

/** A page of the site that could not be used; `pushed` if a client has pushed it, not the site. */
export interface LeftOut extends Unreadable {
  readonly pushed?: true | undefined
}

/** An edit of a draft. */
export type Edit =
  /** A batch of operations, applied completely or not at all. */
  | {
      readonly kind: 'operations'
      readonly ops: readonly Operation[]
      readonly source: Source
      readonly manifest?: Manifest | undefined
      readonly allowStructuralEdits?: boolean | undefined
      readonly playground?: Playground | undefined
      readonly summary?: string | undefined
      /** The source in the version log, if it is neither `direct` nor `chat`. */
      readonly logSource?: ChangeSource | undefined
      /** The page that the client shows, if known. */
      readonly currentSlug?: string | undefined
      /** The outcome of the operations on the expected version, if the caller has validated them. */
      readonly applied?: BatchSuccess | undefined
      /** The hosts of the site, for links to its pages with a host; the draft finds them. */
      readonly ownHosts?: ReadonlySet<string> | undefined
      /** The site's values for keys that the draft lacks. */
      readonly siteConfig?: SiteConfig | undefined
    }
  /** A shallow patch of the site config; `siteConfig` has the site's values for keys that the draft lacks. */
  | { readonly kind: 'config'; readonly patch: SiteConfig; readonly siteConfig?: SiteConfig | undefined }
  /**
   * Pages to put or to remove (`undefined`), by where they come from. What is discarded or restored can be
   * undone, of what a client pushes only the pages that were there, and nothing that the site fills in.
   */
  | {
      readonly kind: 'pages'
      /**
       * `fill`: the site itself, with which the draft agrees from then on. `restore`: a snapshot, whose pages
       * are all that the draft has then, and which the next overwriting bootstrap leaves as it is.
       */
      readonly source: 'fill' | 'push' | 'discard' | 'restore'
      readonly pages: ReadonlyMap<string, Page | undefined>
      /** The site config of the pages; without `overwrite`, existing keys of the draft stay. */
      readonly siteConfig?: { readonly values: SiteConfig; readonly overwrite: boolean } | undefined
      readonly summary: string
      /** The renames among the changes of pages. */
      readonly renames?: readonly Operation[] | undefined
      /** The slugs at which the draft has what its site has from now on, as after a discard. */
      readonly agreedAt?: Iterable<string> | undefined
      /** What is known of the site, of which the pages of a client may be a copy. */
      readonly site?: KnownSite | undefined
      /** Block types that the site declares, for the repair of incoming pages. */
      readonly manifest?: Manifest | undefined
      /** Pages that could not be used, which a publish must not delete unseen. */
      readonly leftOut?: readonly Unreadable[] | undefined
    }
  /**
   * Undoes the newest change of a page, or redoes the newest undone one. With `mine`, it is the newest one
   * that this actor made, or undid, which need not be the newest of the page.
   */
  | {
      readonly kind: 'undo' | 'redo'
      readonly slug: string
      readonly mine?: Actor | undefined
      readonly manifest?: Manifest | undefined
    }
  /**
   * Undoes one logged change, which need not be the newest, on every page and key of the site config that it
   * touched. `withDependents` also undoes the later changes of the same fields, which it is refused for
   * otherwise.
   */
  | {
      readonly kind: 'undo-change'
      readonly version: number
      readonly withDependents: boolean
      readonly manifest?: Manifest | undefined
    }
  /**
   * Takes over what changed on the site since the draft agreed with it, where the draft has no change of its
   * own. Of values that both have changed the draft keeps its own, unless the conflict is decided.
   */
  | {
      readonly kind: 'follow'
      readonly site: SiteState
      /** What is known of a draft without a base: its newest publish, and its unchanged published pages. */
      readonly first?: FirstComparison | undefined
      readonly decided?: ReadonlyMap<string, 'ours' | 'theirs'> | undefined
      /** The `theirsVersion` that was seen of what is decided; with another one nothing is decided. */
      readonly seen?: ReadonlyMap<string, string> | undefined
      /** True if a caller has decided: that is a change, also where the draft stays as it is. */
      readonly isDecision?: boolean | undefined
      /** The slugs that pages of the base have on the site, where a rename is known. */
      readonly renames?: Renames | undefined
      /** What was published of the draft as `site`. */
      readonly published?: PublishedDraft | undefined
      readonly manifest?: Manifest | undefined
      /** Addresses, up to their `?`, that the site has otherwise at every read: taken without a version. */
      readonly volatile?: ReadonlySet<string> | undefined
      /** True to take over nothing while a run is open: the result has what the draft would get. */
      readonly waits?: boolean | undefined
    }
  /** What a publish has brought is a change of the draft again; settings and an order are the site's. */
  | {
      readonly kind: 'reopen'
      readonly pages: readonly ReopenedPage[]
      /** What the publish has sent, and what the site has. */
      readonly config?: Readonly<Record<'was' | 'before', SiteConfig | undefined>> | undefined
      readonly order?: readonly string[] | undefined
    }
  /** Restores a page to its state after a logged version. */
  | { readonly kind: 'restore'; readonly version: number }

/** A page that a publish has brought, and that the site does not have so. */
export interface ReopenedPage {
  /** Its slug in the publish; `undefined` if that has removed it. */
  readonly sent: string | undefined
  /** What the publish has sent: what the draft has agreed on beside that stays so. */
  readonly was?: Page | undefined
  /** What the site has; `undefined` for a page that the publish has added. */
  readonly page: Page | undefined
  /** Whether the site has it at another address alone: its values were agreed on, or are changes of the site. */
  readonly isMoved?: boolean | undefined
}

/** The version that the caller saw; `any` for callers that state none. */
export type Expected = number | 'any'

/** The body field with the version that the caller saw. */
export const BaseVersion = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description(
      'The version of the draft that the caller saw, as in `If-Match`; a change of any other one is refused.',
    ),
  ),
)

/** The body fields of every change of a draft. */
export const changeFields = { ...draftFields, baseVersion: BaseVersion, client: Client }

export interface CommitRequest {
  readonly id: DraftId
  readonly edit: Edit
  readonly actor: Actor
  readonly channel: Channel
  readonly expect?: Expected | undefined
  /**
   * The run of this step. Consecutive steps form one log entry and one undo, but each has its own version and
   * event; a change by others in between starts a new entry.
   */
  readonly run?: string | undefined
  /** True if the run is open until `endRun`: the draft follows its site after that. */
  readonly continues?: boolean | undefined
  /** A key under which the answer is stored for 24 hours, with a fingerprint of its request. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string } | undefined
  /** A write in the same transaction as the change. */
  readonly also?: Companion | undefined
}

/**
 * A write in the transaction of a change. It is called before the edit is planned and may refuse; it returns
 * a function that is called with the result once the change is applied.
 *
 * Only that function may write, because other changes share the transaction.
 */
export type Companion = (tx: Transaction) => Promise<(committed: Committed) => Promise<unknown>>

/** What came of following the site. */
export interface Followed extends Pick<Merged, 'taken'> {
  readonly conflicts: readonly OpenConflict[]
  /** From the new base to the draft (`ours`) and to the site, and from the site to the draft (`between`). */
  readonly renames: Merged['base']['renames']
  /** Of pages that the base lacked, the ids that they had before they were renamed. */
  readonly former: FormerIds
  /** The slugs that the site has given to pages of the draft, by those that they had before it followed. */
  readonly moved?: Renames | undefined
  /** Pages whose addresses were taken over without a new version. */
  readonly refreshed?: ReadonlyMap<string, Page> | undefined
  /** What the draft takes over once a run has ended; nothing was written. */
  readonly ahead?: Ahead | undefined
}

/** What a draft has after it has followed its site, where that differs from what it has now. */
export interface Ahead extends Pick<Merged, 'pages' | 'order'> {
  readonly siteConfig: SiteConfig | undefined
  /** The slugs that pages of the present base have in the draft. */
  readonly renames: Renames
}

/** The result of a commit. */
export interface Committed {
  /** The version after the change; the version before it if nothing changed. */
  readonly previewVersion: number
  /** As in the head of the draft. */
  readonly rebased: number
  /** Whether the draft has, or had, conflicts with its site. */
  readonly hadConflicts: boolean
  /** False if the content stayed the same, and nothing was written. */
  readonly changed: boolean
  /** Changed pages by slug. Empty for a stored answer. */
  readonly pages: ReadonlyMap<string, PageChange>
  /** After an edit of the site config: the complete config. */
  readonly config?: SiteConfig | undefined
  /** The results of a batch of operations, for its caller. */
  readonly results?: BatchResults | undefined
  /** One sentence for each operation of a batch that a caller has sent, as the version log names it. */
  readonly labels?: readonly string[] | undefined
  /** The operations of a batch, with final ids and slugs. */
  readonly ops?: readonly Operation[] | undefined
  /** The pages of the draft in stored order, after an edit that adds pages. */
  readonly slugs?: readonly string[]
  /** The page of an undo, redo or restore, and the page to navigate to. */
  readonly slug?: string
  readonly navigateToSlug?: string | undefined
  readonly canUndo?: boolean
  readonly canRedo?: boolean
  readonly notes: readonly string[]
  readonly followed?: Followed | undefined
  /** The pushed pages that are not stored, because others have their slugs. */
  readonly refused?: readonly Unreadable[] | undefined
}

/** Turns the result of a commit into the answer that is sent and, under an idempotency key, stored. */
export type ToAnswer<A> = (committed: Committed) => A
