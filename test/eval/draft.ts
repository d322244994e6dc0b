import type { Block, Page } from '../../plugins/content/page.ts'
import { sameJson } from '../../plugins/content/plain-object.ts'
import { editor } from '../helpers/stack.ts'

/** A complete draft at one point in time. */
export interface Snapshot {
  /** In the order of the menu. */
  readonly pages: readonly Page[]
  readonly config: unknown
}

/** Reads a draft through the API. */
export async function readDraft({ get, slugs, page }: ReturnType<typeof editor>): Promise<Snapshot> {
  const pages = await Promise.all((await slugs()).map(page))
  return { pages, config: (await get('/draft/site-config')).json() }
}

export const sameDraft = (a: Snapshot, b: Snapshot): boolean => sameJson(a, b)

/** A block with its page and index. */
export interface Placed {
  readonly block: Block
  readonly slug: string
  readonly at: number
}

const placedIn = ({ pages }: Snapshot): ReadonlyMap<string, Placed> =>
  new Map(pages.flatMap(({ slug, blocks }) => blocks.map((block, at) => [block.id, { block, slug, at }])))

export interface Changes {
  /** Blocks that were added, removed, edited or moved. */
  readonly touched: readonly Block[]
  /** The ids of existing blocks that were removed or edited. */
  readonly altered: ReadonlySet<string>
}

/** Compares the blocks of two drafts. */
export function changesBetween(before: Snapshot, after: Snapshot): Changes {
  const [previous, current] = [placedIn(before), placedIn(after)]
  const ids = new Set([...previous.keys(), ...current.keys()])
  const touched: Block[] = []
  const altered = new Set<string>()
  for (const id of ids) {
    const [old, now] = [previous.get(id), current.get(id)]
    const isSame = sameJson(old?.block, now?.block)
    const placed = now ?? old
    if (placed && (!isSame || old?.at !== now?.at || old?.slug !== now?.slug)) touched.push(placed.block)
    if (old && !isSame) altered.add(id)
  }
  return { touched, altered }
}
