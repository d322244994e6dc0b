import { join } from 'node:path'
import { BootError } from '../../kernel/index.ts'

interface DatabaseSettings {
  readonly options: { readonly file?: string | undefined; readonly url?: string | undefined }
  readonly env: {
    readonly ORCHESTRATOR_DB_FILE?: string | undefined
    readonly ORCHESTRATOR_DATA_DIR?: string | undefined
    readonly DATABASE_URL?: string | undefined
    readonly DEMO_MODE?: boolean | undefined
  }
}

/** Returns the path of the store's file, possibly relative to the working directory; `:memory:` for none. */
export function databasePath({ options, env }: DatabaseSettings): string {
  const chosen = env.ORCHESTRATOR_DB_FILE ?? options.file
  // A public demo stores nothing, unless a place is configured.
  const forgets = env.DEMO_MODE === true && env.ORCHESTRATOR_DATA_DIR === undefined && chosen === undefined
  if (forgets) return ':memory:'
  return chosen ?? join(env.ORCHESTRATOR_DATA_DIR ?? '.orchestrator', 'orchestrator.db')
}

const isPostgres = (url: string): boolean => /^postgres(?:ql)?:\/\//i.test(url)

/**
 * Returns the address of the PostgreSQL database; `undefined` if none is chosen, or if a file is named. Throws a BootError
 * for a mistyped `DATABASE_URL`: without it the service would start with an empty file.
 */
export function databaseUrl({ options, env }: DatabaseSettings): string | undefined {
  if (env.ORCHESTRATOR_DB_FILE !== undefined || options.file !== undefined) return undefined
  if (options.url !== undefined) return isPostgres(options.url) ? options.url : undefined
  const url = env.DATABASE_URL
  if (url === undefined || (isPostgres(url) && url === url.trim())) return url
  throw new BootError([
    'DATABASE_URL must begin with postgres:// or postgresql://, without quotes or spaces around the address; ' +
      'unset it to keep the content in the SQLite file',
  ])
}

/** Names a database by its host and name, without its password. */
export function nameOfDatabase(url: string): string {
  const { host = '', pathname = '' } = URL.parse(url) ?? {}
  return `PostgreSQL at ${host}${pathname}`
}
