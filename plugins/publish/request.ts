import type { Actor } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Transaction } from '../store/port.ts'
import type { Pinned } from './scheduled/pin.ts'
import type { PublishPart } from './part.ts'
import type { PublishTarget } from './port.ts'
import type { LogRow } from './schemas.ts'

/** The target of a publish, and its site. */
export interface Chosen {
  readonly target: PublishTarget
  readonly siteOrigin: string | undefined
}

/** A publish to a chosen target. */
export interface PublishRequest extends Chosen {
  readonly id: DraftId
  /** The site named in the request, to compare with. */
  readonly named: string | undefined
  readonly allowDelete: boolean
  /** Decides for the draft what the site has changed as well. */
  readonly overwrite?: boolean | undefined
  /** Whether the publish is to be a commit in the repository of the website. */
  readonly asCommit?: boolean | undefined
  readonly actor: Actor
  /** The version that the caller saw; any version by default. */
  readonly expect?: number | undefined
  /** The changes that are published; all by default. */
  readonly part?: PublishPart | undefined
  /** Entries of the site that cannot be read and are deleted, by their slugs. */
  readonly remove?: readonly string[] | undefined
  /** What is published instead of the present draft. */
  readonly pinned?: Pinned | undefined
  readonly signal?: AbortSignal
  /** Returns what to write with the log entry; `isStopped` if the service stops, or another has the turn. */
  readonly ending?: (row: LogRow, isStopped: boolean) => Promise<(tx: Transaction) => Promise<void>>
}
