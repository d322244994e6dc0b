import { Refusal, type Logger, type ServerEvent } from '../../kernel/index.ts'
import { Canceled, type ChatResult, type VariationEnd } from '../chat/port.ts'
import type { VariationEvent } from './schemas.ts'

/** Carries a request for variations out, and tells it as the events of a stream. */
export async function* framesOf(carryOut: () => Promise<VariationEnd>, log: Logger): AsyncGenerator<ServerEvent<VariationEvent>> {
  for (const data of await carryOut().then(toEvents, (error: unknown) => refusedAs(error, log))) yield { data }
}

/** Images that a message names are there at once, so that none is pending; they are told apart for clients that wait for them. */
function toEvents({ status, result }: VariationEnd): readonly VariationEvent[] {
  if (status >= 400) return [{ event: 'error', error: result.summary, code: status, result }]
  const ready: readonly VariationEvent[] = result.status === 'ok' ? [{ event: 'variations_ready', ...result, imagesPending: false }, ...imagesOf(result)] : []
  return [...ready, { event: 'done', ...result }]
}

function imagesOf({ variations = [] }: ChatResult): readonly VariationEvent[] {
  return variations.flatMap(({ id, patch, changedKeys }, index): readonly VariationEvent[] => {
    const { imageUrl, imageAlt } = patch
    if (typeof imageUrl !== 'string') return []
    return [{ event: 'image_resolved', variationId: id, index, patch, changedKeys, imageUrl, ...(typeof imageAlt === 'string' && { imageAlt }) }]
  })
}

function refusedAs(error: unknown, log: Logger): readonly VariationEvent[] {
  // Nobody listens any more.
  if (error instanceof Canceled) return []
  if (error instanceof Refusal) return [{ event: 'error', error: error.error, code: error.status }]
  log.error({ err: error }, 'variations failed')
  return [{ event: 'error', error: 'Something went wrong inside the service. Its log has the details.', code: 500 }]
}
