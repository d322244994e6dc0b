import { pulled, Refusal, type Logger, type ServerEvent } from '../../kernel/index.ts'
import { Canceled, type ChatResult, type Variation, type VariationEnd, type VariationListener } from '../chat/port.ts'
import type { VariationEvent } from './schemas.ts'

/** Carries a request for variations out, and tells it as the events of a stream: where images are looked for, the texts first. */
export function framesOf(carryOut: (listener: VariationListener) => Promise<VariationEnd>, log: Logger): AsyncIterable<ServerEvent<VariationEvent>> {
  const waiting: VariationEvent[] = []
  let isReady = false
  let isOver = false
  const frames = pulled<ServerEvent<VariationEvent>>({
    take() {
      const data = waiting.shift()
      return data && { data }
    },
    isOver: () => isOver,
    leave: () => undefined,
  })
  function tell(...events: readonly VariationEvent[]): void {
    waiting.push(...events)
    frames.wake()
  }
  const listener: VariationListener = {
    ready(result) {
      isReady = true
      tell({ event: 'variations_ready', ...result, imagesPending: true })
    },
    image: (variation, index) => tell(imageOf(variation, index)),
  }
  void carryOut(listener).then((end) => toEvents(end, isReady), (error: unknown) => refusedAs(error, log)).then((events) => {
    isOver = true
    tell(...events)
  })
  return frames
}

/** Images that a message names are there at once, so that none is pending; they are told apart for clients that wait for them. */
function toEvents({ status, result }: VariationEnd, isReady: boolean): readonly VariationEvent[] {
  if (result.status !== 'ok') return [{ event: 'error', error: result.summary, code: status, result }]
  const ready: readonly VariationEvent[] = !isReady ? [{ event: 'variations_ready', ...result, imagesPending: false }, ...imagesOf(result)] : []
  return [...ready, { event: 'done', ...result }]
}

function imagesOf({ variations = [] }: ChatResult): readonly VariationEvent[] {
  return variations.flatMap((variation, index) => (typeof variation.patch['imageUrl'] === 'string' ? [imageOf(variation, index)] : []))
}

/** A variation as it stays; without an address where nobody has an image for it. */
function imageOf({ id, patch, changedKeys }: Variation, index: number): VariationEvent {
  const { imageUrl, imageAlt } = patch
  const image = { ...(typeof imageUrl === 'string' && { imageUrl }), ...(typeof imageAlt === 'string' && { imageAlt }) }
  return { event: 'image_resolved', variationId: id, index, patch, changedKeys, ...image }
}

function refusedAs(error: unknown, log: Logger): readonly VariationEvent[] {
  // Nobody listens any more.
  if (error instanceof Canceled) return []
  if (error instanceof Refusal) return [{ event: 'error', error: error.reason, code: error.status }]
  log.error({ err: error }, 'variations failed')
  return [{ event: 'error', error: 'Something went wrong inside the service. Its log has the details.', code: 500 }]
}
