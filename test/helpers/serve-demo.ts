import { resolvePlugins } from './resolve-plugins.ts'
import { serve } from '../../config/cli/serve/start.ts'
import { readSettings } from '../../config/settings.ts'
import { temporaryFolder } from './stack.ts'

interface Test {
  teardown(run: () => unknown): void
}

/** Starts what `orchestrator serve --demo` does, on free ports and in a temporary folder; stopped with the test. */
export async function serveDemo(t: Test, variables: Readonly<Record<string, string>> = {}) {
  const config = { shape: 'standalone' } as const
  const env = { DEMO_SITE_PORT: '0', ...variables }
  const flags = { port: '0', 'data-dir': temporaryFolder(t), 'log-level': 'silent' }
  const settings = readSettings({ flags, env, config, cwd: process.cwd() })
  const ignore = (): void => undefined
  const io = {
    write: ignore,
    print: ignore,
    isTerminal: false,
    paint: (_style: unknown, text: string) => text,
  }
  const serving = await serve({ settings, plugins: await resolvePlugins(config), env, demo: true, io })
  t.teardown(() => serving.stop())
  return { ...serving, origin: `http://127.0.0.1:${serving.port}` }
}
