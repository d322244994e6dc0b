import type { PageChange } from '../content/model.ts'
import type { Page } from '../content/page.ts'

/**
 * Returns the new ids of pages that have another slug after a change, by their old ids. A page is recognized
 * by its blocks, because undo, redo and imports rename pages without an operation that says so.
 */
export function renamedPages(pages: ReadonlyMap<string, PageChange>): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>()
  if (pages.size < 2) return renamed
  const moved = [...pages.values()].filter(
    ({ before, after }) => !before || !after || !sharesBlock(before, after),
  )
  const owners = new Map(
    moved.flatMap(({ before }) => (before ? blocksOf(before).map((block) => [block, before.id]) : [])),
  )
  for (const { after } of moved) {
    if (!after) continue
    const before = blocksOf(after)
      .map((block) => owners.get(block))
      .find((id) => id !== undefined)
    if (before !== undefined && before !== after.id) renamed.set(before, after.id)
  }
  return renamed
}

/** Pages without blocks count as having the same one. */
const blocksOf = ({ blocks }: Page): readonly string[] =>
  blocks.length === 0 ? [''] : blocks.map(({ id }) => id)

function sharesBlock(a: Page, b: Page): boolean {
  const known = new Set(blocksOf(a))
  return blocksOf(b).some((block) => known.has(block))
}
