import { connect } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Unanswered } from './ask.ts'
import { createDraft, look, type ProvenDraft } from './editors.ts'
import { change, prepareFlight } from './flight.ts'
import { changesBetween, follow, type Follower } from './follow.ts'
import { prove } from './processes.ts'
import { startService, type Service } from './service.ts'
import { settle } from './settle.ts'
import { beginSlowChange } from './slow-change.ts'

/** Milliseconds after SIGTERM within which the process has to be gone. */
const deadline = 12_000
/** Milliseconds that a slow request still takes when the next process listens already. */
const slowness = 500
/** Milliseconds that a second signal may take. */
const atOnce = 1_000

/**
 * Stops the service while many requests are under way, starts the next one on the same port and folder at once, and looks
 * whether anybody misses an answer, or a change that was answered.
 */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '4' } },
})
const [requests, rounds] = [Number(values.requests), Number(values.rounds)]

await prove('stop', async (folder) => {
  const place = join(folder, 'data')
  let [inFlight, longest] = [0, 0]
  const services = [startService(place)]
  try {
    const { port } = await latest().ready
    const drafts = await Promise.all(['one', 'two'].map((name) => createDraft(port, name, 1)))
    for (let round = 0; round < rounds; round++) await stopInFlight(round, port, drafts)
    await stopTwice(port, drafts)
    const answered = drafts.flatMap(({ editors }) => editors).reduce((sum, { answered }) => sum + answered, 0)
    return (
      `${rounds} stops with ${inFlight} requests in flight, no answer lost; ${answered} answered changes, none lost; ` +
      `gone after at most ${Math.round(longest)} ms, and at once on a second signal`
    )
  } finally {
    for (const service of services) service.kill('SIGKILL')
  }

  function latest(): Service {
    const service = services.at(-1)
    if (!service) throw new Error('no service was started')
    return service
  }

  async function stopInFlight(round: number, port: number, drafts: readonly ProvenDraft[]): Promise<void> {
    const [service, [first]] = [latest(), drafts]
    const launch = await prepareFlight(port, drafts, requests)
    const streams = drafts.map((draft) => ({ draft, stream: follow(port, draft) }))
    await Promise.all(streams.map(({ stream }) => stream.begun))
    const slow = first && (await beginSlowChange(port, first))

    // In one round the process is held, so that they all wait unread; in the next it is busy with them.
    const held = round % 2 === 0
    if (held) service.kill('SIGSTOP')
    const flight = launch()
    while (held ? flight.unsent() > 0 : flight.left() === requests) await pause(1)
    inFlight += flight.left()
    const began = performance.now()
    service.kill('SIGTERM')
    if (held) service.kill('SIGCONT')
    const gone = service.gone.then((how) => ({ how, after: performance.now() - began }))

    await until('refused', port)
    const next = startService(place, port)
    services.push(next)
    const early = Promise.all(drafts.map((draft) => changeOnceThere(port, draft)))
    early.catch(() => undefined)
    await until('accepted', port)
    await pause(slowness)
    await slow?.finish()

    const lost = await flight.lost
    if (lost > 0) throw new Error(`round ${round}: ${lost} requests got no answer`)
    const { how, after } = await gone
    longest = Math.max(longest, after)
    if (how !== 0 || after > deadline || service.faults().length > 0) {
      throw new Error(`round ${round}: it ended with ${how} after ${after} ms: ${service.faults().join('\n')}`)
    }
    await early
    await Promise.all(streams.map(({ draft, stream }) => checkStream(port, draft, stream)))
    await insist(`round ${round}`, port, drafts)
  }

  async function stopTwice(port: number, drafts: readonly ProvenDraft[]): Promise<void> {
    const [service, [first]] = [latest(), drafts]
    const slow = first && (await beginSlowChange(port, first))
    service.kill('SIGTERM')
    await service.logged('stopping')
    const began = performance.now()
    service.kill('SIGTERM')
    const how = await service.gone
    const after = performance.now() - began
    if (how !== 143 || after > atOnce) throw new Error(`a second signal ended it with ${how} after ${after} ms`)
    const answer = await slow?.finish().catch((error: unknown) => error)
    if (!(answer instanceof Unanswered)) throw new Error('a request was answered by a process that is gone')
    services.push(startService(place, port))
    await latest().ready
    await insist('after a second signal', port, drafts)
  }
})

/** Resolves when a connection to the port is refused, because nobody listens, or accepted. */
async function until(outcome: 'refused' | 'accepted', port: number): Promise<void> {
  for (const began = performance.now(); performance.now() - began < deadline; await pause(5)) {
    const socket = connect(port, '127.0.0.1')
    const found = await once(socket, 'connect').then(() => 'accepted', () => 'refused')
    socket.destroy()
    if (found === outcome) return
  }
  throw new Error(`port ${port} never ${outcome} a connection`)
}

/** Changes a draft, as somebody does who tries again while nobody listens; once somebody does, there is an answer. */
async function changeOnceThere(port: number, draft: ProvenDraft): Promise<void> {
  for (const began = performance.now(); ; ) {
    try {
      await look({ port }, draft)
      return await change({ port }, draft)
    } catch (error) {
      if (!(error instanceof Unanswered && error.isRefused) || performance.now() - began > deadline) throw error
      await pause(5)
    }
  }
}

/**
 * Checks that a stream ended with a hint when to come back, and that whoever comes back then has missed nothing. While
 * it was open it may have put changes that followed each other closely into one event.
 */
async function checkStream(port: number, draft: ProvenDraft, stream: Follower): Promise<void> {
  const ending = (await stream.ended).slice(-40)
  if (!/\n\nretry: \d+\n\n$/.test(ending)) throw new Error(`an event stream ended with ${JSON.stringify(ending)}`)
  const before = stream.changes.map(({ previewVersion }) => previewVersion)
  const last = before.at(-1) ?? draft.settled
  const { version: head } = await look({ port }, draft)
  const resumed = await changesBetween(port, draft, { after: last, upTo: head })
  const after = resumed.map(({ previewVersion }) => previewVersion)
  const missed = Array.from({ length: head - last }, (_, index) => last + 1 + index)
  const isInOrder = before.every((version, index) => version > (before[index - 1] ?? draft.settled))
  if (!isInOrder || after.join() !== missed.join()) throw new Error(`a stream told of ${before.join()}, the next one of ${after.join()}`)
}

async function insist(when: string, port: number, drafts: readonly ProvenDraft[]): Promise<void> {
  for (const draft of drafts) {
    const { lost, wrong } = await settle(port, draft)
    if (lost > 0 || wrong.length > 0) throw new Error(`${when}: ${lost} answered changes lost; ${wrong.join('; ')}`)
  }
}
