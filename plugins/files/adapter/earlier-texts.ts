/**
 * The texts that files had before publishes, by the pages that they were: what an undo or a restore brings back
 * is written with its own bytes. After a developer has changed the file there is none, as a page does not show
 * all that a text has.
 */
import { readFileSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache, stableJson, writeDurably } from '../../../kernel/index.ts'
import type { Page } from '../../content/page.ts'
import { blocksOf } from './content-page.ts'
import { hashOf, openOwnFolder } from './readings.ts'

export interface EarlierTexts {
  /**
   * Returns the text that was this page, of a file from which publishes alone have made the one with this
   * `origin`; without one, of a file that a publish has removed.
   */
  of(page: Page, origin: string | undefined): string | undefined
  store(page: Page, origin: string | undefined, text: string): Promise<void>
}

/** What is stored at most; what was stored or read longest ago goes first. */
const [mostTexts, mostBytes] = [2_000, 64 * 1024 * 1024]

let written = 0

const nameOf = ({ slug, title, meta = {}, ...page }: Page, origin = ''): string =>
  hashOf(stableJson([origin, slug, title, meta, blocksOf(page)]))

/** Opens the texts that are stored for a folder. Rejects if its folder for them leads out of it. */
export async function openEarlierTexts(root: string): Promise<EarlierTexts> {
  const { folder, prepare } = await openOwnFolder(root, 'texts')
  const sizes = new LRUCache<string, number>({
    max: mostTexts,
    maxSize: mostBytes,
    sizeCalculation: (size) => size + 1,
    dispose: (_, name, why) => why === 'evict' && rmSync(join(folder, name), { force: true }),
  })
  for (const [name, { size }] of await filesIn(folder)) sizes.set(name, size)
  return {
    of(page, origin) {
      if (sizes.size === 0) return undefined
      const name = nameOf(page, origin)
      if (sizes.get(name) === undefined) return undefined
      try {
        return readFileSync(join(folder, name), 'utf8')
      } catch {
        return undefined
      }
    },
    async store(page, origin, text) {
      const name = nameOf(page, origin)
      await prepare()
      await writeDurably(join(folder, name), text, { temporary: `.${process.pid}.${++written}` })
      sizes.set(name, Buffer.byteLength(text))
    },
  }
}

/** The files of a folder, the oldest first. */
async function filesIn(folder: string) {
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(names.map(async (name) => [name, await stat(join(folder, name))] as const))
  return found.toSorted(([, a], [, b]) => a.mtimeMs - b.mtimeMs)
}
