import type { ServerEvent } from '../../kernel/index.ts'
import type { StreamEvent } from './routes.ts'

type Frame = ServerEvent<StreamEvent>
type Change = Extract<StreamEvent, { type: 'draft' | 'history' }>

/** The most that may wait for one reader, in bytes of JSON. */
const mostWaiting = 64 * 1024
/** Frames that may wait before neighbours are merged. */
const mergeFrom = 16

/**
 * Events on their way to one reader.
 *
 * A reader that does not keep up gets neighbouring changes merged into one, and is cut off when 64 KiB wait for it.
 */
export class EventQueue implements AsyncIterable<Frame> {
  #waiting: Frame[] = []
  #wake: (() => void) | undefined
  #ended = false
  readonly #onEnd: () => void

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  push(frame: Frame): void {
    if (this.#ended) return
    const last = this.#waiting.at(-1)
    const merged = last && this.#waiting.length >= mergeFrom ? merge(last, frame) : undefined
    if (merged) this.#waiting[this.#waiting.length - 1] = merged
    else this.#waiting.push(frame)
    if (this.#waiting.length > mergeFrom && sizeOf(this.#waiting) > mostWaiting) this.end()
    this.#wake?.()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#waiting = []
    this.#onEnd()
    this.#wake?.()
  }

  [Symbol.asyncIterator](): AsyncIterator<Frame> {
    return {
      next: async () => {
        while (this.#waiting.length === 0 && !this.#ended) await new Promise<void>((resolve) => (this.#wake = resolve))
        this.#wake = undefined
        const frame = this.#waiting.shift()
        return frame ? { done: false, value: frame } : { done: true, value: undefined }
      },
      return: async () => {
        this.end()
        return { done: true, value: undefined }
      },
    }
  }
}

const sizeOf = (frames: readonly Frame[]): number => frames.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0)

/** Two neighbouring changes of a draft as one: slugs united, the newer version. */
function merge(older: Frame, newer: Frame): Frame | undefined {
  const [a, b] = [older.data, newer.data]
  if (!isChange(a) || !isChange(b)) return undefined
  const removed = new Set([...(a.removedSlugs ?? []), ...(b.removedSlugs ?? [])].filter((slug) => !b.slugs.includes(slug)))
  const slugs = [...new Set([...a.slugs, ...b.slugs])].filter((slug) => !removed.has(slug))
  const data: Change = { ...b, slugs, ...(removed.size > 0 && { removedSlugs: [...removed] }), ...((a.configChanged || b.configChanged) && { configChanged: true }) }
  return { ...(newer.id !== undefined && { id: newer.id }), data }
}

const isChange = (event: StreamEvent): event is Change => event.type === 'draft' || event.type === 'history'
