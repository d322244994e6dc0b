import { atMost, defineRefusal, LRUCache } from '../../kernel/index.ts'

/** The id of a draft: a site and a session of it, both in normal form. */
export interface DraftId {
  /** Lower case letters, digits, `_` and `-`; 1 to 64 characters. */
  readonly siteId: string
  /** 1 to 200 characters without control characters and without `::`. */
  readonly session: string
}

const keys = new WeakMap<DraftId, string>()

/** The text that identifies a draft; for storage, not for display. */
export function draftKey(id: DraftId): string {
  let key = keys.get(id)
  if (key === undefined) keys.set(id, (key = JSON.stringify([id.siteId, id.session])))
  return key
}

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

/** The session of a request that names none. */
export const defaultSession = 'dev'

const separator = '::'
/** The name of the default site in older clients. */
const alias = 'default'
const maxSession = 200
const maxSiteId = 64
/**
 * The maximum number of drafts whose ids stay the same object, and of characters of the texts that name one.
 */
const maxCached = 1_000
const maxCachedText = 300
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

  // A new id for each request would be hashed and collected again, with what is cached for it.
  const cache = new LRUCache<string, DraftId>(atMost(maxCached))

  return {
    defaultSiteId,
    siteId,
    draft(request) {
      const { siteId: rawSite = '', session: rawSession = '' } = request
      const key = `${rawSite.length} ${rawSite}${rawSession}`
      const cached = cache.get(key)
      if (cached) return cached
      const site = siteId(rawSite)
      const id = { siteId: site, session: session(rawSession, site) }
      if (key.length <= maxCachedText) cache.set(key, id)
      return id
    },
    key: ({ siteId, session }) => (siteId === defaultSiteId ? session : `${siteId}${separator}${session}`),
  }
}
