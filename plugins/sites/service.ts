import type { DraftId, Scope } from '../scope/port.ts'
import type { Reader, Store, Writer } from '../store/port.ts'
import { siteConfigs, type SiteEntry, type Sites, type StoredConfig } from './port.ts'
import { toTitle } from './names.ts'
import { tooManySessions, tooManySites } from './refusals.ts'

/** What the routes need beyond the port. */
export interface SiteRegistry extends Sites {
  /** Merges into the stored config, at its first level; says whether that changed anything. */
  register(id: DraftId, config: StoredConfig): Promise<'registered' | 'unchanged'>
  /** Every site but the default one, with its config in this session or else in any other. */
  list(session: string): Promise<readonly (SiteEntry & { readonly config: StoredConfig })[]>
  /** Removes the configs that `doomed` names; gives their keys and how many are left. */
  remove(
    doomed: (key: string, config: StoredConfig) => boolean,
  ): Promise<{ readonly removed: string[]; readonly remaining: number }>
}

/** What is known of the default site beyond its config. */
export interface OwnSite {
  readonly siteName: string | undefined
  readonly demoContent: boolean
}

type Configs = Reader<StoredConfig, Record<never, never>>

/** Makes the registry of sites: one stored config per site and session, and no other record of a site. */
export function createSites({ store, scope, ownSite, maxSites, maxSessions }: {
  readonly store: Store
  readonly scope: Scope
  readonly ownSite: OwnSite
  readonly maxSites: number
  readonly maxSessions: number
}): SiteRegistry {
  const configs: Configs = store.of(siteConfigs)
  const isOwn = (siteId: string): boolean => siteId === scope.defaultSiteId

  const inSessionOrAny = async ({ siteId, session }: DraftId): Promise<StoredConfig | undefined> =>
    ((await configs.get(siteId, session)) ?? (await configs.list(siteId, { limit: 1 }))[0])?.body

  const toEntry = (siteId: string, config: StoredConfig): SiteEntry => ({
    id: siteId,
    siteName: (isOwn(siteId) ? ownSite.siteName : undefined) ?? (config.name || toTitle(siteId)),
    demoContent: isOwn(siteId) && ownSite.demoContent,
  })

  /** Asked for a key that is not there yet. */
  const refuseTooMany = async (within: Configs, siteId: string): Promise<void> => {
    const sessions = await within.count(siteId)
    if (sessions >= maxSessions) throw tooManySessions(maxSessions)
    if (sessions > 0 || isOwn(siteId)) return
    const known = new Set((await within.everywhere()).map(({ scope }) => scope))
    known.delete(scope.defaultSiteId)
    if (known.size >= maxSites) throw tooManySites(maxSites)
  }

  return {
    async config({ siteId, session }) {
      return (await configs.get(siteId, session))?.body ?? {}
    },
    async previewUrl({ siteId, session }) {
      const here = (await configs.get(siteId, session))?.body.previewUrl
      if (here !== undefined) return here
      return (await configs.list(siteId)).find(({ body }) => body.previewUrl !== undefined)?.body.previewUrl
    },
    async about(id) {
      return toEntry(id.siteId, (await inSessionOrAny(id)) ?? {})
    },
    register: ({ siteId, session }, config) =>
      store.transaction(async (transaction) => {
        const within: Writer<StoredConfig, Record<never, never>> = transaction.of(siteConfigs)
        const stored = await within.get(siteId, session)
        if (!stored) await refuseTooMany(within, siteId)
        const body = { ...stored?.body, ...config }
        if (stored && JSON.stringify(body) === JSON.stringify(stored.body)) return 'unchanged'
        await within.put(siteId, session, { body, columns: {} })
        return 'registered'
      }),
    async list(session) {
      const ids = new Set((await configs.everywhere()).map(({ scope }) => scope))
      ids.delete(scope.defaultSiteId)
      const found = [...ids].map(async (siteId) => {
        const config = await inSessionOrAny({ siteId, session })
        return config && { ...toEntry(siteId, config), config }
      })
      return (await Promise.all(found)).filter((entry) => entry !== undefined)
    },
    remove: (doomed) =>
      store.transaction(async (transaction) => {
        const within = transaction.of(siteConfigs)
        const rows = await within.everywhere()
        const removed: string[] = []
        for (const { scope: siteId, key: session } of rows) {
          const key = scope.key({ siteId, session })
          const config = (await within.get(siteId, session))?.body
          if (config && doomed(key, config) && (await within.remove(siteId, session))) removed.push(key)
        }
        return { removed, remaining: rows.length - removed.length }
      }),
  }
}
