import { randomIds } from '../../kernel/index.ts'
import type { ModelEdit } from './draft-model.ts'
import type { Editor, Intent, ProvenDraft, SeenList } from './editors.ts'
import { extra, home, links, places, shared, toOperations } from './pages.ts'

/** Chooses a random change for an editor that fits the draft as seen. */
export function choose({ own, draft }: Editor, { slugs, version }: SeenList): Intent {
  return toIntent(draft, chooseEdit(own, slugs), Math.random() < 0.2 ? version : undefined)
}

/** A change to all shared pages, which is always valid. */
export function markShared(draft: ProvenDraft): Intent {
  return toIntent(draft, { kind: 'batch', marker: randomIds.uuid(), marks: shared })
}

/** The undo or redo of a page. */
export function step(draft: ProvenDraft, kind: 'undo' | 'redo', slug: string): Intent {
  return toIntent(draft, { kind, slug })
}

/** Builds the request of a change, every second one with an Idempotency-Key. */
function toIntent({ at }: ProvenDraft, edit: ModelEdit, expect?: number): Intent {
  const key = Math.random() < 0.5 ? randomIds.uuid() : undefined
  const headers = {
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(expect !== undefined && { 'if-match': `"${expect}"` }),
  }
  const input = edit.kind === 'batch' ? { ops: toOperations(edit) } : { slug: edit.slug }
  const path = edit.kind === 'batch' ? '/ops' : `/history/${edit.kind}`
  return { edit, request: { method: 'POST', path, body: { ...at, ...input }, headers }, key, expect }
}

function chooseEdit(own: string, slugs: readonly string[]): ModelEdit {
  const marker = randomIds.uuid()
  const [here, there] = places(own)
  const some = shared.toSorted(() => Math.random() - 0.5).slice(0, 2)
  const three = { kind: 'batch', marker, marks: [home(own), ...some] } as const
  const isHere = slugs.includes(here)
  const chance = Math.random()
  if (chance < 0.45) return three
  if (chance < 0.6) {
    return slugs.includes(extra(own)) ? { ...three, removes: extra(own) } : { ...three, creates: extra(own) }
  }
  if (chance < 0.75) {
    // No other change touches these two pages, so an undo always reverts both.
    const moves = isHere ? { from: here, to: there } : { from: there, to: here }
    return { kind: 'batch', marker, moves, marks: [links(own)] }
  }
  if (chance < 0.85) return { kind: 'batch', marker, marks: [home(own)], names: true }
  const slug = [home(own), extra(own), links(own), isHere ? here : there][Math.floor(Math.random() * 4)]
  return { kind: Math.random() < 0.6 ? 'undo' : 'redo', slug: slug ?? home(own) }
}
