import * as v from 'valibot'
import { type Clock, defineRefusal, findJsonProblem, type Logger, Lru, Refusal } from '../../kernel/index.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import { SiteConfig } from '../content/page.ts'
import type { Outbound } from '../outbound/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import { otherSiteIn, registeredOrigin, type Sites } from '../sites/port.ts'
import { type BootstrapLimits, readIncoming } from './bootstrap.ts'
import { scopeOf } from './collections.ts'
import type { Drafts } from './port.ts'

/** Drafts as they are, without this filling: what it uses itself. */
type Unfilled = Pick<Drafts, 'head' | 'commit'>

/** Where the content of a site comes from. */
interface Source {
  /** Its name in a notice: an origin, or the adapter. */
  readonly place: string
  read(): Promise<unknown>
}

/** An attempt that brought no site config, after which the next one waits. */
interface Failure {
  readonly place: string
  readonly reason: string
  /** `{}` where the site has none. */
  readonly found: SiteConfig | undefined
  readonly until: number
  readonly wait: number
}

const firstWait = 5_000
const longestWait = 5 * 60_000
const rememberedFailures = 10_000
/** What a site sends is trusted no more than what a client sends. */
const siteJson = { depth: 64, values: 1_000_000 }
const siteTimes = { timeoutMs: 8_000, maxBytes: 10 * 1024 * 1024, types: ['application/json'] }

/** Says why the content of a site is not used; nothing of what the site answered is repeated, but for the id that it gives itself. */
const unusable = defineRefusal({ status: 502, code: 'site_content_unusable', reason: (why: string) => why })

/**
 * Fills empty drafts from their own site before the first read or change.
 *
 * One fetch at a time per draft, which all waiting requests share; after a failure the next one waits, from five
 * seconds to five minutes, unless the site has registered another address. A failure is logged, and clients get
 * the reason in a notice.
 */
export function createFilling({ adapter, scope, sites, outbound, production, origin, clock, log, limits }: {
  /** Gives the content of the default site. */
  readonly adapter: ContentAdapter | undefined
  readonly scope: Pick<Scope, 'defaultSiteId' | 'siteId'>
  readonly sites: Pick<Sites, 'previewUrl'>
  readonly outbound: Outbound | undefined
  readonly production: boolean
  /** Where drafts of the default site find their content while it has registered no address. */
  readonly origin: string | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly limits: Pick<BootstrapLimits, 'maxPageBytes'>
}) {
  const running = new Map<string, Promise<unknown>>()
  const failed = new Lru<string, Failure>(rememberedFailures)

  const fromAdapter = (id: DraftId): boolean => adapter !== undefined && id.siteId === scope.defaultSiteId

  const sourceOf = async (id: DraftId): Promise<Source | undefined> => {
    if (adapter && fromAdapter(id)) return { place: 'the content adapter', read: () => adapter.readContent() }
    if (!outbound) return undefined
    const registered = await registeredOrigin(id, { sites, outbound, production })
    const usual = id.siteId === scope.defaultSiteId ? origin : undefined
    const place = registered ?? usual
    if (place === undefined) return undefined
    const address = `${place}/api/editor/pages?siteId=${encodeURIComponent(id.siteId)}`
    const request = { ...siteTimes, ...(registered !== undefined && { allowOrigins: [registered] }) }
    return {
      place,
      async read() {
        const answer = await outbound.fetch(address, request)
        if (answer.status >= 300) throw unusable('It answered with an error. Check that it serves /api/editor/pages.')
        const content = answer.json()
        const problem = findJsonProblem(content, siteJson)
        if (problem !== undefined) throw unusable(`Its answer is not accepted: ${problem}.`)
        const other = otherSiteIn(content, id, scope)
        if (other === undefined) return content
        const remedy = `Register '${id.siteId}' with the address of its own.`
        throw unusable(`It is the site '${other}', not '${id.siteId}'. ${remedy}`)
      },
    }
  }

  /** Brings what the draft lacks, in one change: pages and site config, or the config alone; gives the config. */
  const fill = async (id: DraftId, drafts: Unfilled, source: Source): Promise<SiteConfig | undefined> => {
    // Asked before the site is: changes by others meanwhile are not overwritten.
    const { version: expect, isUnfilled } = await drafts.head(id)
    const content = await source.read()
    const values = siteConfigIn(content)
    const { pages, count } = isUnfilled ? readIncoming(pagesIn(content), limits) : noPages
    if (isUnfilled && pages.size === 0) throw unusable('It has no usable page.')
    const edit = {
      kind: 'pages',
      pages,
      ...(values && { siteConfig: { values, overwrite: false } }),
      source: 'bootstrap',
      summary: isUnfilled ? `Loaded ${count} pages from the site` : 'Loaded the site settings from the site',
      undo: 'none',
    } as const
    await drafts
      .commit({ id, edit, actor: { kind: 'system' }, channel: 'site', expect }, () => undefined)
      .catch((error: unknown) => {
        if (!(error instanceof Refusal && error.code === 'version_mismatch')) throw error
      })
    return values
  }

  /** Runs what reads the site config of a source, unless that failed or found none a short time ago. A failure is logged and remembered. */
  const attempt = async (
    id: DraftId,
    { place }: Source,
    work: () => Promise<SiteConfig | undefined>,
  ): Promise<SiteConfig | undefined> => {
    const key = scopeOf(id)
    const earlier = failed.get(key)
    const before = earlier?.place === place ? earlier : undefined
    if (before && before.until > clock.now().getTime()) return before.found
    const wait = before ? Math.min(longestWait, before.wait * 2) : firstWait
    const waitFor = (reason: string, found?: SiteConfig): void =>
      failed.set(key, { place, reason, found, until: clock.now().getTime() + wait, wait })
    try {
      const found = await work()
      if (found && Object.keys(found).length > 0) failed.delete(key)
      else waitFor('It has no site config.', found)
      return found
    } catch (err) {
      waitFor(err instanceof Refusal ? err.reason : 'The log of the service says why.')
      log.warn({ err, siteId: id.siteId, nextInSeconds: wait / 1000 }, 'draft could not be filled from its site')
      return undefined
    }
  }

  return {
    /** Fills a draft that lacks pages or a site config, where there is something to fill it from; `adapter` asks no site over the network. */
    async ensure(id: DraftId, drafts: Unfilled, from: 'anywhere' | 'adapter'): Promise<unknown> {
      if (from === 'adapter' && !fromAdapter(id)) return
      const key = scopeOf(id)
      const under = running.get(key)
      if (under) return under
      const work = sourceOf(id).then((source) => source && attempt(id, source, () => fill(id, drafts, source)))
      running.set(key, work)
      return work.finally(() => running.delete(key))
    },
    /** The config that the site of a draft has now; `{}` where it has none, `undefined` where it cannot be asked or gives one that cannot be read. */
    async siteConfig(id: DraftId): Promise<SiteConfig | undefined> {
      const source = await sourceOf(id)
      return source && attempt(id, source, async () => siteConfigIn(await source.read()))
    },
    /** Why a draft that was never filled is empty; `undefined` before its site was asked. */
    async notice(id: DraftId): Promise<string | undefined> {
      const source = await sourceOf(id)
      if (!source) return nowhere(id)
      const last = failed.get(scopeOf(id))
      return last?.place === source.place ? `This draft is empty, because it could not be filled from ${last.place}. ${last.reason}` : undefined
    },
  }
}

