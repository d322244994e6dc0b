import type { Connection } from './connection.ts'

interface OpenFile {
  open: number
  isShared: boolean
}

/** Global, because a bundler may load this module several times, once for each part of a website. */
const registryKey = Symbol.for('content-orchestrator.open-stores')

/** Registers a store that has opened a file. */
export function registerOpen(file: string) {
  const openFiles: Map<string, OpenFile> = Reflect.get(globalThis, registryKey) ?? new Map()
  Reflect.set(globalThis, registryKey, openFiles)
  const opened = openFiles.get(file) ?? { open: 0, isShared: false }
  openFiles.set(file, opened)
  opened.isShared ||= opened.open > 0
  opened.open++
  return {
    /** True once this process has opened the file more than once, until all are closed. */
    get any(): boolean {
      return opened.isShared
    },
    leave(): void {
      if (--opened.open === 0) openFiles.delete(file)
    },
  }
}

/**
 * Returns a function that checks whether a connection other than `writer` has committed to its file since
 * this call. Once true, it stays true, and `onFound` is called once. Until then, each call costs a read lock,
 * about two microseconds.
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
