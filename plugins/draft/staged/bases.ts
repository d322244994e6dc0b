import { LRUCache, pace } from '../../../kernel/index.ts'
import type { Columns, Document } from '../../store/port.ts'
import { type Base, bases } from '../collections.ts'
import type { StagedDraft } from './pages.ts'

/** The number of known bases per draft beyond which they are read again. */
const mostBased = 1_000
/** The characters of the bases that are held as objects as well. */
const mostHeld = 8 * 1024 * 1024
/** Bases as they were read last: a draft that follows its site reads all of its bases. */
const held = new LRUCache<string, Pick<Document<Base, Columns>, 'text' | 'body'>>({
  maxSize: mostHeld,
  sizeCalculation: ({ text }) => 1 + text.length,
})

/** Returns a base as the same object as before, as long as it is stored as the same text. */
function bodyOf(document: Document<Base, Columns>): Base {
  const name = JSON.stringify([document.scope, document.key])
  const known = held.get(name)
  if (known?.text === document.text) return known.body
  const { text, body } = document
  held.set(name, { text, body })
  return body
}

export type StagedBases = ReturnType<typeof createStagedBases>

/** Creates the bases of a draft in one transaction: the state in which it last agreed with its site. */
export function createStagedBases(draft: StagedDraft) {
  const { tx, scope, cached } = draft
  const staged = new Map<string, Base | undefined>()
  const get = async (key: string): Promise<Base | undefined> => {
    if (!staged.has(key)) staged.set(key, (await tx.of(bases).get(scope, key))?.body)
    return staged.get(key)
  }
  return {
    get,
    /** Whether a base is stored under a key. */
    async has(key: string): Promise<boolean> {
      const { based } = cached
      if (staged.has(key)) return staged.get(key) !== undefined
      if (based.at === draft.head.site.rebased && based.keys.has(key)) return true
      return (await get(key)) !== undefined
    },
    /** Returns every stored base. */
    async all(): Promise<ReadonlyMap<string, Base>> {
      const stored = await tx.of(bases).list(scope)
      return new Map(stored.map((document) => [document.key, bodyOf(document)]))
    },
    /** Stores bases, or removes them (`undefined`). */
    async set(changed: ReadonlyMap<string, Base | undefined>): Promise<void> {
      const writer = tx.of(bases)
      for (const [key, body] of changed) {
        await pace()
        staged.set(key, body)
        await draft.send(body ? writer.put(scope, key, { body, columns: {} }) : writer.remove(scope, key))
      }
    },
    /** Caches for the next transaction which bases there are. */
    keep(): void {
      const { based } = cached
      const { rebased } = draft.head.site
      const isStale = based.at !== rebased || based.keys.size > mostBased
      const keys = isStale ? new Set<string>() : based.keys
      for (const [key, base] of staged) if (base) keys.add(key)
      cached.based = { at: rebased, keys }
    },
  }
}
