import * as v from 'valibot'
import { service } from '../../kernel/index.ts'
import type { DraftId } from './draft-id.ts'

export { type DraftId, draftKey } from './draft-id.ts'
export { namedSites, type SiteInput } from './named-sites.ts'
export { type DraftAccess, type Origin, readAccess, signAccess, type Signing } from './signature.ts'

/** The draft that a request names; both parts have a default. */
export interface ScopeRequest {
  readonly siteId?: string | undefined
  readonly session?: string | undefined
}

/**
 * Reads site ids and sessions as clients write them.
 *
 * With 400 `invalid_request`, `siteId` and `draft` refuse texts that are too long or contain control
 * characters, and sessions with `::`, which would name the draft of another site. A session that repeats its
 * own site before the `::` is accepted, because pages generated for older sites send it.
 */
export interface Scope {
  /** The site of a request that names none. */
  readonly defaultSiteId: string
  siteId(raw: string | undefined): string
  draft(request: ScopeRequest): DraftId
  /** Returns a draft's name for clients: the session for the default site, else `<siteId>::<session>`. */
  key(id: DraftId): string
}

export const scope = service<Scope>('scope')

/** The session of a request that names none. */
export const defaultSession = 'dev'

/** A required page address. */
export const RequiredSlug = v.pipe(v.string(), v.nonEmpty('slug is required'))
/** An optional session; `dev` if it is missing or blank. */
export const Session = v.optional(v.string())
/** An optional site. */
export const SiteId = v.optional(v.pipe(v.string(), v.examples(['demo'])))
/** The fields by which a request names its draft. */
export const draftFields = { session: Session, siteId: SiteId }
