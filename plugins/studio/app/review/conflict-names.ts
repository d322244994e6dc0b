/** What people call the place of a conflict. */
import { displayNameOf } from '../stores/block-types.ts'
import type { Conflict } from '../stores/conflicts.ts'
import { withPositions } from '../stores/place.ts'
import { titleOf } from '../stores/review.ts'
import { nameOfSetting } from '../stores/setting-diff.ts'
import { metaNames, nameOfPath } from '../stores/words.ts'

/** A block of either side, as far as it is known. */
export interface PartialBlock {
  readonly type: string
  readonly props?: unknown
}

const pageNames: Readonly<Record<string, string>> = { slug: 'Address', title: 'Title' }

/** The page of a conflict. */
export const pageOf = ({ slug }: Conflict): string => (slug === '' ? 'Site settings' : titleOf(slug))

/** What of the page a conflict is about, such as `Hero: Heading`; nothing for the whole page. */
export function partOf(
  { slug, blockId, path }: Conflict,
  block: PartialBlock | undefined,
): string | undefined {
  if (blockId === undefined) {
    if (path === undefined) return undefined
    return slug === ''
      ? nameOfSetting({ path })
      : (pageNames[path] ?? metaNames[path.replace(/^meta\./, '')] ?? path)
  }
  const type = block?.type ?? ''
  const name = type === '' ? 'Block' : displayNameOf(type)
  return path === undefined ? name : `${name}: ${nameOfPath(type, withPositions(path, block?.props))}`
}
