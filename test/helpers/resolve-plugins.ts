import type { OrchestratorConfig } from '../../config/define-config.ts'
import { findPlugins, type Resolved } from '../../config/resolve.ts'
import { BootError } from '../../kernel/index.ts'

/** The plugins of a configuration; throws a BootError with every problem. */
export async function resolvePlugins(config: OrchestratorConfig): Promise<readonly Resolved[]> {
  const { plugins, problems } = await findPlugins(config)
  if (problems.length > 0) throw new BootError(problems)
  return plugins
}
