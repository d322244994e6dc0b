import * as v from 'valibot'
import { atMost, type Clock, defineRefusal, type Logger, LRUCache, Refusal } from '../../kernel/index.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import { SiteConfig } from '../content/page.ts'
import { settingsInDraftForm } from '../content/settings-form.ts'
import { isPlainObject } from '../content/plain-object.ts'
import { parseExactly } from '../content/numbers.ts'
import { deepestContent, namesOf, type Origin, problemAround, Unreadable } from '../content/read-pages.ts'
import { withListed, withSettledRedirects } from '../content/redirects.ts'
import type { Outbound } from '../outbound/port.ts'
import { type DraftId, draftKey, type Scope } from '../scope/port.ts'
import { otherSiteIn, registeredOrigin, type Sites } from '../sites/port.ts'
import { readIncoming } from './bootstrap.ts'
import { type Limits } from './collections.ts'
import type { Companion, Drafts, LinkedSite } from './port.ts'

/** The part of the drafts service that seeding uses; it must not fill a draft itself. */
type Unfilled = Pick<Drafts, 'head' | 'commit'>

/** The source of the content of a site. */
interface ContentSource {
  /** Its name in a notice: an origin, or the adapter. */
  readonly name: string
  readonly from: Origin
  /** Absent for the adapter. */
  readonly origin?: string
  /** Names the branch of the content, where it has some. */
  readonly branch?: (() => Promise<string | undefined>) | undefined
  read(): Promise<unknown>
}

/** An attempt that found no pages or no site config; the next attempt is delayed. */
interface Failure {
  readonly source: string
  /** `undefined` if the site answered as it should. */
  readonly reason: string | undefined
  /** `{}` if the site has none. */
  readonly found: SiteConfig | undefined
  readonly untilMs: number
  readonly waitMs: number
}

const firstWaitMs = 5_000
const longestWaitMs = 5 * 60_000
/** A server that does not run refuses sooner. */
const quickMs = 1_000
const maxFailures = 10_000
/** The maximum number of omitted pages in the log. */
const mostLogged = 10
const siteLimits = { timeoutMs: 8_000, maxBytes: 10 * 1024 * 1024, types: ['application/json'] }

/** The reason why content is not used; repeats only the site id from the response of another server. */
const unusable = defineRefusal({ status: 502, code: 'site_content_unusable', reason: (why: string) => why })

interface SourceContext {
  /** Returns the content of the default site. */
  readonly adapter: (Pick<ContentSource, 'branch'> & Pick<ContentAdapter, 'readContent'>) | undefined
  readonly scope: Pick<Scope, 'defaultSiteId' | 'siteId'>
  readonly sites: Pick<Sites, 'previewUrl'>
  readonly outbound: Outbound | undefined
  readonly production: boolean
  /** The source for drafts of the default site until it registers an address. */
  readonly origin: string | undefined
}

interface SeedingContext extends SourceContext {
  readonly clock: Clock
  readonly log: Logger
  readonly limits: Limits
  readonly site: Pick<LinkedSite, 'noteFill'>
}

/** Finds the source of the content of a draft's site. */
function createSources({ adapter, scope, sites, outbound, production, origin }: SourceContext) {
  const isAdapter = (id: DraftId): boolean => adapter !== undefined && id.siteId === scope.defaultSiteId

  const readSite = async (outbound: Outbound, siteOrigin: string, id: DraftId, isRegistered: boolean) => {
    const address = `${siteOrigin}/api/editor/pages?siteId=${encodeURIComponent(id.siteId)}`
    const request = { ...siteLimits, ...(isRegistered && { allowOrigins: [siteOrigin] }) }
    const answer = await outbound.fetch(address, request)
    if (answer.status >= 300)
      throw unusable('It answered with an error. Check that it serves /api/editor/pages.')
    const content = answer.json(deepestContent, parseExactly)
    const problem = problemAround(content, 'outside')
    if (problem !== undefined) throw unusable(`Its answer is not accepted: ${problem}.`)
    const other = otherSiteIn(content, id, scope)
    if (other === undefined) return content
    const remedy = `Register '${id.siteId}' with the address of its own.`
    throw unusable(`It is the site '${other}', not '${id.siteId}'. ${remedy}`)
  }

  return {
    isAdapter,
    async of(id: DraftId): Promise<ContentSource | undefined> {
      if (adapter && isAdapter(id)) {
        const { branch } = adapter
        return { name: 'the content adapter', from: 'here', branch, read: () => adapter.readContent() }
      }
      if (!outbound) return undefined
      const registered = await registeredOrigin(id, { sites, outbound, production })
      const name = registered ?? (id.siteId === scope.defaultSiteId ? origin : undefined)
      if (name === undefined) return undefined
      const read = () => readSite(outbound, name, id, registered !== undefined)
      return { name, from: 'outside', origin: name, read }
    },
  }
}

