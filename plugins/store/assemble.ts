import { createPace, Refusal } from '../../kernel/index.ts'
import { readerOf } from './access.ts'
import { checkCollection } from './checks.ts'
import type { Engine } from './engine.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Store } from './port.ts'

/** Makes a store over an embedded engine; `shared` tells that other processes write to the same place. */
export function createStoreOver(engine: Engine, { shared }: { readonly shared: boolean }): Store {
  const transaction = createGroupCommit(engine)
  return {
    shared,
    of(spec) {
      checkCollection(spec)
      return readerOf(spec, () => engine.committed(spec))
    },
    transaction,
    async *texts() {
      const pace = createPace()
      for (const json of engine.bodies()) {
        yield typeof json === 'string' ? json : Buffer.from(json).toString()
        await pace()
      }
    },
    commits: engine.commits,
    async health() {
      try {
        await transaction(async () => engine.touch())
        return 'ok'
      } catch (error) {
        return error instanceof Refusal ? error.reason : 'The store fails; see the log for the cause.'
      }
    },
  }
}
