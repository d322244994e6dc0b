import * as v from 'valibot'
import { definePlugin, listVariable, optional, withoutTrailingSlash } from '../../kernel/index.ts'
import { tracer } from '../tracing/port.ts'
import { outbound } from './port.ts'
import { toOrigin } from './addresses.ts'
import { createOutbound } from './service.ts'

const originExpected = 'expected an origin such as https://cms.example, without a login'
const isWrong = (text: string): boolean => toOrigin(text) === undefined
/** Quotes a wrong value unless it may contain a password. */
const shown = (wrong = '@'): string => (wrong.includes('@') ? '' : `, instead of '${wrong}'`)

const list = v.pipe(
  listVariable,
  v.mapItems(withoutTrailingSlash),
  v.check(
    (entries) => !entries.some(isWrong),
    ({ input }) => `${originExpected}${shown(input.find(isWrong))}`,
  ),
)

/** The guarded HTTP client for untrusted addresses. */
export default definePlugin({
  name: 'outbound',
  tag: 'Health',
  env: v.object({
    ORCHESTRATOR_CORS_ORIGINS: v.optional(list, ''),
    ORCHESTRATOR_PUBLIC_ORIGIN: v.optional(list, ''),
    SITE_PUBLIC_ORIGIN: v.pipe(
      v.optional(list, ''),
      v.description('The address of the site as visitors see it.'),
    ),
    FETCH_ALLOWED_ORIGINS: v.pipe(
      v.optional(list, ''),
      v.description('Further origins that may be called although they lie on a private network.'),
    ),
  }),
  needs: { tracer: optional(tracer) },
  gives: { outbound },
}).setup(({ needs, env, log }) => {
  const allowedOrigins = [
    ...env.ORCHESTRATOR_CORS_ORIGINS,
    ...env.ORCHESTRATOR_PUBLIC_ORIGIN,
    ...env.SITE_PUBLIC_ORIGIN,
    ...env.FETCH_ALLOWED_ORIGINS,
  ]
  const guarded = createOutbound({ allowedOrigins, log, ...needs })
  return { gives: { outbound: guarded }, close: () => guarded.close() }
})
