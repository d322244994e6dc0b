import * as v from 'valibot'
import { service, slot } from '../../kernel/index.ts'
import { defineEvent } from '../bus/port.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import type { PlainObject } from '../content/plain-object.ts'
import type { Unreadable } from '../content/read-pages.ts'
import type { Actor } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { PublishedAsset } from '../site/port.ts'
import type { Transaction } from '../store/port.ts'
import type { Snapshots } from './snapshots.ts'
import type { LogRow, PublishAnswer, PublishOutcome } from './schemas.ts'

export { findSnapshot, type SnapshotRow, type Snapshots } from './snapshots.ts'
export { ambiguousSnapshot, unknownSnapshot } from './refusals.ts'
export { Commit, DeploymentFacts, PublishFacts, PublishOutcome } from './schemas.ts'

/** A file that is sent with a publish; its address in the pages is `/generated-images/<fileName>`. */
export type PublishedFile = PublishedAsset

/** The input of a publish target. */
export interface Publication {
  readonly id: DraftId
  /** The id of the publish, which its row in the log will have. */
  readonly publishId: string
  /** The name of the draft for clients. */
  readonly key: string
  readonly pages: readonly Page[]
  /**
   * What the storage of the site gets: the pages, and at their places the entries of the site that cannot be
   * read, as the site gave them.
   */
  readonly entries: readonly unknown[]
  /** The entries of the site that are in no draft, and stay as they are. */
  readonly carried: readonly Unreadable[]
  /** The slugs of entries that cannot be read and are deleted: `entries` lacks them. */
  readonly removed?: readonly string[] | undefined
  /**
   * The complete config, with the redirects of the site, which targets send as `redirects`; absent if the
   * draft has none: the site then keeps its own.
   */
  readonly siteConfig?: SiteConfig | undefined
  /** What the site lists from now on; `undefined` if it takes none. */
  readonly redirects?: readonly PlainObject[] | undefined
  readonly siteOrigin: string | undefined
  readonly allowDelete: boolean
  /** The entity tag of the content to replace; the site refuses the publish if its tag is another one. */
  readonly ifMatch?: string | undefined
  /** As `ifMatch`, of the adapter or the content file that a target with a storage of its own writes. */
  readonly ifStored?: string | undefined
  /** ISO time of this publish. */
  readonly publishedAt: string
  /** Files by their addresses in the draft; empty for a target without files. */
  readonly assets: Readonly<Record<string, PublishedFile>>
  /** The message of the commit that the publish is to be, in the repository of the website. */
  readonly commitMessage?: string | undefined
  /** Aborts when the service stops, but not when the caller disconnects. */
  readonly signal: AbortSignal
}

/** A way to publish: the site's own editor API, a repository, a deploy hook, or one of your own. */
export interface PublishTarget {
  /** Unique; used in PUBLISH_TARGET and the publish log. */
  readonly name: string
  /** True if the target stores files; otherwise images keep their addresses on this service. */
  readonly takesFiles?: boolean
  /**
   * True if what is published is read later, by `GET /publish/content` with the `publishId` as `publication`,
   * as a build does: it is then stored before the target is called.
   */
  readonly readsLater?: boolean
  /**
   * True if what is published is read from the draft later: the target then publishes nothing but the present
   * draft, neither at a time nor an earlier publish.
   */
  readonly readsDraft?: boolean
  /** True if the target can make a publish a commit, see `commitMessage`. */
  readonly commits?: boolean
  /** True if the target takes a publish that names no target. */
  claims?(publication: Pick<Publication, 'id' | 'siteOrigin'>): boolean
  /**
   * Brings a storage up to date before a publish is merged onto it; a returned outcome ends that, and a thrown
   * error is a failed publish.
   */
  refresh?(signal: AbortSignal): Promise<PublishOutcome | undefined>
  /**
   * Reads what the storage of the target has: before a publish, and after one with its outcome. What was sent
   * and is not there then is a failed publish. Absent for a target whose storage cannot be read at once.
   */
  stored?(outcome?: PublishOutcome): Promise<SiteContent | undefined>
  /** Publishes. A thrown error is a failed publish; the caller receives the reason of a Refusal. */
  publish(publication: Publication): Promise<PublishOutcome>
}

export const publishTargets = slot<PublishTarget>('publish.targets')

/** A check before a publish, which may refuse it. */
export interface PublishCheck {
  /** Shown if the check fails or takes too long. */
  readonly name: string
  /** The code of refusals; `check_refused` by default. */
  readonly code?: string
  /**
   * Checks a publication exactly as the target would get it, unchanged. Returns `undefined` to accept, or a
   * sentence for the person who publishes: the answer is then 409 `check_refused`, nothing is published.
   *
   * `signal` aborts after `longestCheckMs` of the plugin `publish` (30 s), or when the service stops. A check
   * that throws, takes longer, or returns anything else refuses with 500 `check_failed`. Only other publishes
   * of the site wait; if the draft changes before all checks are done, the answer is 409 `draft_changed`.
   */
  check(publication: Publication): Promise<string | undefined>
}

/** Checks before every publish, run one by one in the order of their plugins until one refuses. */
export const publishChecks = slot<PublishCheck>('publish.checks')

/** The answer to a publish. */
export interface PublishResult {
  readonly httpStatus: PublishOutcome['httpStatus']
  readonly body: PublishAnswer
}

/** Publishes drafts for plugins, as `POST /publish` does for clients. */
export interface Publishing {
  /**
   * Publishes a draft to the target of its site. Publishes of one site run one at a time, and every result is
   * logged. With `expect`, a draft of another version is not sent: the result is 409 `draft_changed`.
   *
   * Refuses with 400 `no_publish_target` and 413 `publish_too_large`.
   */
  publish(request: {
    readonly id: DraftId
    readonly actor: Actor
    readonly allowDelete?: boolean
    readonly expect?: number | undefined
  }): Promise<PublishResult>
}

export const publishing = service<Publishing>('publishing')

/** A publish call, with any result. */
export const published = defineEvent(
  'publish.called',
  v.object({ siteId: v.string(), session: v.string(), id: v.string(), status: v.string(), at: v.string() }),
)

/**
 * A row of the publish log: its status is `triggered` if the deployment may still fail, and its version,
 * `undefined` in old rows, that of a draft; the published content is at least as new.
 */
export interface LoggedPublish extends Pick<
  LogRow,
  'status' | 'target' | 'slugs' | 'changes' | 'scheduledId'
> {
  readonly id: DraftId
  /** The id of the row in the log; a deployment that fails later has the id of its publish. */
  readonly publishId: string
  readonly version: number | undefined
  /** ISO time when the status was known. */
  readonly at: string
}

/**
 * Writes in the transaction of the log entry of a publish: once for the call, and again if the deployment
 * fails later. It must await nothing but the transaction, and must not throw.
 */
export type PublishParticipant = (tx: Transaction, publish: LoggedPublish) => Promise<void>

/** Writes in the transaction of every entry of the publish log. */
export const publishParticipants = slot<PublishParticipant>('publish.participants')

/** The content of every successful publish, and what a site had before the first one. */
export const snapshots = service<Snapshots>('publish.snapshots')

/**
 * Returns the stored name of an image that content refers to by an address below `/gdrive/images`, and stores
 * it first if needed; `undefined` if it is not available.
 */
export type DriveCopy = (fileId: string) => Promise<string | undefined>

/** Stores copies of the images of Google Drive in a publish; the first entry is used. */
export const driveCopies = slot<DriveCopy>('publish.driveCopies')
