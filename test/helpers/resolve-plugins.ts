import type { OrchestratorConfig } from '../../config/define-config.ts'
import { findPlugins, type Resolved } from '../../config/resolve.ts'
import { BootError } from '../../kernel/index.ts'

/** The plugins that a configuration leads to; throws a BootError with everything that stands in the way. */
export async function resolvePlugins(config: OrchestratorConfig): Promise<readonly Resolved[]> {
  const { plugins, problems } = await findPlugins(config)
  if (problems.length > 0) throw new BootError(problems)
  return plugins
}
