import { service } from '../../kernel/index.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import type { Registry } from '../content/model.ts'
import type { Page, SiteConfig } from '../content/page.ts'

/** A file that travels with a publish. */
export interface PublishedAsset {
  /** The bytes in base64. */
  readonly data: string
  readonly mimeType: string
  /** The generated name under which the pages now refer to the file. */
  readonly fileName: string
}

/** What the service asks a site to publish. */
export interface Publication {
  readonly pages: readonly Page[]
  /** The complete stored config, with its extras. */
  readonly siteConfig?: SiteConfig | undefined
  readonly session?: string | undefined
  /** ISO-8601. */
  readonly publishedAt?: string | undefined
  /** By the URL that the file had in the draft. */
  readonly assets?: Readonly<Record<string, PublishedAsset>> | undefined
  readonly allowDelete?: boolean | undefined
}

/** What a publish handler may look at beside the publication. */
export interface PublishContext {
  /** The pages that are published now; `undefined` when they could not be read, never when there are none. */
  readonly baseline: readonly Page[] | undefined
  /** @deprecated Read `baseline`; this is the same array. */
  readonly published: readonly Page[] | undefined
  readonly siteConfig: SiteConfig | undefined
  readonly session: string | undefined
}

/** What came of a publish. */
export interface PublishResult {
  readonly ok: boolean
  /** Slugs of the pages that are published now; empty when nothing was. */
  readonly slugs: readonly string[]
  /** Remarks for the person who publishes. */
  readonly notes?: readonly string[] | undefined
  /** What of the publication this site cannot store, such as a block type. */
  readonly unsupported?: readonly string[] | undefined
  /** The machine verdict, in snake_case, of a publish that failed. */
  readonly error?: string | undefined
  /** A sentence that says why it failed and what would help. */
  readonly reason?: string | undefined
}

/** Stores what is published. Called after the rules for destructive publishes were checked. */
export interface PublishHandler {
  (publication: Publication, context: PublishContext): PublishResult | Promise<PublishResult>
}

export { writeFileAtomically } from './files/atomic.ts'
export { readContentFile } from './files/content-file.ts'
export { inTurn } from './files/queue.ts'
export { readContentOf } from './files/read-content.ts'

/** Loads what renders pages to HTML, which a start does not wait for. */
export const loadRenderer = () => import('./render/index.ts')

/** What a website hands to its editor routes. */
export interface SiteOptions {
  /** Reads the published content. */
  readonly adapter: ContentAdapter
  /** Stores what is published; without it the site cannot be published to. */
  readonly publish?: PublishHandler | undefined
  /** What `x-publish-token` has to be. */
  readonly publishSecret?: string | undefined
  /** What `secret` has to be to see drafts, and what cookies are signed with. */
  readonly draftSecret?: string | undefined
  /** The most pages that one publish may remove; a whole number. */
  readonly maxPagesRemoved?: number | undefined
  /** Block types of this site; the built-in ones without it. */
  readonly registry?: Registry | undefined
  /**
   * The id of this site, where it shares an orchestrator with others: drafts of another id find nothing here.
   * Lower case letters, digits, `-` and `_`.
   */
  readonly siteId?: string | undefined
  /** Whether browsers reach the site over https; without it the connection decides. */
  readonly secure?: boolean | undefined
  /** Variables that editors need and that are not set; the first request of an editor has them logged. */
  readonly missing?: readonly string[] | undefined
}

export const siteOptions = service<SiteOptions>('site.options')
