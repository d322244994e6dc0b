import {
  allOf,
  clock,
  definePlugin,
  type GatedRoute,
  gates,
  type Logger,
  optional,
  permissions,
  policies,
  type Shape,
} from '../../kernel/index.ts'
import { scope } from '../scope/port.ts'
import { store } from '../store/port.ts'
import {
  accessGate,
  entryGate,
  type LimitsOfSigner,
  agentGate,
  agentNeedsCredential,
  closedReason,
  gateMode,
  type GateMode,
  hideAgentPaths,
  publishGate,
} from './gates.ts'
import { keptSecret, secrets } from './stored-secret.ts'
import { unknownPassword } from './password.ts'
import {
  accessTokens,
  allowedOrigins,
  authHook,
  clientAddress,
  commandLinePermit,
  draftWatcher,
  frameworkBuild,
  networkOf,
  type ScopedToken,
  scopedTokens,
  signers,
  type Signers,
} from './port.ts'
import { routes } from './routes.ts'
import { AuthVariables } from './schemas.ts'
import { createAudit, auditEntries } from './scoped/audit.ts'
import { createLimits, scopedGate } from './scoped/gate.ts'
import { watchRevocations } from './scoped/revocations.ts'
import { createScopedTokens, storedTokens } from './scoped/tokens.ts'
import { windows } from './shared-window.ts'
import { createThrottle, attempts } from './throttle.ts'
import { createTokens } from './tokens.ts'
import { createVerify } from './verify.ts'

// For the command line.
export { gateMode, isAgentPath, type GateMode } from './gates.ts'
export { PasswordHash, toPlainHash, toSaltedHash } from './password.ts'
export { createScopedTokens } from './scoped/tokens.ts'

/** The maximum number of entries in the audit log of scoped tokens. */
const maxAuditEntries = 10_000

/** The gates for access, for publishing and for agents. */
export default definePlugin({
  name: 'auth',
  tag: 'Auth',
  needs: {
    clock,
    store,
    scope: optional(scope),
    hook: optional(authHook),
    watcherOf: optional(draftWatcher),
    origins: optional(allowedOrigins),
    building: optional(frameworkBuild),
  },
  gives: {
    access: gates.access,
    publish: gates.publish,
    agent: gates.agent,
    policies,
    tokens: accessTokens,
    scoped: scopedTokens,
    signers,
    commandLine: commandLinePermit,
  },
  collections: [attempts, auditEntries, secrets, storedTokens, windows],
  env: AuthVariables,
  routes,
}).setup(
  async ({
    needs: { clock, store, scope, hook, watcherOf, origins = [], building = false },
    env,
    shape,
    production,
    log,
    signal,
  }) => {
    const password = env.ACCESS_PASSWORD_HASH
    const fixed = env.ORCHESTRATOR_ACCESS_TOKEN
    const secret = env.ACCESS_TOKEN_SECRET ?? (await keptSecret(store, 'access-token'))
    const tokens = createTokens({ secret, password: password?.fingerprint, fixed, clock })

    const isOpen = shape === 'standalone' && env.ORCHESTRATOR_GATE !== 'all'
    const set = { hook: hook !== undefined, hash: password !== undefined, token: fixed !== undefined }
    const mode = isOpen ? undefined : gateMode({ ...set, production })
    const closed = mode === 'closed'
    const scoped = createScopedTokens({ store, clock })
    const audit = createAudit({ store, clock, log, most: maxAuditEntries })
    const parts = { scope, audit, signalOf: watchRevocations(scoped, { closing: signal }) }
    const limitsOf = (token: ScopedToken, route: GatedRoute) => createLimits(token, route, parts)
    const holders = { tokens, scoped, limitsOf }
    const limitsOfSigner: LimitsOfSigner = async (name, route) => {
      if (tokens.isNamed(name)) return {}
      const token = await scoped.liveOf(name)
      return token && { limits: limitsOf(token, route) }
    }
    const signing: Signers = {
      nameOf: (caller) => (caller.limits ? caller.id : tokens.nameOf(caller)),
      isLive: async (name) => tokens.isNamed(name) || scoped.isLiveId(name),
    }
    const inner = accessGate({ mode, hook, watcherOf, limitsOfSigner, tokens, log })
    const access = entryGate(scopedGate(inner, { ...holders, opens: mode === 'token' }), signing.isLive)
    const agent = agentGate({
      production,
      surface: env.AGENT_SURFACE,
      passwordSet: set.hash,
      tokens,
      origins,
    })

    const effective = mode === 'token' && password === undefined ? unknownPassword() : password
    const verify = createVerify({ password: effective, tokens, throttle: createThrottle({ store, clock }) })

    return {
      gives: {
        access,
        publish: publishGate(access, env.PUBLISH_TOKEN),
        agent: allOf(access, scopedGate(agent, { ...holders, opens: true, always: ['agent'] })),
        policies: hideAgentPaths(agent),
        tokens,
        scoped,
        signers: signing,
        commandLine: env.AGENT_CLI === '1',
      },
      close: async () => void (await audit.settled()),
      ready: () => writeBootNotes(log, { env, shape, mode, production, building }),
      handlers: {
        status() {
          if (mode === undefined) return { status: 200, body: { gateEnabled: set.hash } }
          const gateEnabled = mode === 'token' && set.hash
          return { status: 200, body: { gateEnabled, mode, ...(closed && { reason: closedReason }) } }
        },
        async verify(call) {
          if (closed) return { status: 503, body: { ok: false, error: 'unavailable', reason: closedReason } }
          const address = clientAddress(call, env.TRUST_PROXY)
          const network = address === undefined ? 'unknown' : networkOf(address)
          const accessToken = await verify(call.body.password, network, call.signal)
          return { status: 200, body: { ok: true, accessToken } }
        },
        access: ({ caller: { limits, until } }) => ({
          status: 200,
          body: {
            can: permissions.filter((permission) => limits?.may(permission) ?? true),
            ...(limits?.site !== undefined && { site: limits.site }),
            ...(until !== undefined && { expires: new Date(until).toISOString() }),
            publishToken: env.PUBLISH_TOKEN !== undefined,
          },
        }),
        tokens: async () => ({ status: 200, body: { tokens: (await scoped.list()).map(toListed) } }),
        audit: async ({ query: { siteId, ...query } }) => ({
          status: 200,
          body: {
            entries: await audit.list({
              ...query,
              siteId: siteId === undefined ? undefined : (scope?.siteId(siteId) ?? siteId),
            }),
          },
        }),
      },
    }
  },
)

