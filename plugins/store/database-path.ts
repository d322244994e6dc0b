import { join } from 'node:path'

/** Returns the path of the store's file, possibly relative to the working directory; `:memory:` for none. */
export function databasePath({
  options,
  env,
}: {
  readonly options: { readonly driver?: string | undefined; readonly file?: string | undefined }
  readonly env: {
    readonly ORCHESTRATOR_DB_FILE?: string | undefined
    readonly ORCHESTRATOR_DATA_DIR?: string | undefined
    readonly DEMO_MODE?: boolean | undefined
  }
}): string {
  const chosen = env.ORCHESTRATOR_DB_FILE ?? options.file
  // A public demo stores nothing, unless a place is configured.
  const forgets = env.DEMO_MODE === true && env.ORCHESTRATOR_DATA_DIR === undefined && chosen === undefined
  if (options.driver === 'memory' || forgets) return ':memory:'
  return chosen ?? join(env.ORCHESTRATOR_DATA_DIR ?? '.orchestrator', 'orchestrator.db')
}
