import * as v from 'valibot'
import { type Clock, defineRefusal, type Logger, pace, withLoopbackTwin } from '../../kernel/index.ts'
import { SiteConfig } from '../content/page.ts'
import { toOrigin } from '../outbound/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import { defineCollection, type Reader, type Store } from '../store/port.ts'
import { guidanceOf } from './guidance.ts'
import { type HostSite, type RegisteredSite, registrations, type SiteEntry, type Sites } from './port.ts'
import type { Registration } from './schemas.ts'
import { toTitle } from './site-id.ts'
import { registrationTooLarge, tooManySessions, tooManySites } from './refusals.ts'

/** The functions of the routes beyond the port. */
export interface SiteRegistry extends Sites {
  /** Whether this process knows a site that registered this origin; false in production. */
  isRegisteredOrigin(origin: string): boolean
  /** Removes registrations that match `doomed`, with draft configs; returns keys and the remaining count. */
  remove(
    doomed: (key: string, registered: RegisteredSite) => boolean,
  ): Promise<{ readonly removed: string[]; readonly remaining: number }>
}

type RowReader<T> = Reader<T, Record<never, never>>

/** Site configs of drafts, under (site id, session). */
const siteConfigs = defineCollection('site_configs', v.looseObject(SiteConfig.entries), { columns: {} })

