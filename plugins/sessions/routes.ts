import { defineRoutes, gates } from '../../kernel/index.ts'
import { SessionList, Whoami, WhoamiQuery } from './schemas.ts'

export const routes = defineRoutes({
  whoami: {
    method: 'GET',
    path: '/whoami',
    gate: gates.access,
    summary: 'Tells about one session, known or not, and at which address the service is reached.',
    query: WhoamiQuery,
    replies: { 200: Whoami },
  },
  list: {
    method: 'GET',
    path: '/sessions',
    gate: gates.access,
    sites: 'own',
    summary: 'Lists every session that was ever changed, the latest change first.',
    replies: { 200: SessionList },
  },
})
