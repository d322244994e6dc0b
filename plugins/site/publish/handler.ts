import type { Page, SiteConfig } from '../../content/page.ts'

/** A file that is sent with a publish. */
export interface PublishedAsset {
  /** The bytes in base64. */
  readonly data: string
  readonly mimeType: string
  /** The generated name by which the pages now refer to the file. */
  readonly fileName: string
}

/** The content that a site should publish. */
export interface Publication {
  readonly pages: readonly Page[]
  /** The complete stored config, with its extras. */
  readonly siteConfig?: SiteConfig | undefined
  readonly session?: string | undefined
  /** ISO-8601. */
  readonly publishedAt?: string | undefined
  /** By the URL of the file in the draft. */
  readonly assets?: Readonly<Record<string, PublishedAsset>> | undefined
  readonly allowDelete?: boolean | undefined
}

/** The context of a publish. */
export interface PublishContext {
  /** The pages that are published now; `undefined` if they could not be read, never for an empty site. */
  readonly baseline: readonly Page[] | undefined
  /** @deprecated Read `baseline`; this is the same array. */
  readonly published: readonly Page[] | undefined
  readonly siteConfig: SiteConfig | undefined
  readonly session: string | undefined
}

/** The result of a publish. */
export interface PublishResult {
  readonly ok: boolean
  /** Slugs of the pages that are published now; empty if nothing was published. */
  readonly slugs: readonly string[]
  /** Remarks for the person who publishes. */
  readonly notes?: readonly string[] | undefined
  /** Parts of the publication that this site cannot store, such as a block type. */
  readonly unsupported?: readonly string[] | undefined
  /** The code of a failed publish, in snake_case. */
  readonly error?: string | undefined
  /** A sentence with the cause of the failure and the remedy. */
  readonly reason?: string | undefined
}

/** Stores what is published. Called after the rules for destructive publishes were checked. */
export interface PublishHandler {
  (publication: Publication, context: PublishContext): PublishResult | Promise<PublishResult>
}
