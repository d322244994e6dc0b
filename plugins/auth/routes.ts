import { defineRoutes, gates, permissions } from '../../kernel/index.ts'
import { passwordIncorrect, passwordRequired, tooManyGuesses } from './refusals.ts'
import { AuditList, AuditQuery } from './scoped/audit.ts'
import { Access, AuthStatus, Guess, TokenList, Unavailable, Verified } from './schemas.ts'

export const routes = defineRoutes({
  status: {
    method: 'GET',
    path: '/auth/status',
    gate: gates.public,
    sites: 'none',
    summary: 'Reports whether a password is needed and, on a mount, whether other requests are accepted.',
    replies: { 200: AuthStatus },
  },
  verify: {
    method: 'POST',
    path: '/auth/verify',
    gate: gates.public,
    sites: 'none',
    summary: 'Exchanges the password for an access token that is valid for 30 days.',
    body: Guess,
    maxBytes: 16 * 1024,
    replies: { 200: Verified, 503: Unavailable },
    refusals: [passwordRequired, passwordIncorrect, tooManyGuesses],
  },
  access: {
    method: 'GET',
    path: '/auth/access',
    gate: gates.access,
    // Any of them: a token may always ask what it may do.
    can: permissions,
    sites: 'none',
    summary: 'Reports what this caller may do.',
    replies: { 200: Access },
  },
  tokens: {
    method: 'GET',
    path: '/auth/tokens',
    gate: gates.access,
    can: 'admin',
    sites: 'all',
    summary: 'Lists the scoped tokens, newest first, without their secrets.',
    replies: { 200: TokenList },
  },
  audit: {
    method: 'GET',
    path: '/audit',
    gate: gates.access,
    can: 'admin',
    sites: 'all',
    summary: 'Lists the changes and refusals of scoped tokens, newest first.',
    query: AuditQuery,
    replies: { 200: AuditList },
  },
})
