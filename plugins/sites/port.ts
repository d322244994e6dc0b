import * as v from 'valibot'
import { service } from '../../kernel/index.ts'
import { SiteConfig } from '../content/page.ts'
import { defineCollection } from '../store/port.ts'
import type { DraftId } from '../scope/port.ts'

/** What is stored of a site in one session: its config, and what registration adds to it. */
export const StoredConfig = v.looseObject({ ...SiteConfig.entries, previewUrl: v.optional(v.string()), port: v.optional(v.number()) })
export type StoredConfig = SiteConfig & Readonly<{ previewUrl?: string | undefined; port?: number | undefined }>

/** Site configs under (site id, session). A registration writes them directly, a change of the draft in its own transaction. */
export const siteConfigs = defineCollection('site_configs', StoredConfig, { columns: {} })

/** Facts about the site that the mount itself belongs to, handed in by the host. */
export interface HostSite {
  readonly siteName?: string | undefined
  readonly demoContent: boolean
}

export const hostSite = service<HostSite>('host.site')

export interface SiteEntry {
  /** Normalised site id. */
  readonly id: string
  readonly siteName: string
  readonly demoContent: boolean
}

/** The sites that this installation knows. */
export interface Sites {
  /** The stored config of a draft's site; `{}` when there is none. */
  config(id: DraftId): Promise<StoredConfig>
  /** The address that a site registered for its previews, looked up in this session first, then in any other of the site. */
  previewUrl(id: DraftId): Promise<string | undefined>
  /** Name and demo flag of a site, registered or not. */
  about(id: DraftId): Promise<SiteEntry>
}

export const sites = service<Sites>('sites')
