import type { Base, Records, Stack } from './collections.ts'
import type { ConflictNotes } from './conflicts.ts'
import type { FormerSlugs } from './renames.ts'
import type { Actor, ChangeSource, Edit, Followed, LeftOut } from './port.ts'
import type { BatchResults, Manifest, PageChange } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import type { Unreadable } from '../content/read-pages.ts'
import { stampAfter } from '../content/stamp.ts'

/** An edit of this kind. */
export type EditOf<K extends Edit['kind']> = Extract<Edit, { kind: K }>

/** Pages before and after a change, by slug. */
export type ChangedPages = ReadonlyMap<string, PageChange>

/** PageOrder of pages, by slug. */
export type Ranks = ReadonlyMap<string, string>

/** What an edit finds and stores, also if it changes no content. */
interface WithoutVersion {
  /** The bases after the change, if it sets them; any other change stores those of what it changes. */
  readonly bases?: ReadonlyMap<string, Base | undefined> | undefined
  /** Pages whose addresses the site has otherwise at every read: stored without a record. */
  readonly refreshed?: ReadonlyMap<string, Page> | undefined
  /** As `refreshed`, of the site config. */
  readonly refreshedConfig?: SiteConfig | undefined
  /** What is known of the conflicts with the site, if that has changed. */
  readonly noted?: ConflictNotes | undefined
  /** What came from the site, and what both have changed. */
  readonly followed?: Followed | undefined
  /** The pages that are left out from now on. */
  readonly leftOut?: readonly LeftOut[] | undefined
  /** The pushed pages that are not stored, because others have their slugs. */
  readonly refused?: readonly Unreadable[] | undefined
  readonly marksRestored?: true | undefined
  /** The results of a batch. */
  readonly results?: BatchResults
  /** The page of an undo, a redo or a restore. */
  readonly slug?: string
}

/** What an edit changes in a draft, before any of it is written. */
export interface ChangeSet extends WithoutVersion {
  /** Every page whose document changes, already stamped. */
  readonly pages: ChangedPages
  /** New ranks of pages; a removed page needs none. */
  readonly ranks: Ranks
  /** The complete site config after the change, if it changes. */
  readonly config?: SiteConfig | undefined
  /** The site's values for keys that the draft lacked: the change adopts them, and an undo keeps them. */
  readonly siteConfig?: SiteConfig | undefined
  /**
   * Undo stacks to store. A new change is pushed on the stacks in `push`; the stacks in `drop`, of pages
   * changed without a push, are emptied, because nothing on them fits any more. An undo or redo uses `set`.
   */
  readonly stacks:
    | { readonly push: readonly string[]; readonly drop?: readonly string[] }
    | { readonly set: ReadonlyMap<string, Stack> }
  /** One label for each operation that took effect, of a batch that a caller has sent. */
  readonly labels?: readonly string[] | undefined
  readonly log: {
    readonly source: ChangeSource
    readonly slug: string
    /** By default the label of the change. */
    readonly summary?: string | undefined
    /** The site's block types, for names in the label. */
    readonly manifest?: Manifest | undefined
    readonly ops?: readonly Operation[] | undefined
    /** The versions that an undo or a redo is about. */
    readonly of?: readonly number[] | undefined
    /** The label of the change that an undo, a redo or a restore is about. */
    readonly label?: string | undefined
    /** The version of a restore. */
    readonly restored?: number | undefined
    /** Who made the change, if not the caller. */
    readonly actor?: Actor | undefined
  }
  /** The renames; absent for a change that makes none. */
  readonly renames?: FormerSlugs | undefined
  /** True if `bases` are not all: the change stores those of what it changes besides. */
  readonly hasOtherBases?: true | undefined
  /** What the record holds of them: of a decision of conflicts, and of its undo. */
  readonly baseRecords?: Records | undefined
  readonly navigateToSlug?: string | undefined
  readonly notes?: readonly string[]
}

/** The result of an edit that changes no content. */
export interface Unchanged extends WithoutVersion {
  readonly isUnchanged: true
}

export const unchanged: Unchanged = { isUnchanged: true }

/** Returns the change that restores a page, with a later stamp than the replaced version. */
export function restamped(before: Page | undefined, after: Page | undefined, now: Date): PageChange {
  return { before, after: after && { ...after, updatedAt: stampAfter((before ?? after).updatedAt, now) } }
}