const noPages = { pages: new Map(), count: 0 }

const nowhere = ({ siteId }: DraftId): string =>
  `This draft is empty, because no address of the site '${siteId}' is known that may be called. Register its previewUrl, ` +
  'in production one of ORCHESTRATOR_CORS_ORIGINS, or send its pages to POST /draft/bootstrap.'

/** The pages of a site's answer, which is an object with `pages` or the bare array. */
function pagesIn(answer: unknown): readonly unknown[] {
  const pages = typeof answer === 'object' && answer !== null && 'pages' in answer ? answer.pages : answer
  return Array.isArray(pages) ? pages : []
}

const WithConfig = v.object({ siteConfig: v.nullish(v.looseObject(SiteConfig.entries)) })

/** The site config of a site's answer, `{}` where it has none; `undefined` for one that cannot be read, which the site keeps. */
function siteConfigIn(answer: unknown): SiteConfig | undefined {
  if (Array.isArray(answer)) return {}
  const parsed = v.safeParse(WithConfig, answer)
  return parsed.success ? (parsed.output.siteConfig ?? {}) : undefined
}

export type Filling = ReturnType<typeof createFilling>

const withoutSlash = (text: string): string => text.trim().replace(/(?<!\/)\/+$/, '')
const isOrigin = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text)

/** One origin, such as `https://www.example.com`. */
export const origins = v.pipe(v.string(), v.transform(withoutSlash), v.check(isOrigin, 'must be an http or https origin'))

/**
 * The site that drafts of the default site are filled from: the one that is named for it, else the first configured origin that is not an editor.
 * Editors are known by the word in their name, or by the port that they are developed on.
 */
export function siteOriginOf(env: { readonly AUTO_BOOTSTRAP_SITE_ORIGIN?: string | undefined; readonly ORCHESTRATOR_CORS_ORIGINS?: string | undefined }): string | undefined {
  const listed = (env.ORCHESTRATOR_CORS_ORIGINS ?? '').split(',').map(withoutSlash).filter(isOrigin)
  return env.AUTO_BOOTSTRAP_SITE_ORIGIN ?? listed.find((origin) => !origin.includes('editor') && !origin.includes('4100'))
}
