import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Clock, Logger } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import { readContentText, toBaseline } from '../content/baseline.ts'
import { parseExactly } from '../content/numbers.ts'
import { deepestContent } from '../content/read-pages.ts'
import { withListed } from '../content/redirects.ts'
import { type Outbound, toOrigin, toOriginSet } from '../outbound/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import { otherSiteIn, registeredOrigin, type Sites } from '../sites/port.ts'
import type { Baseline, BaselineSource, ReadOptions } from './baselines.ts'
import { sourceNames } from './record.ts'
import { siteOriginNotAllowed } from './refusals.ts'

/** A source of published content that is chosen, and not read yet. */
export interface ChosenSource {
  /** What is read, such as `site https://www.example.com`. */
  readonly name: string
  /** Whether it is the site of the draft; `undefined` if that has none but those that are named. */
  readonly isOwn: boolean | undefined
  /** Whether the reads of it are shared. */
  readonly isShared?: boolean
  /** Whether it has what is sent to it exactly. */
  readonly isExact?: boolean | undefined
  open(): Promise<BaselineSource>
}

/** What sources are read with, and which of them there are. */
interface SourceContext {
  readonly origins: SiteOrigins
  readonly scope: Pick<Scope, 'siteId'>
  readonly outbound: Outbound
  readonly snapshots: {
    newestCommit(of: { readonly siteId: string }): Promise<string | undefined>
    newest(of: { readonly siteId: string }): Promise<SiteContent | undefined>
  }
  /** The content of a website in this process, with the tag of a state of it. */
  readonly adapter:
    | {
        read(): Promise<SiteContent>
        tagOf(content: SiteContent): string
        readonly isExact?: boolean | undefined
      }
    | undefined
  readonly adapterSiteId: string
  readonly contentPath: string | undefined
  /** The content file on its branch, as it was last fetched, if it is published by git. */
  readonly remote: { open(): Promise<{ readonly version: string; text(): Promise<string> }> } | undefined
  /** The target that every publish goes to: what its own storage has is compared, whatever site shows it. */
  readonly forced: string | undefined
  readonly clock: Clock
  readonly log: Logger
}

const siteLimits = { timeoutMs: 8_000, maxBytes: 10 * 1024 * 1024, types: ['application/json'] }
/** The mark of a query in JSON, also as an escape. */
const query = /\?|\\u003f/i
/** How long the time stamps of a changed file may hide a further change. */
const clockStepMs = 2_000

export type ChooseSource = (id: DraftId, options: ReadOptions) => Promise<ChosenSource>

/**
 * Creates the function that chooses the source of published content.
 *
 * The first applicable source decides, even if it fails: the baseline is then unavailable, because with
 * another source, existing pages could look removed.
 */
export function createSources(context: SourceContext): ChooseSource {
  const { origins, log } = context
  return async (id, { siteOrigin }) => {
    const source = await sourceOf(context, id, await origins.named(id, siteOrigin))
    const unavailable = (err: unknown): Baseline => {
      log.warn({ err, siteId: id.siteId }, 'published content could not be read')
      return { content: undefined }
    }
    const open = async (): Promise<BaselineSource> => {
      try {
        const { load, ...answer } = await source.open()
        const whole = async () => {
          const { content, ...rest } = await load()
          return { ...rest, content: content && withListed(content) }
        }
        return { ...answer, load: () => whole().catch(unavailable) }
      } catch (err) {
        const nothing = unavailable(err)
        return { version: undefined, load: async () => nothing }
      }
    }
    return { ...source, open }
  }
}

/**
 * Of several sources the first counts: the storage of the only target, a named site, adapter, file,
 * registered site.
 */
async function sourceOf(
  context: SourceContext,
  id: DraftId,
  named: string | undefined,
): Promise<ChosenSource> {
  const { origins, adapter, adapterSiteId, contentPath, remote, forced, clock, snapshots } = context
  const registered = await origins.registered(id)
  const at = (origin: string): ChosenSource => ({
    name: sourceNames.at(origin),
    isOwn: true,
    isShared: true,
    open: () => atSite(context, id, origin),
  })
  const own: ChosenSource | undefined =
    adapter && id.siteId === adapterSiteId
      ? { name: sourceNames.adapter, isOwn: true, isExact: adapter.isExact, open: () => inAdapter(adapter) }
      : undefined
  const file: ChosenSource | undefined =
    contentPath === undefined
      ? undefined
      : { name: 'file', isOwn: true, open: () => (remote ? onBranch(remote) : inFile(contentPath, clock)) }
  const storage = forced === 'git' ? (file ?? own) : forced === 'adapter' ? own : undefined
  if (storage) return storage
  if (named !== undefined)
    return { ...at(named), isOwn: registered === undefined ? undefined : named === registered }
  const first = own ?? file ?? (registered === undefined ? undefined : at(registered))
  return first ?? { name: 'snapshots', isOwn: true, open: () => inSnapshot(snapshots, id) }
}

async function atSite(
  { outbound, scope }: SourceContext,
  id: DraftId,
  origin: string,
): Promise<BaselineSource> {
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
  const mayHaveQueries = query.test(Buffer.from(bytes).toString('latin1'))
  return { version: hash('sha256', bytes), tag: headers['etag'], load, mayHaveQueries }
}

async function inAdapter({ read, tagOf }: NonNullable<SourceContext['adapter']>): Promise<BaselineSource> {
  const content = await read()
  const tag = tagOf(content)
  return { version: tag, load: async () => ({ content, storageTag: tag }) }
}

async function inFile(path: string, clock: Clock): Promise<BaselineSource> {
  const { dev, ino, size, ctimeNs, ctimeMs } = await stat(path, { bigint: true })
  const isSettled = clock.now().getTime() - Number(ctimeMs) > clockStepMs
  const load = async () => {
    const text = await readFile(path, 'utf8')
    return { content: readContentText(text), storageTag: hash('sha256', text) }
  }
  return { version: isSettled ? [dev, ino, size, ctimeNs].join(' ') : undefined, load }
}

async function onBranch(branch: NonNullable<SourceContext['remote']>): Promise<BaselineSource> {
  const { version, text } = await branch.open()
  return { version, load: async () => ({ content: readContentText(await text()), storageTag: version }) }
}

async function inSnapshot(
  snapshots: SourceContext['snapshots'],
  { siteId }: DraftId,
): Promise<BaselineSource> {
  const commit = await snapshots.newestCommit({ siteId })
  const load = async (): Promise<Baseline> => {
    const newest = await snapshots.newest({ siteId })
    // The header is unknown here, so a first site config is a change in the diff.
    return { content: newest && { ...newest, siteConfig: newest.siteConfig ?? {} } }
  }
  return { version: commit, load }
}

const isOther = (origin: string, other: string, { siteId }: DraftId): string =>
  `${origin} is the site '${other}', not '${siteId}'. Register '${siteId}' with the address of its own.`

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
