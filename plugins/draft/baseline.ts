import { service } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { DraftId } from '../scope/port.ts'

/** The published content. */
export interface Baseline {
  /** `undefined` if the content cannot be read now, never for an empty site. */
  readonly content: SiteContent | undefined
  /** The entity tag of the answer of the site. */
  readonly tag?: string | undefined
  /** Equal for equal content of an adapter or a content file. */
  readonly storageTag?: string | undefined
  /** Whether it is that of the site which the draft follows. */
  readonly isOwn?: boolean | undefined
  /** A sentence, if the called site is not the site of the draft. */
  readonly otherSite?: string
  /** True for content that could be read before, but not now. */
  readonly wasKnown?: boolean
  /**
   * True for a site that lists less than half of the pages of its last answer: drafts follow it only if that
   * is confirmed.
   */
  readonly hasShrunk?: boolean
  /**
   * True for an answer that shows what a publish of the last time has replaced: that counts as not changed.
   */
  readonly isBehind?: boolean
}

/** Reads the published content, which drafts are compared with. */
export interface Baselines {
  /**
   * Reads the baseline of a draft from the first applicable source: the site named in the request, the
   * adapter of the mount, a content file, the registered site, or the last publish. A failing source is not
   * skipped. Refuses with 400 if the named site may not be called.
   */
  read(id: DraftId, options: { readonly siteOrigin?: string | undefined }): Promise<Baseline>
}

export const baselines = service<Baselines>('baselines')
