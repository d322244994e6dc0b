import type { Logger } from '../../../kernel/index.ts'
import type { Store } from '../../store/port.ts'
import { everyRun, eventKey, type RunRows } from './rows.ts'

interface WatchGiven<E extends object, A> {
  readonly store: Store
  readonly rows: RunRows<E, A>
  readonly now: () => number
  readonly log: Logger
  /** Called when a run was declared lost. */
  lost(run: string): Promise<void>
}

/**
 * How often in a row a run may be found without a sign of life, once a second; its process gives one every
 * four seconds.
 */
const mostQuiet = 12

/**
 * Creates the watch over runs of other processes: a run whose process has ended gets the last event for that
 * case.
 */
export function createWatch<E extends object, A>({ store, rows, now, log, lost }: WatchGiven<E, A>) {
  const seen = new Map<string, { readonly version: number; readonly quiet: number }>()

  const declareLost = (id: string, version: number): Promise<boolean> =>
    store.transaction(async (tx) => {
      const [heads, events] = [tx.of(rows.heads), tx.of(rows.events)]
      const found = await heads.get(everyRun, id)
      if (found?.version !== version) return false
      const [newest] = await events.list(id, { descending: true, limit: 1 })
      const last = 1 + (newest?.body.events.at(-1)?._seq ?? 0)
      const batch = {
        lost: newest?.body.lost ?? 0,
        events: [{ ...found.body.lost, _seq: last }],
        isLast: true,
      }
      await events.put(id, eventKey(last), { body: batch, columns: {} })
      const columns = { ...found.columns, owner: '', phase: 'ended', at: now() }
      await heads.put(everyRun, id, { body: { ...found.body, since: now(), wishes: {} }, columns })
      return true
    })

  return {
    /** Ends a run, unless its process or another one has done so since this version. */
    declareLost,
    /** Checks a run that has readers here; returns whether it can still be read. */
    async isThere(id: string): Promise<boolean> {
      const head = await store.of(rows.heads).get(everyRun, id)
      if (!head) return false
      const { version, columns } = head
      const before = seen.get(id)
      const quiet = before?.version === version ? before.quiet + 1 : 0
      seen.set(id, { version, quiet })
      if (columns.phase === 'ended' || quiet < mostQuiet || !(await declareLost(id, version))) return true
      log.warn({ run: id }, 'run ended, because its process has ended')
      await lost(id)
      return true
    },
    forget: (id: string): void => void seen.delete(id),
  }
}
