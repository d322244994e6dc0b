import * as v from 'valibot'
import { isForStreams, type RunEvent, StreamEvent } from '../chat/port.ts'
import type { EventLog } from './event-log.ts'
import { phaseOf, texts } from './phases.ts'
import type { Ending, EventBody, Heartbeat } from './schemas.ts'

const beatEvery = 1_000
/** Milliseconds after an applied operation until the run counts as finishing. */
const quietAfter = 1_500

/**
 * Writes the events of one run to its log, with heartbeats.
 *
 * Exactly one event ends a run, and nothing comes after it. An event that does not match its schema throws in the stage
 * that emits it, so that no stream fails later.
 */
export class Narrator {
  readonly #log: EventLog<EventBody>
  readonly #now: () => number
  readonly #began: number
  #beatAt: number
  #stage: Heartbeat['stage'] = 'planning'
  #label: string = texts.begun
  #isThinking = false
  /** When the last operation was applied, while the next is awaited. */
  #appliedAt: number | undefined

  constructor(log: EventLog<EventBody>, now: () => number) {
    this.#log = log
    this.#now = now
    this.#began = now()
    this.#beatAt = this.#began + beatEvery
  }

  /** The last status. */
  get label(): string {
    return this.#label
  }

  /** Writes an event of the run; events after its end are dropped. */
  report(event: RunEvent): void {
    if (this.#log.closed || !isForStreams(event)) return
    const checked = v.safeParse(StreamEvent, event)
    if (!checked.success) throw new Error(`invalid '${event.type}' event of a chat run: ${v.getDotPath(checked.issues[0]) ?? 'it'}: ${checked.issues[0].message}`)
    this.#follow(checked.output)
    this.#log.write(checked.output)
  }

  /** Writes the events that are due. */
  beat(): void {
    if (this.#log.closed) return
    const now = this.#now()
    if (this.#appliedAt !== undefined && now - this.#appliedAt >= quietAfter) this.report({ type: 'status', message: texts.finishing })
    if (now < this.#beatAt) return
    while (this.#beatAt <= now) this.#beatAt += beatEvery
    this.#log.write({ type: 'heartbeat', stage: this.#stage, label: this.#label, elapsedMs: now - this.#began })
  }

  /** Writes how the run ended. Only the first end counts. */
  end(ending: Ending): void {
    if (this.#log.closed) return
    if (this.#isThinking) this.#log.write({ type: 'thinking_end' })
    this.#log.write(ending)
    this.#log.closed = true
  }

  #follow(event: StreamEvent): void {
    switch (event.type) {
      case 'status': {
        const phase = phaseOf(event.message)
        this.#label = event.message
        // The stage only goes forward: a run that plans again after a failed attempt is still applying.
        if (phase !== 'planning' && phase !== 'plan ready') this.#stage = 'applying'
        // A progress text accompanies operations; any other status ends the wait for the next one.
        if (phase !== 'applying') this.#appliedAt = undefined
        return
      }
      case 'op_applied':
        this.#stage = 'applying'
        this.#appliedAt = this.#now()
        return
      case 'rollback_started':
        this.#appliedAt = undefined
        return
      case 'thinking_start':
      case 'thinking_end':
        this.#isThinking = event.type === 'thinking_start'
    }
  }
}
