/** The public API for websites and configuration files: `content-orchestrator`. */
export { createOrchestrator, type OrchestratorOptions } from './create-orchestrator.ts'
export {
  defineConfig,
  type BuiltinOptions,
  type OrchestratorConfig,
  type PluginEntry,
} from './define-config.ts'
export { loadConfig } from './load.ts'
export { definePlugin, use, type Mount } from '../kernel/index.ts'
