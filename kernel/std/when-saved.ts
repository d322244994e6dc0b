import { setTimeout as pause } from 'node:timers/promises'

/**
 * Milliseconds without a write after which a program has saved a file that it writes in place; it empties the file
 * first, and a busy disk lets the write wait.
 */
const savedAfterMs = 20
const emptiedAfterMs = 900
/** A file that is written all the time is read as it is. */
const mostWaits = 50

/** The times of files are those of this machine. */
export const machineTime = (): number => performance.timeOrigin + performance.now()

/** A file as it was found; its stamp differs after each change. */
interface FoundFile {
  readonly stamp: string
  readonly size: number
  readonly modified: Date
}

/**
 * Reads a file once no program is writing it in place, and again if one was meanwhile, so that it is not read
 * half.
 * Returns `undefined` if `find` does not find it.
 */
export async function whenSaved<File extends FoundFile, Content>(
  find: () => Promise<File | undefined>,
  read: (found: File) => Promise<Content>,
): Promise<{ readonly found: File; readonly content: Content } | undefined> {
  for (let waits = 0; ; waits += 1) {
    const found = await find()
    if (!found) return undefined
    const isLast = waits === mostWaits
    // Clocks of files and processes differ by some milliseconds.
    const age = Math.abs(machineTime() - found.modified.getTime())
    if (!isLast && age < (found.size === 0 ? emptiedAfterMs : savedAfterMs)) {
      await pause(savedAfterMs)
      continue
    }
    const content = await read(found)
    if (isLast || (await find())?.stamp === found.stamp) return { found, content }
  }
}
