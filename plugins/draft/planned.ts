import { type ChangeRecord, changes, type Head, type Stack } from './collections.ts'
import type { Loaded } from './memory.ts'
import type { ColumnValues } from '../store/port.ts'
import { ChangeEvent, type ChangeSource, type Edit } from './port.ts'
import type { BatchResults, Manifest, PageChange } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { stampAfter } from '../content/stamp.ts'

/** An edit of this kind. */
export type EditOf<K extends Edit['kind']> = Extract<Edit, { kind: K }>

/** Pages before and after a change, by slug. */
export type ChangedPages = ReadonlyMap<string, PageChange>

/** Places of pages, by slug. */
export type Ranks = ReadonlyMap<string, string>

/** The result of an edit, before any of it is written. */
export interface Planned {
  /** Every page whose document changes, already stamped. */
  readonly pages: ChangedPages
  /** New places of pages; a removed page needs none. */
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
  readonly log: {
    readonly source: ChangeSource
    readonly slug: string
    /** By default the label of the change. */
    readonly summary?: string | undefined
    /** The site's block types, for names in the label. */
    readonly manifest?: Manifest | undefined
    readonly ops?: readonly Operation[]
  }
  readonly results?: BatchResults
  readonly slug?: string
  readonly navigateToSlug?: string | undefined
  readonly notes?: readonly string[]
  readonly marksRestored?: true
  /** Pages that a rollback does not revert. */
  readonly kept?: readonly string[]
}

/** An edit that changes no content, with the page of a restore. */
type Nothing = Pick<Planned, 'slug' | 'kept'> & { readonly isNothing: true }

export const nothing: Nothing = { isNothing: true }

export type Plan = Planned | Nothing

export const isNothing = (plan: Plan): plan is Nothing => 'isNothing' in plan

/** Returns the change that restores a page, with a later stamp than the replaced version. */
export function restamped(before: Page | undefined, after: Page | undefined, now: Date): PageChange {
  return { before, after: after && { ...after, updatedAt: stampAfter((before ?? after).updatedAt, now) } }
}

/** Returns a site config with new values; `undefined` removes a key. */
export function withKeys(config: SiteConfig, values: readonly (readonly [key: string, value: unknown])[]): SiteConfig {
  return Object.fromEntries(Object.entries({ ...config, ...Object.fromEntries(values) }).filter(([, value]) => value !== undefined))
}

/** A change within all limits, ready to be applied to the open draft. */
export interface Prepared {
  readonly head: Head
  readonly pageCount: number
  /** An upper bound of the bytes of all pages. */
  readonly pageBytes: number
  readonly at: string
  /** The current pages by slug, `undefined` for removed ones. */
  readonly pages: ReadonlyMap<string, Loaded | undefined>
  /** New places of pages. */
  readonly ranks: Ranks
  readonly config?: SiteConfig | undefined
  readonly stacks: ReadonlyMap<string, Stack>
  readonly record: { readonly body: ChangeRecord; readonly text: string; readonly columns: ColumnValues<(typeof changes)['columns']> }
  /** The rest of the previous step's record, which this record replaces. */
  readonly takenIn?: { readonly key: string; readonly record: Prepared['record']; readonly grows: number } | undefined
  /** Sent once the change is durable. */
  readonly event: ChangeEvent
}
