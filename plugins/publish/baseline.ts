import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Clock, Logger } from '../../kernel/index.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import { readContentText, toBaseline } from '../content/baseline.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { parseExactly } from '../content/numbers.ts'
import { deepestContent } from '../content/read-pages.ts'
import { withListed } from '../content/redirects.ts'
import type { Baseline, Baselines } from '../draft/port.ts'
import { toOrigin, toOriginSet, type Outbound } from '../outbound/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import { readContentOf, tagOf } from '../site/port.ts'
import type { Transaction } from '../store/port.ts'
import { otherSiteIn, registeredOrigin, type Sites } from '../sites/port.ts'
import type { Snapshots } from './port.ts'
import { siteOriginNotAllowed } from './refusals.ts'
import type { GitBranch } from './targets/git-branch.ts'

/** The names of sources of published content. */
export const sourceNames = { adapter: 'adapter', at: (origin: string): string => `site ${origin}` } as const

/** The rules for sites to compare with and publish to. */
export type SiteOrigins = ReturnType<typeof createSiteOrigins>

export function createSiteOrigins(context: {
  /** The configured origins of editors and sites. */
  readonly listed: readonly string[]
  readonly production: boolean
  readonly sites: Pick<Sites, 'previewUrl'>
  readonly outbound: Pick<Outbound, 'isAllowedOrigin'>
}) {
  const { listed, production, sites } = context
  const configured = toOriginSet(listed)
  return {
    /**
     * Returns the origin of the site named in a request, `undefined` if none is named.
     *
     * It must be one of the configured origins or, outside production, the registered origin of the site.
     * Refuses others with 400 `site_origin_not_allowed`.
     */
    async named(id: DraftId, siteOrigin = ''): Promise<string | undefined> {
      if (siteOrigin.trim() === '') return undefined
      const origin = toOrigin(siteOrigin)
      if (origin !== undefined && configured.has(origin)) return origin
      const registered = production ? undefined : await sites.previewUrl(id)
      if (origin === undefined || registered === undefined || !toOriginSet([registered]).has(origin))
        throw siteOriginNotAllowed()
      return origin
    },
    /** Returns the registered origin of the site of a draft, if it may be called without being named. */
    registered: (id: DraftId) => registeredOrigin(id, context),
  }
}

/** What differs at every read of a site although it was not changed. */
export interface Volatile {
  /** Addresses that differ behind their `?`, up to there. */
  readonly addresses: ReadonlySet<string>
  /** Whether the pages have no fixed order. */
  readonly hasOrder: boolean
}

/** A baseline whose content is read on demand. */
export interface BaselineSource {
  /** What is read, such as `site https://www.example.com`. */
  readonly name: string
  /**
   * Whether the site is the one that the draft belongs to, and not another one named in the request;
   * `undefined` if it has none but those that are named.
   */
  readonly isOwn: boolean | undefined
  /** Whether nothing was published to the site since it was read. */
  isCurrent?(tx: Transaction): Promise<boolean>
  /** Equal for equal content; `undefined` if unknown. */
  readonly version: string | undefined
  /** The entity tag of the content, with which a change of it is refused. */
  readonly tag?: string | undefined
  /** Returns what the site may show instead of what it means, as of the last `load`. */
  forms?(): Promise<SiteForms>
  load(): Promise<Baseline>
  /** What differs at every read of it. */
  readonly volatile?: Volatile | undefined
  /**
   * The addresses of `volatile`, and those that were volatile and have not changed since: drafts may have
   * them as they were then.
   */
  readonly signed?: ReadonlySet<string> | undefined
}

/** The values that a site may show: by slug, and of the site config. */
export interface SiteForms {
  readonly pages: ReadonlyMap<string, readonly Page[]>
  readonly siteConfigs: readonly SiteConfig[]
}

export interface BaselineFinder extends Baselines {
  /** Finds the source of `read`. */
  find: (
    id: DraftId,
    options: Parameters<Baselines['read']>[1] & {
      /** The pages that a site has lost are gone on purpose. */
      readonly confirm?: boolean | undefined
      /**
       * Which reads of a site may be those of others: by default all, or those with an entity tag, or none.
       */
      readonly sharing?: 'tagged' | 'none'
    },
  ) => Promise<BaselineSource>
}

/** A finder whose sources are chosen before they are read. */
export interface Answers extends BaselineFinder {
  choose: (...args: Parameters<BaselineFinder['find']>) => Promise<
    Pick<BaselineSource, 'name' | 'isOwn'> & {
      /** Whether the reads of it are shared. */
      readonly isShared?: boolean
      open(): Promise<BaselineSource>
    }
  >
}

/** A source of published content. */
interface PublishedSource extends Pick<
  Awaited<ReturnType<Answers['choose']>>,
  'name' | 'isOwn' | 'isShared'
> {
  read(): Promise<FoundBaseline>
}

type FoundBaseline = Pick<BaselineSource, 'version' | 'tag' | 'load'>

const siteLimits = { timeoutMs: 8_000, maxBytes: 10 * 1024 * 1024, types: ['application/json'] }
/** How long the time stamps of a changed file may hide a further change. */
const clockStepMs = 2_000

/**
 * Creates the reader of published content.
 *
 * The first applicable source decides, even if it fails: the baseline is then unavailable, because with
 * another source, existing pages could look removed.
 */
