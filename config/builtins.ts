/** Every built-in plugin by name; a plugin is imported only when something names it. */
export const builtins = {
  scope: () => import('../plugins/scope/index.ts'),
  store: () => import('../plugins/store/index.ts'),
  blobs: () => import('../plugins/blobs/index.ts'),
  bus: () => import('../plugins/bus/index.ts'),
  outbound: () => import('../plugins/outbound/index.ts'),
  auth: () => import('../plugins/auth/index.ts'),
  health: () => import('../plugins/health/index.ts'),
  status: () => import('../plugins/status/index.ts'),
  sites: () => import('../plugins/sites/index.ts'),
  sessions: () => import('../plugins/sessions/index.ts'),
  draft: () => import('../plugins/draft/index.ts'),
  ops: () => import('../plugins/ops/index.ts'),
  history: () => import('../plugins/history/index.ts'),
  publish: () => import('../plugins/publish/index.ts'),
  published: () => import('../plugins/published/index.ts'),
  restore: () => import('../plugins/restore/index.ts'),
  events: () => import('../plugins/events/index.ts'),
  docs: () => import('../plugins/docs/index.ts'),
  demo: () => import('../plugins/demo/index.ts'),
} as const

export type BuiltinName = keyof typeof builtins

/** Tells the name of a built-in from any other text. */
export function isBuiltin(name: string): name is BuiltinName {
  return Object.hasOwn(builtins, name)
}

/** The names of all built-ins, in the order of their list. */
export const builtinNames: readonly BuiltinName[] = Object.keys(builtins).filter(isBuiltin)
