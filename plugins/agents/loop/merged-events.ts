import type { LogLimits, Numbered } from '../../chat/streams/port.ts'

/**
 * An event that may contain text, or report a status; of merged texts, `_cut` has the positions at which each
 * ends.
 */
interface TextEvent {
  readonly _seq: number
  readonly type?: string
  readonly text?: string
  readonly _cut?: { readonly from: number; readonly ends: readonly number[] }
}

const passing: ReadonlySet<unknown> = new Set(['status', 'heartbeat'])

const typeOf = (event: TextEvent): string | undefined => event.type

/** Merges consecutive text events, and drops the older half of status events and heartbeats. */
function merge<E extends object>(events: readonly Numbered<E>[]): readonly Numbered<E>[] {
  const standing = events.filter((event) => passing.has(typeOf(event)))
  const gone = new Set<object>(standing.slice(0, Math.ceil(standing.length / 2)))
  const remaining: Numbered<E>[] = []
  for (const event of events) {
    if (gone.has(event)) continue
    const merged = mergedWith(remaining.at(-1), event)
    if (merged) remaining[remaining.length - 1] = merged
    else remaining.push(event)
  }
  return remaining
}

const cutOf = ({ _cut, _seq, text = '' }: TextEvent) => _cut ?? { from: _seq, ends: [text.length] }

function mergedWith<E extends object>(
  before: (Numbered<E> & TextEvent) | undefined,
  event: Numbered<E> & TextEvent,
): Numbered<E> | undefined {
  const [one, other] = [before && cutOf(before), cutOf(event)]
  if (before?.type !== 'summary_token' || event.type !== 'summary_token' || !one) return undefined
  if (other.from !== before._seq + 1) return undefined
  const { text = '' } = before
  const ends = [...one.ends, ...other.ends.map((end) => end + text.length)]
  return { ...event, text: `${text}${event.text ?? ''}`, _cut: { from: one.from, ends } }
}

/** Returns an event without what a reader has seen of its text. */
function unseen<E extends object>(event: Numbered<E> & TextEvent, seen: number): Numbered<E> {
  const { _cut: cut, ...rest } = event
  if (!cut) return event
  const text = rest.text?.slice(seen < cut.from ? 0 : cut.ends[seen - cut.from])
  return { ...event, text, _cut: undefined }
}

export const logLimits = { events: 5_000, bytes: 5 * 1024 * 1024, merge, unseen } satisfies LogLimits<object>
