import * as v from 'valibot'
import { service, slot } from '../../kernel/index.ts'
import { defineEvent } from '../bus/port.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import type { DraftId } from '../scope/port.ts'

/** What is published of a site; `undefined` means that it cannot be read now, never that the site is empty. */
export interface Baselines {
  /**
   * Reads the baseline of a draft: the site that the request names, the adapter of the mount, a content file, the
   * registered site, or what was published last, whichever applies first. A source that fails is not passed over.
   * Refuses with 400 when the named site is none that may be called.
   */
  read(id: DraftId, options: { readonly siteOrigin?: string | undefined }): Promise<SiteContent | undefined>
}

export const baselines = service<Baselines>('baselines')

/** What a publish target is handed. */
export interface Publication {
  readonly id: DraftId
  /** The draft as clients name it. */
  readonly key: string
  readonly pages: readonly Page[]
  /** The complete stored config. */
  readonly siteConfig: SiteConfig
  readonly siteOrigin: string | undefined
  readonly allowDelete: boolean
  /** ISO time of this publish. */
  readonly publishedAt: string
  readonly assets: Readonly<Record<string, { readonly data: string; readonly mimeType: string; readonly fileName: string }>>
  readonly signal: AbortSignal
}

/** What came of a publish. `body` holds what the answer shows beside `status`, `session` and `slugs`. */
export interface PublishOutcome {
  readonly ok: boolean
  /** HTTP status of the answer to the client. */
  readonly httpStatus: 200 | 400 | 409 | 502
  readonly status: 'ready' | 'triggered' | 'failed'
  /** The published slugs, where the target knows better than the draft. */
  readonly slugs?: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
  /** What `GET /publish/status` shows of it. */
  readonly tracker: Readonly<{ deployStatus?: number; deployResponse?: string; inspectUrl?: string; deploymentId?: string; vercelState?: string }>
  readonly commit?: string
}

/** A way to publish: the site's own editor API, a repository, a deploy hook, or one of your own. */
export interface PublishTarget {
  /** Unique; what PUBLISH_TARGET names and the publish log shows. */
  readonly name: string
  /** True when the target wants this publish though nobody named it. */
  claims?(publication: Pick<Publication, 'id' | 'siteOrigin'>): boolean
  publish(publication: Publication): Promise<PublishOutcome>
}

export const publishTargets = slot<PublishTarget>('publish.targets')

/** A publish that was called, whatever came of it. */
export const published = defineEvent('publish.called', v.object({ siteId: v.string(), session: v.string(), id: v.string(), status: v.string(), at: v.string() }))

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
  /** Equal for publishes that look alike in a list. */
  readonly likeness: string
}

/** What was published, kept with every successful publish. */
export interface Snapshots {
  /** Keeps what was sent; gives the id. The oldest of a draft go when it has more than are kept. */
  keep(id: DraftId, key: string, content: SiteContent, at: string): Promise<string>
  /** Every snapshot, of one site or of all, newest first. */
  list(siteId: string | undefined): Promise<readonly SnapshotRow[]>
  /** The content of the one snapshot whose id begins so; `undefined` for none, `ambiguous` for several. */
  find(prefix: string): Promise<{ readonly row: SnapshotRow; readonly content: SiteContent } | undefined | 'ambiguous'>
  remove(commit: string): Promise<boolean>
  newest(id: DraftId): Promise<SiteContent | undefined>
  newestOfSite(siteId: string): Promise<SiteContent | undefined>
}

export const snapshots = service<Snapshots>('publish.snapshots')
