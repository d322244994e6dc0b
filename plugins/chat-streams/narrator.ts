import * as v from 'valibot'
import { isForStreams, type RunEvent, StreamEvent } from '../chat/port.ts'
import type { EventLog } from './event-log.ts'
import type { Ending, EventBody, Heartbeat } from './schemas.ts'

/** Status texts of streams. Programs read them, so they are not translated. */
export const texts = {
  begun: 'Reading the request',
  finishing: 'The changes are in the draft, finalizing the response',
  stopping: 'Stopping',
  canceled: 'Stopped. The draft is as it was before.',
} as const

/** Status texts by which clients recognise that a run applies or has applied its plan. */
const applying =
  /^applying|updating draft|(?:resolving|collecting|preparing) image|wrapping up|finalizing the response|almost done/i

const beatEveryMs = 1_000
/** Milliseconds after an applied operation until the run counts as finishing. */
const quietAfterMs = 1_500

/**
 * Creates the writer of the events of one run to its log, with heartbeats.
 *
 * Exactly one event ends a run, and it is the last one. An event that does not match its schema throws in the
 * stage that emits it, so that no stream fails later.
 */
export function createNarrator(log: EventLog<EventBody>, now: () => number) {
  const began = now()
  let beatAt = began + beatEveryMs
  /** Only goes forward: a run that plans again after its first image is still applying. */
  let stage: Heartbeat['stage'] = 'planning'
  let label: string = texts.begun
  let isThinking = false
  let isCommitted = false
  /** The time of the last applied operation, until the next status. */
  let appliedAt: number | undefined

  function follow(event: StreamEvent): void {
    if (event.type === 'thinking_start') isThinking = true
    if (event.type === 'thinking_end') isThinking = false
    if (event.type === 'op_applied') {
      stage = 'applying'
      isCommitted = true
      appliedAt = now()
    }
    if (event.type !== 'status') return
    label = event.message
    if (applying.test(label)) stage = 'applying'
    appliedAt = undefined
  }

  /** Writes an event of the run; events after its end are dropped. */
  function report(event: RunEvent): void {
    if (log.closed || !isForStreams(event)) return
    const checked = checkedFor(StreamEvent, event, `invalid '${event.type}' event of a chat run`)
    follow(checked)
    log.write(checked)
  }

  return {
    /** The last status. */
    get label() {
      return label
    },
    /** True once an operation of the run is in the draft; then it can no longer be canceled. */
    get isCommitted() {
      return isCommitted
    },
    report,
    /** Writes the events that are due. */
    beat(): void {
      if (log.closed) return
      const at = now()
      if (at - (appliedAt ?? at) >= quietAfterMs) report({ type: 'status', message: texts.finishing })
      if (at < beatAt) return
      while (beatAt <= at) beatAt += beatEveryMs
      log.write({ type: 'heartbeat', stage, label, elapsedMs: at - began })
    },
    /** Writes the end of the run. Only the first end counts. */
    end(ending: Ending): void {
      if (isThinking) log.write({ type: 'thinking_end' })
      log.write(ending, { isLast: true })
    },
  }
}

export type Narrator = ReturnType<typeof createNarrator>

/** Returns the output of a schema; throws if the value does not match. */
export function checkedFor<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  mistake: string,
): v.InferOutput<S> {
  const { success, output, issues } = v.safeParse(schema, value)
  if (success) return output
  throw new Error(`${mistake}: ${v.getDotPath(issues[0]) ?? 'it'}: ${issues[0].message}`)
}
