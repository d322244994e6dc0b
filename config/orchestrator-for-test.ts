import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BootError, createLogger, give, mount, type Logger, type Mount, type Seed } from '../kernel/index.ts'
import type { Test } from '../kernel/testing.ts'
import { contentAdapter, type ContentAdapter } from '../plugins/content/adapter.ts'
import type { OrchestratorConfig } from './define-config.ts'
import { findPlugins } from './resolve.ts'

export interface TestOptions extends Pick<OrchestratorConfig, 'preset' | 'without' | 'plugins'> {
  /** What is published; drafts of the default site are filled from it. */
  readonly adapter?: ContentAdapter
  /** Services in place of those of a plugin that is left out, such as a clock that stands still. */
  readonly seeds?: readonly Seed[]
  /** The only variables that plugins see, beside those that keep everything in memory and in a folder of the test. */
  readonly env?: Readonly<Record<string, string>>
  /** Silent without it. */
  readonly log?: Logger
}

/**
 * Boots the built-ins of a server of its own with plugins of yours, and closes it with the test.
 *
 * Nothing is read from the environment, and nothing stays: documents are kept in memory, files in a folder that is removed.
 * All gates are open, as they are while nothing is set. An unexpected error rejects the request that met it. The first request,
 * or `ready()`, rejects with a BootError when it cannot start.
 */
export function orchestratorForTest(t: Pick<Test, 'teardown'>, { adapter, seeds = [], env = {}, log, ...config }: TestOptions = {}): Mount {
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
