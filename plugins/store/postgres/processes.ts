/** What each process of a database reports of itself, by which an operator sees that they differ. */
import { packageVersion } from '../../../kernel/index.ts'
import type { DatabaseClock } from './clock.ts'
import { processTable, type Connections, type RunSql } from './connections.ts'

const beatMs = 30_000
/** A process that has not reported for this long was killed. */
const lostMs = 3 * beatMs

/** A process that uses a database now. */
export interface DatabaseProcess {
  readonly version: string
  /** Seconds by which its clock is ahead of that of the database. */
  readonly aheadSeconds: number
}

/**
 * Reports this process now, and every 30 seconds until it is closed, and reads the clock; what fails is left
 * out.
 */
export async function reportProcess(
  { run }: Connections,
  clock: DatabaseClock,
): Promise<{ close(): Promise<void> }> {
  const started = clock.now().toISOString()
  let id: unknown
  async function beat(): Promise<void> {
    await clock.read()
    if (id === undefined)
      await run(`delete from ${processTable} where seen < clock_timestamp() - interval '1 day'`)
    const { rows } = await run(
      `insert into ${processTable} (id, version, started, clock, seen)
       values (coalesce($1, gen_random_uuid()), $2, $3, $4, clock_timestamp())
       on conflict (id) do update set clock = excluded.clock, seen = excluded.seen returning id`,
      [id ?? null, packageVersion, started, new Date(clock.now().getTime() + clock.aheadMs()).toISOString()],
    )
    id = rows[0]?.[0]
  }
  let last = beat().catch(() => undefined)
  await last
  const timer = setInterval(() => void (last = beat().catch(() => undefined)), beatMs).unref()
  return {
    async close() {
      clearInterval(timer)
      await last
      await run(`delete from ${processTable} where id = $1`, [id]).catch(() => undefined)
    },
  }
}

/** Returns the processes that report themselves; none in a database that has not been used yet. */
export async function readProcesses(run: RunSql): Promise<readonly DatabaseProcess[]> {
  const found = await run(`select to_regclass('${processTable}')`)
  if (found.rows[0]?.[0] === null) return []
  const { rows } = await run(
    `select version, extract(epoch from clock - seen)::float8 from ${processTable}
     where seen > clock_timestamp() - interval '${lostMs} milliseconds' order by started`,
  )
  return rows.map(([version, ahead]) => ({ version: String(version), aheadSeconds: Number(ahead) }))
}
