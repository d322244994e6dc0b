import { createStoreOver } from '../group-commit.ts'
import type { Store } from '../port.ts'
import { createChannel } from './channel.ts'
import { connect } from './connections.ts'
import { createPostgresEngine, type EngineGiven } from './engine.ts'

export interface PostgresStore extends Store {
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
  const engine = createPostgresEngine(connections, given)
  const store = createStoreOver(engine, { shared: true })
  const channel = createChannel(connections)
  let closing: Promise<void> | undefined
  async function shut(): Promise<void> {
    await store.transaction(async () => {}).catch(() => undefined)
    await Promise.all([engine.close(), channel.close()])
    await connections.close()
  }
  return { ...store, channel, close: () => (closing ??= shut()) }
}
