import { createSiteEditor } from '../../config/create-site-editor.ts'
import type { Environment } from '../../config/env.ts'
import { inspect } from '../../config/cli/shared/installation.ts'
import { resolvePlugins } from '../helpers/resolve-plugins.ts'
import { readSettings } from '../../config/settings.ts'
import { createLogger, type Kernel, type MountedRoute, type Shape } from '../../kernel/index.ts'

export const shapes: readonly Shape[] = ['standalone', 'library', 'site']

/** Boots a shape with its preset and these variables only, and inspects it. */
export async function lookAt<T>(
  shape: 'standalone' | 'library',
  env: Environment,
  look: (kernel: Kernel) => T,
): Promise<T> {
  const config = { shape }
  const settings = readSettings({ env, config, cwd: process.cwd() })
  return inspect(
    { env, loaded: { config, problems: [] }, settings, plugins: await resolvePlugins(config) },
    look,
  )
}

/** The routes of a shape without configuration. */
export async function routesOf(shape: Shape): Promise<readonly MountedRoute[]> {
  if (shape !== 'site') return lookAt(shape, {}, ({ routes }) => routes)
  const adapter = { readContent: async () => ({ pages: [] }) }
  // Also runs on Node 22, which cannot parse `await using`.
  const editor = createSiteEditor({ adapter, logger: createLogger({ level: 'silent' }) })
  try {
    return await editor.ready()
  } finally {
    await editor.close()
  }
}
