/** Which file that is gone a new one was, as git finds it: by equal texts, then by texts of which half is equal. */
import { paced } from '../../../kernel/index.ts'
import { kindOfPath } from './kinds.ts'
import type { FileReadings } from './readings.ts'
import type { ReadBlock } from '../reading.ts'

/** A file at a path where none was before. */
export interface AddedFile {
  readonly path: string
  readonly hash: string
  readonly reading: { readonly blocks: readonly Pick<ReadBlock, 'type' | 'props'>[] }
}

/** The most pairs that are compared by their parts. */
const mostPairs = 250_000

/** Returns what is known of the file that each added one was, by its path. */
export async function movesOf(
  added: readonly AddedFile[],
  gone: readonly FileReadings[],
): Promise<ReadonlyMap<string, FileReadings>> {
  const byHash = new Map(gone.map((each) => [each.texts[0]?.hash, each]))
  const moves = new Map<string, FileReadings>()
  for (const { path, hash } of added) {
    const from = byHash.get(hash)
    if (!from) continue
    moves.set(path, from)
    byHash.delete(hash)
  }
  const used = new Set(moves.values())
  const [to, from] = [added.filter(({ path }) => !moves.has(path)), gone.filter((each) => !used.has(each))]
  if (from.length === 0 || to.length * from.length > mostPairs) return moves
  for (const { path, source } of await alikePairs(to, from)) {
    if (moves.has(path) || used.has(source)) continue
    moves.set(path, source)
    used.add(source)
  }
  return moves
}

/** The pairs of which at least half is equal, those with the most equal parts first. */
async function alikePairs(added: readonly AddedFile[], gone: readonly FileReadings[]) {
  const sources = gone.map((source) => ({ source, parts: partsOf(source.texts[0]?.blocks ?? []) }))
  const pairs: { readonly path: string; readonly source: FileReadings; readonly share: number }[] = []
  for (const { path, reading } of added) {
    const own = partsOf(reading.blocks)
    for await (const { source, parts } of paced(sources)) {
      const share = kindOfPath(path) === kindOfPath(source.path) ? shareOf(own, parts) : 0
      if (share >= 0.5) pairs.push({ path, source, share })
    }
  }
  return pairs.toSorted((a, b) => b.share - a.share)
}

/** The lines and values of blocks, and how often each is there. */
type Parts = ReadonlyMap<string, number>

function partsOf(blocks: AddedFile['reading']['blocks']): Parts {
  const counts = new Map<string, number>()
  for (const { type, props } of blocks)
    for (const [name, value] of Object.entries(props))
      for (const line of typeof value === 'string' ? value.split('\n') : [JSON.stringify(value)]) {
        const part = `${type === 'Details' ? name : ''} ${line}`
        counts.set(part, (counts.get(part) ?? 0) + 1)
      }
  return counts
}

/** How much of the larger of two is equal, by the lengths of parts. */
function shareOf(a: Parts, b: Parts): number {
  let equal = 0
  for (const [part, count] of a) equal += part.length * Math.min(count, b.get(part) ?? 0)
  return equal / Math.max(lengthOf(a), lengthOf(b), 1)
}

function lengthOf(parts: Parts): number {
  let length = 0
  for (const [part, count] of parts) length += part.length * count
  return length
}
