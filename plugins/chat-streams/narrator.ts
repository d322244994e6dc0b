import * as v from 'valibot'
import { isForStreams, type RunEvent } from '../chat/port.ts'
import type { EventLog } from './event-log.ts'
import { phaseOf, texts } from './phases.ts'
import { Told, type Ending, type Heartbeat, type ToldEvent } from './schemas.ts'

const beatEvery = 1_000
/** Milliseconds after an operation that was applied, until nothing more is expected but the end. */
const quietAfter = 1_500

/**
 * Decides what is told of one run, and in which order: the one place that does.
 *
 * Exactly one event ends a run, and nothing comes after it. A run tells neither its end nor heartbeats itself; an event
 * that does not fit throws at whoever emits it, so that no stream breaks off later.
 */
export class Narrator {
  readonly #log: EventLog<ToldEvent>
  readonly #now: () => number
  readonly #began: number
  #beatAt: number
  #stage: Heartbeat['stage'] = 'planning'
  #label: string = texts.begun
  #isThinking = false
  /** When the last operation was applied, while the next is awaited. */
  #appliedAt: number | undefined

  constructor(log: EventLog<ToldEvent>, now: () => number) {
    this.#log = log
    this.#now = now
    this.#began = now()
    this.#beatAt = this.#began + beatEvery
  }

  /** The last status. */
  get label(): string {
    return this.#label
  }

  /** Tells what a run emits; what comes after its end is dropped. */
  tell(event: RunEvent): void {
    if (this.#log.closed || !isForStreams(event)) return
    const told = v.safeParse(Told, event)
    if (!told.success) throw new Error(`a run of chat may not tell '${event.type}' so: ${v.getDotPath(told.issues[0]) ?? 'it'}: ${told.issues[0].message}`)
    this.#follow(told.output)
    this.#log.write(told.output)
  }

  /** Tells what is due by the time alone. */
  beat(): void {
    if (this.#log.closed) return
    const now = this.#now()
    if (this.#appliedAt !== undefined && now - this.#appliedAt >= quietAfter) this.tell({ type: 'status', message: texts.finishing })
    if (now < this.#beatAt) return
    while (this.#beatAt <= now) this.#beatAt += beatEvery
    this.#log.write({ type: 'heartbeat', stage: this.#stage, label: this.#label, elapsedMs: now - this.#began })
  }

  /** Tells how the run ended. The first end counts. */
  end(ending: Ending): void {
    if (this.#log.closed) return
    if (this.#isThinking) this.#log.write({ type: 'thinking_end' })
    this.#log.write(ending)
    this.#log.closed = true
  }

  #follow(event: Told): void {
    switch (event.type) {
      case 'status': {
        const phase = phaseOf(event.message)
        this.#label = event.message
        // The stage only goes forward: a run that plans again after a failed attempt is still applying.
        if (phase !== 'planning' && phase !== 'plan ready') this.#stage = 'applying'
        // A progress text goes with operations; any other says what the run is at now.
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
