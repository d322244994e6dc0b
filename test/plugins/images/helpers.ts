import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { PluginEntry } from '../../../config/define-config.ts'
import { startLibrary } from '../../helpers/library.ts'
import { askOver, startStack } from '../../helpers/stack.ts'

/** The service over a socket. */
export interface Service {
  readonly origin: string
  post(path: string, json: unknown): ReturnType<typeof askOver>
  /** The features in its status. */
  features(): Promise<Readonly<Record<string, boolean>>>
  /** The names of the stored files. */
  stored(): Promise<readonly string[]>
  readonly dataDir: string
  readonly log: readonly string[]
}

type Env = Readonly<Record<string, string>>
type Started = Pick<Service, 'origin' | 'dataDir'> & { readonly lines?: readonly string[] }

const toService = ({ origin, dataDir, lines: log = [] }: Started): Service => ({
  origin,
  dataDir,
  log,
  post: (url, json) => askOver(origin, { method: 'POST', url, json }),
  features: async () => Object((await askOver(origin, { url: '/status/planner' })).json()).features,
  stored: () => readdir(join(dataDir, 'generated-images')).catch(() => []),
})

/** The standalone service. */
export const standalone = async (t: Test, env: Env, plugins: readonly PluginEntry[] = []): Promise<Service> =>
  toService(await startStack(t, { env, plugins }))

/** The service inside a website, with its log lines. */
export const library = async (t: Test, env: Env, plugins: readonly PluginEntry[] = []): Promise<Service> =>
  toService(await startLibrary(t, env, { plugins }))
