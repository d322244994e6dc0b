import { service } from '../../kernel/index.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import type { Registry } from '../content/model.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import type { PlainObject } from '../content/plain-object.ts'

export { pageTextsScripts } from './browser/texts/built.ts'
export { signAccess, type Origin } from './draft/signature.ts'
export { stateOf } from './changed-content.ts'
export {
  inTurn,
  readContentFile,
  readContentOf,
  tagOf,
  writeContentFile,
  writeFileAtomically,
} from './content.ts'

/** A file sent with a publish. */
export interface PublishedAsset {
  /** The bytes in base64. */
  readonly data: string
  readonly mimeType: string
  /** The generated name of the file in the pages. */
  readonly fileName: string
}

/** The content to publish. */
export interface Publication {
  /**
   * The pages, and at their places the entries of the published content that cannot be read, as they are: to
   * be stored unchanged.
   */
  readonly pages: readonly Page[]
  /** The complete stored config, with its extras. */
  readonly siteConfig?: SiteConfig | undefined
  /**
   * All redirects of the site, each `{ from, to, at }`; absent from services that know none: they stay as
   * they are.
   */
  readonly redirects?: readonly PlainObject[] | undefined
  readonly session?: string | undefined
  /** ISO-8601. */
  readonly publishedAt?: string | undefined
  /** Files by their URLs in the draft. */
  readonly assets?: Readonly<Record<string, PublishedAsset>> | undefined
  readonly allowDelete?: boolean | undefined
}

/** The context of a publish. */
export interface PublishContext {
  /** The published pages; `undefined` if they could not be read, never for an empty site. */
  readonly baseline: readonly Page[] | undefined
  /** @deprecated Read `baseline`; this is the same array. */
  readonly published: readonly Page[] | undefined
  readonly siteConfig: SiteConfig | undefined
  readonly session: string | undefined
  /** The names of entries that cannot be read and that this publish deletes; absent without any. */
  readonly remove?: readonly string[] | undefined
}

/** The result of a publish. */
export interface PublishResult {
  readonly ok: boolean
  /** Slugs of the pages now published; empty if nothing was published. */
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

/** Stores the published pages. Called after the rules for destructive publishes are checked. */
export interface PublishHandler {
  (publication: Publication, context: PublishContext): PublishResult | Promise<PublishResult>
}

/** The options that a website passes to its editor routes. */
export interface SiteOptions {
  /** Reads the published content. */
  readonly adapter: ContentAdapter
  /** Stores the published pages; without it, the site accepts no publishes. */
  readonly publish?: PublishHandler | undefined
  /** The secret that `x-publish-token` must carry. */
  readonly publishSecret?: string | undefined
  /** The secret that grants visitors access to drafts, and signs their cookies. */
  readonly draftSecret?: string | undefined
  /** The maximum number of pages that one publish may remove; an integer. */
  readonly maxPagesRemoved?: number | undefined
  /** The block types of this site; the built-in ones by default. */
  readonly registry?: Registry | undefined
  /**
   * The id of this site, if it shares an orchestrator with others: drafts of another id have no pages here.
   * Lower case letters, digits, `-` and `_`.
   */
  readonly siteId?: string | undefined
  /** Whether browsers reach the site over https; by default the connection decides. */
  readonly secure?: boolean | undefined
  /** Unset variables that editors need; logged at the first request of an editor. */
  readonly missing?: readonly string[] | undefined
}

export const siteOptions = service<SiteOptions>('site.options')
