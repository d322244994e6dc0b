import * as v from 'valibot'
import { type Logger, paced, withLoopbackTwin } from '../../kernel/index.ts'
import { SiteConfig } from '../content/page.ts'
import { toOrigin } from '../outbound/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import { createDraftSecrets, type DraftSecrets } from './draft-secrets.ts'
import { defineCollection, type Reader, type Store, type Transaction } from '../store/port.ts'
import { type HostSite, type RegisteredSite, registrations, type SiteEntry, type Sites } from './port.ts'
import { createRegistrar, type RegistrarOptions, type RegistrationReader } from './registration.ts'
import { toTitle } from './site-id.ts'
import { previewUrlIn } from './site-origin.ts'

type IsDoomed = (key: string, registered: RegisteredSite) => boolean

/** The functions of the routes beyond the port. */
export interface SiteRegistry extends Sites {
  /** The sites with this registered origin that this process knows; none in production. */
  sitesAt(origin: string): ReadonlySet<string> | undefined
  /** Removes registrations that match, with draft configs; returns keys and the remaining count. */
  remove(isDoomed: IsDoomed): Promise<{ readonly removed: string[]; readonly remaining: number }>
}

/** Site configs of drafts, under (site id, session). */
export const siteConfigs = defineCollection('site_configs', v.looseObject(SiteConfig.entries), {
  columns: {},
})

/** Creates the registry of sites. Registrations do not change drafts. */
export async function createSites({
  store,
  scope,
  log,
  ownSite,
  production,
  sharedSecret,
  ...limits
}: Omit<RegistrarOptions, 'defaultSiteId'> & {
  readonly store: Store
  readonly scope: Scope
  readonly log: Pick<Logger, 'warn'>
  /** Facts about the default site, and whether it is the website that mounts the orchestrator. */
  readonly ownSite: HostSite & { readonly isHost: boolean }
  readonly production: boolean
  /** The draft secret of sites that have registered none. */
  readonly sharedSecret: string | undefined
}): Promise<Omit<SiteRegistry, 'blocks'>> {
  const registrationReader = store.of(registrations)
  const configs = store.of(siteConfigs)
  const registrar = createRegistrar({ ...limits, defaultSiteId: scope.defaultSiteId })
  const origins = createOrigins(registrationReader, production)
  const secrets = createDraftSecrets(store, sharedSecret)
  const isOwn = (siteId: string): boolean => siteId === scope.defaultSiteId

  const toEntry = (siteId: string, { name }: RegisteredSite): SiteEntry => ({
    id: siteId,
    siteName: (isOwn(siteId) ? ownSite.siteName : undefined) ?? (name || toTitle(siteId)),
    demoContent: isOwn(siteId) && ownSite.demoContent,
  })
  /** Where a host shows its own site, which comes before what was registered. */
  const shownAt = ({ siteId, session }: DraftId) =>
    isOwn(siteId) && ownSite.addressOf
      ? { previewUrl: ownSite.addressOf(session), publishedUrl: ownSite.addressOf(undefined) }
      : {}
  const configOf = async (id: DraftId): Promise<RegisteredSite> => ({
    ...(await inSessionOrAny(configs, id)),
    ...(await inSessionOrAny(registrationReader, id)),
  })

  await origins.read()
  return {
    sitesAt: origins.sitesAt,
    draftConfig: async (from, { siteId, session }) => (await from.of(siteConfigs).get(siteId, session))?.body,
    async saveDraftConfig(tx, { siteId, session }, config) {
      await tx.of(siteConfigs).put(siteId, session, { body: config, columns: {} })
    },
    registered: async ({ siteId, session }) => (await registrationReader.get(siteId, session))?.body ?? {},
    previewUrl: async (id) => shownAt(id).previewUrl ?? (await previewUrlIn(registrationReader, id)),
    about: async (id) => toEntry(id.siteId, await configOf(id)),
    guide: registrar.guide,
    draftSecret: secrets.of,
    async register(id, config, secret) {
      const changeSecret = await secrets.change(id.siteId, secret)
      const [{ status, moved }, change] = await store.transaction(async (tx) => [
        await registrar.save(tx, id, config),
        await changeSecret(tx),
      ])
      const replacedSecret = change === 'replaced'
      if (replacedSecret) log.warn(id, 'a registration changed the draft secret of a known site')
      if (moved) {
        // The service itself decides where its own website is shown.
        if (shownAt(id).previewUrl === undefined)
          log.warn({ ...id, ...moved }, 'a registration changed the origin of a known site')
        await origins.read()
      }
      origins.add(id.siteId, config)
      return { status: change === 'none' ? status : 'registered', replacedSecret }
    },
    async list(session) {
      const siteIds = [...(await registrationReader.everywhere()), ...(await configs.everywhere())].map(
        ({ scope }) => scope,
      )
      const isListed = ownSite.isHost || (await isRegistered(registrationReader, scope.defaultSiteId))
      const ids = new Set([
        ...(ownSite.isHost ? [scope.defaultSiteId] : []),
        ...siteIds.filter((siteId) => isListed || !isOwn(siteId)),
      ])
      return Promise.all(
        [...ids].map(async (siteId) => {
          const config = await configOf({ siteId, session })
          return { ...toEntry(siteId, config), config: { ...config, ...shownAt({ siteId, session }) } }
        }),
      )
    },
    async remove(isDoomed) {
      const answer = await store.transaction((tx) => removeFrom(tx, { scope, secrets }, isDoomed))
      await origins.read()
      return answer
    },
  }
}