const toListed = ({ can, ...token }: ScopedToken) => ({ ...token, can: [...can] })

const shortSecret = 16

/** Logs after boot which features are disabled, left out or weakly configured; never a value. */
function writeBootNotes(
  log: Logger,
  {
    env,
    shape,
    mode,
    production,
    building,
  }: {
    readonly env: AuthVariables
    readonly shape: Shape
    /** `undefined` if the access gate is open. */
    readonly mode: GateMode | undefined
    readonly production: boolean
    /** True while a framework builds the site, which loads its routes without calling them. */
    readonly building: boolean
  },
): void {
  if (env.ACCESS_PASSWORD_HASH?.form === 'sha256') {
    const better = 'make a better one with: npx content-orchestrator hash-password'
    log.warn({ variable: 'ACCESS_PASSWORD_HASH' }, `hash has no salt and is fast to guess; ${better}`)
  }
  if (env.ACCESS_TOKEN_SECRET !== undefined && env.ACCESS_TOKEN_SECRET.length < shortSecret) {
    const better = 'use 32 random characters'
    log.warn(
      { variable: 'ACCESS_TOKEN_SECRET' },
      `secret is too short and can be guessed from a token; ${better}`,
    )
  }
  const credential = env.ACCESS_PASSWORD_HASH ?? env.ORCHESTRATOR_ACCESS_TOKEN
  if (production && env.AGENT_SURFACE === 'on' && credential === undefined) {
    log.error({ variable: 'AGENT_SURFACE' }, `agent surface left out: ${agentNeedsCredential}`)
  }
  if (mode === 'closed') {
    // The variables may still be set in the process that serves the build.
    const level = building ? 'warn' : 'error'
    const what = shape === 'library' ? 'library mode' : 'this server'
    log[level]({ mode }, `${what} is closed, every request is refused: ${closedReason}`)
  }
}
