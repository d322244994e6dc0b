import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Unanswered } from './ask.ts'
import { count, createDraft, type ProvenDraft } from './editors.ts'
import { prepareFlight } from './flight.ts'
import { follow } from './follow.ts'
import { prove } from './processes.ts'
import { startService, type Service } from './service.ts'
import { settle } from './settle.ts'
import { beginSlowChange } from './slow-change.ts'
import { changeOnceThere, checkStream, until } from './successor.ts'

/** Milliseconds from SIGTERM to exit. */
const deadline = 12_000
/** Milliseconds that a slow request takes after the next process listens. */
const slowness = 500
/** Milliseconds from a second signal to exit. */
const atOnce = 1_000

/**
 * Stops the service while many requests are in flight, starts the next one on the same port and folder at once, and
 * checks that no response and no answered change is lost.
 */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '4' } },
})
const [requests, rounds] = [Number(values.requests), Number(values.rounds)]

await prove('stop', async (folder) => {
  const place = join(folder, 'data')
  let service = startService(place)
  let next: Service | undefined
  try {
    const { port } = await service.ready
    const drafts = await Promise.all(['one', 'two'].map((name) => createDraft(port, name, 1)))
    let [inFlight, longest] = [0, 0]
    for (let round = 0; round < rounds; round++) {
      const when = `round ${round}`
      const launch = await prepareFlight({ port, drafts, requests })
      const streams = drafts.map((draft) => ({ draft, stream: follow(port, draft) }))
      await Promise.all(streams.map(({ stream }) => stream.begun))
      const slow = await Promise.all(drafts.map((draft) => beginSlowChange(port, draft)))

      // In one round the process is suspended and all requests are unread; in the next it is handling them.
      const isHeld = round % 2 === 0
      if (isHeld) service.kill('SIGSTOP')
      const flight = launch()
      while (isHeld ? flight.unsent() > 0 : flight.left() === requests) await pause(1)
      inFlight += flight.left()
      const stopping = stopped(when, service)
      stopping.catch(() => undefined)
      if (isHeld) service.kill('SIGCONT')

      await until('refused', port)
      next = startService(place, { port })
      const early = Promise.all(drafts.map((draft) => changeOnceThere(port, draft)))
      early.catch(() => undefined)
      await until('accepted', port)
      await pause(slowness)
      await Promise.all(slow.map(({ finish }) => finish()))

      const lost = await flight.lost
      if (lost > 0) throw new Error(`${when}: ${lost} requests got no answer`)
      longest = Math.max(longest, await stopping)
      await early
      await Promise.all(streams.map(({ draft, stream }) => checkStream(port, draft, stream)))
      for (const draft of drafts) await settle(when, port, draft)
      service = next
    }
    next = await stopTwice(service, { place, port, drafts })
    return (
      `${rounds} stops with ${inFlight} requests in flight, no answer lost; ` +
      `${count(drafts, 'answered')} answered changes, none lost; ` +
      `gone after at most ${Math.round(longest)} ms, and at once on a second signal`
    )
  } finally {
    for (const each of [service, next]) each?.kill('SIGKILL')
    await Promise.all([service.gone, next?.gone])
  }
})

/** Stops the service, and returns the duration in milliseconds. */
async function stopped(when: string, service: Service): Promise<number> {
  const began = performance.now()
  service.kill('SIGTERM')
  const how = await service.gone
  const took = performance.now() - began
  if (how === 0 && took <= deadline && service.faults().length === 0) return took
  throw new Error(`${when}: it exited with ${how} after ${took} ms: ${service.faults().join('\n')}`)
}

interface StopPlace {
  readonly place: string
  readonly port: number
  readonly drafts: readonly ProvenDraft[]
}

/** Stops the service by two signals during an incomplete request, and starts the next one. */
async function stopTwice(service: Service, { place, port, drafts }: StopPlace): Promise<Service> {
  const slow = await Promise.all(drafts.map((draft) => beginSlowChange(port, draft)))
  service.kill('SIGTERM')
  await service.logged('stopping')
  // Until then it is the same signal, as a terminal and npm both send it.
  await pause(1_000)
  const began = performance.now()
  service.kill('SIGTERM')
  const how = await service.gone
  const took = performance.now() - began
  if (how !== 143 || took > atOnce) throw new Error(`it exited with ${how} ${took} ms after a second signal`)
  for (const { finish } of slow) {
    const answer = await finish().catch((error: unknown) => error)
    if (!(answer instanceof Unanswered)) throw new Error('a response arrived after the process exited')
  }
  const next = startService(place, { port })
  await next.ready
  for (const draft of drafts) await settle('after a second signal', port, draft)
  return next
}
