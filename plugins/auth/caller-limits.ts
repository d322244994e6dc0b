import { type Caller, defineRefusal } from '../../kernel/index.ts'

/**
 * Returns a signal that aborts soon after the caller's token is revoked or expires, for work that continues
 * after its answer; it never aborts for callers without a scoped token. The signal of a call aborts as well.
 */
export const accessSignal = ({ limits }: Caller): AbortSignal =>
  AbortSignal.any(limits ? [limits.signal] : [])

const addressNotAllowed = defineRefusal({
  status: 403,
  code: 'token_not_allowed',
  reason: (site: string) =>
    `This token is for the site '${site}' at its registered address. Leave the address out, or use a token that was made without --site.`,
})

/** Refuses with 403 an address from a caller whose token is for one site: it may belong to another site. */
export function refuseAddress({ limits }: Caller, address: string | undefined): void {
  if (limits?.site !== undefined && address !== undefined && address.trim() !== '')
    throw addressNotAllowed(limits.site)
}
