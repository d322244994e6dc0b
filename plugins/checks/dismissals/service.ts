import type { Clock } from '../../../kernel/index.ts'
import type { PageChange } from '../../content/model.ts'
import type { Page } from '../../content/page.ts'
import type { ChangeParticipant } from '../../draft/port.ts'
import { draftKey } from '../../scope/port.ts'
import { defineCollection, trusted, type Store } from '../../store/port.ts'
import { findingId, type IdParts } from './finding-id.ts'
import type { Dismissal, Dismissals } from './port.ts'
import { tooManyDismissals } from './refusals.ts'

/** Dismissals by (draft, finding id), with the parts of the id, by which they follow a page. */
export const dismissalMarks = defineCollection(
  'check_dismissals',
  trusted<Dismissal & { readonly parts: IdParts }>(),
  { columns: {} },
)

/** Creates the store of dismissals. */
export const createDismissals = (store: Store, clock: Clock, limit: number): Dismissals => ({
  async of(id) {
    const marks = await store.of(dismissalMarks).list(draftKey(id), { limit })
    return new Map(marks.map(({ key, body }) => [key, body]))
  },
  set: (id, finding, { dismissed, note }, findings) =>
    store.transaction(async (tx) => {
      const marks = tx.of(dismissalMarks)
      if (!dismissed) return void (await marks.remove(draftKey(id), finding.id))
      const isNew = (await marks.get(draftKey(id), finding.id)) === undefined
      if (isNew && (await marks.count(draftKey(id))) >= limit) {
        const present = new Map(findings.map((each) => [each.id, each.fingerprint]))
        const stored = await marks.list(draftKey(id), { limit })
        const lapsed = stored.filter(({ key, body }) => present.get(key) !== body.fingerprint)
        if (lapsed.length === 0) throw tooManyDismissals(limit)
        for (const { key } of lapsed) await marks.remove(draftKey(id), key)
      }
      const { fingerprint, parts } = finding
      const body = { fingerprint, parts, at: clock.now().toISOString(), ...(note !== undefined && { note }) }
      await marks.put(draftKey(id), finding.id, { body, columns: {} })
    }),
})

/** Moves the dismissals of renamed pages to the ids that their findings have now. */
export const followRenames: ChangeParticipant = async (tx, event, pages) => {
  // A page that is renamed leaves one slug and comes to another.
  if (pages.size < 2) return
  const renamed = renamedPages(pages)
  if (renamed.size === 0) return
  const marks = tx.of(dismissalMarks)
  const scope = draftKey(event)
  const moved = (await marks.list(scope)).flatMap(({ key, body }) => {
    if (!renamed.has(body.parts.pageId) && !renamed.has(body.parts.of)) return []
    const { pageId, of, ...rest } = body.parts
    const parts = { ...rest, pageId: renamed.get(pageId) ?? pageId, of: renamed.get(of) ?? of }
    // Findings of equal parts are numbered after their id.
    return [{ key, newKey: key.replace(/^chk_[0-9a-f]+/, findingId(parts)), body: { ...body, parts } }]
  })
  for (const { key } of moved) await marks.remove(scope, key)
  for (const { newKey, body } of moved) await marks.put(scope, newKey, { body, columns: {} })
}

/**
 * Returns the new ids of pages that have another slug after a change, by their old ids. A page is recognized
 * by its blocks, because undo, redo and imports rename pages without an operation that says so.
 */
function renamedPages(pages: ReadonlyMap<string, PageChange>): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>()
  const moved = [...pages.values()].filter(
    ({ before, after }) => !before || !after || !sharesBlock(before, after),
  )
  const owners = new Map(
    moved.flatMap(({ before }) => (before ? blocksOf(before).map((block) => [block, before.id]) : [])),
  )
  if (owners.size === 0) return renamed
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
  const ids = new Set(blocksOf(a))
  return blocksOf(b).some((block) => ids.has(block))
}
