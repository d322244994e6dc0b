import { resolvePlugins } from './resolve-plugins.ts'
import { serve } from '../../config/cli/serve/start.ts'
import { readSettings } from '../../config/settings.ts'
import { temporaryFolder } from './stack.ts'
import type { Test } from './raw.ts'

/**
 * Starts what `orchestrator serve --demo` does, on free ports and in a temporary folder; stopped with the test.
 * `again` names the port and the folder of a service that has stopped.
 */
export async function serveDemo(
  t: Test,
  variables: Readonly<Record<string, string>> = {},
  again: { readonly port?: number; readonly folder?: string } = {},
) {
  const { port = 0, folder = temporaryFolder(t) } = again
  const config = { shape: 'standalone' } as const
  const env = { DEMO_SITE_PORT: '0', ...variables }
  const flags = { port: String(port), 'data-dir': folder, 'log-level': 'silent' }
  const settings = readSettings({ flags, env, config, cwd: process.cwd() })
  const ignore = (): void => undefined
  const io = {
    write: ignore,
    print: ignore,
    isTerminal: false,
    paint: (_style: unknown, text: string) => text,
  }
  const serving = await serve({ settings, plugins: await resolvePlugins(config), env, demo: true, io })
  let stopped: Promise<unknown> | undefined
  const stop = () => (stopped ??= Promise.resolve(serving.stop()))
  t.teardown(stop)
  return { ...serving, stop, folder, origin: `http://127.0.0.1:${serving.port}` }
}
