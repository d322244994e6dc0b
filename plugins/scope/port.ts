import * as v from 'valibot'
import { service } from '../../kernel/index.ts'
import type { Scope } from './scope.ts'

export { namedSites, type SiteInput } from './named-sites.ts'
export { defaultSession, type DraftId, draftKey, type Scope, type ScopeRequest } from './scope.ts'
export { type DraftAccess, type Origin, readAccess, signAccess, type Signing } from './signature.ts'

/** Reads site ids and sessions as clients write them. */
export const scope = service<Scope>('scope')

/** A required page address. */
export const RequiredSlug = v.pipe(v.string(), v.nonEmpty('slug is required'))
/** An optional session; `dev` if it is missing or blank. */
export const Session = v.optional(v.string())
/** An optional site. */
export const SiteId = v.optional(v.pipe(v.string(), v.examples(['demo'])))
/** The fields by which a request names its draft. */
export const draftFields = { session: Session, siteId: SiteId }
