import { join } from 'node:path'

interface Given {
  readonly options: {
    readonly driver?: string | undefined
    readonly file?: string | undefined
    readonly url?: string | undefined
  }
  readonly env: {
    readonly ORCHESTRATOR_DB_FILE?: string | undefined
    readonly ORCHESTRATOR_DATA_DIR?: string | undefined
    readonly DATABASE_URL?: string | undefined
    readonly DEMO_MODE?: boolean | undefined
  }
}

/** Returns the path of the store's file, possibly relative to the working directory; `:memory:` for none. */
export function databasePath({ options, env }: Given): string {
  const chosen = env.ORCHESTRATOR_DB_FILE ?? options.file
  // A public demo stores nothing, unless a place is configured.
  const forgets = env.DEMO_MODE === true && env.ORCHESTRATOR_DATA_DIR === undefined && chosen === undefined
  if (options.driver === 'memory' || forgets) return ':memory:'
  return chosen ?? join(env.ORCHESTRATOR_DATA_DIR ?? '.orchestrator', 'orchestrator.db')
}

/** Returns the address of the PostgreSQL database; `undefined` if none is chosen, or if a file is named. */
export function databaseUrl({ options, env }: Given): string | undefined {
  const isFile =
    env.ORCHESTRATOR_DB_FILE !== undefined || options.file !== undefined || options.driver === 'memory'
  const url = options.url ?? env.DATABASE_URL
  return !isFile && url !== undefined && /^postgres(?:ql)?:\/\//i.test(url) ? url : undefined
}

/** Names a database by its host and name, without its password. */
export function nameOfDatabase(url: string): string {
  const { host = '', pathname = '' } = URL.parse(url) ?? {}
  return `PostgreSQL at ${host}${pathname}`
}
