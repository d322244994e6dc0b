import { createLogger, give, mount, randomIds, systemClock, type Mount } from '../../kernel/index.ts'
import { createMemoryBlobs } from '../helpers/memory-blobs.ts'
import { blobs } from '../../plugins/blobs/port.ts'
import { resolvePlugins } from '../helpers/resolve-plugins.ts'

/** The standalone service with chat, in memory and without a port. */
export async function openService(env: Readonly<Record<string, string | undefined>>): Promise<Mount> {
  const plugins = await resolvePlugins({
    shape: 'standalone',
    preset: 'minimal',
    without: ['blobs'],
    plugins: [
      ['store', { file: ':memory:' }],
      'chat',
      'chat-rules',
      'chat-model',
      'models-anthropic',
      'models-usage',
    ],
  })
  const seeds = [give(blobs, createMemoryBlobs({ clock: systemClock, ids: randomIds }))]
  const mounted = mount({ shape: 'standalone', plugins, seeds, env, log: createLogger({ level: 'silent' }) })
  await mounted.ready()
  return mounted
}
