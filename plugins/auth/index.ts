import { allOf, clock, definePlugin, gates, optional, policies, type GatedRoute } from '../../kernel/index.ts'
import { scope } from '../scope/port.ts'
import { store } from '../store/port.ts'
import { hideAgentPaths } from './agent-paths.ts'
import { writeBootNotes } from './boot-notes.ts'
import { accessGate, agentGate, publishGate } from './gates.ts'
import { keptSecret } from './kept-secret.ts'
import { closedReason, gateMode } from './mode.ts'
import { unknownPassword } from './password.ts'
import { accessTokens, allowedOrigins, authHook, clientAddress, commandLinePermit, draftWatcher, frameworkBuild, networkOf, type ScopedToken, scopedTokens } from './port.ts'
import { cliDisabled } from './refusals.ts'
import { routes } from './routes.ts'
import { createAudit } from './scoped/audit.ts'
import { scopedGate } from './scoped/gate.ts'
import { createLimits } from './scoped/limits.ts'
import { watchRevocations } from './scoped/revocations.ts'
import { createScopedTokens } from './scoped/tokens.ts'
import { AuthOptions, AuthVariables } from './schemas.ts'
import { createThrottle } from './throttle.ts'
import { createTokens } from './tokens.ts'
import { createVerify } from './verify.ts'

/** The gates: who may use the service, who may publish, who may run agents. */
export default definePlugin({
  name: 'auth',
  tag: 'Auth',
  needs: { clock, store, scope: optional(scope), hook: optional(authHook), watcherOf: optional(draftWatcher), origins: optional(allowedOrigins), building: optional(frameworkBuild) },
  gives: { access: gates.access, publish: gates.publish, agent: gates.agent, policies, tokens: accessTokens, scoped: scopedTokens, commandLine: commandLinePermit },
  options: AuthOptions,
  env: AuthVariables,
  routes,
}).setup(async ({ needs: { clock, store, scope, hook, watcherOf, origins = [], building = false }, options, env, shape, production, log, signal }) => {
  const password = env.ACCESS_PASSWORD_HASH
  const fixed = env.ORCHESTRATOR_ACCESS_TOKEN
  const secret = env.ACCESS_TOKEN_SECRET ?? (await keptSecret(store, 'access-token'))
  const tokens = createTokens({ secret, password: password?.fingerprint, fixed, clock })

  const isOpen = shape === 'standalone' && (env.ORCHESTRATOR_GATE ?? options.access) !== 'all'
  const mode = gateMode({
    hook: hook !== undefined,
    hash: password !== undefined,
    token: fixed !== undefined,
    production,
  })
  const closed = !isOpen && mode === 'closed'
  const scoped = createScopedTokens({ store, clock })
  const audit = createAudit({ store, clock, log, most: options.maxAuditEntries })
  const parts = { scope, audit, signalOf: watchRevocations(scoped, { closing: signal }) }
  const limitsOf = (token: ScopedToken, route: GatedRoute) => createLimits(token, route, parts)
  const held = { tokens, scoped, limitsOf }
  const access = scopedGate(accessGate({ isOpen, mode, hook, watcherOf, tokens, log }), { ...held, opens: !isOpen && mode === 'token' })
  const agent = agentGate({
    production,
    surface: env.AGENT_SURFACE,
    passwordSet: password !== undefined,
    tokens,
    origins,
  })

  const fixedTokenOnly = !isOpen && mode === 'token' && password === undefined
  const verify = createVerify({
    password: fixedTokenOnly ? unknownPassword() : password,
    tokens,
    throttle: createThrottle({ store, clock }),
  })

  return {
    gives: {
      access,
      publish: publishGate({ access, publishToken: env.PUBLISH_TOKEN }),
      agent: allOf(access, scopedGate(agent, { ...held, opens: true, always: ['agent'] })),
      policies: hideAgentPaths(agent),
      tokens,
      scoped,
      commandLine: {
        check() {
          if (env.AGENT_CLI !== '1') throw cliDisabled()
        },
      },
    },
    close: async () => void (await audit.settled()),
    ready: () => writeBootNotes(log, { env, shape, mode: isOpen ? undefined : mode, production, building }),
    handlers: {
      status() {
        if (isOpen) return { status: 200, body: { gateEnabled: password !== undefined } }
        const gateEnabled = mode === 'token' && password !== undefined
        return { status: 200, body: { gateEnabled, mode, ...(closed && { reason: closedReason }) } }
      },
      async verify(call) {
        if (closed) return { status: 503, body: { ok: false, error: 'unavailable', reason: closedReason } }
        const address = clientAddress(call, env.TRUST_PROXY)
        const network = address === undefined ? 'unknown' : networkOf(address)
        const accessToken = await verify(call.body.password, network, call.signal)
        return { status: 200, body: { ok: true, accessToken } }
      },
      audit: async ({ query: { siteId, ...query } }) =>
        ({ status: 200, body: { entries: await audit.list({ ...query, siteId: siteId === undefined ? undefined : (scope?.siteId(siteId) ?? siteId) }) } }),
    },
  }
})
