import type { IncomingMessage } from 'node:http'
import { withLoopbackTwin, type Clock } from '../../../kernel/index.ts'
import { isLoopbackHost } from '../../auth/port.ts'
import { defaultSession } from '../../scope/port.ts'
import { signAccess } from '../cookies.ts'
import { accessCookies } from '../draft-cookies.ts'
import { queryOf } from '../editor-context.ts'
import type { Visit } from '../visit.ts'

export interface EntryOptions {
  readonly siteId: string
  readonly draftSecret: string
  /** Whose pages may show the site in a frame. */
  readonly editorOrigins: readonly string[]
  readonly clock: Clock
}

/** How a browser is let into drafts without being asked for the secret. */
export interface Entry {
  /** A page may reach this server by any name that its owner lets point here: only names of this machine count. */
  isOpen(request: IncomingMessage): boolean
  /** True for the address by which an editor shows the usual session in a frame, when it brings nothing to be let in with. */
  isEditor(request: IncomingMessage): boolean
  /** The headers that let a browser in and lead on to a path. */
  headers(request: IncomingMessage, path: string): { readonly location: string; readonly 'set-cookie': string[] }
  /** The request with the pass of its address as a cookie. */
  visit(request: IncomingMessage): Visit
}

/** The parameter that lets in like the signed cookie, which a browser sends to no frame of an editor under another host name. */
const pass = 'pass'

const isFrame = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-dest'] === 'iframe'

export function createEntry({ siteId, draftSecret: secret, editorOrigins, clock }: EntryOptions): Entry {
  const access = { siteId, session: defaultSession }
  const editors = new Set(editorOrigins.flatMap(withLoopbackTwin))
  return {
    isOpen: ({ headers }) => isLoopbackHost(headers.host),
    isEditor(request) {
      const query = queryOf(request.url ?? '')
      const isUsual = (query.get('session') ?? defaultSession) === defaultSession
      return isFrame(request) && isUsual && editors.has(query.get('editorOrigin') ?? '') && !query.has('secret') && !query.has(pass)
    },
    headers(request, path) {
      const now = clock.now()
      const editorOrigin = queryOf(path).get('editorOrigin') ?? undefined
      const cookies = accessCookies(access, { secret, now, editorOrigin, secure: false, from: undefined })
      return { location: isFrame(request) ? withPass(path, signAccess(access, { secret, now })) : path, 'set-cookie': [...cookies] }
    },
    visit(request) {
      const given = queryOf(request.url ?? '').get(pass)
      const { cookie, host } = request.headers
      return given === null ? request : { url: request.url, headers: { cookie: `${cookie ?? ''}; editor_draft=${given}`, host } }
    },
  }
}

function withPass(path: string, value: string): string {
  const url = new URL(path, 'http://site.invalid')
  url.searchParams.set(pass, value)
  return `${url.pathname}${url.search}${url.hash}`
}
