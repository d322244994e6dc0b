import type { NdjsonFile } from './ndjson-file.ts'

/** The newest of some values. */
export interface Recent<T> {
  add(value: T): void
  /** Oldest first. */
  list(): Promise<readonly T[]>
}

const fewestRead = 100

/**
 * Holds the newest values in memory, and in a file where there is one, which is read when a value is first added or asked for.
 * A value takes the place of an older one that is the same thing.
 */
export function createRecent<T>({ file, most, isSame }: {
  readonly file: NdjsonFile<T> | undefined
  readonly most: number
  readonly isSame?: (a: T, b: T) => boolean
}): Recent<T> {
  let values: T[] = []
  let loading: Promise<void> | undefined

  function put(value: T): void {
    const at = isSame ? values.findIndex((other) => isSame(other, value)) : -1
    if (at !== -1) values.splice(at, 1)
    else if (values.length === most) values.shift()
    values.push(value)
  }

  /** What was added meanwhile is newer than all that the file has. */
  async function load(): Promise<void> {
    const older = (await file?.last(Math.max(most, fewestRead))) ?? []
    const newer = values
    values = []
    for (const value of [...older, ...newer]) put(value)
  }
  const loaded = (): Promise<void> => (loading ??= load())

  return {
    add(value) {
      void loaded()
      put(value)
      file?.append(value)
    },
    async list() {
      await loaded()
      return values
    },
  }
}
