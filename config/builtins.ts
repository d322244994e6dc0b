type Plugins = typeof import('./builtin-plugins.ts')

export type BuiltinName = keyof Plugins

/** Listed here as well, so that a configuration can be checked before any plugin is loaded. */
const listed: Readonly<Record<BuiltinName, true>> = {
  scope: true,
  store: true,
  blobs: true,
  bus: true,
  outbound: true,
  auth: true,
  health: true,
  status: true,
  sites: true,
  sessions: true,
  draft: true,
  ops: true,
  chat: true,
  'chat-model': true,
  'chat-streams': true,
  'chat-variations': true,
  history: true,
  publish: true,
  published: true,
  preview: true,
  checks: true,
  restore: true,
  events: true,
  docs: true,
  telemetry: true,
  media: true,
  gdrive: true,
  audio: true,
  'image-generation': true,
  'image-interpretation': true,
  unsplash: true,
  'cms-media': true,
  llm: true,
  openai: true,
  gemini: true,
  usage: true,
  metrics: true,
  tracing: true,
  webhooks: true,
  tools: true,
  agent: true,
  mcp: true,
  jira: true,
  'sites-agent': true,
  demo: true,
}

/** Tells the name of a built-in from any other text. */
export function isBuiltin(name: string): name is BuiltinName {
  return Object.hasOwn(listed, name)
}

/** The names of all built-ins, in the order of their list. */
export const builtinNames: readonly BuiltinName[] = Object.keys(listed).filter(isBuiltin)

/** Imports a built-in plugin, and all the others with it. */
export async function importBuiltin<N extends BuiltinName>(name: N): Promise<Plugins[N]> {
  return (await import('./builtin-plugins.ts'))[name]
}

/** What a built-in plugin is, down to the options that it takes. */
export type Builtin<N extends BuiltinName> = Plugins[N]
