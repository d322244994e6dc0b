/**
 * The built-in plugins by name, which is the path of their folder with `-` for `/`, and by preset. A plugin
 * is imported only if a configuration names it. Each import is a literal path, because bundlers and the types
 * of `defineConfig` cannot follow others.
 */
import type { Plugin } from '../kernel/index.ts'

/** The minimum to store drafts and change them by operations, for hosts that choose the rest themselves. */
const minimal = {
  scope: () => import('../plugins/scope/index.ts'),
  store: () => import('../plugins/store/index.ts'),
  blobs: () => import('../plugins/blobs/index.ts'),
  bus: () => import('../plugins/bus/index.ts'),
  jobs: () => import('../plugins/jobs/index.ts'),
  outbound: () => import('../plugins/outbound/index.ts'),
  auth: () => import('../plugins/auth/index.ts'),
  health: () => import('../plugins/health/index.ts'),
  sites: () => import('../plugins/sites/index.ts'),
  draft: () => import('../plugins/draft/index.ts'),
  'draft-ops': () => import('../plugins/draft/ops/index.ts'),
}

const library = {
  ...minimal,
  chat: () => import('../plugins/chat/index.ts'),
  'chat-rules': () => import('../plugins/chat/rules/index.ts'),
  'chat-model': () => import('../plugins/chat/model/index.ts'),
  'chat-images': () => import('../plugins/chat/images/index.ts'),
  'chat-streams': () => import('../plugins/chat/streams/index.ts'),
  'chat-variations': () => import('../plugins/chat/variations/index.ts'),
  'health-status': () => import('../plugins/health/status/index.ts'),
  sessions: () => import('../plugins/sessions/index.ts'),
  'draft-history': () => import('../plugins/draft/history/index.ts'),
  publish: () => import('../plugins/publish/index.ts'),
  'publish-published': () => import('../plugins/publish/published/index.ts'),
  preview: () => import('../plugins/preview/index.ts'),
  checks: () => import('../plugins/checks/index.ts'),
  'checks-dismissals': () => import('../plugins/checks/dismissals/index.ts'),
  'publish-restore': () => import('../plugins/publish/restore/index.ts'),
  events: () => import('../plugins/events/index.ts'),
  presence: () => import('../plugins/presence/index.ts'),
  docs: () => import('../plugins/docs/index.ts'),
  'models-anthropic': () => import('../plugins/models/anthropic/index.ts'),
  'models-openai': () => import('../plugins/models/openai/index.ts'),
  'models-gemini': () => import('../plugins/models/gemini/index.ts'),
  'models-usage': () => import('../plugins/models/usage/index.ts'),
  telemetry: () => import('../plugins/telemetry/index.ts'),
  media: () => import('../plugins/media/index.ts'),
  'media-usage': () => import('../plugins/media/usage/index.ts'),
  'media-gdrive': () => import('../plugins/media/gdrive/index.ts'),
  'media-audio': () => import('../plugins/media/audio/index.ts'),
  'media-generation': () => import('../plugins/media/generation/index.ts'),
  'media-interpretation': () => import('../plugins/media/interpretation/index.ts'),
  metrics: () => import('../plugins/metrics/index.ts'),
  tracing: () => import('../plugins/tracing/index.ts'),
  webhooks: () => import('../plugins/webhooks/index.ts'),
  'media-unsplash': () => import('../plugins/media/unsplash/index.ts'),
  'media-cms': () => import('../plugins/media/cms/index.ts'),
  tools: () => import('../plugins/tools/index.ts'),
  'agents-loop': () => import('../plugins/agents/loop/index.ts'),
  mcp: () => import('../plugins/mcp/index.ts'),
  'agents-jira': () => import('../plugins/agents/jira/index.ts'),
  'agents-onboarding': () => import('../plugins/agents/onboarding/index.ts'),
}

const standalone = {
  ...library,
  demo: () => import('../plugins/demo/index.ts'),
  studio: () => import('../plugins/studio/index.ts'),
}

/** The names of built-in plugins of configurations from before they were those of their folders. */
export const formerNames: ReadonlyMap<string, BuiltinName> = new Map([
  ['ops', 'draft-ops'],
  ['history', 'draft-history'],
  ['published', 'publish-published'],
  ['restore', 'publish-restore'],
  ['dismissals', 'checks-dismissals'],
  ['status', 'health-status'],
  ['usage', 'models-usage'],
  ['llm', 'models-anthropic'],
  ['openai', 'models-openai'],
  ['gemini', 'models-gemini'],
  ['gdrive', 'media-gdrive'],
  ['audio', 'media-audio'],
  ['image-generation', 'media-generation'],
  ['image-interpretation', 'media-interpretation'],
  ['unsplash', 'media-unsplash'],
  ['cms-media', 'media-cms'],
  ['agent', 'agents-loop'],
  ['jira', 'agents-jira'],
  ['sites-agent', 'agents-onboarding'],
])

/** Says which name a former one has now; `undefined` for any other name. */
export function renamedPlugin(name: string): string | undefined {
  const now = formerNames.get(name)
  return now && `the plugin '${name}' is '${now}' now: built-in plugins are named after their folders`
}

export type BuiltinName = keyof typeof standalone

/** The type of a built-in plugin, including its options. */
export type Builtin<N extends BuiltinName> = Awaited<ReturnType<(typeof standalone)[N]>>['default']

export async function importBuiltin(name: BuiltinName): Promise<Plugin> {
  return (await standalone[name]()).default
}

export const isBuiltin = (name: string): name is BuiltinName => Object.hasOwn(standalone, name)

const keysOf = <K extends string>(object: Readonly<Record<K, unknown>>): readonly K[] =>
  Object.keys(object).filter((key): key is K => Object.hasOwn(object, key))

export const builtinNames = keysOf(standalone)

/** The presets by name; the default has the name of the shape. */
export const presets = {
  standalone: builtinNames,
  library: keysOf(library),
  minimal: keysOf(minimal),
} as const

export type PresetName = keyof typeof presets
export const presetNames = keysOf(presets)
