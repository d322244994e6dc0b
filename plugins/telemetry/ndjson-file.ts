import { appendFile, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'
import type { Logger } from '../../kernel/index.ts'

/** Values in a file, one JSON text a line, written behind the back of whoever adds them. */
export interface NdjsonFile<T> {
  /** The newest values, oldest first. Lines that cannot be read are left out. */
  last(most: number): Promise<readonly T[]>
  append(value: T): void
  /** Deletes what is not to be kept, of older files too; asked of the newest value first. */
  prune(isKept: (value: T) => boolean): Promise<void>
  /** Writes what still waits. */
  close(): Promise<void>
}

export interface NdjsonOptions<T> {
  readonly file: string
  readonly schema: v.GenericSchema<unknown, T>
  readonly log: Logger
  /** Bytes after which a new file is begun. */
  readonly mostBytes?: number
}

/** How long a value waits for others, in milliseconds; so many do not wait at all. */
const delay = 150
const mostWaiting = 1_000
const mostBytesOfFile = 10 * 1024 * 1024
/** Beside the file that is written. */
const olderFiles = 3

const onlyOwner = { mode: 0o600 } as const

/**
 * Makes the file of some values. It is created with the first of them, for its owner alone; when it is full it is put aside, and
 * the oldest of three is deleted. What cannot be read or written is told in the log, once, and harms nobody.
 */
export function createNdjsonFile<T>({ file, schema, log, mostBytes = mostBytesOfFile }: NdjsonOptions<T>): NdjsonFile<T> {
  const nameOf = (age: number): string => (age === 0 ? file : `${file}.${age}`)
  const family = Array.from({ length: olderFiles + 1 }, (_, age) => nameOf(age))
  let waiting: T[] = []
  let timer: NodeJS.Timeout | undefined
  let work: Promise<unknown> = Promise.resolve()
  let hasFailed = false
  let hasWritten = false

  /** One thing at a time, so that nothing is read while it is written. */
  function inTurn<R>(job: () => Promise<R>, otherwise: R): Promise<R> {
    const done = work.then(job).catch((err: unknown) => {
      if (!hasFailed) log.warn({ err, file }, 'a file of telemetry cannot be used; it is tried again')
      hasFailed = true
      return otherwise
    })
    work = done
    return done
  }

  const Line = v.pipe(v.string(), v.parseJson(), schema)
  function read(line: string): readonly T[] {
    const { success, output } = v.safeParse(Line, line)
    return success ? [output] : []
  }

  async function write(values: readonly T[]): Promise<void> {
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join('')
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const size = await sizeOf(file)
    if (size > 0 && size + Buffer.byteLength(lines) > mostBytes) await putAside()
    else if (!hasWritten && size > 0) await endLine(file, size)
    hasWritten = true
    await appendFile(file, lines, onlyOwner)
  }

  async function putAside(): Promise<void> {
    for (let age = olderFiles; age > 0; age -= 1) await rename(nameOf(age - 1), nameOf(age)).catch(unlessMissing)
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    const values = waiting
    waiting = []
    return inTurn(() => (values.length > 0 ? write(values) : Promise.resolve()), undefined)
  }

  return {
    append(value) {
      waiting.push(value)
      clearTimeout(timer)
      if (waiting.length >= mostWaiting) void flush()
      else timer = setTimeout(() => void flush(), delay).unref()
    },
    last: (most) =>
      inTurn(async () => {
        const found: T[] = []
        for (const name of family) {
          if (found.length >= most) break
          found.unshift(...(await linesOf(name)).slice(-(most - found.length)).flatMap(read))
        }
        return found
      }, []),
    prune: (isKept) =>
      inTurn(async () => {
        for (const name of family) {
          const lines = await linesOf(name)
          const kept = lines.toReversed().filter((line) => read(line).some(isKept)).toReversed()
          if (kept.length === lines.length) continue
          if (kept.length === 0) await rm(name)
          else await replace(name, kept.map((line) => `${line}\n`).join(''))
        }
      }, undefined),
    close: flush,
  }
}

async function linesOf(name: string): Promise<readonly string[]> {
  const text = await readFile(name, 'utf8').catch(unlessMissing)
  return text === undefined ? [] : text.split('\n').filter((line) => line !== '')
}

async function sizeOf(name: string): Promise<number> {
  return (await stat(name).catch(unlessMissing))?.size ?? 0
}

/** A process that died while it wrote left a part of a line, which must not swallow the next one. */
async function endLine(name: string, size: number): Promise<void> {
  const handle = await open(name, 'r')
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1).finally(() => handle.close())
  if (buffer.toString() !== '\n') await appendFile(name, '\n')
}

async function replace(name: string, text: string): Promise<void> {
  const temporary = `${name}.new`
  await rm(temporary, { force: true })
  await writeFile(temporary, text, onlyOwner)
  await rename(temporary, name)
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
