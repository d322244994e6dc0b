import * as v from 'valibot'
import { providerOf } from '../../../plugins/agent/provider.ts'
import { AgentVariables } from '../../../plugins/agent/settings.ts'
import { isLoopback } from '../../../plugins/auth/loopback.ts'
import { PasswordHash } from '../../../plugins/auth/password.ts'
import type { Environment } from '../../env.ts'
import { ok, unsafe, warn, type Finding, type Judgement } from './finding.ts'
import { gateModeOf, type GateFacts } from '../shared/gate-mode.ts'
import { nearest } from '../../nearest.ts'
import type { Settings } from '../../settings.ts'
import { isLocal, toOrigin } from '../../values.ts'
import { hasCredential } from '../serve/warnings.ts'

/** What one check may look at. */
interface Facts extends GateFacts {
  readonly settings: Settings
}

const shortest = 16
const credentials = 'ACCESS_PASSWORD_HASH (for people) or ORCHESTRATOR_ACCESS_TOKEN (for programs)'

/** The keys of what makes images and of what looks at them, by provider, the one that is asked first in front. */
const imageKeys: Readonly<Record<string, string>> = { openai: 'OPENAI_API_KEY', gemini: 'GOOGLE_GENAI_API_KEY' }
const seeingKeys: Readonly<Record<string, string>> = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY', gemini: 'GOOGLE_GENAI_API_KEY' }
const named = (keys: Readonly<Record<string, string>>, env: Environment): readonly string[] => Object.keys(keys).filter((provider) => env[keys[provider] ?? ''])
/** Variables that do nothing without one of others. */
const halfConfigured: readonly { readonly name: string; readonly needs: readonly string[] }[] = [
  { name: 'OPENAI_IMAGE_MODEL_DRAFT', needs: ['OPENAI_API_KEY'] },
  { name: 'OPENAI_IMAGE_MODEL', needs: ['OPENAI_API_KEY'] },
  { name: 'GOOGLE_GENAI_IMAGE_MODEL', needs: ['GOOGLE_GENAI_API_KEY'] },
  { name: 'OPENAI_VISION_MODEL', needs: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'] },
  { name: 'ANTHROPIC_VISION_ALT_MODEL', needs: ['ANTHROPIC_API_KEY'] },
]

/** Variables of the agent alone. */
const agentVariables = Object.keys(AgentVariables.entries).filter((name) => name !== 'AGENT_API_KEY')

const checks: Readonly<Record<string, (facts: Facts) => Judgement>> = {
  Credential({ env }) {
    if (!hasCredential(env)) return unsafe(`Set ${credentials}; hash-password makes the former.`)
    const hash = env['ACCESS_PASSWORD_HASH']
    const password = hash === undefined ? undefined : v.safeParse(PasswordHash, hash)
    if (password?.success === false) return unsafe(`ACCESS_PASSWORD_HASH ${password.issues[0].message}.`)
    if (isShort(env['ORCHESTRATOR_ACCESS_TOKEN'])) return warn(tooShort('ORCHESTRATOR_ACCESS_TOKEN'))
    if (password?.output.form !== 'sha256') return ok('A credential is set.')
    return warn('ACCESS_PASSWORD_HASH is in the plain form; use hash-password without --sha256, or with --generate.')
  },
  'Publish secret': ({ env }) =>
    judgeSecret(env, 'PUBLISH_TOKEN', 'on the site: without it everyone may publish'),
  'Draft secret': ({ env }) =>
    judgeSecret(env, 'DRAFT_MODE_SECRET', 'in the editor and on the site: without it no draft is shown'),
  'Site address'({ env }) {
    const address = env['NEXT_PUBLIC_SITE_URL']
    if (address === undefined) return warn('Set NEXT_PUBLIC_SITE_URL to the origin of the site.')
    const origin = toOrigin(address)
    if (origin === undefined) return unsafe('NEXT_PUBLIC_SITE_URL is not an origin; name the real one.')
    if (isLocal(origin)) return unsafe('NEXT_PUBLIC_SITE_URL leads to this machine; name the real one.')
    if (!origin.startsWith('https:')) return warn('NEXT_PUBLIC_SITE_URL is not https; use TLS.')
    return ok('NEXT_PUBLIC_SITE_URL is a real origin.')
  },
  'Agent surface'({ env }) {
    const isOn = env['AGENT_SURFACE'] === 'on'
    if (isOn && !hasCredential(env)) return unsafe(`AGENT_SURFACE is on; unset it, or set ${credentials}.`)
    if (env['AGENT_SHELL'] === 'full') return warn('AGENT_SHELL=full lets the onboarding agent run any line of a shell; unset it unless that is wanted.')
    const idle = env['AGENT_API_KEY'] === undefined ? agentVariables.find((name) => env[name] !== undefined) : undefined
    if (idle !== undefined) return warn(`${idle} is set and does nothing; set AGENT_API_KEY too, or unset it.`)
    if (env['AGENT_API_KEY'] !== undefined && !providerOf(env['AGENT_API_KEY'])) return warn('AGENT_API_KEY looks like neither an Anthropic key (sk-ant-…) nor an OpenAI key (sk-…); copy it again.')
    if (!isOn && env['AGENT_CLI'] === undefined) return ok('AGENT_SURFACE and AGENT_CLI are off.')
    return warn('Agents may run tools here; unset AGENT_SURFACE and AGENT_CLI unless that is wanted.')
  },
  'Gate mode'(facts) {
    const mode = gateModeOf(facts, true)
    if (mode === undefined) return ok('Only the agent surface asks for a token; ORCHESTRATOR_GATE=all makes every route ask.')
    const what = facts.shape === 'library' ? 'mount' : 'server'
    if (mode !== 'closed') return ok(`The ${what} will be in mode '${mode}'.`)
    const hook = facts.shape === 'library' ? ', or pass an auth hook to createOrchestrator' : ''
    return unsafe(`The ${what} will be closed: set a credential${hook}.`)
  },
  NODE_ENV({ settings }) {
    const { value } = settings.nodeEnv
    if (value === 'production') return ok('NODE_ENV is production.')
    const isMistyped = nearest(value, ['production']) !== undefined || value.toLowerCase().startsWith('prod')
    const now = value === '' ? 'not set' : `'${value}'`
    const says = `NODE_ENV is ${now}; set it to production, or the rules for development hold.`
    return isMistyped ? unsafe(says) : warn(says)
  },
  Address({ settings, ...facts }) {
    const [host, hasNames] = [settings.host.value, settings.allowedHosts.value.length > 0]
    if (facts.shape === 'library') return ok('The website listens.')
    if (isLoopback(host)) return ok(`Only this machine reaches ${host}.`)
    const names = hasNames ? '' : 'List the names of this service in ORCHESTRATOR_ALLOWED_HOSTS.'
    if (gateModeOf(facts, true) !== undefined) return hasNames ? ok(`Every route that ${host} serves asks for a token, but the public ones.`) : warn(names)
    const open = `Most routes ask for no token: set ORCHESTRATOR_GATE=all, or let only your own proxy reach ${host}.`
    return warn(hasNames ? open : `${open} ${names}`)
  },
  'Editor origins'({ settings: { origins } }) {
    const isChosen = origins.source !== 'default'
    if (!isChosen) return warn('Set ORCHESTRATOR_CORS_ORIGINS to the origins of the editor and the site.')
    const local = origins.value.filter(isLocal)
    if (local.length === 0) return ok('The origins that may call are listed.')
    return warn(`ORCHESTRATOR_CORS_ORIGINS lists ${local.join(', ')}; take out what is for development only.`)
  },
  Images({ env }) {
    const half = halfConfigured.find(({ name, needs }) => env[name] && !needs.some((key) => env[key]))
    if (half) return warn(`${half.name} is set and does nothing; set ${half.needs.join(' or ')} too, or unset it.`)
    const usual = env['IMAGE_GEN_PROVIDER']?.toLowerCase() ?? 'openai'
    const makers = [...named(imageKeys, env), ...(usual === 'placeholder' ? ['placeholder'] : [])]
    const isLeftOut = env['IMAGE_GEN_PROVIDER'] !== undefined && usual in imageKeys && !makers.includes(usual)
    if (isLeftOut) return warn(`IMAGE_GEN_PROVIDER is ${usual}, which has no key; set ${imageKeys[usual]}, or name another provider.`)
    const seers = named(seeingKeys, env)
    const made = makers.length > 0 ? `Images are made by ${makers.join(', ')}` : `Nothing makes images; set ${Object.values(imageKeys).join(' or ')} where that is wanted`
    return ok(`${made}, and ${seers.length > 0 ? `described by ${seers[0]}` : 'nothing describes them'}.`)
  },
  Jira({ env }) {
    const begun = Object.keys(env).filter((name) => name.startsWith('JIRA_') && env[name] !== undefined)
    const missing = ['JIRA_BASE_URL', 'JIRA_API_TOKEN'].filter((name) => env[name] === undefined)
    if (begun.length === 0) return ok('Jira is not set up.')
    if (missing.length > 0) return warn(`Jira is half set up. Set ${missing.join(' and ')} too, or unset ${begun.join(' and ')}.`)
    if (env['JIRA_WEBHOOK_SECRET'] === undefined) return warn('Messages of Jira are refused in production; set JIRA_WEBHOOK_SECRET here and in the webhook of Jira.')
    return isShort(env['JIRA_WEBHOOK_SECRET']) ? warn(tooShort('JIRA_WEBHOOK_SECRET')) : ok('Tickets of Jira are handled.')
  },
  'Public address'({ settings: { publicOrigin }, shape }) {
    const { value } = publicOrigin
    if (shape === 'library' && value === undefined) return ok('Addresses start from the site itself.')
    if (value !== undefined && !isLocal(value)) return ok('ORCHESTRATOR_PUBLIC_ORIGIN is a real origin.')
    return warn('Set ORCHESTRATOR_PUBLIC_ORIGIN to the address that browsers use, which is not localhost.')
  },
}

function judgeSecret(env: Environment, name: string, where: string): Judgement {
  if (env[name] === undefined) return unsafe(`Set ${name} here and the same value ${where}.`)
  return isShort(env[name]) ? warn(tooShort(name)) : ok(`${name} is set.`)
}

const isShort = (secret: string | undefined): boolean => secret !== undefined && secret.length < shortest
const tooShort = (name: string): string => `${name} is easy to guess; use ${shortest} random characters.`

/** Judges the settings in effect as if this were production, without touching anything. */
export function judge(facts: Facts): readonly Finding[] {
  return Object.entries(checks).map(([item, check]) => ({ item, ...check(facts) }))
}
