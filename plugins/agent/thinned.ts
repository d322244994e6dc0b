import type { Numbered } from '../chat-streams/port.ts'

/** An event that may be a part of a text, or say how a run stands. */
type Told = Numbered<{ readonly type?: string; readonly text?: string }>

/** Where the texts of merged events end in the merged one. */
const cuts = new WeakMap<object, { readonly from: number; readonly ends: readonly number[] }>()

const passing: ReadonlySet<unknown> = new Set(['status', 'heartbeat'])

/** Merges parts of a text that follow each other, and leaves out the older half of what only says how the run stands. */
export function thinned<E extends object>(events: readonly Numbered<E>[]): readonly Numbered<E>[] {
  const standing = events.filter((event) => passing.has(typeOf(event)))
  const gone = new Set<object>(standing.slice(0, Math.ceil(standing.length / 2)))
  const kept: Numbered<E>[] = []
  for (const event of events) {
    if (gone.has(event)) continue
    const merged = mergedWith(kept.at(-1), event)
    if (merged) kept[kept.length - 1] = merged
    else kept.push(event)
  }
  return kept
}

const typeOf = (event: Told): string | undefined => event.type

function mergedWith<E extends object>(before: (Numbered<E> & Told) | undefined, event: Numbered<E> & Told): Numbered<E> | undefined {
  if (before?.type !== 'summary_token' || event.type !== 'summary_token' || event._seq !== before._seq + 1) return undefined
  const text = `${before.text ?? ''}${event.text ?? ''}`
  const { from, ends } = cuts.get(before) ?? { from: before._seq, ends: [before.text?.length ?? 0] }
  const merged = { ...event, text }
  cuts.set(merged, { from, ends: [...ends, text.length] })
  return merged
}

/** The part of a merged event that a reader has not seen; `undefined` where it has seen none of it. */
export function tailOf<E extends object>(event: Numbered<E> & Told, seen: number): Numbered<E> | undefined {
  const cut = cuts.get(event)
  return cut && seen >= cut.from ? { ...event, text: event.text?.slice(cut.ends[seen - cut.from]) } : undefined
}
