import { EventLog, type LogLimits } from './event-log.ts'

/** The tools of the work of a run. */
export interface StartedRun<E extends object> {
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal
  readonly events: EventLog<E>
}

interface RunParts<E extends object> {
  readonly id: string
  /** The caller whose share the run counts towards; `undefined` if callers cannot be distinguished. */
  readonly holder?: string | undefined
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  readonly limits: LogLimits<E>
  /** Resolves with the last event of the run, also when it is stopped or fails. */
  work(run: StartedRun<E>): Promise<E>
  /** Called several times a second while the run is active. */
  beat?(events: EventLog<E>): void
}

/** Creates a run: parked until `begin`, then active, then ended. */
export function createRun<E extends object>({ id, holder, now, limits, work, beat }: RunParts<E>) {
  const events = new EventLog<E>(limits)
  const stopping = new AbortController()
  /** Released when the run begins: it may hold a large request, and ended runs stay in memory for a while. */
  let parked: RunParts<E>['work'] | undefined = work
  const createdAt = now()
  let startedAt: number | undefined
  let finishedAt: number | undefined
  let ended: Promise<void> = Promise.resolve()

  function end(ending: E): void {
    parked = undefined
    finishedAt = now()
    events.write(ending, { isLast: true })
  }
  return {
    id,
    holder,
    events,
    get phase(): 'parked' | 'active' | 'ended' {
      if (finishedAt !== undefined) return 'ended'
      return startedAt === undefined ? 'parked' : 'active'
    },
    /** Milliseconds since the run was parked, started or ended. */
    get age(): number {
      return now() - (finishedAt ?? startedAt ?? createdAt)
    },
    /** In milliseconds since 1970. */
    get times() {
      return { createdAt, startedAt, finishedAt }
    },
    /** Resolves when the run has ended, or at once if it never started. */
    get ended(): Promise<void> {
      return ended
    },
    /** Starts a parked run. */
    begin(): void {
      const begun = parked
      if (!begun) return
      parked = undefined
      startedAt = now()
      ended = begun({ signal: stopping.signal, events }).then(end)
    },
    /** Ends a run that has not started. */
    end,
    /** Asks an active run to stop; it may still end normally first. Returns whether it was asked now. */
    stop(reason: unknown): boolean {
      if (startedAt === undefined || finishedAt !== undefined || stopping.signal.aborted) return false
      stopping.abort(reason)
      return true
    },
    /** Emits timed events, and ends readers that are done. */
    tick(): void {
      if (startedAt !== undefined && finishedAt === undefined) beat?.(events)
      events.judge(now())
    },
  }
}
