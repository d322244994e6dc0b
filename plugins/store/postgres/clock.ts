/** The time of the database, which processes on machines with different clocks share. */
import type { SharedClock } from '../port.ts'
import type { RunSql } from './connections.ts'
import type { EngineGiven } from './engine.ts'

const mostApartMs = 5000

export interface DatabaseClock extends SharedClock {
  /**
   * Reads the time of the database. Logs a warning when the clock of this machine is 5 s or more apart from
   * it.
   */
  read(): Promise<void>
  /** Milliseconds by which the clock of this machine is ahead. */
  aheadMs(): number
}

/**
 * Creates the clock of a database, which is right by half of the round trip of the first `read`, or better.
 *
 * Between two reads the time passes as on a monotonic clock: that of this machine may be set meanwhile.
 */
export function createDatabaseClock(run: RunSql, { clock: own, log }: EngineGiven): DatabaseClock {
  /** The time of the database when `performance.now()` was 0. */
  let zero: number | undefined
  let isApart = false
  const now = (): number => (zero === undefined ? own.now().getTime() : zero + performance.now())
  const aheadMs = (): number => own.now().getTime() - now()
  const isFar = (): boolean => Math.abs(aheadMs()) >= mostApartMs
  return {
    now: () => new Date(now()),
    aheadMs,
    async read() {
      const sent = performance.now()
      const { rows } = await run('select extract(epoch from clock_timestamp())::float8 * 1000')
      const time = Number(rows[0]?.[0])
      const [least, most] = [time - performance.now(), time - sent]
      // An answer that was long under way proves little: what it allows stays.
      zero = Math.min(Math.max(zero ?? (least + most) / 2, least), most)
      if (isFar() && !isApart) {
        const aheadSeconds = Math.round(aheadMs() / 1000)
        log.warn({ aheadSeconds }, 'the clock of this server differs from that of the database')
      }
      isApart = isFar()
    },
    async health() {
      if (!isFar()) return 'ok'
      const seconds = Math.round(aheadMs() / 1000)
      return (
        `The clock of this server is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} that of the ` +
        'database, whose time is used; set the clocks of both by NTP.'
      )
    },
  }
}
