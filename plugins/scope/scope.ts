import { defineRefusal } from '../../kernel/index.ts'
import { defaultSession, type DraftId, type Scope, type ScopeRequest } from './port.ts'

const separator = '::'
/** The name of the default site in older clients. */
const alias = 'default'
const maxSession = 200
const maxSiteId = 64
const controlCharacter = /\p{Cc}/u

const badSession = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: () =>
    `session must be at most ${maxSession} characters without control characters and without '${separator}'`,
})
const badSiteId = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: () => `siteId must be at most ${maxSiteId} characters of letters, digits, '-' and '_'`,
})

/** Lower-cases a site id, turns every run of other characters into one `-`, and drops `-` at both ends. */
export function normaliseSiteId(raw: string): string {
  const id = raw
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
  // `-+$` alone takes a minute for a megabyte of `-` with another character at the end.
  return id.replace(/^-+|(?<!-)-+$/g, '')
}

/** Creates the parser of site ids and sessions. */
export function createScope(defaultSiteId: string): Scope {
  const siteId = (raw: string | undefined): string => {
    const id = normaliseSiteId(raw ?? '')
    if (id.length > maxSiteId) throw badSiteId()
    return id === '' || id === alias ? defaultSiteId : id
  }

  const session = (raw: string | undefined, site: string): string => {
    const name = (raw ?? '').trim()
    const own = `${site}${separator}`
    const bare = name.startsWith(own) ? name.slice(own.length) : name
    if (
      bare.length > maxSession ||
      bare.includes(separator) ||
      controlCharacter.test(bare) ||
      !bare.isWellFormed()
    )
      throw badSession()
    return bare === '' ? defaultSession : bare
  }

  const draft = (request: ScopeRequest): DraftId => {
    const site = siteId(request.siteId)
    return { siteId: site, session: session(request.session, site) }
  }
  /** Frozen requests are cached: the kernel reuses them for polling clients. */
  const known = new WeakMap<ScopeRequest, DraftId>()

  return {
    defaultSiteId,
    siteId,
    draft(request) {
      const before = known.get(request)
      if (before) return before
      const id = draft(request)
      if (Object.isFrozen(request)) known.set(request, id)
      return id
    },
    key: ({ siteId, session }) => (siteId === defaultSiteId ? session : `${siteId}${separator}${session}`),
  }
}
