/** Entry point for tests of plugins, drivers and adapters: `content-orchestrator/testing`. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BootError, createLogger, give, mount, type Logger, type Mount, type Seed } from '../kernel/index.ts'
import type { Test } from '../kernel/testing.ts'
import { contentAdapter, type ContentAdapter } from '../plugins/content/adapter.ts'
import type { OrchestratorConfig } from './define-config.ts'
import { findPlugins } from './resolve.ts'

export * from '../kernel/testing.ts'
export { blobsContract } from './contracts/blobs.ts'
export { busContract } from './contracts/bus.ts'
export { storeContract } from './contracts/store.ts'
export { contentAdapterContract, type AdapterSetting } from './contracts/content-adapter.ts'

export interface TestOptions extends Pick<OrchestratorConfig, 'preset' | 'without' | 'plugins'> {
  /** Reads the published content, with which drafts of the default site start. */
  readonly adapter?: ContentAdapter
  /** Services that replace those of an omitted plugin, such as a fixed clock. */
  readonly seeds?: readonly Seed[]
  /** The variables that plugins see, besides those that keep data in memory and in a temporary folder. */
  readonly env?: Readonly<Record<string, string>>
  /** Default: silent. */
  readonly log?: Logger
}

/**
 * Boots the built-ins of a standalone server with your plugins, and closes it with the test. Does not read
 * the environment and leaves nothing behind. All gates are open, as without credentials. An unexpected error
 * rejects its request. If the boot fails, the first request, or `ready()`, rejects with a BootError.
 */
export function orchestratorForTest(
  t: Pick<Test, 'teardown'>,
  { adapter, seeds = [], env = {}, log, ...config }: TestOptions = {},
): Mount {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrator-test-'))
  const mounted = mount(async () => {
    const { plugins, problems } = await findPlugins({ shape: 'standalone', ...config })
    if (problems.length > 0) throw new BootError(problems)
    return {
      shape: 'standalone',
      plugins,
      seeds: [...seeds, ...(adapter ? [give(contentAdapter, adapter)] : [])],
      env: { ORCHESTRATOR_DATA_DIR: folder, ORCHESTRATOR_DB_FILE: ':memory:', ...env },
      log: log ?? createLogger({ level: 'silent' }),
      faults: 'throw',
    }
  })
  t.teardown(async () => {
    await mounted.close()
    await rm(folder, { recursive: true, force: true })
  })
  return mounted
}
