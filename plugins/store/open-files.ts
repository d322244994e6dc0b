import type { Connection } from './connection.ts'

/** The stores of this process that have one file open. */
export interface OpenStores {
  /** True from the moment when there is more than one, for as long as one of them is left. */
  readonly any: boolean
  leave(): void
}

interface OpenFile {
  open: number
  isShared: boolean
}

/**
 * Where every module of this process finds it: a bundler may load this one several times, once for each part
 * of a website.
 */
const place = Symbol.for('content-orchestrator.open-stores')

/** Notes that a store has opened a file. */
export function registerOpen(file: string): OpenStores {
  const openFiles: Map<string, OpenFile> = Reflect.get(globalThis, place) ?? new Map()
  Reflect.set(globalThis, place, openFiles)
  const entry = openFiles.get(file) ?? { open: 0, isShared: false }
  openFiles.set(file, entry)
  entry.isShared ||= entry.open > 0
  entry.open++
  return {
    get any() {
      return entry.isShared
    },
    leave() {
      if (--entry.open === 0) openFiles.delete(file)
    },
  }
}

/**
 * Gives a function that says whether another connection than `writer` has committed to its file since this
 * call. Once that is so it stays so, and `onFound` is called once. Until then each question costs a read
 * lock, about two microseconds.
 */
export function watchOthers(writer: Connection, onFound: () => void): () => boolean {
  const dataVersion = () => writer.get('pragma data_version')?.[0]
  const alone = dataVersion()
  let found = false
  return () => {
    if (found || dataVersion() === alone) return found
    onFound()
    return (found = true)
  }
}
