import * as v from 'valibot'
import { type RunEvent, StreamEvent } from '../port.ts'
import type { EventBody, Heartbeat } from './schemas.ts'
import { texts } from './texts.ts'

/** Status texts by which clients recognise that a run applies or has applied its plan. */
const applying =
  /^applying|updating draft|(?:resolving|collecting|preparing) image|wrapping up|finalizing the response|almost done/i

const beatEveryMs = 1_000
/** Milliseconds after an applied operation until the run counts as finishing. */
const quietAfterMs = 1_500

export type Narrator = ReturnType<typeof createNarrator>

/** Creates the writer of the events of one run, with heartbeats. */
export function createNarrator(emit: (event: EventBody) => void, now: () => number) {
  const began = now()
  let beatAt = began + beatEveryMs
  /** Only goes forward: a run that plans again after its first image is still applying. */
  let stage: Heartbeat['stage'] = 'planning'
  let label: string = texts.started
  let isThinking = false
  let isCommitted = false
  /** The time of the last applied operation, until the next status. */
  let appliedAt: number | undefined

  /** Writes an event that streams show; other events are dropped. */
  function report(event: RunEvent): void {
    const { success, output: shown } = v.safeParse(StreamEvent, event)
    if (!success) return
    if (shown.type === 'thinking_start') isThinking = true
    if (shown.type === 'thinking_end') isThinking = false
    if (shown.type === 'op_applied') {
      stage = 'applying'
      isCommitted = true
      appliedAt = now()
    }
    if (shown.type === 'status') {
      label = shown.message
      if (applying.test(label)) stage = 'applying'
      appliedAt = undefined
    }
    emit(shown)
  }

  return {
    /** The last status. */
    get label(): string {
      return label
    },
    /** True once an operation of the run is in the draft. */
    get isCommitted(): boolean {
      return isCommitted
    },
    report,
    /** Ends an open thinking phase. */
    endThought(): void {
      if (isThinking) emit({ type: 'thinking_end' })
    },
    /** Writes the events that are due. */
    beat(): void {
      const at = now()
      if (at - (appliedAt ?? at) >= quietAfterMs) report({ type: 'status', message: texts.finishing })
      if (at < beatAt) return
      while (beatAt <= at) beatAt += beatEveryMs
      emit({ type: 'heartbeat', stage, label, elapsedMs: at - began })
    },
  }
}