/** Adds the missing pages and site config, or only the config, in one change; returns the config. */
async function seed(
  id: DraftId,
  drafts: Unfilled,
  source: ContentSource,
  { log, limits, site }: SeedingContext,
): Promise<SiteConfig | undefined> {
  // Read before the site is called, so that concurrent changes are not overwritten.
  const { version: expect, isUnfilled } = await drafts.head(id)
  const branch = await source.branch?.()
  const content = await source.read()
  const values = siteConfigIn(content)
  const incoming = isUnfilled ? pagesIn(content) : { isList: true, raw: [], listed: [] }
  const { pages, count, refused } = await readIncoming(incoming.raw, limits, {
    wins: 'first',
    from: source.from,
  })
  const leftOut = [...incoming.listed, ...refused]
  if (leftOut.length > 0) {
    const first = leftOut.slice(0, mostLogged)
    log.warn({ siteId: id.siteId, refused: first }, 'unusable pages of the site were omitted')
  }
  if (isUnfilled && pages.size === 0) {
    if (leftOut.length > 0) throw unusable(`It has no usable page: ${namesOf(leftOut)}.`)
    if (!incoming.isList) throw unusable('It lists no pages.')
    return undefined
  }
  const edit = {
    kind: 'pages',
    pages,
    leftOut,
    ...(values && {
      siteConfig: { values: withSettledRedirects(values, () => pages.keys()), overwrite: false },
    }),
    source: 'fill',
    summary: isUnfilled ? `Loaded ${count} pages from the site` : 'Loaded the site settings from the site',
  } as const
  const read = { ...id, branch, origin: source.origin, pageCount: pages.size }
  const also: Companion =
    async (tx) =>
    async ({ previewVersion }) =>
      void (isUnfilled && (await site.noteFill(tx, read, previewVersion)))
  await drafts
    .commit({ id, edit, actor: { kind: 'system' }, channel: 'site', expect, also }, () => undefined)
    .catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'version_mismatch')) throw error
    })
  return values
}

/** Whether nothing runs at the address yet. */
const isDown = (error: unknown): boolean => error instanceof Refusal && error.code === 'upstream_unreachable'

/** Returns a function that runs work, unless that has just failed or found no site config. */
function createAttempts({ clock, log }: Pick<SeedingContext, 'clock' | 'log'>) {
  const failed = new LRUCache<string, Failure>(atMost(maxFailures))
  return {
    lastFailure: (id: DraftId): Failure | undefined => failed.get(draftKey(id)),
    async run(id: DraftId, { name }: ContentSource, work: () => Promise<SiteConfig | undefined>) {
      const key = draftKey(id)
      const earlier = failed.get(key)
      const before = earlier?.source === name ? earlier : undefined
      if (before && before.untilMs > clock.now().getTime()) return before.found
      const began = clock.now().getTime()
      const nextMs = before?.waitMs ? Math.min(longestWaitMs, before.waitMs * 2) : firstWaitMs
      const waitFor = (waitMs: number, reason: string | undefined, found?: SiteConfig): void => {
        failed.set(key, { source: name, reason, found, untilMs: clock.now().getTime() + waitMs, waitMs })
      }
      try {
        const found = await work()
        if (found && Object.keys(found).length > 0) failed.delete(key)
        else waitFor(nextMs, undefined, found)
        return found
      } catch (err) {
        const waitMs = isDown(err) && clock.now().getTime() - began < quickMs ? 0 : nextMs
        waitFor(waitMs, err instanceof Refusal ? err.reason : 'The log of the service says why.')
        const details = { err, siteId: id.siteId, nextInSeconds: waitMs / 1000 }
        if (waitMs > 0 || before === undefined) log.warn(details, 'draft could not be filled from its site')
        return undefined
      }
    },
  }
}

/**
 * Fills empty drafts from their own site before the first read or change.
 *
 * Each draft has one fetch at a time, shared by all waiting requests. After a failure, the next fetch is
 * delayed by five seconds to five minutes, unless the site has registered another address, or was not
 * running: then the next read tries again. Failures are logged, and clients get the reason in a notice.
 */
