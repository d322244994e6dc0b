import type { Page, SiteConfig } from '../../content/page.ts'

/** A file that travels with a publish. */
export interface PublishedAsset {
  /** The bytes in base64. */
  readonly data: string
  readonly mimeType: string
  /** The generated name by which the pages now refer to the file. */
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

/** What a publish handler may read beside the publication. */
export interface PublishContext {
  /** The pages that are published now; `undefined` when they could not be read, never when there are none. */
  readonly baseline: readonly Page[] | undefined
  /** @deprecated Read `baseline`; this is the same array. */
  readonly published: readonly Page[] | undefined
  readonly siteConfig: SiteConfig | undefined
  readonly session: string | undefined
}

/** The result of a publish. */
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
