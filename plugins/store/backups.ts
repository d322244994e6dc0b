import { statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { longestTimer, type Clock } from '../../kernel/index.ts'
import { remedy } from './engine-errors.ts'
import { FileError } from './files.ts'
import type { EngineLog } from './sqlite-engine.ts'

const firstAfterMs = 60_000
const hourMs = 3_600_000
const stamp = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/
const stampLength = 24
const stampedTime = /T(\d\d)-(\d\d)-(\d\d)-/

export interface BackupRhythm {
  /** Hours between two copies; 24 by default. Option ORCHESTRATOR_DB_BACKUP_INTERVAL_HOURS. */
  readonly intervalHours?: number | undefined
  /** The number of copies to keep; 14 by default. Option ORCHESTRATOR_DB_BACKUP_LIMIT. */
  readonly limit?: number | undefined
}

/** Formats a time for file names. */
export const stampOf = (now: Date): string => now.toISOString().replace(/[:.]/g, '-')

/** Returns the name of a copy made at this time. */
export const backupOf = (file: string, now: Date): string => `${file}.backup-${stampOf(now)}`

/**
 * Copies the store's file to `<file>.backup-<time>`, first after a minute, and keeps the newest copies.
 *
 * A failed or damaged copy is logged and retried at the next interval, and no earlier copy is removed.
 * `npx content-orchestrator restore BACKUP` restores a copy.
 */
export function scheduleBackups(
  rhythm: BackupRhythm | false,
  {
    file,
    copy,
    clock,
    log,
  }: {
    readonly file: string
    /** Creates a consistent copy of the file; throws a FileError if the file is damaged. */
    readonly copy: (to: string) => Promise<void>
    readonly clock: Clock
    readonly log: EngineLog
  },
) {
  const { intervalHours = 24, limit = 14 } = rhythm || {}
  let running: Promise<string | undefined> = Promise.resolve(undefined)
  let timer: NodeJS.Timeout | undefined

  async function make(): Promise<string | undefined> {
    const target = backupOf(file, clock.now())
    try {
      await copy(target)
      await prune(file, limit)
      return target
    } catch (error) {
      if (error instanceof FileError) {
        const consequence = 'this backup does not count and the earlier ones are kept'
        log.error({ err: error }, `store is damaged, so ${consequence}; stop the service and ${remedy}`)
      } else log.warn({ err: error }, 'backup of the store failed')
      return undefined
    }
  }

  const makeNext = (): Promise<string | undefined> => (running = running.then(make))

  function schedule(delay: number): void {
    timer = setTimeout(() => {
      schedule(Math.min(intervalHours * hourMs, longestTimer))
      void makeNext()
    }, delay).unref()
  }

  if (rhythm) schedule(firstAfterMs)
  return {
    /** Copies now and removes copies beyond the limit; returns the path, `undefined` after a failure. */
    make: makeNext,
    /** Stops the schedule, and waits for the running copy. */
    async stop(): Promise<void> {
      clearTimeout(timer)
      await running
    },
  }
}

/** Returns the names of the copies of a file, oldest first, and of unfinished ones. */
async function copiesOf(file: string) {
  const prefix = `${basename(file)}.backup-`
  const names = (await readdir(dirname(file))).filter((name) => name.startsWith(prefix))
  // A backup that the command is writing already has its name, but counts only once complete.
  const isThere = (name: string) =>
    (statSync(join(dirname(file), name), { throwIfNoEntry: false })?.size ?? 0) > 0
  const finished = names.filter((name) => stamp.test(name.slice(prefix.length)) && isThere(name)).sort()
  return { finished, partial: names.filter((name) => name.endsWith('.partial')) }
}

/** Returns when the newest copy of a file was made, by its name; `undefined` if it has none. */
export async function newestBackup(file: string): Promise<Date | undefined> {
  const newest = (await copiesOf(file)).finished.at(-1)?.slice(-stampLength)
  return newest === undefined ? undefined : new Date(newest.replace(stampedTime, 'T$1:$2:$3.'))
}

/** Removes all but the newest copies, and unfinished ones. */
async function prune(file: string, limit: number): Promise<void> {
  const { finished, partial } = await copiesOf(file)
  for (const name of [...finished.slice(0, -limit), ...partial]) {
    await rm(join(dirname(file), name), { force: true })
  }
}
