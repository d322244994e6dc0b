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
export type BlocksOf = (file: Pick<ContentFile, 'path' | 'hash' | 'form'>) => ContentFile['blocksAgain']

export function createBlockReads(root: string, readings: Readings) {
  /** What publishes have taken or replaced, by the reads of pages that still have it. */
  const held = new WeakMap<ContentFile['blocksAgain'], readonly Block[]>()
  const used = new LRUCache<string, readonly Block[]>({
    maxSize: mostBlocks,
    // The last ones stay, whatever their number.
    sizeCalculation: ({ length }) => Math.min(1 + length, mostBlocks),
  })
  const blocksOf: BlocksOf = (file) => {
    const { path, hash, form } = file
    const key = `${hash} ${path}`
    const read = (): readonly Block[] => {
      const stored = readings.blocksOf(path, hash)
      if (stored) return stored
      const text = textNow(root, { path, hash })
      const reading = text === undefined ? undefined : form.file.read(text)
      if (!reading || 'unreadable' in reading) throw fileChanged(path)
      return namedBlocks(path, [], reading.blocks)
    }
    const again: ContentFile['blocksAgain'] = () => {
      const known = used.get(key) ?? held.get(again)
      if (known) return known
      const blocks = read()
      used.set(key, blocks)
      return blocks
    }
    return again
  }
  return {
    blocksOf,
    /**
     * Holds the blocks of files that a publish takes from their paths or replaces, while pages of them are in
     * use: they are compared with what is there then, and can be read no more. The result ends that.
     */
    holdBlocks(files: readonly ContentFile[]): () => void {
      for (const { blocksAgain, content } of files) held.set(blocksAgain, content.blocks)
      return () => {
        for (const { blocksAgain } of files) held.delete(blocksAgain)
      }
    },
  }
}

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