export function createSeeding(context: SeedingContext) {
  const inFlight = new Map<string, Promise<unknown>>()
  const sources = createSources(context)
  const attempts = createAttempts(context)
  return {
    /** Fills a draft without pages or site config, if it has a source; `adapter` excludes network fetches. */
    async ensure(id: DraftId, drafts: Unfilled, from: 'anywhere' | 'adapter'): Promise<unknown> {
      if (from === 'adapter' && !sources.isAdapter(id)) return
      const key = draftKey(id)
      const running = inFlight.get(key)
      if (running) return running
      const work = sources
        .of(id)
        .then((source) => source && attempts.run(id, source, () => seed(id, drafts, source, context)))
      inFlight.set(key, work)
      return work.finally(() => inFlight.delete(key))
    },
    /** Returns the current config of a draft's site; `{}` for none, `undefined` if it cannot be read. */
    async siteConfig(id: DraftId): Promise<SiteConfig | undefined> {
      const source = await sources.of(id)
      return source && attempts.run(id, source, async () => siteConfigIn(await source.read()))
    },
    /** Returns why a draft that was never filled is empty; `undefined` before its site was called. */
    async notice(id: DraftId): Promise<string | undefined> {
      const source = await sources.of(id)
      if (!source) return nowhere(id)
      const last = attempts.lastFailure(id)
      if (last?.source !== source.name) return undefined
      if (last.reason === undefined) return `This draft is empty, because ${last.source} has no pages yet.`
      return `This draft is empty, because it could not be filled from ${last.source}. ${last.reason}`
    },
    /** Returns whether a draft is empty because its site has no pages. */
    async isSiteEmpty(id: DraftId): Promise<boolean> {
      const [source, last] = [await sources.of(id), attempts.lastFailure(id)]
      return last !== undefined && last.source === source?.name && last.reason === undefined
    },
  }
}

const nowhere = ({ siteId }: DraftId): string =>
  `This draft is empty, because no address of the site '${siteId}' is known that may be called. Register its previewUrl, ` +
  'in production one of ORCHESTRATOR_CORS_ORIGINS, or send its pages to POST /draft/bootstrap.'

const Listed = v.object({ unreadable: v.array(Unreadable) })

/** Returns the pages of a site's answer, and those that the site could not use. */
function pagesIn(answer: unknown) {
  const pages = typeof answer === 'object' && answer !== null && 'pages' in answer ? answer.pages : answer
  const isList = Array.isArray(pages)
  const raw: readonly unknown[] = isList ? pages.filter((page) => page !== null) : []
  return { isList, raw, listed: v.is(Listed, answer) ? answer.unreadable : [] }
}

const Config = v.looseObject(SiteConfig.entries)

/** Returns the site config of a response; `{}` for none, `undefined` for an invalid one, which is ignored. */
function siteConfigIn(answer: unknown): SiteConfig | undefined {
  if (Array.isArray(answer)) return {}
  const config = isPlainObject(answer) ? answer['siteConfig'] : undefined
  const listed = isPlainObject(answer) ? answer['redirects'] : undefined
  const parsed = v.safeParse(v.nullish(Config), settingsInDraftForm(config))
  if (!parsed.success) return undefined
  const redirects = Array.isArray(listed) ? listed.filter(isPlainObject) : undefined
  return withListed({ siteConfig: parsed.output ?? undefined, redirects }).siteConfig ?? {}
}

export type Seeding = ReturnType<typeof createSeeding>

const withoutSlash = (text: string): string => text.trim().replace(/(?<!\/)\/+$/, '')
const isOrigin = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text)

/** One origin, such as `https://www.example.com`. */
export const origins = v.pipe(
  v.string(),
  v.transform(withoutSlash),
  v.check(isOrigin, 'must be an http or https origin'),
)

/**
 * Returns the source for drafts of the default site: the configured one, else the first CORS origin that is
 * not an editor. Editors are recognised by the word `editor` in the origin, or by their development port.
 */
export function siteOriginOf(env: {
  readonly AUTO_BOOTSTRAP_SITE_ORIGIN?: string | undefined
  readonly ORCHESTRATOR_CORS_ORIGINS?: string | undefined
}): string | undefined {
  const listed = (env.ORCHESTRATOR_CORS_ORIGINS ?? '').split(',').map(withoutSlash).filter(isOrigin)
  return (
    env.AUTO_BOOTSTRAP_SITE_ORIGIN ??
    listed.find((origin) => !origin.includes('editor') && !origin.includes('4100'))
  )
}
