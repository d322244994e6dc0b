import { service } from '../../kernel/index.ts'
import type { ConflictPlace, SentContent, SideRenames } from '../content/merge/index.ts'
import type { DraftId } from '../scope/port.ts'
import type { Store, Transaction } from '../store/port.ts'
import type { Actor } from './actor.ts'
import type { Channel, KnownSite, SiteAuthors } from './change.ts'

/** Values that a person has typed. */
export interface Typed {
  readonly id: DraftId
  readonly actor: Actor
  readonly channel: Channel
  readonly places: readonly ConflictPlace[]
}

/** The read of a site that filled a draft. */
export interface FillingRead extends DraftId {
  /** The branch that was read, where the content has some. */
  readonly branch: string | undefined
  /** The origin that was read; `undefined` for the adapter of the mount. */
  readonly origin: string | undefined
  /** The number of pages that could be read. */
  readonly pageCount: number
}

/** What drafts need of the reader of their sites. */
export interface LinkedSite {
  /** Lets a draft follow its site, and returns what is known of that then, if anything. */
  follow(id: DraftId): Promise<KnownSite | undefined>
  /**
   * Decides the conflicts at some places for the draft, if they were shown; returns the version and the label
   * of that change, `undefined` if there are none.
   */
  decideTyped(typed: Typed): Promise<{ readonly version: number; readonly label: string } | undefined>
  /** Reads what is known of the renames of a site. */
  renamesOn(siteId: string, reader: Store | Transaction): Promise<Pick<SideRenames, 'ids' | 'sent'>>
  /** Reads what a draft has sent to its site without an answer. */
  unansweredOf(id: DraftId, reader: Store | Transaction): Promise<readonly SentContent[]>
  authorsOf(siteId: string): SiteAuthors
  /** Stores what was read, in the transaction that fills a draft with a version; it must await nothing else. */
  noteFill(tx: Transaction, read: FillingRead, version: number): Promise<void>
}

/** Connects drafts with the reader of their sites, which itself needs the drafts. */
export interface SiteLink {
  connect(site: LinkedSite): void
}

export const siteLink = service<SiteLink>('drafts.siteLink')
