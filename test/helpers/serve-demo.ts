import { startDemo } from '../../config/cli/serve/demo/index.ts'
import { serve } from '../../config/cli/serve/start.ts'
import type { PluginEntry } from '../../config/define-config.ts'
import { readSettings } from '../../config/settings.ts'
import { resolvePlugins } from './resolve-plugins.ts'
import type { TeardownTest } from './raw.ts'
import { temporaryFolder } from './stack.ts'

/** Where `serve` writes, without a terminal. */
export const outputTo = (write: (text: string) => void) => ({
  write,
  print: write,
  isTerminal: false,
  paint: (_style: unknown, text: string) => text,
})

/** Starts what `orchestrator serve` does, in this process and on free ports; stopped with the test. */
export async function serveHere(
  t: TeardownTest,
  {
    env = {} as Readonly<Record<string, string>>,
    plugins = [] as readonly PluginEntry[],
    demo = false,
    port = 0,
    folder = temporaryFolder(t),
    logLevel = 'silent',
    write = (_text: string): void => undefined,
  } = {},
) {
  // Power losses are not tested here, and a disk flush per change is slow.
  const config = { shape: 'standalone', plugins: [['store', { synchronous: 'normal' }], ...plugins] } as const
  const variables = { DEMO_SITE_PORT: '0', ...env }
  const flags = { port: String(port), 'data-dir': folder, 'log-level': logLevel }
  const settings = readSettings({ flags, env: variables, config, cwd: folder })
  const options = {
    settings,
    plugins: await resolvePlugins(config),
    env: variables,
    website: demo ? startDemo : undefined,
  }
  const serving = await serve({ ...options, io: outputTo(write) })
  let stopped: Promise<unknown> | undefined
  const stop = () => (stopped ??= Promise.resolve(serving.stop()))
  t.teardown(stop)
  return { port: serving.port, stop, folder, origin: `http://localhost:${serving.port}` }
}

/** Starts what `orchestrator serve --demo` does; `again` names the port and the folder of a service that has stopped. */
export const serveDemo = (
  t: TeardownTest,
  env: Readonly<Record<string, string>> = {},
  again: { readonly port?: number; readonly folder?: string } = {},
) => serveHere(t, { ...again, env, demo: true })
