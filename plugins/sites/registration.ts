import { type Clock, defineRefusal, withLoopbackTwin } from '../../kernel/index.ts'
import { toOrigin } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Reader, Transaction } from '../store/port.ts'
import { type Guidance, guidanceOf } from './guidance.ts'
import { type RegisteredSite, registrations } from './port.ts'
import type { Registration } from './schemas.ts'
import { previewUrlIn } from './site-origin.ts'
import { registrationTooLarge, tooManySessions, tooManySites } from './refusals.ts'

/** Registrations, as the store or a transaction has them. */
export type RegistrationReader = Reader<RegisteredSite, Record<never, never>>

export interface RegistrarOptions {
  readonly clock: Clock
  /** This site counts towards no limit of sites. */
  readonly defaultSiteId: string
  readonly maxRegistrationBytes: number
  readonly maxSites: number
  readonly maxSessions: number
}

/** Creates what writes registrations, within the limits of an installation. */
export function createRegistrar(options: RegistrarOptions) {
  const { clock, defaultSiteId, maxRegistrationBytes, maxSites, maxSessions } = options

  /** Refuses a new key beyond the limits. */
  const refuseTooMany = async (within: RegistrationReader, siteId: string): Promise<void> => {
    const sessions = await within.count(siteId)
    if (sessions >= maxSessions) throw tooManySessions(maxSessions)
    if (sessions > 0 || siteId === defaultSiteId) return
    const ids = new Set((await within.everywhere()).map(({ scope }) => scope))
    ids.delete(defaultSiteId)
    if (ids.size >= maxSites) throw tooManySites(maxSites)
  }

  const fitting = (body: RegisteredSite): RegisteredSite => {
    if (Buffer.byteLength(JSON.stringify(body)) > maxRegistrationBytes)
      throw registrationTooLarge(maxRegistrationBytes)
    return body
  }

  return {
    /** As `guide` of the port. */
    async guide(tx: Transaction, { siteId, session }: DraftId, guidance: Guidance) {
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
    /** Merges a config into a registration; also returns the change of the origin of a known site. */
    async save(tx: Transaction, id: DraftId, config: RegisteredSite) {
      const { siteId, session } = id
      const within = tx.of(registrations)
      const stored = await within.get(siteId, session)
      if (!stored) await refuseTooMany(within, siteId)
      const before = config.previewUrl === undefined ? undefined : await previewUrlIn(within, id)
      const moved = movedFrom(before, config.previewUrl)
      const change = moved && { previewUrlChanged: { from: moved.from, at: clock.now().toISOString() } }
      const body = fitting({ ...stored?.body, ...config, ...change })
      if (stored && JSON.stringify(body) === JSON.stringify(stored.body))
        return { status: 'unchanged' } as const
      await within.put(siteId, session, { body, columns: {} })
      return { status: 'registered', moved } as const
    },
  }
}

/** Returns the two origins if they differ; both names of the loopback address are equal. */
function movedFrom(before: string | undefined, after: string | undefined) {
  if (before === undefined || after === undefined) return undefined
  const [from, to] = [new URL(before).origin, new URL(after).origin]
  return withLoopbackTwin(from).includes(to) ? undefined : { from, to }
}

/**
 * Returns the changes of a registration; a field without a value changes nothing.
 *
 * Refuses an address that is not http or https, or has a password or a draft secret in it, with 400, because
 * browsers open it and everyone who lists the sites sees it; also an invalid port.
 */
export function toConfig({
  name,
  previewUrl,
  port,
  purpose,
  config,
  ownPages,
}: Registration): RegisteredSite {
  if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
    throw invalid('port must be a whole number from 1 to 65535')
  }
  const address = previewUrl?.trim() || (port === undefined ? undefined : `http://localhost:${port}`)
  if (address !== undefined && toOrigin(address) === undefined) {
    throw invalid(
      'previewUrl must be an http or https address without a user name and password, such as http://localhost:3000',
    )
  }
  if (address !== undefined && new URL(address).searchParams.has('secret')) {
    throw invalid(
      "previewUrl must not have the parameter 'secret', because everyone who lists the sites sees it. " +
        'Send the address without it, and the draft secret as `secret`.',
    )
  }
  return {
    ...config,
    name,
    ...(address !== undefined && { previewUrl: address }),
    ...(port !== undefined && { port }),
    ...(purpose && { purpose }),
    ...(ownPages && { ownPages }),
  }
}

const invalid = defineRefusal({ status: 400, code: 'invalid_request', reason: (why: string) => why })
