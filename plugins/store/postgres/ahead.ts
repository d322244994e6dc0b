/** Documents that a group reads at its begin, in one round trip for all of its transactions. */
import type { AnySpec, Table } from '../access.ts'
import type { AheadRead } from '../port.ts'

/** Creates the reads of one group after the other. A document is known until something is written over it. */
export function createAhead(tableOf: (spec: AnySpec) => Table) {
  const known = new Map<string, ReturnType<Table['get']>>()
  const idOf = ({ name }: AnySpec, scope: string, key: string): string => JSON.stringify([name, scope, key])
  return {
    /** Begins with the reads of a group. */
    read(reads: readonly AheadRead[]): void {
      known.clear()
      for (const { spec, scope, key } of reads) {
        const document = Promise.resolve(tableOf(spec).get(scope, key))
        document.catch(() => undefined)
        known.set(idOf(spec, scope, key), document)
      }
    },
    /** A table of the group, which reads from the database only what is not known. */
    table(spec: AnySpec): Table {
      const table = tableOf(spec)
      return {
        ...table,
        get: (scope, key) => known.get(idOf(spec, scope, key)) ?? table.get(scope, key),
        put(scope, key, ...written) {
          known.delete(idOf(spec, scope, key))
          return table.put(scope, key, ...written)
        },
        remove(scope, key) {
          known.delete(idOf(spec, scope, key))
          return table.remove(scope, key)
        },
        clear(...range) {
          known.clear()
          return table.clear(...range)
        },
        claim(query) {
          known.clear()
          return table.claim(query)
        },
      }
    },
  }
}