/** Whether a site was registered, and not only given guidance for editing: a registration has a name. */
const isRegistered = async (reader: RegistrationReader, siteId: string): Promise<boolean> =>
  (await reader.list(siteId)).some(({ body }) => body.name !== undefined)

async function inSessionOrAny<T>(
  reader: Reader<T, Record<never, never>>,
  { siteId, session }: DraftId,
): Promise<T | undefined> {
  return ((await reader.get(siteId, session)) ?? (await reader.list(siteId, { limit: 1 }))[0])?.body
}

async function removeFrom(
  tx: Transaction,
  { scope, secrets }: { readonly scope: Scope; readonly secrets: DraftSecrets },
  isDoomed: IsDoomed,
) {
  const [registered, drafted] = [tx.of(registrations), tx.of(siteConfigs)]
  const rows = [...(await registered.everywhere()), ...(await drafted.everywhere())]
  const ids = new Map(
    rows.map(({ scope: siteId, key: session }) => [scope.key({ siteId, session }), { siteId, session }]),
  )
  const removed: string[] = []
  for await (const [key, { siteId, session }] of paced(ids)) {
    if (!isDoomed(key, (await registered.get(siteId, session))?.body ?? {})) continue
    await registered.remove(siteId, session)
    await drafted.remove(siteId, session)
    if ((await registered.count(siteId)) === 0) await secrets.forget(tx, siteId)
    removed.push(key)
  }
  return { removed, remaining: ids.size - removed.length }
}

/**
 * Creates the map of all registered origins, under both names of the loopback address; empty in production.
 */
function createOrigins(reader: RegistrationReader, production: boolean) {
  let origins = new Map<string, Set<string>>()
  const add = (siteId: string, { previewUrl }: RegisteredSite): void => {
    const origin = production || previewUrl === undefined ? undefined : toOrigin(previewUrl)
    for (const name of origin === undefined ? [] : withLoopbackTwin(origin)) {
      const sites = origins.get(name) ?? new Set()
      origins.set(name, sites.add(siteId))
    }
  }
  return {
    sitesAt: (origin: string): ReadonlySet<string> | undefined => origins.get(origin),
    add,
    /** Reads the stored registrations again. */
    async read(): Promise<void> {
      if (production) return
      origins = new Map()
      const ids = new Set((await reader.everywhere()).map(({ scope }) => scope))
      for await (const siteId of paced(ids)) {
        for (const { body } of await reader.list(siteId)) add(siteId, body)
      }
    },
  }
}
