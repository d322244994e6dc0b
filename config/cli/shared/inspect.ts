import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel, createLogger, give, type Kernel } from '../../../kernel/index.ts'
import { allowedOrigins } from '../../../plugins/auth/port.ts'
import type { Assembly } from '../../assemble.ts'
import { toEnvironment, toServerEnvironment } from '../../settings.ts'

/** Boots an installation without listening and on temporary storage, looks at it, and closes it. */
export async function inspect<T>({ env, loaded, settings, plugins }: Assembly, look: (kernel: Kernel) => T | Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'orchestrator-'))
  const { shape } = loaded.config
  const effective = shape === 'standalone' ? toServerEnvironment(env, settings, settings.port.value) : toEnvironment(env, settings)
  const storage = { ORCHESTRATOR_DATA_DIR: folder, ORCHESTRATOR_GENERATED_IMAGE_DIR: folder, ORCHESTRATOR_DB_FILE: ':memory:' }
  try {
    const kernel = await createKernel({
      shape,
      plugins,
      seeds: [give(allowedOrigins, settings.origins.value)],
      env: { ...effective, ...storage },
      log: createLogger({ level: 'silent' }),
    })
    try {
      return await look(kernel)
    } finally {
      await kernel.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
