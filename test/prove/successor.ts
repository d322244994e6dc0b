import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Unanswered } from './ask.ts'
import { look, type ProvenDraft } from './editors.ts'
import { change } from './flight.ts'
import { changesBetween, type Follower } from './follow.ts'

/** Milliseconds to wait for the next process. */
const patience = 30_000

/** Resolves when a connection to the port is refused or accepted. */
export async function until(outcome: 'refused' | 'accepted', port: number): Promise<void> {
  for (const began = performance.now(); performance.now() - began < patience; await pause(5)) {
    const socket = connect(port, '127.0.0.1')
    const found = await once(socket, 'connect').then(
      () => 'accepted',
      () => 'refused',
    )
    socket.destroy()
    if (found === outcome) return
  }
  throw new Error(`port ${port} never ${outcome} a connection`)
}

/** Changes a draft, with retries only while the connection is refused. */
export async function changeOnceThere(port: number, draft: ProvenDraft): Promise<void> {
  for (const began = performance.now(); ; await pause(5)) {
    try {
      await look({ port }, draft)
      return await change({ port }, draft)
    } catch (error) {
      const isOver = performance.now() - began > patience
      if (isOver || !(error instanceof Unanswered && error.isRefused)) throw error
    }
  }
}

/**
 * Checks that a stream ended with a retry delay, and that a resumed stream misses nothing. The open stream may have
 * merged changes in quick succession into one event.
 */
export async function checkStream(port: number, draft: ProvenDraft, stream: Follower): Promise<void> {
  const ending = (await stream.ended).slice(-40)
  if (!/\n\nretry: \d+\n\n$/.test(ending)) throw new Error(`a stream ended with ${JSON.stringify(ending)}`)
  const before = stream.changes.map(({ previewVersion }) => previewVersion)
  const isInOrder = before.every((version, index) => version > (before[index - 1] ?? draft.settled))
  const last = before.at(-1) ?? draft.settled
  const { version: head } = await look({ port }, draft)
  const resumed = await changesBetween(port, draft, { after: last, upTo: head })
  const after = resumed.map(({ previewVersion }) => previewVersion)
  const missed = Array.from({ length: head - last }, (_, index) => last + 1 + index)
  if (isInOrder && after.join() === missed.join()) return
  throw new Error(`a stream sent ${before.join()}, the next one ${after.join()}`)
}
