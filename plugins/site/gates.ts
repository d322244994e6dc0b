import { queryValue, safeEqual, type Clock, type Gate } from '../../kernel/index.ts'
import type { DraftAccessOptions } from './draft/access.ts'
import { readAccess } from './draft/signature.ts'

const refused = (reason: string) => ({ admit: false, status: 401, error: 'unauthorized', reason }) as const

const noSecret =
  'This site accepts no publish in production until it has a publish secret. ' +
  'Set PUBLISH_TOKEN here and in the orchestrator to the same value.'
const wrongSecret =
  'The x-publish-token of this publish is not the one of the site. ' +
  'Set PUBLISH_TOKEN to the same value on the site and in the orchestrator.'
const noDraftSecret =
  'This site shows no drafts until it has a secret for them. ' +
  'Set DRAFT_MODE_SECRET here and give the editor the same value.'
const wrongDraftSecret =
  'The secret is not the one of this site. Set DRAFT_MODE_SECRET here and in the editor to the same value.'

/** The gate of a site's publish route. Without a secret it is open in development, and closed in production. */
export const publishGate = (secret: string | undefined, production: boolean): Gate => ({
  mounting: () => ({ mount: true }),
  admit(request) {
    if (secret === undefined)
      return production ? refused(noSecret) : { admit: true, caller: { via: 'open-dev' } }
    if (!safeEqual(request.header('x-publish-token') ?? '', secret)) return refused(wrongSecret)
    return { admit: true, caller: { via: 'publish-secret' } }
  },
})

/** The gate of draft mode: the query must have the secret, or a link access signed with it for this site. */
export const draftGate = ({
  secret,
  siteId,
  clock,
}: DraftAccessOptions & { readonly clock: Clock }): Gate => ({
  mounting: () => ({ mount: true }),
  admit({ search }) {
    if (secret === undefined)
      return { admit: false, status: 503, error: 'unavailable', reason: noDraftSecret }
    const given = queryValue(search, 'secret') ?? ''
    const signed = readAccess(given, { secret, now: clock.now(), carrier: 'link' })
    const isSigned = signed !== undefined && (siteId === undefined || signed.siteId === siteId)
    return isSigned || safeEqual(given, secret)
      ? { admit: true, caller: { via: 'draft-secret' } }
      : refused(wrongDraftSecret)
  },
})
