import * as v from 'valibot'
import { PasswordHash } from '../../../plugins/auth/index.ts'
import { isLoopback } from '../../../plugins/auth/port.ts'
import type { Environment } from '../../env.ts'
import type { Settings } from '../../settings.ts'
import { siteUrlVariable } from '../../public-prefix.ts'
import { siteUrlIn } from '../../site-environment.ts'
import { isLocal, toOrigin } from '../../values.ts'
import { type GateFacts, gateModeOf, hasCredential, reachedBy } from '../shared/exposure.ts'
import { type Finding, type CheckResult, ok, unsafe, warn } from './finding.ts'

type Facts = GateFacts & { readonly settings: Settings }

const shortest = 16
const credentials = 'ACCESS_PASSWORD_HASH (for people) or ORCHESTRATOR_ACCESS_TOKEN (for programs)'

const checks: Readonly<Record<string, (facts: Facts) => CheckResult>> = {
  Credential({ env }) {
    if (!hasCredential(env)) return unsafe(`Set ${credentials}; hash-password makes the former.`)
    const hash = env['ACCESS_PASSWORD_HASH']
    const password = hash === undefined ? undefined : v.safeParse(PasswordHash, hash)
    if (password?.success === false) return unsafe(`ACCESS_PASSWORD_HASH ${password.issues[0].message}.`)
    if (isShort(env['ORCHESTRATOR_ACCESS_TOKEN'])) return warn(tooShort('ORCHESTRATOR_ACCESS_TOKEN'))
    if (password?.output.form !== 'sha256') return ok('A credential is set.')
    return warn(
      'ACCESS_PASSWORD_HASH is a plain SHA-256; use hash-password without --sha256, or with --generate.',
    )
  },
  'Publish secret': ({ env }) =>
    checkSecret(env, 'PUBLISH_TOKEN', 'on the site: without it everyone may publish'),
  'Draft secret'({ env, shape }) {
    if (env['DRAFT_MODE_SECRET'] !== undefined || shape === 'library')
      return checkSecret(
        env,
        'DRAFT_MODE_SECRET',
        'in the editor and on the site: without it no draft is shown',
      )
    return warn(
      'DRAFT_MODE_SECRET is not set, so only sites that registered a secret of their own show drafts; run register in each, or set it here and on the others.',
    )
  },
  'Site address'({ env }) {
    const { name, value } = siteUrlIn(env) ?? { name: siteUrlVariable }
    if (value === undefined) return warn(`Set ${name} to the origin of the site.`)
    const origin = toOrigin(value)
    if (origin === undefined) return unsafe(`${name} is not an origin; set it to the real one.`)
    if (isLocal(origin)) return unsafe(`${name} is an address of this machine; set it to the real one.`)
    return origin.startsWith('https:')
      ? ok(`${name} is a real origin.`)
      : warn(`${name} is not https; use TLS.`)
  },
  'Agent surface'({ env }) {
    const isOn = env['AGENT_SURFACE'] === 'on'
    if (isOn && !hasCredential(env)) return unsafe(`AGENT_SURFACE is on; unset it, or set ${credentials}.`)
    if (env['AGENT_SHELL'] === 'full')
      return warn(
        'AGENT_SHELL=full lets the onboarding agent run any shell command; unset it unless that is intended.',
      )
    if (!isOn && env['AGENT_CLI'] === undefined) return ok('AGENT_SURFACE and AGENT_CLI are off.')
    return warn('Agents may run tools here; unset AGENT_SURFACE and AGENT_CLI unless that is intended.')
  },
  'Gate mode'(facts) {
    const mode = gateModeOf(facts, true)
    const reached = reachedBy(facts.settings)
    if (mode === undefined && reached !== undefined)
      return unsafe(
        `Others reach this server, as ${reached} says, and most routes require no token: set ORCHESTRATOR_GATE=all.`,
      )
    if (mode === undefined)
      return ok('Only the agent surface requires a token; with ORCHESTRATOR_GATE=all every route does.')
    const [what, hook] =
      facts.shape === 'library' ? ['mount', ', or pass an auth hook to createOrchestrator'] : ['server', '']
    return mode === 'closed'
      ? unsafe(`The ${what} will be closed: set a credential${hook}.`)
      : ok(`The ${what} will be in mode '${mode}'.`)
  },
  NODE_ENV({ settings }) {
    const { value } = settings.nodeEnv
    if (value === 'production') return ok('NODE_ENV is production.')
    return warn(
      `NODE_ENV is ${value === '' ? 'not set' : `'${value}'`}; set it to production, or the development rules apply.`,
    )
  },
  Address({ settings, ...facts }) {
    const [host, hasNames] = [settings.host.value, settings.allowedHosts.value.length > 0]
    if (facts.shape === 'library') return ok('The website listens.')
    if (isLoopback(host)) return ok(`Only this machine reaches ${host}.`)
    const names = hasNames ? '' : 'List the host names of this service in ORCHESTRATOR_ALLOWED_HOSTS.'
    if (gateModeOf(facts, true) !== undefined)
      return hasNames ? ok(`Every route on ${host} requires a token, except the public ones.`) : warn(names)
    return warn(
      `Most routes require no token: set ORCHESTRATOR_GATE=all, or let only your own proxy reach ${host}. ${names}`.trimEnd(),
    )
  },
  'Editor origins'({ settings }) {
    const { source, value } = settings.origins
    if (source === 'default')
      return warn('Set ORCHESTRATOR_CORS_ORIGINS to the origins of the editor and the site.')
    const local = value.filter(isLocal)
    if (local.length === 0) return ok('The origins that may call are listed.')
    return warn(`ORCHESTRATOR_CORS_ORIGINS lists ${local.join(', ')}; remove what is for development only.`)
  },
  'Public address'({ settings, shape }) {
    const { value } = settings.publicOrigin
    if (shape === 'library' && value === undefined) return ok('Addresses are relative to the site.')
    if (value !== undefined && !isLocal(value)) return ok('ORCHESTRATOR_PUBLIC_ORIGIN is a real origin.')
    return warn('Set ORCHESTRATOR_PUBLIC_ORIGIN to the address that browsers use, which is not localhost.')
  },
}

function checkSecret(env: Environment, name: string, where: string): CheckResult {
  if (env[name] === undefined) return unsafe(`Set ${name} here and the same value ${where}.`)
  return isShort(env[name]) ? warn(tooShort(name)) : ok(`${name} is set.`)
}

const isShort = (secret: string | undefined): boolean => secret !== undefined && secret.length < shortest
const tooShort = (name: string): string =>
  `${name} is easy to guess; use at least ${shortest} random characters.`

/** Checks the settings as for production; changes nothing. */
export function checkSettings(facts: Facts): readonly Finding[] {
  return Object.entries(checks).map(([item, check]) => ({ item, ...check(facts) }))
}
