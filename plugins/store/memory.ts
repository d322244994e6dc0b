import { openConnection, type Connection } from './connection.ts'
import { createStoreOver, type Engine } from './group-commit.ts'
import { createOwnTable } from './open-checks.ts'
import type { Store } from './port.ts'
import { createSqliteEngine } from './sqlite-engine.ts'

/** Creates a store in memory, for tests and demonstrations; its data lasts until the process ends. */
export function createMemoryStore(): Store {
  return createStoreOver(createMemoryEngine(), { shared: false })
}

/**
 * Creates an SQLite engine over two databases in memory. Without a file there is no write-ahead log, and no
 * second connection that reads what is committed while a group is open: the writes of each committed group
 * are repeated on the database for readers.
 */
export function createMemoryEngine(): Engine {
  const reader = openConnection(':memory:')
  const { writer, writes } = recorded(openConnection(':memory:'))
  for (const each of [reader, writer]) createOwnTable(each)
  writes.length = 0
  const engine = createSqliteEngine({ writer, reader }, { warn() {}, error() {} })
  let commits = 0
  let marked = 0
  return {
    ...engine,
    commits: () => commits,
    async commit() {
      await engine.commit()
      commits++
      reader.run('begin')
      for (const write of writes.splice(0)) write(reader)
      reader.run('commit')
    },
    async rollback() {
      await engine.rollback()
      writes.length = 0
    },
    mark() {
      engine.mark()
      marked = writes.length
    },
    async undo() {
      await engine.undo()
      writes.length = marked
    },
  }
}

const isWrite = (sql: string): boolean => /^(?:with|insert|update|delete|create|drop|alter) /.test(sql)

/** Records the writes of a connection, to repeat them on another one. */
function recorded(connection: Connection) {
  const writes: ((other: Connection) => void)[] = []
  function record<T>(result: T, ...statement: Parameters<Connection['all']>): T {
    if (isWrite(statement[0])) writes.push((other) => void other.all(...statement))
    return result
  }
  const writer: Connection = {
    ...connection,
    run: (...statement) => record(connection.run(...statement), ...statement),
    get: (...statement) => record(connection.get(...statement), ...statement),
    all: (...statement) => record(connection.all(...statement), ...statement),
  }
  return { writer, writes }
}
