import { service } from '../../kernel/index.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import type { Registry } from '../content/model.ts'
import type { PublishHandler } from './publish/handler.ts'

export type { Publication, PublishContext, PublishedAsset, PublishHandler, PublishResult } from './publish/handler.ts'
export { inTurn, readContentFile, readContentOf, writeFileAtomically } from './content.ts'

/** Loads the renderer of pages on demand. */
export const loadRenderer = () => import('./demo/render/index.ts')

/** The options that a website passes to its editor routes. */
export interface SiteOptions {
  /** Reads the published content. */
  readonly adapter: ContentAdapter
  /** Stores what is published; without it the site cannot be published to. */
  readonly publish?: PublishHandler | undefined
  /** The secret that `x-publish-token` must carry. */
  readonly publishSecret?: string | undefined
  /** The secret that gives visitors access to drafts, and signs their cookies. */
  readonly draftSecret?: string | undefined
  /** The most pages that one publish may remove; an integer. */
  readonly maxPagesRemoved?: number | undefined
  /** Block types of this site; the built-in ones without it. */
  readonly registry?: Registry | undefined
  /**
   * The id of this site, if it shares an orchestrator with others: drafts of another id have no pages here.
   * Lower case letters, digits, `-` and `_`.
   */
  readonly siteId?: string | undefined
  /** Whether browsers reach the site over https; without it the connection decides. */
  readonly secure?: boolean | undefined
  /** Variables that editors need and that are not set; logged with the first request of an editor. */
  readonly missing?: readonly string[] | undefined
}

export const siteOptions = service<SiteOptions>('site.options')
