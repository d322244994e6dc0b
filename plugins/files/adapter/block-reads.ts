/** The blocks of files, which are read when they are used: those that were used last stay in memory. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from '../../../kernel/index.ts'
import type { Block } from '../../content/page.ts'
import { namedBlocks } from './block-names.ts'
import type { ContentFile } from './content-page.ts'
import { fileChanged } from './refusals.ts'
import { hashOf, type Readings } from './readings.ts'

/** The most blocks that stay: fewer than are read between two collections of new objects, which take the rest. */
const mostBlocks = 4_000

/**
 * Returns a function that reads the blocks of a file synchronously. It throws the refusal `content_changed` if
 * neither its record nor its text is there any more.
 */
export type BlocksOf = (file: Pick<ContentFile, 'path' | 'hash' | 'form'>) => () => readonly Block[]

export function createBlockReads(root: string, readings: Readings) {
  /** The blocks of files that the newest publish has moved, removed or replaced. */
  let left: ReadonlyMap<string, readonly Block[]> = new Map()
  const used = new LRUCache<string, readonly Block[]>({
    maxSize: mostBlocks,
    // The last ones stay, whatever their number.
    sizeCalculation: ({ length }) => Math.min(1 + length, mostBlocks),
  })
  const blocksOf: BlocksOf = (file) => {
    const { path, hash, form } = file
    const key = keyOf(file)
    const read = (): readonly Block[] => {
      const stored = readings.blocksOf(path, hash)
      if (stored) return stored
      const text = textNow(root, { path, hash })
      const reading = text === undefined ? undefined : form.file.read(text)
      if (!reading || 'unreadable' in reading) throw fileChanged(path)
      return namedBlocks(path, [], reading.blocks)
    }
    return () => {
      const known = used.get(key) ?? left.get(key)
      if (known) return known
      const blocks = read()
      used.set(key, blocks)
      return blocks
    }
  }
  return {
    blocksOf,
    /**
     * Holds the blocks of files that a publish takes from their paths, until the next one: what was there is
     * compared with what is, and can be read no more.
     */
    holdBlocks(files: readonly ContentFile[]): void {
      left = new Map(files.map((file) => [keyOf(file), file.content.blocks]))
    },
  }
}

const keyOf = ({ path, hash }: Pick<ContentFile, 'path' | 'hash'>): string => `${hash} ${path}`

/** The text of a file, if that is the one that was read last. */
export function textNow(
  root: string,
  { path, hash }: Pick<ContentFile, 'path' | 'hash'>,
): string | undefined {
  try {
    const text = readFileSync(join(root, path), 'utf8')
    return hashOf(text) === hash ? text : undefined
  } catch {
    return undefined
  }
}
