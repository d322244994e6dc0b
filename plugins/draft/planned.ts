import type { BatchResults, PageChange } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import type { SiteConfig } from '../content/page.ts'
import type { Stack } from './collections.ts'
import type { ChangeSource } from './port.ts'

/** What an edit comes to, before any of it is written. */
export interface Planned {
  /** By slug: every page whose document changes, already stamped. */
  readonly pages: ReadonlyMap<string, PageChange>
  /** Places of pages that get a new one; a page that is gone needs none. */
  readonly ranks: ReadonlyMap<string, string>
  /** The whole site config after the change, where it changes. */
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

export const isNothing = (planned: Planned | Nothing): planned is Nothing => 'isNothing' in planned
