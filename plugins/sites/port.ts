import * as v from 'valibot'
import { service } from '../../kernel/index.ts'
import type { ManifestDocument } from '../content/manifest.ts'
import { SiteConfig } from '../content/page.ts'
import { defineCollection, type Store, type Transaction } from '../store/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Guidance } from './guidance.ts'

export { guidanceOf, withoutGuidance, type Guidance } from './guidance.ts'
export { registrationTooLarge } from './refusals.ts'
export { isSiteId, siteIdRule, toSiteId, toTitle } from './site-id.ts'
export { otherSiteIn, ownHosts, registeredOrigin } from './site-origin.ts'

/** The registration of a site in one session. It is not published. */
export const RegisteredSite = v.looseObject({
  ...SiteConfig.entries,
  previewUrl: v.optional(v.string()),
  port: v.optional(v.number()),
  ownPages: v.pipe(
    v.optional(v.record(v.string(), v.string())),
    v.description(
      'The addresses of pages that a file of the website makes, not its content, with that file.',
    ),
  ),
  previewUrlChanged: v.pipe(
    v.optional(v.object({ from: v.string(), at: v.string() })),
    v.description('The origin that a later registration replaced by another one, and when.'),
  ),
})
export type RegisteredSite = SiteConfig &
  Readonly<
    Pick<v.InferOutput<typeof RegisteredSite>, 'previewUrl' | 'port' | 'previewUrlChanged' | 'ownPages'>
  >

/** Registrations under (site id, session). */
export const registrations = defineCollection('site_registrations', RegisteredSite, { columns: {} })

/** Facts about the site of the mount, provided by the host. */
export interface HostSite {
  readonly siteName?: string | undefined
  readonly demoContent: boolean
  /** The block types of the site. */
  readonly blocks?: ManifestDocument | undefined
  /** Returns where a draft of the site is shown; without a session, where that is of what is published. */
  readonly addressOf?: ((session: string | undefined) => string) | undefined
}

export const hostSite = service<HostSite>('host.site')

/** The path under which a website mounts the service, provided by the host; empty at the root. */
export const mountPath = service<string>('host.mount-path')

/** What a registration did. */
export interface RegistrationOutcome {
  readonly status: 'registered' | 'unchanged'
  /** True if the site had another draft secret of its own. */
  readonly replacedSecret: boolean
}

export interface SiteEntry {
  /** Normalised site id. */
  readonly id: string
  readonly siteName: string
  readonly demoContent: boolean
}

/** The sites that this installation knows. */
export interface Sites {
  /** Returns the registration of a draft's site in its session; `{}` if there is none. */
  registered(id: DraftId): Promise<RegisteredSite>
  /**
   * Returns the block types that the host or else the registered website of a site declares; `undefined` if
   * there are none. A website is asked again after 10 s, while its last answer is used; `isFresh` waits for
   * it.
   */
  blocks(id: DraftId, mustFetch?: boolean): Promise<ManifestDocument | undefined>
  /** Returns the registered preview address of a site, from this session first, else from any other. */
  previewUrl(id: DraftId): Promise<string | undefined>
  /**
   * Returns the secret that opens drafts on the website of a site: its own, which it has registered, else the
   * shared one of the installation; `undefined` without either.
   */
  draftSecret(siteId: string): Promise<string | undefined>
  /**
   * Merges a config into the registration, shallowly, and stores the draft secret of the site, if one is
   * given; returns whether anything changed, and whether another secret was replaced. Refuses with 429 beyond
   * the limit of registrations.
   */
  register(id: DraftId, config: RegisteredSite, secret?: string): Promise<RegistrationOutcome>
  /** Returns the name and demo flag of a site, registered or not. */
  about(id: DraftId): Promise<SiteEntry>
  /**
   * Lists every site with the config of its draft and its registration, each from this session or else any
   * other. The site of a mount is first; the default site of a standalone server is omitted unless it was
   * registered.
   */
  list(session: string): Promise<readonly (SiteEntry & { readonly config: RegisteredSite })[]>
  /**
   * Prepares to store the editing guidance of a site in the transaction of a change; resolves with a function
   * that stores it and returns the result. Refuses with 429 beyond the limit of registrations.
   */
  guide(tx: Transaction, id: DraftId, guidance: Guidance): Promise<() => Promise<Guidance>>
  /** Returns the stored site config of a draft, as the store or a transaction has it. */
  draftConfig(from: Pick<Store, 'of'>, id: DraftId): Promise<SiteConfig | undefined>
  /** Stores the site config of a draft in the transaction of its change; only the draft calls it. */
  saveDraftConfig(tx: Transaction, id: DraftId, config: SiteConfig): Promise<void>
}

export const sites = service<Sites>('sites')
