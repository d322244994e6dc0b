/** What others changed on a page since a version of the draft. */
import { call } from '../service.ts'
import type { Page } from './draft.ts'
import { isSame } from './place.ts'
import { draftId } from './site.ts'

/** The name of a field, or of a whole block, for sets. */
export const placeIn = (blockId: string, field = ''): string => `${blockId} ${field}`

/** Compares a page with itself right before the first change after the version. */
export async function changedSince(version: number, page: Page): Promise<readonly string[]> {
  const query = { ...draftId.value, slug: page.slug }
  const { entries } = await call('GET /history/log', { query: { ...query, limit: '100' } })
  const first = entries.find((entry) => entry.version > version)
  if (!first) return []
  const { before } = await call('GET /history/page', { query: { ...query, version: String(first.version) } })
  const old = new Map(before?.blocks.map((block) => [block.id, block.props]))
  const now = new Map(page.blocks.map((block) => [block.id, block.props]))
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((id) => differing(id, old.get(id), now.get(id)))
}

type Props = Page['blocks'][number]['props']

function differing(id: string, old: Props | undefined, now: Props | undefined): readonly string[] {
  const names = Object.keys({ ...old, ...now }).filter((name) => !isSame(old?.[name], now?.[name]))
  return names.length === 0 && old && now ? [] : [placeIn(id), ...names.map((name) => placeIn(id, name))]
}
