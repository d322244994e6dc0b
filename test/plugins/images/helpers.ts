import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createOrchestrator } from '../../../config/index.ts'
import { createHttpServer } from '../../../kernel/http/server.ts'
import type { PluginEntry } from '../../../config/define-config.ts'
import { capturedLog } from '../../../kernel/testing.ts'
import { environment } from '../../helpers/environment.ts'
import { listen } from '../../helpers/raw.ts'
import { askOver, startStack, temporaryFolder } from '../../helpers/stack.ts'

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

const toService = (origin: string, dataDir: string, log: readonly string[] = []): Service => ({
  origin,
  post: (url, json) => askOver(origin, { method: 'POST', url, json }),
  features: async () => Object((await askOver(origin, { url: '/status/planner' })).json()).features,
  dataDir,
  stored: () => readdir(join(dataDir, 'generated-images')).catch(() => []),
  log,
})

/** The standalone service. */
export async function standalone(t: Test, env: Env, plugins: readonly PluginEntry[] = []): Promise<Service> {
  const stack = await startStack(t, { env, plugins })
  return toService(stack.origin, stack.dataDir)
}

/** The service inside a website, with its log lines. */
export async function library(t: Test, env: Env, plugins: readonly PluginEntry[] = []): Promise<Service> {
  const dataDir = temporaryFolder(t)
  environment(t, { ORCHESTRATOR_DATA_DIR: dataDir, ...env })
  const { log, lines } = capturedLog()
  const mounted = createOrchestrator({
    adapter: { readContent: async () => ({ pages: [] }) },
    logger: log,
    plugins,
  })
  t.teardown(() => mounted.close())
  return toService(`http://127.0.0.1:${await listen(t, createHttpServer(mounted.node))}`, dataDir, lines)
}
