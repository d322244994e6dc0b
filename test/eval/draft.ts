import type { Block, Page } from '../../plugins/content/page.ts'
import { sameJson } from '../../plugins/content/same-json.ts'
import { editor } from '../helpers/stack.ts'

/** A whole draft at one moment. */
export interface Snapshot {
  /** In the order of the menu. */
  readonly pages: readonly Page[]
  readonly config: unknown
}

/** Reads a draft as any client may. */
export async function readDraft({ get, slugs, page }: ReturnType<typeof editor>): Promise<Snapshot> {
  const pages = await Promise.all((await slugs()).map(page))
  return { pages, config: (await get('/draft/site-config')).json() }
}

export const sameDraft = (a: Snapshot, b: Snapshot): boolean => sameJson(a, b)

/** A block with the page that it is on and its place there. */
export interface Placed {
  readonly block: Block
  readonly slug: string
  readonly at: number
}

const placedIn = ({ pages }: Snapshot): ReadonlyMap<string, Placed> =>
  new Map(pages.flatMap(({ slug, blocks }) => blocks.map((block, at) => [block.id, { block, slug, at }])))

export interface Changes {
  /** Blocks that came, went, have another content or another place. */
  readonly touched: readonly Block[]
  /** Those among them that were there before, and are gone or have another content. */
  readonly altered: ReadonlySet<string>
}

/** What became of the blocks of a draft. */
export function changesBetween(before: Snapshot, after: Snapshot): Changes {
  const [was, is] = [placedIn(before), placedIn(after)]
  const ids = new Set([...was.keys(), ...is.keys()])
  const touched: Block[] = []
  const altered = new Set<string>()
  for (const id of ids) {
    const [old, now] = [was.get(id), is.get(id)]
    const isSame = sameJson(old?.block, now?.block)
    const there = now ?? old
    if (there && (!isSame || old?.at !== now?.at || old?.slug !== now?.slug)) touched.push(there.block)
    if (old && !isSame) altered.add(id)
  }
  return { touched, altered }
}
