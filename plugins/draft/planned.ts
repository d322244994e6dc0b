import { type ChangeRecord, changes, type Head, type Stack } from './collections.ts'
import type { Loaded } from './memory.ts'
import type { ColumnValues } from '../store/port.ts'
import { ChangeEvent, type ChangeSource, type Edit } from './port.ts'
import type { BatchResults, PageChange } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { stampAfter } from '../content/stamp.ts'

/** An edit of this kind. */
export type EditOf<K extends Edit['kind']> = Extract<Edit, { kind: K }>

/** Pages before and after a change, by slug. */
export type ChangedPages = ReadonlyMap<string, PageChange>

/** Places of pages, by slug. */
export type Ranks = ReadonlyMap<string, string>

/** What an edit comes to, before any of it is written. */
export interface Planned {
  /** Every page whose document changes, already stamped. */
  readonly pages: ChangedPages
  /** Places of pages that get a new one; a page that is gone needs none. */
  readonly ranks: Ranks
  /** The complete site config after the change, where it changes. */
  readonly config?: SiteConfig | undefined
  /** What the site has for keys that the draft had not: the change takes it over, and undoing the change leaves it there. */
  readonly siteConfig?: SiteConfig | undefined
  /**
   * Undo stacks to store: those of a new change, or as an undo or redo leaves them. A new change is pushed on some, and
   * those of pages that it changed without being pushed are dropped, because nothing on them fits any more.
   */
  readonly stacks:
    | { readonly push: readonly string[]; readonly drop?: readonly string[] }
    | { readonly set: ReadonlyMap<string, Stack> }
  readonly log: {
    readonly source: ChangeSource
    readonly slug: string
    readonly summary: string
    readonly ops?: readonly Operation[]
  }
  readonly results?: BatchResults
  readonly slug?: string
  readonly navigateToSlug?: string | undefined
  readonly notes?: readonly string[]
  readonly marksRestored?: true
  /** Pages on which a rollback leaves what the run did. */
  readonly kept?: readonly string[]
}

/** An edit that leads to the very same content, and the page that a restore is about. */
export interface Nothing {
  readonly isNothing: true
  readonly slug?: string
  readonly kept?: readonly string[]
}

export const nothing: Nothing = { isNothing: true }

export type Plan = Planned | Nothing

export const isNothing = (plan: Plan): plan is Nothing => 'isNothing' in plan

/** A page that an edit puts back as it was, stamped past the version that it replaces. */
export function restamped(before: Page | undefined, after: Page | undefined, now: Date): PageChange {
  return { before, after: after && { ...after, updatedAt: stampAfter((before ?? after).updatedAt, now) } }
}

/** A site config with other values; a key without one goes. */
export function withKeys(config: SiteConfig, values: readonly (readonly [key: string, value: unknown])[]): SiteConfig {
  return Object.fromEntries(Object.entries({ ...config, ...Object.fromEntries(values) }).filter(([, value]) => value !== undefined))
}

/** A change that holds to every limit, ready to be taken into the open draft. */
export interface Prepared {
  readonly head: Head
  readonly pageCount: number
  /** What all pages of the draft have at most. */
  readonly pageBytes: number
  readonly at: string
  /** By slug: the pages as they are now, `undefined` for those that are gone. */
  readonly pages: ReadonlyMap<string, Loaded | undefined>
  /** Places of pages that get a new one. */
  readonly ranks: Ranks
  readonly config?: SiteConfig | undefined
  readonly stacks: ReadonlyMap<string, Stack>
  readonly record: { readonly body: ChangeRecord; readonly text: string; readonly columns: ColumnValues<(typeof changes)['columns']> }
  /** The record of the step before, which this one takes in. */
  readonly takenIn?: { readonly key: string; readonly record: Prepared['record']; readonly grows: number } | undefined
  /** Sent once the change is durable. */
  readonly event: ChangeEvent
}