/** Creates the registry of sites. Registrations do not change drafts. */
export async function createSites({
  store,
  scope,
  clock,
  log,
  ownSite,
  production,
  maxRegistrationBytes,
  maxSites,
  maxSessions,
}: {
  readonly store: Store
  readonly scope: Scope
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  /** Facts about the default site, and whether it is the website that mounts the orchestrator. */
  readonly ownSite: HostSite & { readonly isHost: boolean }
  readonly production: boolean
  readonly maxRegistrationBytes: number
  readonly maxSites: number
  readonly maxSessions: number
}): Promise<Omit<SiteRegistry, 'blocks'>> {
  const known: RowReader<RegisteredSite> = store.of(registrations)
  const configs: RowReader<SiteConfig> = store.of(siteConfigs)
  const isOwn = (siteId: string): boolean => siteId === scope.defaultSiteId

  const inSessionOrAny = async <T>(
    kept: RowReader<T>,
    { siteId, session }: DraftId,
  ): Promise<T | undefined> =>
    ((await kept.get(siteId, session)) ?? (await kept.list(siteId, { limit: 1 }))[0])?.body

  const allOf = async (id: DraftId): Promise<RegisteredSite> => ({
    ...(await inSessionOrAny(configs, id)),
    ...(await inSessionOrAny(known, id)),
  })

  const toEntry = (siteId: string, { name }: RegisteredSite): SiteEntry => ({
    id: siteId,
    siteName: (isOwn(siteId) ? ownSite.siteName : undefined) ?? (name || toTitle(siteId)),
    demoContent: isOwn(siteId) && ownSite.demoContent,
  })

  const previewUrlIn = async (
    kept: RowReader<RegisteredSite>,
    { siteId, session }: DraftId,
  ): Promise<string | undefined> => {
    const here = (await kept.get(siteId, session))?.body.previewUrl
    if (here !== undefined) return here
    return (await kept.list(siteId)).find(({ body }) => body.previewUrl !== undefined)?.body.previewUrl
  }

  /** Refuses a new key beyond the limits. */
  const refuseTooMany = async (within: RowReader<RegisteredSite>, siteId: string): Promise<void> => {
    const sessions = await within.count(siteId)
    if (sessions >= maxSessions) throw tooManySessions(maxSessions)
    if (sessions > 0 || isOwn(siteId)) return
    const ids = new Set((await within.everywhere()).map(({ scope }) => scope))
    ids.delete(scope.defaultSiteId)
    if (ids.size >= maxSites) throw tooManySites(maxSites)
  }

  const fitting = (body: RegisteredSite): RegisteredSite => {
    if (Buffer.byteLength(JSON.stringify(body)) > maxRegistrationBytes)
      throw registrationTooLarge(maxRegistrationBytes)
    return body
  }

  /** The origins of all registrations, under both names of the loopback address. */
  let origins = new Set<string>()
  const noteOrigin = ({ previewUrl }: RegisteredSite): void => {
    const origin = production || previewUrl === undefined ? undefined : toOrigin(previewUrl)
    for (const name of origin === undefined ? [] : withLoopbackTwin(origin)) origins.add(name)
  }
  const readOrigins = async (): Promise<void> => {
    if (production) return
    origins = new Set()
    const ids = new Set((await known.everywhere()).map(({ scope }) => scope))
    for (const siteId of ids) {
      await pace()
      for (const { body } of await known.list(siteId)) noteOrigin(body)
    }
  }
  await readOrigins()

  return {
    draftConfig: async (from, { siteId, session }) => (await from.of(siteConfigs).get(siteId, session))?.body,
    async saveDraftConfig(tx, { siteId, session }, config) {
      await tx.of(siteConfigs).put(siteId, session, { body: config, columns: {} })
    },
    isRegisteredOrigin: (origin) => origins.has(origin),
    async registered({ siteId, session }) {
      return (await known.get(siteId, session))?.body ?? {}
    },
    previewUrl: (id) => previewUrlIn(known, id),
    async about(id) {
      return toEntry(id.siteId, await allOf(id))
    },
    async guide(tx, { siteId, session }, guidance) {
      const within = tx.of(registrations)
      const stored = await within.get(siteId, session)
      const isNews = Object.keys(guidance).length > 0
      if (isNews && !stored) await refuseTooMany(within, siteId)
      const merged = { ...stored?.body, ...guidance }
      const body = isNews ? fitting(merged) : merged
      return async () => {
        if (isNews) await within.put(siteId, session, { body, columns: {} })
        return guidanceOf(body)
      }
    },
    async register(id, config) {
      const { siteId, session } = id
      const { status, moved } = await store.transaction(async (transaction) => {
        const within = transaction.of(registrations)
        const stored = await within.get(siteId, session)
        if (!stored) await refuseTooMany(within, siteId)
        const { previewUrl } = config
        const known = previewUrl === undefined ? undefined : await previewUrlIn(within, id)
        const moved =
          previewUrl !== undefined && known !== undefined ? movedFrom(known, previewUrl) : undefined
        const change = moved && { previewUrlChanged: { from: moved.from, at: clock.now().toISOString() } }
        const body = fitting({ ...stored?.body, ...config, ...change })
        if (stored && JSON.stringify(body) === JSON.stringify(stored.body))
          return { status: 'unchanged' } as const
        await within.put(siteId, session, { body, columns: {} })
        return { status: 'registered', moved } as const
      })
      if (moved) {
        log.warn({ siteId, session, ...moved }, 'a registration changed the origin of a known site')
        await readOrigins()
      }
      noteOrigin(config)
      return status
    },
    async list(session) {
      const kept = [...(await known.everywhere()), ...(await configs.everywhere())].map(({ scope }) => scope)
      const ids = new Set(
        ownSite.isHost ? [scope.defaultSiteId, ...kept] : kept.filter((siteId) => !isOwn(siteId)),
      )
      return Promise.all(
        [...ids].map(async (siteId) => {
          const config = await allOf({ siteId, session })
          return { ...toEntry(siteId, config), config }
        }),
      )
    },
    async remove(doomed) {
      const answer = await store.transaction(async (transaction) => {
        const [registered, drafted] = [transaction.of(registrations), transaction.of(siteConfigs)]
        const rows = [...(await registered.everywhere()), ...(await drafted.everywhere())]
        const ids = new Map(
          rows.map(({ scope: siteId, key: session }) => [
            scope.key({ siteId, session }),
            { siteId, session },
          ]),
        )
        const removed: string[] = []
        for (const [key, { siteId, session }] of ids) {
          await pace()
          if (!doomed(key, (await registered.get(siteId, session))?.body ?? {})) continue
          await registered.remove(siteId, session)
          await drafted.remove(siteId, session)
          removed.push(key)
        }
        return { removed, remaining: ids.size - removed.length }
      })
      await readOrigins()
      return answer
    },
  }
}

/** Returns the two origins if they differ; both names of the loopback address are equal. */
function movedFrom(
  before: string,
  after: string,
): { readonly from: string; readonly to: string } | undefined {
  const [from, to] = [new URL(before).origin, new URL(after).origin]
  return withLoopbackTwin(from).includes(to) ? undefined : { from, to }
}

/**
 * Returns the changes of a registration; a field without a value changes nothing.
 *
 * Refuses an address that is not http or https with 400, because browsers open it later; also an invalid
 * port.
 */
export function toConfig({ name, previewUrl, port, purpose, config }: Registration): RegisteredSite {
  if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
    throw invalid('port must be a whole number from 1 to 65535')
  }
  const address = previewUrl?.trim() || (port === undefined ? undefined : `http://localhost:${port}`)
  if (address !== undefined && !isWebAddress(address)) {
    throw invalid('previewUrl must be an http or https address, such as http://localhost:3000')
  }
  return {
    ...config,
    name,
    ...(address !== undefined && { previewUrl: address }),
    ...(port !== undefined && { port }),
    ...(purpose && { purpose }),
  }
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}

const invalid = defineRefusal({ status: 400, code: 'invalid_request', reason: (why: string) => why })
