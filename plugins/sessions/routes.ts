import * as v from 'valibot'
import { defineRoutes, gates, withoutTrailingSlash } from '../../kernel/index.ts'
import { Session, SiteId } from '../scope/port.ts'

const port = v.pipe(v.string(), v.trim(), v.regex(/^\d{1,5}$/, 'must be a port number'))
const origin = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must be an http or https address, such as https://edit.example',
  ),
  v.transform(withoutTrailingSlash),
)

export const SessionsVariables = v.object({
  ORCHESTRATOR_PUBLIC_ORIGIN: v.optional(origin),
  PORT: v.optional(port, '4200'),
})

export const SessionSummary = v.object({
  /** The draft name for clients: the session, prefixed with the site id unless that is the default site. */
  sessionKey: v.string(),
  session: v.string(),
  siteId: v.string(),
  /** 0 before the first change. */
  version: v.number(),
  draftPageCount: v.number(),
  lastMutatedAt: v.nullable(v.string()),
})
export type SessionSummary = v.InferOutput<typeof SessionSummary>

const WhoamiQuery = v.object({ session: Session, siteId: SiteId })
const Whoami = v.object({
  ...SessionSummary.entries,
  publishedPageCount: v.number(),
  orchestratorUrl: v.string(),
})
const SessionList = v.object({ sessions: v.array(SessionSummary), publishedPageCount: v.number() })

export const routes = defineRoutes({
  whoami: {
    method: 'GET',
    path: '/whoami',
    gate: gates.access,
    summary: 'Describes a session, known or not, and the address of the service.',
    query: WhoamiQuery,
    replies: { 200: Whoami },
  },
  list: {
    method: 'GET',
    path: '/sessions',
    gate: gates.access,
    sites: 'own',
    summary: 'Lists every session that was ever changed, most recent change first.',
    replies: { 200: SessionList },
  },
})
