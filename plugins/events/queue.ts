import { asyncQueue, type ServerEvent } from '../../kernel/index.ts'
import { homeFirst } from '../content/slugs.ts'
import type { StreamEvent } from './routes.ts'

type Frame = ServerEvent<StreamEvent>
type DraftEvent = Extract<StreamEvent, { type: 'draft' | 'history' }>

/** The maximum size of a reader's waiting frames after the next one, in bytes of JSON. */
const mostWaitingBytes = 64 * 1024
/** The number of waiting frames at which neighbours are merged. */
const mergeFrom = 16

/**
 * The events for one reader: first the missed ones, then live ones.
 *
 * If a reader does not keep up, neighbouring changes are merged, and it is disconnected when 64 KiB are
 * waiting; it can reconnect and request the missed events.
 */
export class EventQueue implements AsyncIterable<Frame> {
  #missed: Iterator<Frame> | undefined
  #started = false
  #waiting: { readonly frame: Frame; readonly bytes: number }[] = []
  /** Who is at the draft: only the latest state is sent. */
  #people: Frame | undefined
  #bytes = 0
  #ended = false
  readonly #onEnd: () => void
  readonly #frames = asyncQueue({
    take: () => this.#take(),
    isOver: () => this.#ended,
    leave: () => this.end(),
  })

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** Starts the reader, with frames that precede all pushed ones and are not limited. */
  begin(missed: Iterator<Frame>): void {
    this.#missed = missed
    this.#started = true
    this.#frames.wake()
  }

  push(frame: Frame): void {
    if (this.#ended) return
    if (frame.data.type === 'presence') {
      this.#people = frame
      return this.#frames.wake()
    }
    const last = this.#waiting.length >= mergeFrom ? this.#waiting.at(-1) : undefined
    const merged = last && merge(last.frame, frame)
    if (merged) this.#drop(this.#waiting.pop())
    const next = merged ?? frame
    const bytes = this.#waiting.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(next.data))
    this.#waiting.push({ frame: next, bytes })
    this.#bytes += bytes
    if (this.#bytes > mostWaitingBytes) this.end()
    this.#frames.wake()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#missed = undefined
    this.#waiting = []
    this.#people = undefined
    this.#onEnd()
    this.#frames.wake()
  }

  [Symbol.asyncIterator](): AsyncIterator<Frame> {
    return this.#frames[Symbol.asyncIterator]()
  }

  #take(): Frame | undefined {
    if (!this.#started) return undefined
    const missed = this.#missed?.next()
    if (missed && !missed.done) return missed.value
    this.#missed = undefined
    return this.#drop(this.#waiting.shift()) ?? this.#takePeople()
  }

  #takePeople(): Frame | undefined {
    const people = this.#people
    this.#people = undefined
    return people
  }

  #drop(waiting: { readonly frame: Frame; readonly bytes: number } | undefined): Frame | undefined {
    this.#bytes -= waiting?.bytes ?? 0
    return waiting?.frame
  }
}

/** Merges two neighbouring changes of a draft: all slugs, the newer version. */
function merge(older: Frame, newer: Frame): Frame | undefined {
  const [a, b] = [older.data, newer.data]
  if (!isChange(a) || !isChange(b)) return undefined
  const removed = new Set(
    [...(a.removedSlugs ?? []), ...(b.removedSlugs ?? [])].filter((slug) => !b.slugs.includes(slug)),
  )
  const slugs = homeFirst([...new Set([...a.slugs, ...b.slugs])].filter((slug) => !removed.has(slug)))
  const renamed = [...(a.renamed ?? []), ...(b.renamed ?? [])]
  const data: DraftEvent = {
    ...b,
    slugs: [...slugs],
    ...(removed.size > 0 && { removedSlugs: [...removed] }),
    ...(renamed.length > 0 && { renamed }),
    ...((a.configChanged || b.configChanged) && { configChanged: true }),
  }
  return { ...(newer.id !== undefined && { id: newer.id }), data }
}

const isChange = (event: StreamEvent): event is DraftEvent =>
  event.type === 'draft' || event.type === 'history'
