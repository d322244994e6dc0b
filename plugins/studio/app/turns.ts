/**
 * The places for streams. By HTTP/1.1 a browser opens six connections to a service, for all its tabs
 * together. Streams take three of them at most, so that every request finds one; where more are wanted, they
 * take turns.
 */
import type { CallOptions, StreamedEvent, StreamOptions } from '../../client/client.ts'
import { withLock } from '../../site/browser/locks.ts'

const places = [1, 2, 3].map((place) => `content-orchestrator:stream-${place}`)
const shortestMs = 1000

/** The part of a stream that is read in one turn. */
type Part = Pick<StreamOptions, 'lastEventId'> & Pick<CallOptions, 'signal'>

interface StreamTurn {
  /** Ends the stream: the turn is over, or the stream is not wanted any more. */
  readonly signal: AbortSignal
  readonly end: () => void
}

/**
 * Waits for a place. The turn lasts until it is ended, or until another stream has waited for the place and a
 * second has passed. Rejects when `wanted` aborts.
 */
async function takeTurn(wanted?: AbortSignal): Promise<StreamTurn> {
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, ...(wanted ? [wanted] : [])])
  const end = (): void => ending.abort()
  const channel = new BroadcastChannel('content-orchestrator:streams')
  const asking = askFor(channel)
  try {
    const { name, lost, release } = await placeOf(signal)
    lost.addEventListener('abort', end)
    const since = performance.now()
    channel.addEventListener('message', ({ data }) => {
      if (data !== name) return
      // The timers of a hidden tab are late.
      const left = document.hidden ? 0 : since + shortestMs - performance.now()
      setTimeout(end, Math.max(0, left))
    })
    signal.addEventListener('abort', () => {
      channel.close()
      release()
    })
    return { signal, end }
  } catch (error) {
    channel.close()
    throw error
  } finally {
    clearInterval(asking)
  }
}

/** Asks for one place after the other, until one is free. */
function askFor(channel: BroadcastChannel): number {
  let next = Math.floor(Math.random() * places.length)
  const ask = (): void => {
    next += 1
    channel.postMessage(places[next % places.length])
  }
  return window.setInterval(ask, shortestMs)
}

/** Takes the first place that is free. The browser frees the place of a tab that is closed or crashes. */
function placeOf(signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly name: string
    readonly lost: AbortSignal
    readonly release: () => void
  }>()
  const found = new AbortController()
  const waiting = AbortSignal.any([signal, found.signal])
  const take = (name: string) => (lost: AbortSignal) => {
    if (waiting.aborted) return undefined
    found.abort()
    return new Promise<void>((release) => resolve({ name, lost, release }))
  }
  for (const name of places) withLock(name, waiting, take(name)).catch(reject)
  return promise
}

/** Reads a stream in turns: the next one goes on after the last event. */
export async function* inTurns<T>(
  { lastEventId, signal }: Part,
  open: (part: Part) => AsyncGenerator<StreamedEvent<T>>,
): AsyncGenerator<StreamedEvent<T>, void, undefined> {
  for (;;) {
    const turn = await takeTurn(signal)
    try {
      for await (const event of open({ lastEventId, signal: turn.signal })) {
        lastEventId = event.id ?? lastEventId
        yield event
      }
      return
    } catch (error) {
      if (signal?.aborted || !turn.signal.aborted) throw error
    } finally {
      turn.end()
    }
  }
}
