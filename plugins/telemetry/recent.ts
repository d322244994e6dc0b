import type { NdjsonFile } from './ndjson-file.ts'

export type Recent<T> = ReturnType<typeof createRecent<T>>

const minRead = 100

/**
 * Holds the newest values in memory and in an optional file, which is read on first use. With `isSame`, a value replaces an older
 * one for the same thing.
 */
export function createRecent<T>({ file, most, isSame }: {
  readonly file: NdjsonFile<T> | undefined
  readonly most: number
  readonly isSame?: (a: T, b: T) => boolean
}) {
  let values: T[] = []
  let loading: Promise<void> | undefined

  function put(value: T): void {
    const at = isSame ? values.findIndex((other) => isSame(other, value)) : -1
    if (at !== -1) values.splice(at, 1)
    else if (values.length === most) values.shift()
    values.push(value)
  }

  /** Values added meanwhile are newer than those of the file. */
  async function load(): Promise<void> {
    const older = (await file?.last(Math.max(most, minRead))) ?? []
    const newer = values
    values = []
    for (const value of [...older, ...newer]) put(value)
  }
  const loaded = (): Promise<void> => (loading ??= load())

  return {
    add(value: T): void {
      void loaded()
      put(value)
      file?.append(value)
    },
    /** Oldest first. */
    async list(): Promise<readonly T[]> {
      await loaded()
      return values
    },
  }
}
