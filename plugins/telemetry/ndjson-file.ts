import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { createKeyedQueue, errorCode, type Logger } from '../../kernel/index.ts'

/** A file with one JSON value per line, written asynchronously. */
export interface NdjsonFile<T> {
  /** Returns the newest values, oldest first, without invalid lines. */
  last(most: number): Promise<readonly T[]>
  append(value: T): void
  /** Writes pending values. */
  close(): Promise<void>
}

export interface NdjsonOptions<T> {
  readonly file: string
  readonly schema: v.GenericSchema<unknown, T>
  readonly log: Logger
}

/** Values are written in batches: after this delay in milliseconds, or at this number. */
const delayMs = 150
const batchSize = 1_000
/** The size in bytes at which a new file is started. */
const maxBytes = 10 * 1024 * 1024
/** The number of rotated files besides the current one. */
const olderFiles = 3

/**
 * Opens a file of values. The first value creates it, readable only by its owner. A full file is rotated, and
 * the oldest of three is deleted. Errors are logged once and have no other effect.
 */
export function createNdjsonFile<T>({ file, schema, log }: NdjsonOptions<T>): NdjsonFile<T> {
  const nameOf = (age: number): string => (age === 0 ? file : `${file}.${age}`)
  const files = Array.from({ length: olderFiles + 1 }, (_, age) => nameOf(age))
  let waiting: string[] = []
  let timer: NodeJS.Timeout | undefined
  const queue = createKeyedQueue()
  let hasFailed = false
  let hasWritten = false

  /** Serialises access, so that no read overlaps with a write. */
  function inTurn<R>(job: () => Promise<R>, otherwise: R): Promise<R> {
    return queue.run(file, job).catch((err: unknown) => {
      if (!hasFailed) log.warn({ err, file }, 'telemetry file is not usable; later writes try again')
      hasFailed = true
      return otherwise
    })
  }

  const Line = v.pipe(v.string(), v.parseJson(), schema)
  function read(line: string): readonly T[] {
    const { success, output } = v.safeParse(Line, line)
    return success ? [output] : []
  }

  async function write(lines: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const size = (await stat(file).catch(unlessMissing))?.size ?? 0
    const isFull = size > 0 && size + Buffer.byteLength(lines) > maxBytes
    if (isFull) await rotate()
    // A crashed process may have left an unfinished line.
    const start = isFull || hasWritten || size === 0 ? '' : '\n'
    hasWritten = true
    await appendFile(file, start + lines, { mode: 0o600 })
  }

  async function rotate(): Promise<void> {
    for (let age = olderFiles; age > 0; age -= 1)
      await rename(nameOf(age - 1), nameOf(age)).catch(unlessMissing)
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting.join('')
    waiting = []
    return inTurn(() => (lines === '' ? Promise.resolve() : write(lines)), undefined)
  }

  return {
    append(value) {
      waiting.push(`${JSON.stringify(value)}\n`)
      if (waiting.length >= batchSize) void flush()
      else timer ??= setTimeout(() => void flush(), delayMs).unref()
    },
    last: (most) =>
      inTurn(async () => {
        const found: T[] = []
        for (const name of files) {
          if (found.length >= most) break
          found.unshift(...(await linesOf(name)).slice(-(most - found.length)).flatMap(read))
        }
        return found
      }, []),
    close: flush,
  }
}

async function linesOf(name: string): Promise<readonly string[]> {
  const text = await readFile(name, 'utf8').catch(unlessMissing)
  return text === undefined ? [] : text.split('\n').filter((line) => line !== '')
}

function unlessMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined
  throw error
}