export function createBaselines(context: {
  readonly origins: SiteOrigins
  readonly scope: Pick<Scope, 'siteId'>
  readonly outbound: Outbound
  readonly snapshots: Snapshots
  readonly adapter: ContentAdapter | undefined
  /** The site that the adapter belongs to. */
  readonly adapterSiteId: string
  /** A file with published content. */
  readonly contentPath: string | undefined
  /** The branch that has the file, if it is published by git. */
  readonly remote: Pick<GitBranch, 'open'> | undefined
  /** The target that every publish goes to: what its own storage has is compared, whatever site shows it. */
  readonly forced: string | undefined
  readonly clock: Clock
  readonly log: Logger
}): Answers {
  const {
    origins,
    scope,
    outbound,
    snapshots,
    adapter,
    adapterSiteId,
    contentPath,
    remote,
    forced,
    clock,
    log,
  } = context

  const atSite = async (id: DraftId, origin: string): Promise<FoundBaseline> => {
    const { status, bytes, json, headers } = await outbound.fetch(`${origin}/api/editor/pages`, {
      ...siteLimits,
      repeats: true,
      allowOrigins: [origin],
    })
    if (status >= 300) throw new Error(`the site answered ${status}`)
    const load = async (): Promise<Baseline> => {
      const content = json(deepestContent, parseExactly)
      const other = otherSiteIn(content, id, scope)
      return other === undefined
        ? { content: toBaseline(content, 'outside'), tag: headers['etag'] }
        : { content: undefined, otherSite: isOther(origin, other, id) }
    }
    return { version: hash('sha256', bytes), tag: headers['etag'], load }
  }

  const inAdapter = async (of: ContentAdapter): Promise<FoundBaseline> => {
    const content = await readContentOf(of)
    const version = hash('sha256', JSON.stringify(content))
    return { version, load: async () => ({ content, storageTag: tagOf(content) }) }
  }

  const inFile = async (path: string): Promise<FoundBaseline> => {
    const { dev, ino, size, ctimeNs, ctimeMs } = await stat(path, { bigint: true })
    const isSettled = clock.now().getTime() - Number(ctimeMs) > clockStepMs
    const load = async () => {
      const text = await readFile(path, 'utf8')
      return { content: readContentText(text), storageTag: hash('sha256', text) }
    }
    return { version: isSettled ? [dev, ino, size, ctimeNs].join(' ') : undefined, load }
  }

  const onBranch = async (of: Pick<GitBranch, 'open'>): Promise<FoundBaseline> => {
    const { version, text } = await of.open()
    return { version, load: async () => ({ content: readContentText(await text()), storageTag: version }) }
  }

  const inSnapshot = async ({ siteId }: DraftId): Promise<FoundBaseline> => {
    const commit = await snapshots.newestCommit({ siteId })
    const load = async (): Promise<Baseline> => {
      const newest = await snapshots.newest({ siteId })
      // The header is unknown here, so a first site config is a change in the diff.
      return { content: newest && { ...newest, siteConfig: newest.siteConfig ?? {} } }
    }
    return { version: commit, load }
  }

  const sourceOf = async (id: DraftId, named: string | undefined): Promise<PublishedSource> => {
    const registered = await origins.registered(id)
    const at = (origin: string): PublishedSource => ({
      name: sourceNames.at(origin),
      isOwn: true,
      isShared: true,
      read: () => atSite(id, origin),
    })
    const own: PublishedSource | undefined =
      adapter && id.siteId === adapterSiteId
        ? { name: sourceNames.adapter, isOwn: true, read: () => inAdapter(adapter) }
        : undefined
    const file: PublishedSource | undefined =
      contentPath === undefined
        ? undefined
        : { name: 'file', isOwn: true, read: () => (remote ? onBranch(remote) : inFile(contentPath)) }
    const storage = forced === 'git' ? file : forced === 'adapter' ? own : undefined
    if (storage) return storage
    if (named !== undefined)
      return { ...at(named), isOwn: registered === undefined ? undefined : named === registered }
    const first = own ?? file ?? (registered === undefined ? undefined : at(registered))
    return first ?? { name: 'snapshots', isOwn: true, read: () => inSnapshot(id) }
  }

  const choose: Answers['choose'] = async (id, { siteOrigin }) => {
    const { read, ...source } = await sourceOf(id, await origins.named(id, siteOrigin))
    const { name, isOwn } = source
    const unavailable = (err: unknown): Baseline => {
      log.warn({ err, siteId: id.siteId }, 'published content could not be read')
      return { content: undefined }
    }
    const open = async (): Promise<BaselineSource> => {
      try {
        const { version, tag, load } = await read()
        const namedVersion = version && `${name} ${version}`
        const whole = async () => withListedIn(await load())
        return { name, isOwn, version: namedVersion, tag, load: () => whole().catch(unavailable) }
      } catch (err) {
        const nothing = unavailable(err)
        return { name, isOwn, version: undefined, load: async () => nothing }
      }
    }
    return { ...source, open }
  }
  const find: BaselineFinder['find'] = async (...args) => (await choose(...args)).open()

  return { choose, find, read: async (...args) => (await find(...args)).load() }
}

const withListedIn = ({ content, ...rest }: Baseline): Baseline => ({
  ...rest,
  content: content && withListed(content),
})

const isOther = (origin: string, other: string, { siteId }: DraftId): string =>
  `${origin} is the site '${other}', not '${siteId}'. Register '${siteId}' with the address of its own.`
