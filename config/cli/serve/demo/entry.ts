import type { IncomingMessage } from 'node:http'
import { withLoopbackTwin, type Clock } from '../../../../kernel/index.ts'
import { isLoopbackHost } from '../../../../plugins/auth/port.ts'
import { locationHeader } from '../../../../plugins/content/site-address.ts'
import { defaultSession } from '../../../../plugins/scope/port.ts'
import { toOrigin } from '../../../../plugins/outbound/port.ts'
import { accessCookies, queryOf, signAccess, type Visit } from '../../../../plugins/site/index.ts'

export interface EntryOptions {
  /** In normal form. */
  readonly siteId: string
  readonly draftSecret: string
  /** Editors whose pages may show the site in a frame. */
  readonly editorOrigins: readonly string[]
  readonly clock: Clock
  /** True if the orchestrator asks for a credential: an editor without it gets no draft into its frame. */
  readonly hasCredential: boolean
}

/** The parameter that replaces the signed cookie, which is not sent to a frame under another host name. */
export const passParameter = 'pass'

const isFrame = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-dest'] === 'iframe'

/** Grants browsers access to drafts without the secret. */
export function createEntry({
  siteId,
  draftSecret: secret,
  editorOrigins,
  clock,
  hasCredential,
}: EntryOptions) {
  const access = { siteId, session: defaultSession }
  const editors = new Set(editorOrigins.flatMap(withLoopbackTwin))
  return {
    /** True for a request under a name of this machine; any page may point another name here. */
    isOpen: ({ headers }: IncomingMessage): boolean => isLoopbackHost(headers.host),
    /** True for a request that the link to the draft admits: a browser of this machine. */
    mayEnter: (request: IncomingMessage): boolean =>
      isLoopbackHost(request.headers.host) && !(hasCredential && isFrame(request)),
    /** True for the address of the default session in an editor's frame without an access. */
    isEditor(request: IncomingMessage): boolean {
      const query = queryOf(request.url ?? '')
      const isDefault = (query.get('session') ?? defaultSession) === defaultSession
      const isEditor = editors.has(toOrigin(query.get('editorOrigin') ?? '') ?? '')
      if (hasCredential) return false
      return isFrame(request) && isDefault && isEditor && !query.has('secret') && !query.has(passParameter)
    },
    /** True for a frame that names no editor: a tile in a list of sites, too small for a notice. */
    isTile: (request: IncomingMessage): boolean =>
      isFrame(request) && !queryOf(request.url ?? '').has('editorOrigin'),
    /** Returns the headers that grant access and redirect to a path. */
    headers(request: IncomingMessage, path: string) {
      const now = clock.now()
      const editorOrigin = queryOf(path).get('editorOrigin') ?? undefined
      const cookies = accessCookies(access, { secret, now, editorOrigin, secure: false, from: undefined })
      const target = isFrame(request) ? withPass(path, signAccess(access, { secret, now })) : path
      return { ...locationHeader(target), 'set-cookie': [...cookies] }
    },
    /** Returns the request, with the pass in its address as a cookie. */
    visit(request: IncomingMessage): Visit {
      const given = queryOf(request.url ?? '').get(passParameter)
      const { cookie, host } = request.headers
      return given === null
        ? request
        : { url: request.url, headers: { cookie: `${cookie ?? ''}; editor_draft=${given}`, host } }
    },
  }
}

function withPass(path: string, value: string): string {
  const url = new URL(path, 'http://site.invalid')
  url.searchParams.set(passParameter, value)
  return `${url.pathname}${url.search}${url.hash}`
}
