import type { BuiltinName } from './builtins.ts'

/** Enough to keep drafts and change them by operations, for hosts that choose the rest themselves. */
const minimal = [
  'scope',
  'store',
  'blobs',
  'bus',
  'outbound',
  'auth',
  'health',
  'sites',
  'draft',
  'ops',
] as const satisfies readonly BuiltinName[]

/** What both shapes serve. */
const everything = [
  ...minimal,
  'chat',
  'chat-model',
  'chat-streams',
  'chat-variations',
  'status',
  'sessions',
  'history',
  'publish',
  'published',
  'preview',
  'checks',
  'restore',
  'events',
  'docs',
  'llm',
  'openai',
  'gemini',
  'usage',
  'telemetry',
  'media',
  'gdrive',
  'audio',
  'image-generation',
  'image-interpretation',
  'metrics',
  'tracing',
  'webhooks',
  'unsplash',
  'cms-media',
  'tools',
  'agent',
  'mcp',
  'jira',
  'sites-agent',
] as const satisfies readonly BuiltinName[]

/** Built-ins to begin with, by the name that `preset` chooses; the preset of a shape bears its name. */
export const presets = {
  standalone: [...everything, 'demo'],
  library: everything,
  minimal,
} as const satisfies Readonly<Record<string, readonly BuiltinName[]>>

export type PresetName = keyof typeof presets

/** Tells the name of a preset from any other text. */
export function isPreset(name: string): name is PresetName {
  return Object.hasOwn(presets, name)
}

export const presetNames: readonly PresetName[] = Object.keys(presets).filter(isPreset)
