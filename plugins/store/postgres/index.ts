import { writerOf } from '../access.ts'
import { createStoreOver } from '../group-commit.ts'
import type { Files, SharedClock, Store } from '../port.ts'
import { createChannel } from './channel.ts'
import { createDatabaseClock } from './clock.ts'
import { connect } from './connections.ts'
import { createPostgresEngine, type EngineGiven } from './engine.ts'
import { createFiles } from './files.ts'
import { createLayout } from './layout.ts'
import { reportProcess } from './processes.ts'
import { tableOf } from './tables.ts'

interface PostgresStore extends Store {
  readonly clock: SharedClock
  readonly files: Files
  /** Finishes running transactions and disconnects. */
  close(): Promise<void>
}

/**
 * Opens the store in a PostgreSQL database, version 15 or newer, in a schema of its own. Any number of processes share it.
 *
 * Transactions of one event-loop tick share a commit, and are run again when another process was faster. Throws a
 * BootError if the database cannot be used.
 */
export async function createPostgresStore({
  url,
  ...given
}: { readonly url: string } & EngineGiven): Promise<PostgresStore> {
  const connections = await connect(url)
  const clock = createDatabaseClock(connections.run, given)
  await clock.read().catch(async (error: unknown) => {
    await connections.close()
    throw error
  })
  const layout = createLayout(connections)
  const engine = createPostgresEngine(connections, { ...given, clock, ready: layout.table })
  const store = createStoreOver(engine, { shared: true })
  const channel = createChannel(connections)
  const reporting = await reportProcess(connections, clock)
  let closing: Promise<void> | undefined
  async function shut(): Promise<void> {
    await store.transaction(async () => {}).catch(() => undefined)
    await Promise.all([engine.close(), channel.close(), reporting.close()])
    await connections.close()
  }
  const files = createFiles(connections, layout.files)
  const claimRows: PostgresStore['claimRows'] = (spec, claim) =>
    connections.within(async (run) => {
      // One statement sees what was there when it began: two at once could claim two rows of a lane.
      if (claim.lane !== undefined) await run('select pg_advisory_xact_lock(hashtext($1))', [spec.name])
      const table = () => tableOf(spec, run, () => layout.table(spec))
      return writerOf(spec, table, table).claim(claim)
    })
  return { ...store, channel, clock, files, claimRows, close: () => (closing ??= shut()) }
}
