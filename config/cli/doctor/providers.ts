import { definePlugin, use } from '../../../kernel/index.ts'
import { modelClients, ModelFailure, modelTiers, type ModelClient } from '../../../plugins/llm/port.ts'
import { findBrowser, NoBrowser } from '../../../plugins/preview/browser.ts'
import type { Assembly } from '../../assemble.ts'
import type { Environment } from '../../env.ts'
import { inspect } from '../shared/installation.ts'
import { ok, unsafe, warn, type Finding, type CheckResult } from './finding.ts'

const none =
  'None is configured; set ANTHROPIC_API_KEY, or OPENAI_MODEL with OPENAI_API_KEY or OPENAI_BASE_URL, to use one.'

/** Requests one word from every configured model, and checks the answers. */
export async function* checkModels(assembly: Assembly, timeoutMs: number): AsyncGenerator<Finding> {
  let clients: readonly ModelClient[] = []
  const probe = definePlugin({ name: 'check-models', tag: 'Chat', needs: { clients: modelClients } }).setup(
    ({ needs }) => {
      clients = needs.clients.filter((client) => client !== undefined)
      return {}
    },
  )
  const plugins = [...assembly.plugins, { ...use(probe), entry: 'check-models', isBuiltin: true }]
  const results = await inspect({ ...assembly, plugins }, () =>
    Promise.all(
      clients.flatMap((client) => {
        const models = new Set(modelTiers.map((tier) => client.modelOf(tier)))
        return [...models].map((model) => checkModel(client, model, AbortSignal.timeout(timeoutMs)))
      }),
    ),
  )
  for (const result of results.length === 0 ? [warn(none)] : results) {
    yield { item: 'Language model', ...result }
  }
}

async function checkModel(client: ModelClient, model: string, signal: AbortSignal): Promise<CheckResult> {
  const messages = [{ role: 'user' as const, texts: [{ text: 'Ready?' }] }]
  const call = { model, maxTokens: 16, tools: [], system: [{ text: 'Answer with one word.' }], messages }
  try {
    for await (const _ of client.stream(call, signal)) break
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    const { kind, reason } = error
    if (kind === 'aborted') return warn(`${model} did not answer in time; try again.`)
    if (kind === 'overload') return warn(`${model}: ${reason}`)
    if (kind !== 'truncated' && kind !== 'refused') return unsafe(`${model}: ${reason}`)
  }
  return ok(`${model} of ${client.provider} answers.`)
}

type Provider = readonly [name: string, needs: readonly (readonly string[])[], own: readonly string[]]

/**
 * The media providers: groups of alternative variables, one of which must be set per group, and the variables
 * that only this provider reads, which have no effect while a group is missing.
 */
const providers: readonly Provider[] = [
  ['Unsplash', [['UNSPLASH_ACCESS_KEY']], ['UNSPLASH_BASE_URL']],
  [
    'Contentful',
    [['CONTENTFUL_SPACE_ID'], ['CONTENTFUL_DELIVERY_TOKEN']],
    ['CONTENTFUL_SPACE_ID', 'CONTENTFUL_DELIVERY_TOKEN', 'CONTENTFUL_ENVIRONMENT', 'CONTENTFUL_BASE_URL'],
  ],
  ['Sanity', [['SANITY_PROJECT_ID']], ['SANITY_DATASET', 'SANITY_BASE_URL']],
  ['Strapi', [['STRAPI_URL']], ['STRAPI_TOKEN']],
  [
    'Google Drive',
    [['GOOGLE_SERVICE_ACCOUNT_KEY_JSON', 'GOOGLE_API_KEY'], ['GOOGLE_DRIVE_FOLDER_ID']],
    ['SERVICE_ACCOUNT_KEY_JSON', 'API_KEY', 'DRIVE_FOLDER_ID', 'DRIVE_ALLOWED_FOLDERS', 'DRIVE_BASE_URL'].map(
      (name) => `GOOGLE_${name}`,
    ),
  ],
  [
    'Recordings',
    [
      ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
      ['OPENAI_API_KEY', 'OPENAI_TRANSCRIBE_MODEL'],
    ],
    ['OPENAI_TRANSCRIBE_MODEL', 'OPENAI_TRANSCRIBE_FALLBACK_MODELS'],
  ],
]

/** Reports the configured providers, and the missing variables of incomplete ones. */
export function checkMediaProviders(env: Environment): readonly Finding[] {
  const item = 'Media providers'
  const complete: string[] = []
  const incomplete: Finding[] = []
  const isSet = (name: string): boolean => env[name] !== undefined
  for (const [name, needs, own] of providers) {
    const begun = own.filter(isSet).join(' and ')
    const unmet = needs.filter((group) => !group.some(isSet))
    const missing = unmet.map((group) => group.join(' or ')).join(' and ')
    const says = `${name} is configured incompletely: set ${missing} too, or unset ${begun}.`
    if (missing === '') complete.push(name)
    else if (begun !== '') incomplete.push({ item, ...warn(says) })
  }
  const list = complete.length === 0 ? '' : `Configured by variables: ${complete.join(', ')}.`
  return [{ item, ...ok(list || 'No media provider is configured by variables.') }, ...incomplete]
}

/** Reports the browser for screenshots, or the missing part; warns only if a browser is configured. */
export async function checkScreenshots(
  { PREVIEW_BROWSER: program }: Environment,
  find: typeof findBrowser = findBrowser,
): Promise<Finding> {
  const item = 'Screenshots'
  try {
    const { executablePath } = await find(program)
    return { item, ...ok(`Taken with ${executablePath}.`) }
  } catch (error) {
    const report = program === undefined ? ok : warn
    if (error instanceof NoBrowser && error.kind === 'library_missing') {
      const remedy = 'Run npm install playwright-core.'
      return { item, ...report(`Not available: the package playwright-core is missing. ${remedy}`) }
    }
    const says =
      program === undefined
        ? 'Not available: no browser was found. Install Chromium, or name its program in PREVIEW_BROWSER.'
        : `PREVIEW_BROWSER names ${program}, which does not exist; name the program of a Chromium, or unset it.`
    return { item, ...report(says) }
  }
}
