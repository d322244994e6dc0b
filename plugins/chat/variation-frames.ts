import { asyncQueue, Refusal, type Logger, type ServerEvent } from '../../kernel/index.ts'
import type { Variation } from './result.ts'
import type { VariationEvent } from './schemas.ts'
import { Canceled } from './types/run.ts'
import type { VariationEnd, VariationListener } from './types/variations.ts'

/** Runs a request for variations as a stream of events. If images are searched, the texts are sent first. */
export function variationFrames(
  run: (listener: VariationListener) => Promise<VariationEnd>,
  log: Logger,
): AsyncIterable<ServerEvent<VariationEvent>> {
  const waiting: VariationEvent[] = []
  let isReady = false
  let isOver = false
  const frames = asyncQueue<ServerEvent<VariationEvent>>({
    take() {
      const data = waiting.shift()
      return data && { data }
    },
    isOver: () => isOver,
    leave: () => undefined,
  })
  function push(...events: readonly VariationEvent[]): void {
    waiting.push(...events)
    frames.wake()
  }
  const listener: VariationListener = {
    ready(result) {
      isReady = true
      push({ event: 'variations_ready', ...result, imagesPending: true })
    },
    image: (variation, index) => push(imageOf(variation, index)),
  }
  void run(listener)
    .then(
      (end) => toEvents(end, isReady),
      (error: unknown) => refusedAs(error, log),
    )
    .then((events) => {
      isOver = true
      push(...events)
    })
  return frames
}

/** Images named in the message are available at once, but clients wait for an event for each of them. */
function toEvents({ status, result }: VariationEnd, isReady: boolean): readonly VariationEvent[] {
  if (result.status !== 'ok') return [{ event: 'error', error: result.summary, code: status, result }]
  const done: VariationEvent = { event: 'done', ...result }
  if (isReady) return [done]
  const images = (result.variations ?? []).map(imageOf).filter(({ imageUrl }) => imageUrl !== undefined)
  return [{ event: 'variations_ready', ...result, imagesPending: false }, ...images, done]
}

/** The event of a finished variation; without an address if no image was found. */
function imageOf(
  { id, patch, changedKeys }: Variation,
  index: number,
): Extract<VariationEvent, { event: 'image_resolved' }> {
  const { imageUrl, imageAlt } = patch
  const image = {
    ...(typeof imageUrl === 'string' && { imageUrl }),
    ...(typeof imageAlt === 'string' && { imageAlt }),
  }
  return { event: 'image_resolved', variationId: id, index, patch, changedKeys, ...image }
}

function refusedAs(error: unknown, log: Logger): readonly VariationEvent[] {
  // The client is gone.
  if (error instanceof Canceled) return []
  if (error instanceof Refusal) return [{ event: 'error', error: error.reason, code: error.status }]
  log.error({ err: error }, 'variations failed')
  return [
    { event: 'error', error: 'Something went wrong inside the service. Its log has the details.', code: 500 },
  ]
}
