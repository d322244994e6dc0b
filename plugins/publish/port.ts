import * as v from 'valibot'
import { service, slot } from '../../kernel/index.ts'
import { defineEvent } from '../bus/port.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import type { Actor } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Transaction } from '../store/port.ts'
import type { PublishAnswer, PublishOutcome } from './schemas.ts'

export { DeploymentFacts, PublishFacts, PublishOutcome } from './schemas.ts'

/** What is published. */
export interface Baseline {
  /** `undefined` means that it cannot be read now, never that the site is empty. */
  readonly content: SiteContent | undefined
  /** A sentence, where the site that was asked is another one than that of the draft. */
  readonly otherSite?: string
}

/** Reads what is published, with which drafts are compared. */
export interface Baselines {
  /**
   * Reads the baseline of a draft: the site that the request names, the adapter of the mount, a content file,
   * the registered site, or what was published last, whichever applies first. A source that fails is not
   * passed over. Refuses with 400 when the named site may not be called.
   */
  read(id: DraftId, options: { readonly siteOrigin?: string | undefined }): Promise<Baseline>
}

export const baselines = service<Baselines>('baselines')

/** A file that travels with a publish. */
export interface PublishedFile {
  /** The bytes in base64. */
  readonly data: string
  readonly mimeType: string
  /** The name under which the pages now refer to the file: `/generated-images/<fileName>`. */
  readonly fileName: string
}

/** What a publish target is handed. */
export interface Publication {
  readonly id: DraftId
  /** The draft as clients name it. */
  readonly key: string
  readonly pages: readonly Page[]
  /** The complete config; absent where the draft has none, so that what is published keeps its own. */
  readonly siteConfig?: SiteConfig | undefined
  readonly siteOrigin: string | undefined
  readonly allowDelete: boolean
  /** ISO time of this publish. */
  readonly publishedAt: string
  /** By the address that the file had in the draft; empty for a target that takes no files. */
  readonly assets: Readonly<Record<string, PublishedFile>>
  /** Aborts when the service stops. A caller who goes away does not stop a publish. */
  readonly signal: AbortSignal
}

/** A way to publish: the site's own editor API, a repository, a deploy hook, or one of your own. */
export interface PublishTarget {
  /** Unique; what PUBLISH_TARGET names and the publish log shows. */
  readonly name: string
  /** The target stores files that travel along; for others images keep the address that they have here. */
  readonly takesFiles?: boolean
  /** True when the target wants this publish although the request names no target. */
  claims?(publication: Pick<Publication, 'id' | 'siteOrigin'>): boolean
  /** Publishes. Every error that it throws is a failure; the caller gets the reason of a Refusal. */
  publish(publication: Publication): Promise<PublishOutcome>
}

export const publishTargets = slot<PublishTarget>('publish.targets')

/** A check before a publish, which may refuse it. */
export interface PublishCheck {
  /** Shown where the check fails or takes too long. */
  readonly name: string
  /** The code of its refusals; `check_refused` without it. */
  readonly code?: string
  /**
   * Judges what would be published, exactly as the target would get it, and changes nothing of it. Gives `undefined` to let
   * it through, or a sentence for the person who publishes: the answer is 409 `check_refused` then, and nothing is published.
   *
   * `signal` aborts when the time is over (`longestCheckMs` of the plugin `publish`, 30 s) or the service stops. A check that
   * throws, takes longer, or gives anything else refuses with 500 `check_failed`. Other requests go on meanwhile, other
   * publishes of the site wait; a draft that was changed before all checks were done is 409 `draft_changed`.
   */
  check(publication: Publication): Promise<string | undefined>
}

/** Checks before every publish, asked one after the other in the order of their plugins until one refuses. */
export const publishChecks = slot<PublishCheck>('publish.checks')

/** What a publish is answered with. */
export interface PublishResult {
  readonly httpStatus: PublishOutcome['httpStatus']
  readonly body: PublishAnswer
}

/** Publishes drafts for plugins, as `POST /publish` does for clients. */
export interface Publishing {
  /**
   * Publishes a draft to the target of its site; publishes of one site take turns, and every result is logged. With
   * `expect`, a draft of another version is not sent: the result is that of a refusal, 409 `draft_changed`.
   *
   * Refuses with 400 `no_publish_target` and 413 `publish_too_large`.
   */
  publish(request: { readonly id: DraftId; readonly actor: Actor; readonly allowDelete?: boolean; readonly expect?: number }): Promise<PublishResult>
}

export const publishing = service<Publishing>('publishing')

/** A publish that was called, with any result. */
export const published = defineEvent(
  'publish.called',
  v.object({ siteId: v.string(), session: v.string(), id: v.string(), status: v.string(), at: v.string() }),
)

/** A publish as its log has it. */
export interface LoggedPublish {
  readonly id: DraftId
  /** Of its row in the log; a deployment that fails later has that of its publish. */
  readonly publishId: string
  /** `triggered` where what was begun may still fail. */
  readonly status: 'success' | 'triggered' | 'failed'
  /** A version of the draft that what was published is at least as new as; `undefined` of a publish by an earlier release. */
  readonly version: number | undefined
  readonly target: string
  readonly slugs: readonly string[]
  /** ISO time at which its status was known. */
  readonly at: string
}

/**
 * Writes beside the row of a publish in the log, in its transaction: once when it was called, and once more when its
 * deployment turns out to have failed. It awaits nothing but the transaction, and throws nothing.
 */
export type PublishParticipant = (tx: Transaction, publish: LoggedPublish) => Promise<void>

/** Writes beside every publish in the log, in its transaction. */
export const publishParticipants = slot<PublishParticipant>('publish.participants')

/** A publish as it was kept, without its content. */
export interface SnapshotRow {
  /** 40 hexadecimal digits. */
  readonly commit: string
  readonly siteId: string
  readonly session: string
  readonly committedAt: string
  readonly message: string
  readonly pageCount: number
  readonly homeHeading: string
  /** Equal for publishes of one site that look alike in a list: the same heading and the same pages. */
  readonly likeness: string
}

/** What was published, kept with every successful publish. */
export interface Snapshots {
  /** Keeps what was sent; gives the id. The oldest of a draft go when it has more than 80. */
  keep(id: DraftId, key: string, content: SiteContent, at: string): Promise<string>
  /** Every snapshot, of one site or of all, newest first. */
  list(siteId: string | undefined): Promise<readonly SnapshotRow[]>
  /** The one snapshot whose id begins so, in any case; `undefined` for none, `ambiguous` for several. */
  find(
    prefix: string,
  ): Promise<{ readonly row: SnapshotRow; readonly content: SiteContent } | undefined | 'ambiguous'>
  /**
   * Removes a snapshot by its complete id; says whether it was there. What the newest one says of what is published is
   * still known afterwards, until the next publish.
   */
  remove(commit: string): Promise<boolean>
  /** What the newest publish of a draft sent, or of a site where no session is named. */
  newest(of: { readonly siteId: string; readonly session?: string }): Promise<SiteContent | undefined>
  /** The id of what `newest` gives. */
  newestCommit(of: { readonly siteId: string; readonly session?: string }): Promise<string | undefined>
}

export const snapshots = service<Snapshots>('publish.snapshots')

/** Resolves images that content refers to by an address below `/gdrive/images`. */
export interface DriveCopies {
  /**
   * Sets the function that returns the stored name of an image, and stores it first where needed; `undefined` if it is not available.
   * A publish calls it for images without a stored copy.
   */
  use(storedName: (fileId: string) => Promise<string | undefined>): void
}

export const driveCopies = service<DriveCopies>('publish.driveCopies')
