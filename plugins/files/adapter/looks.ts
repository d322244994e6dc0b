/** When each file was found as it is, by which a caller learns what has changed since it asked last. */
import { randomBytes } from 'node:crypto'
import type { KnownFile } from './read-files.ts'

/** Numbers the looks at the files of a website that found a change. */
export function createLooks() {
  const name = randomBytes(8).toString('hex')
  const found = new WeakMap<KnownFile, number>()
  let newest = 0
  return {
    /** Notes the files of a look, of which some are others than before. */
    note(files: readonly KnownFile[]): void {
      newest += 1
      for (const file of files) if (!found.has(file)) found.set(file, newest)
    },
    /** Names the state that the files have now. */
    state: (): string => `${name}.${newest}`,
    /** Returns whether a file is another one than in a state; each is in one that is not known. */
    changedSince(state: string | undefined): (file: KnownFile) => boolean {
      const [own, number] = (state ?? '').split('.')
      const since = own === name ? Number(number) : 0
      return (file) => (found.get(file) ?? newest) > since
    },
  }
}
