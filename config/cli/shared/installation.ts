import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel, createLogger, give, type Kernel } from '../../../kernel/index.ts'
import { allowedOrigins } from '../../../plugins/auth/port.ts'
import { assemble, type Assembly } from '../../assemble.ts'
import { toEnvironment, toServerEnvironment } from '../../settings.ts'
import type { Flag, GivenFlags, Io } from './command.ts'

/** The flags of every command that loads the installation. */
export const sharedFlags = {
  config: {
    value: 'FILE',
    help: 'Reads this configuration file instead of the one in the working directory.',
  },
  host: { value: 'ADDRESS', help: 'Listens on this address; HOST, else 127.0.0.1.' },
  port: { value: 'PORT', help: 'Listens on this port; PORT, else 4200. 0 takes any free one.' },
  'data-dir': { value: 'FOLDER', help: 'Uses this data folder; ORCHESTRATOR_DATA_DIR, else .orchestrator.' },
  'log-level': {
    value: 'LEVEL',
    help: 'Logs from this level on: trace, debug, info, warn, error, fatal, silent.',
  },
} as const satisfies Readonly<Record<string, Flag>>

export type SharedGiven = GivenFlags<keyof typeof sharedFlags>

/** Loads the installation that the shared flags and the environment describe. */
export const assembleFor = (given: SharedGiven, io: Io): Promise<Assembly> =>
  assemble(io, {
    config: given.get('config'),
    host: given.get('host'),
    port: given.get('port'),
    'data-dir': given.get('data-dir'),
    'log-level': given.get('log-level'),
  })

/** Boots an installation without listening and on temporary storage, passes it to `use`, and closes it. */
export async function inspect<T>(
  { env, loaded, settings, plugins }: Assembly,
  use: (kernel: Kernel) => T | Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'orchestrator-'))
  const { shape } = loaded.config
  const effective =
    shape === 'standalone'
      ? toServerEnvironment(env, settings, settings.port.value)
      : toEnvironment(env, settings)
  const storage = {
    ORCHESTRATOR_DATA_DIR: folder,
    ORCHESTRATOR_GENERATED_IMAGE_DIR: folder,
    ORCHESTRATOR_DB_FILE: ':memory:',
  }
  try {
    const kernel = await createKernel({
      shape,
      plugins,
      seeds: [give(allowedOrigins, settings.origins.value)],
      env: { ...effective, ...storage },
      log: createLogger({ level: 'silent' }),
    })
    try {
      return await use(kernel)
    } finally {
      await kernel.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
