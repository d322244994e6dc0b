import type { Phase } from './rows.ts'
import { createWriter, type HeadState, type RunStore } from './writer.ts'

/** The tools of the work of a run. */
export interface RunTools<E extends object> {
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal
  emit(event: E): void
}

/** In milliseconds since 1970. */
export interface RunTimes {
  readonly createdAt: number
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
}

/** A run as its plugin describes it. */
export interface RunParts<E extends object, A> {
  readonly id: string
  /** The draft by which its runs are found. */
  readonly draft: string
  /** The caller whose share the run counts towards; `undefined` if callers cannot be distinguished. */
  readonly holder?: string | undefined
  /** The last event for readers if its process ends before the run does. */
  readonly lost: E
  /** Returns what other processes need to know, as JSON. */
  about(times: RunTimes): A
  /** Resolves with the last event of the run, also when it is stopped or fails. */
  work(tools: RunTools<E>): Promise<E>
  /** Called several times a second until the run ends. */
  tick?(run: Run<E, A>): void
  /** True once its caller has lost access. */
  isRevoked?(): boolean
  /** True once it has changed something and is not canceled on request any more. */
  isTooLate?(): boolean
  /** Stops it in any phase; it may still end normally first. */
  cancel(run: Run<E, A>): void
  /** Called with any other request of a process. */
  asked?(what: string, value: unknown): void
  /** Called when the run can no longer be read. */
  forgotten?(): void
}

/** A run of this process: parked, then active, then ended. It stays in memory longer than its work. */
export type Run<E extends object, A> = ReturnType<typeof createRun<E, A>>

interface RunGiven<E extends object, A> extends RunStore<E, A> {
  /** True while readers of other processes wait for its begin. */
  isAwaited(): boolean
  committed(run: Run<E, A>, wishes: Readonly<Record<string, unknown>> | undefined): Promise<void>
}

/** Creates a parked run, which `commit` makes known. */
export function createRun<E extends object, A>(parts: RunParts<E, A>, given: RunGiven<E, A>) {
  const { work: parked, ...rest } = parts
  const { id, draft, lost } = rest
  const { now, isAwaited, store } = given
  const stopping = new AbortController()
  /** Released when the run begins: it may hold a large request. */
  let work: typeof parked | undefined = parked
  let phase: Phase = 'parked'
  let times: RunTimes = { createdAt: now(), startedAt: undefined, finishedAt: undefined }
  let ended: Promise<void> = Promise.resolve()
  let hasStarted = false
  const since = (): number => times.finishedAt ?? times.startedAt ?? times.createdAt
  const about = (): A => rest.about(times)
  const head = (): HeadState<E, A> => {
    const isLive = phase === 'active' || (phase === 'parked' && isAwaited())
    return { draft, phase, isLive, since: since(), about: about(), lost }
  }
  const writer = createWriter<E, A>({
    ...given,
    id,
    head,
    async committed(wishes): Promise<void> {
      if (!wishes) leave()
      await given.committed(run, wishes)
    },
  })

  function leave(): void {
    writer.leave()
    work = undefined
    phase = 'ended'
    times = { ...times, finishedAt: times.finishedAt ?? now() }
    stopping.abort(new Error('The run is not read any more.'))
  }

  function end(event: E): void {
    if (phase === 'ended') return
    work = undefined
    phase = 'ended'
    times = { ...times, finishedAt: now() }
    writer.emit(event, true)
  }

  async function begin(): Promise<boolean> {
    if (phase !== 'parked') return false
    const { createdAt } = times
    phase = 'active'
    times = { ...times, startedAt: now() }
    try {
      // Alone on a store, no other process can have canceled it.
      if (store.shared) await writer.commit()
    } catch (error) {
      phase = 'parked'
      times = { createdAt, startedAt: undefined, finishedAt: undefined }
      throw error
    }
    const start = work
    work = undefined
    if (!start) return false
    hasStarted = true
    ended = start({ signal: stopping.signal, emit: writer.emit }).then(end)
    return true
  }

  const run = {
    ...rest,
    get phase(): Phase {
      return phase
    },
    /** True once its work has started, which is a little after its phase is active. */
    get hasStarted(): boolean {
      return hasStarted
    },
    /** When the run was parked, started or ended, in milliseconds since 1970. */
    get since(): number {
      return since()
    },
    /** Resolves when the work has ended, or at once if it never began. */
    get ended(): Promise<void> {
      return ended
    },
    ...writer,
    about,
    /** Starts a parked run, and returns whether it did; rejects if the store cannot write. */
    begin,
    /** Ends a run that has not started. */
    end,
    /** Stops it without a last event: it was removed, or another process has declared it lost. */
    leave,
    /** Asks the work to stop; it may still end normally first. Returns whether it was asked now. */
    stop(reason: unknown): boolean {
      if (phase !== 'active' || stopping.signal.aborted) return false
      stopping.abort(reason)
      return true
    },
  }
  return run
}
