import { service } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Renames } from '../content/merge/index.ts'
import type { DraftId } from '../scope/port.ts'
import type { Transaction } from '../store/port.ts'
import type { Deployment, SiteForms } from './record.ts'

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

/** What differs at every read of a site although it was not changed. */
export interface Volatile {
  /** Addresses that differ behind their `?`, up to there. */
  readonly addresses: ReadonlySet<string>
  /** Whether the pages have no fixed order. */
  readonly hasOrder: boolean
}

/** A baseline whose content is read on demand. */
export interface BaselineSource {
  /** Equal for equal content; `undefined` if unknown. */
  readonly version: string | undefined
  /** The entity tag of the content, with which a change of it is refused. */
  readonly tag?: string | undefined
  load(): Promise<Baseline>
  /** Whether the content may have an address with a `?`, which may differ at every read. */
  readonly mayHaveQueries?: boolean
  /** What differs at every read of it. */
  readonly volatile?: Volatile | undefined
  /**
   * The addresses of `volatile`, and those that were volatile and have not changed since: drafts may have
   * them as they were then.
   */
  readonly signed?: ReadonlySet<string> | undefined
}

/** How a site is read. */
export interface ReadOptions {
  readonly siteOrigin?: string | undefined
  /** The pages that a site has lost are gone on purpose. */
  readonly confirm?: boolean | undefined
  /** Which reads of a site may be those of others: by default all, or those with an entity tag, or none. */
  readonly sharing?: 'tagged' | 'none'
}

/** What was sent to a site. */
export interface SentPublish {
  readonly content: SiteContent
  /** The slugs of the pages that it changed. */
  readonly changed: readonly string[]
  /** What the site meant before. */
  readonly before: SiteContent | undefined
  /** The renames from what the site meant before to what was sent. */
  readonly renames: Renames
  /** The publish, if it only started a deployment. */
  readonly until: Deployment | undefined
  /** ISO time of the publish. */
  readonly at: string
}

/** Reads what the answers of sites mean, with what is known of the sites. */
export interface SiteReader extends Baselines {
  /** Finds the source of `read`. */
  find(id: DraftId, options: ReadOptions): Promise<KnownSource>
}

/** A source with what is known of its site. */
export interface KnownSource extends BaselineSource {
  /** Whether the site is the one that the draft belongs to, and not another one named in the request. */
  readonly isOwn: boolean
  /** Whether nothing was published to the site since it was read. */
  isCurrent(tx: Transaction): Promise<boolean>
  /** Returns what the site may show instead of what it means, as of the last `load`. */
  forms(): Promise<SiteForms>
  /**
   * Notes that the site may have been changed by a publish, also one that failed: what was read before is out
   * of date.
   */
  mayHaveChanged(): Promise<void>
  /**
   * Stores what was sent to the site, and what it shows instead; returns notes on pages of which it shows
   * nothing.
   */
  sent(publish: SentPublish): Promise<readonly string[]>
}
