import * as v from 'valibot'
import { gateMode } from '../plugins/auth/mode.ts'
import { PasswordHash } from '../plugins/auth/password.ts'
import type { OrchestratorConfig } from './define-config.ts'
import type { Environment } from './env.ts'
import { nearest } from './nearest.ts'
import type { Settings } from './settings.ts'
import { isLoopback, toOrigin } from './values.ts'
import { hasCredential } from './warnings.ts'

/** How one item of the production checklist stands, and what to do about it. */
export interface Finding {
  readonly item: string
  readonly state: 'ok' | 'warn' | 'unsafe'
  /** One sentence; where the state is not `ok` it names the remedy. */
  readonly says: string
}

type Judgement = readonly [state: Finding['state'], says: string]

const shortest = 16

/** What one check may look at. */
interface Facts {
  readonly env: Environment
  readonly settings: Settings
  readonly shape: OrchestratorConfig['shape']
}

const checks: Readonly<Record<string, (facts: Facts) => Judgement>> = {
  Credential({ env }) {
    if (!hasCredential(env)) return ['unsafe', 'Set ACCESS_PASSWORD_HASH (for people) or ORCHESTRATOR_ACCESS_TOKEN (for programs); `orchestrator hash-password` makes the former.']
    const hash = env['ACCESS_PASSWORD_HASH']
    const password = hash === undefined ? undefined : v.safeParse(PasswordHash, hash)
    if (password?.success === false) return ['unsafe', `ACCESS_PASSWORD_HASH ${password.issues[0].message}.`]
    const token = env['ORCHESTRATOR_ACCESS_TOKEN']
    if (token !== undefined && token.length < shortest) return ['warn', `ORCHESTRATOR_ACCESS_TOKEN is short enough to guess; use ${shortest} random characters or more.`]
    if (password?.output.form === 'sha256') return ['warn', 'ACCESS_PASSWORD_HASH is in the plain form, quick to guess from; use `orchestrator hash-password --scrypt`, unless the password was generated.']
    return ['ok', 'A credential is set.']
  },
  'Publish secret': ({ env }) => secret(env, 'PUBLISH_TOKEN', 'and the same value on the site: without it everyone may publish'),
  'Draft secret': ({ env }) => secret(env, 'DRAFT_MODE_SECRET', 'and give the same value to the editor and the site: without it drafts cannot be shown'),
  'Site address'({ env }) {
    const address = env['NEXT_PUBLIC_SITE_URL']
    if (address === undefined) return ['warn', 'Set NEXT_PUBLIC_SITE_URL to the real origin of the site, here or where the site runs.']
    const origin = toOrigin(address)
    if (origin === undefined) return ['unsafe', 'NEXT_PUBLIC_SITE_URL is no origin; set it to one such as https://www.example.com.']
    if (isLocal(origin)) return ['unsafe', 'NEXT_PUBLIC_SITE_URL leads to this machine; set it to the real origin of the site.']
    return origin.startsWith('https:') ? ['ok', 'NEXT_PUBLIC_SITE_URL is a real origin.'] : ['warn', 'NEXT_PUBLIC_SITE_URL is not https; serve the site over TLS.']
  },
  'Agent surface'({ env }) {
    const isOn = env['AGENT_SURFACE'] === 'on'
    if (!isOn && env['AGENT_CLI'] === undefined) return ['ok', 'AGENT_SURFACE and AGENT_CLI are off.']
    if (isOn && !hasCredential(env)) return ['unsafe', 'AGENT_SURFACE is on without a credential; unset it, or set ACCESS_PASSWORD_HASH or ORCHESTRATOR_ACCESS_TOKEN.']
    return ['warn', 'Agents that run tools on this machine are switched on; unset AGENT_SURFACE and AGENT_CLI unless that is wanted.']
  },
  'Gate mode'({ env, shape }) {
    if (shape === 'standalone') return ['ok', 'A server of its own is never closed.']
    const credentials = { hash: env['ACCESS_PASSWORD_HASH'] !== undefined, token: env['ORCHESTRATOR_ACCESS_TOKEN'] !== undefined }
    const mode = gateMode({ hook: false, ...credentials, production: true })
    return mode === 'closed' ? ['unsafe', 'The mount will be closed: set a credential, or pass an auth hook to createOrchestrator.'] : ['ok', `The mount will be in mode '${mode}'.`]
  },
  NODE_ENV({ settings: { nodeEnv: { value } } }) {
    if (value === 'production') return ['ok', 'NODE_ENV is production.']
    const isMistyped = nearest(value, ['production']) !== undefined || value.toLowerCase().startsWith('prod')
    return [isMistyped ? 'unsafe' : 'warn', `NODE_ENV is ${value === '' ? 'not set' : `'${value}'`}; set it to production, or the rules for development hold.`]
  },
  Address({ settings: { host, allowedHosts }, shape }) {
    if (shape === 'library') return ['ok', 'The website listens.']
    if (isLoopback(host.value)) return ['ok', `Only this machine reaches ${host.value}.`]
    const names = allowedHosts.value.length === 0 ? ', and list the names of this service in ORCHESTRATOR_ALLOWED_HOSTS' : ''
    return ['warn', `It listens on ${host.value}, and most routes ask for no token: let nobody but your own proxy reach it${names}.`]
  },
  'Editor origins'({ settings: { origins } }) {
    if (origins.source === 'default') return ['warn', 'Set ORCHESTRATOR_CORS_ORIGINS to the origins of the editor and the site; in production no page may call without it.']
    const local = origins.value.filter(isLocal)
    return local.length > 0 ? ['warn', `ORCHESTRATOR_CORS_ORIGINS lists ${local.join(', ')}; take out what is for development only.`] : ['ok', 'The origins that may call are listed.']
  },
  'Public address'({ settings: { publicOrigin }, shape }) {
    if (shape === 'library' && publicOrigin.value === undefined) return ['ok', 'Addresses start from the site itself.']
    const isReal = publicOrigin.value !== undefined && !isLocal(publicOrigin.value)
    return isReal ? ['ok', 'ORCHESTRATOR_PUBLIC_ORIGIN is a real origin.'] : ['warn', 'Set ORCHESTRATOR_PUBLIC_ORIGIN to the address that browsers use, or images lead to localhost.']
  },
}

const isLocal = (origin: string): boolean => isLoopback(new URL(origin).hostname.replace(/^\[|\]$/g, ''))

function secret(env: Environment, name: string, why: string): Judgement {
  const value = env[name]
  if (value === undefined) return ['unsafe', `Set ${name} here ${why}.`]
  return value.length < shortest ? ['warn', `${name} is short enough to guess; use ${shortest} random characters or more.`] : ['ok', `${name} is set.`]
}

/** Judges the settings in effect as if this were production, without touching anything. */
export function judge(facts: Facts): readonly Finding[] {
  return Object.entries(checks).map(([item, check]) => {
    const [state, says] = check(facts)
    return { item, state, says }
  })
}
