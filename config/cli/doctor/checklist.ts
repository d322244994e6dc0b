import * as v from 'valibot'
import { agentKeyOf, AgentVariables } from '../../../plugins/agent/settings.ts'
import { PasswordHash } from '../../../plugins/auth/password.ts'
import { isLoopback } from '../../../plugins/auth/port.ts'
import type { Environment } from '../../env.ts'
import type { Settings } from '../../settings.ts'
import { isLocal, toOrigin } from '../../values.ts'
import { type GateFacts, gateModeOf, hasCredential } from '../shared/exposure.ts'
import { type Finding, type CheckResult, ok, unsafe, warn } from './finding.ts'

type Facts = GateFacts & { readonly settings: Settings }

const shortest = 16
const credentials = 'ACCESS_PASSWORD_HASH (for people) or ORCHESTRATOR_ACCESS_TOKEN (for programs)'

/** The keys of the providers that generate or describe images, in order of preference. */
type Keys = Readonly<Record<string, string>>
const imageKeys: Keys = { openai: 'OPENAI_API_KEY', gemini: 'GOOGLE_GENAI_API_KEY' }
const visionKeys: Keys = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  gemini: 'GOOGLE_GENAI_API_KEY',
}
/** Variables that have no effect unless one of the others is set. */
const dependent: readonly (readonly [name: string, needs: readonly string[]])[] = [
  ['OPENAI_IMAGE_MODEL_DRAFT', ['OPENAI_API_KEY']],
  ['OPENAI_IMAGE_MODEL', ['OPENAI_API_KEY']],
  ['GOOGLE_GENAI_IMAGE_MODEL', ['GOOGLE_GENAI_API_KEY']],
  ['OPENAI_VISION_MODEL', ['OPENAI_API_KEY', 'OPENAI_BASE_URL']],
  ['ANTHROPIC_VISION_ALT_MODEL', ['ANTHROPIC_API_KEY']],
]
const agentVariables = Object.keys(AgentVariables.entries).filter((name) => !name.endsWith('_API_KEY'))

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
  'Draft secret': ({ env }) =>
    checkSecret(env, 'DRAFT_MODE_SECRET', 'in the editor and on the site: without it no draft is shown'),
  'Site address'({ env }) {
    const address = env['NEXT_PUBLIC_SITE_URL']
    if (address === undefined) return warn('Set NEXT_PUBLIC_SITE_URL to the origin of the site.')
    const origin = toOrigin(address)
    if (origin === undefined) return unsafe('NEXT_PUBLIC_SITE_URL is not an origin; set it to the real one.')
    if (isLocal(origin))
      return unsafe('NEXT_PUBLIC_SITE_URL is an address of this machine; set it to the real one.')
    return origin.startsWith('https:')
      ? ok('NEXT_PUBLIC_SITE_URL is a real origin.')
      : warn('NEXT_PUBLIC_SITE_URL is not https; use TLS.')
  },
  'Agent surface'({ env }) {
    const isOn = env['AGENT_SURFACE'] === 'on'
    const key = agentKeyOf(env)
    if (isOn && !hasCredential(env)) return unsafe(`AGENT_SURFACE is on; unset it, or set ${credentials}.`)
    if (env['AGENT_SHELL'] === 'full')
      return warn(
        'AGENT_SHELL=full lets the onboarding agent run any shell command; unset it unless that is intended.',
      )
    const idle = key === undefined ? agentVariables.find((name) => env[name] !== undefined) : undefined
    if (idle !== undefined)
      return warn(
        `${idle} has no effect; set AGENT_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY too, or unset it.`,
      )
    if (key && !key.provider)
      return warn(
        'AGENT_API_KEY is neither an Anthropic key (sk-ant-…) nor an OpenAI key (sk-…); copy it again.',
      )
    if (!isOn && env['AGENT_CLI'] === undefined) return ok('AGENT_SURFACE and AGENT_CLI are off.')
    return warn('Agents may run tools here; unset AGENT_SURFACE and AGENT_CLI unless that is intended.')
  },
  'Gate mode'(facts) {
    const mode = gateModeOf(facts, true)
    if (mode === undefined)
      return ok('Only the agent surface requires a token; with ORCHESTRATOR_GATE=all every route does.')
    const [what, hook] =
      facts.shape === 'library' ? ['mount', ', or pass an auth hook to createOrchestrator'] : ['server', '']
    return mode === 'closed'
      ? unsafe(`The ${what} will be closed: set a credential${hook}.`)
      : ok(`The ${what} will be in mode '${mode}'.`)
  },
  NODE_ENV({
    settings: {
      nodeEnv: { value },
    },
  }) {
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
  'Editor origins'({
    settings: {
      origins: { source, value },
    },
  }) {
    if (source === 'default')
      return warn('Set ORCHESTRATOR_CORS_ORIGINS to the origins of the editor and the site.')
    const local = value.filter(isLocal)
    if (local.length === 0) return ok('The origins that may call are listed.')
    return warn(`ORCHESTRATOR_CORS_ORIGINS lists ${local.join(', ')}; remove what is for development only.`)
  },
  Images({ env }) {
    const idle = dependent.find(([name, needs]) => env[name] && !needs.some((key) => env[key]))
    if (idle) return warn(`${idle[0]} has no effect; set ${idle[1].join(' or ')} too, or unset it.`)
    const configured = (keys: Keys): readonly string[] =>
      Object.keys(keys).filter((provider) => env[keys[provider] ?? ''])
    const chosen = env['IMAGE_GEN_PROVIDER']?.toLowerCase()
    const makers = [...configured(imageKeys), ...(chosen === 'placeholder' ? ['placeholder'] : [])]
    if (chosen !== undefined && chosen in imageKeys && !makers.includes(chosen)) {
      return warn(
        `IMAGE_GEN_PROVIDER is ${chosen}, which has no key; set ${imageKeys[chosen]}, or choose another provider.`,
      )
    }
    const [describer] = configured(visionKeys)
    const made =
      makers.length > 0
        ? `Images are made by ${makers.join(', ')}`
        : `No provider makes images; set ${Object.values(imageKeys).join(' or ')} to use one`
    return ok(
      `${made}. ${describer === undefined ? 'No provider describes them' : `They are described by ${describer}`}.`,
    )
  },
  Jira({ env }) {
    const begun = Object.keys(env).filter((name) => name.startsWith('JIRA_') && env[name] !== undefined)
    const missing = ['JIRA_BASE_URL', 'JIRA_API_TOKEN'].filter((name) => env[name] === undefined)
    const secret = env['JIRA_WEBHOOK_SECRET']
    if (begun.length === 0) return ok('Jira is not configured.')
    if (missing.length > 0)
      return warn(
        `Jira is configured incompletely: set ${missing.join(' and ')} too, or unset ${begun.join(' and ')}.`,
      )
    if (secret === undefined)
      return warn(
        'Webhooks of Jira are refused in production; set JIRA_WEBHOOK_SECRET here and in the webhook of Jira.',
      )
    if (isShort(secret)) return warn(tooShort('JIRA_WEBHOOK_SECRET'))
    const canReview =
      env['ANTHROPIC_API_KEY'] || (env['OPENAI_MODEL'] && (env['OPENAI_API_KEY'] || env['OPENAI_BASE_URL']))
    if (!canReview)
      return warn('Tickets are not reviewed; set ANTHROPIC_API_KEY, or OPENAI_API_KEY and OPENAI_MODEL.')
    return agentKeyOf(env)?.provider
      ? ok('Tickets of Jira are handled.')
      : warn('Tickets are reviewed, but not carried out; set AGENT_API_KEY.')
  },
  'Public address'({
    settings: {
      publicOrigin: { value },
    },
    shape,
  }) {
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
