import { Refusal, type CallerLimits, type Logger } from '../../kernel/index.ts'
import { Canceled, ChatResult, type ChatRequest, type ChatRunner } from '../chat/port.ts'
import type { Actor } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import { EventLog, type Following, type Reader } from './event-log.ts'
import { checkedFor, createNarrator, type Narrator, texts } from './narrator.ts'
import type { Ending, EventBody } from './schemas.ts'

/** The sender of a request. */
export interface Sender {
  /** The origin of the page that sent it, if any. */
  readonly origin: string | undefined
  readonly actor: Actor
  /** The caller whose share the run counts towards; `undefined` if callers cannot be distinguished. */
  readonly holder: string | undefined
  /** The limits of a restricted caller. */
  readonly limits: CallerLimits | undefined
}

export interface RunParts {
  readonly id: string
  readonly of: DraftId
  readonly request: ChatRequest
  readonly sender: Sender
  readonly runner: ChatRunner
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  readonly log: Logger
}

/** Existing editors act on the last event up to 900 ms late; ended before, a stream counts as lost. */
const most = { events: 2_000, bytes: 5 * 1024 * 1024, lingerMs: 1_500 }

/** One chat request: parked, then active, then ended. */
export type Run = ReturnType<typeof createRun>

/** Creates a parked run. */
export function createRun({ id, of, request, sender: { origin, ...sender }, runner, now, log }: RunParts) {
  const events = new EventLog<EventBody>(most)
  const stop = new AbortController()
  // Read now: for a token that was revoked in the meantime, a later read would return a new signal.
  const access = sender.limits?.signal
  /** Released when the run begins: requests may be large, and ended runs stay in memory for a while. */
  let parked: ChatRequest | undefined = request
  let narrator: Narrator | undefined
  let phase: 'parked' | 'active' | 'ended' = 'parked'
  let since = now()
  let ended: Promise<void> = Promise.resolve()

  const enter = (next: typeof phase): void => {
    phase = next
    since = now()
  }

  async function endingOf(begun: ChatRequest, { report }: Narrator): Promise<Ending> {
    try {
      const { status, result } = await runner.run(begun, {
        ...sender,
        id,
        signal: stop.signal,
        emit: report,
        get isStreamed() {
          return events.readers.size > 0
        },
      })
      const checked = checkedFor(ChatResult, result, 'the result of a run does not match its schema')
      return { ...(status < 400 ? { type: 'final' } : { type: 'error', code: status }), result: checked }
    } catch (err) {
      if (err instanceof Canceled) return { type: 'canceled', message: texts.canceled }
      const code = err instanceof Refusal ? err.status : 500
      if (!(err instanceof Refusal)) log.error({ run: id, err }, 'chat run failed')
      else if (code >= 500) log.warn({ run: id, err }, 'chat run refused')
      const result = await runner.resultOf(begun, { id }, err)
      return { type: 'error', code, error: result.summary, reason: result.summary, result }
    }
  }

  return {
    id,
    of,
    origin,
    holder: sender.holder,
    events,
    get phase() {
      return phase
    },
    /** Milliseconds since the run was parked, started or ended. */
    get age() {
      return now() - since
    },
    /** True once the run has ended or changed the draft. */
    get isTooLate() {
      return phase === 'ended' || narrator?.isCommitted === true
    },
    /** True once its caller has lost access. */
    get isRevoked() {
      return access?.aborted === true
    },
    /** Resolves when the run has ended, or at once if it never started. */
    get ended() {
      return ended
    },
    /** Starts a parked run. */
    begin(): void {
      const begun = parked
      if (!begun) return
      parked = undefined
      enter('active')
      const own = (narrator = createNarrator(events, now))
      ended = endingOf(begun, own).then((ending) => {
        enter('ended')
        own.end(ending)
      })
    },
    /**
     * Adds a reader that starts after the last event that it saw.
     *
     * If events after that were dropped, the reader gets the current state instead: the end of the run, or
     * the last status.
     */
    follow({ after, ...who }: Omit<Following<EventBody>, 'standIn'>): Reader<EventBody> {
      const { first, last } = events
      // A number beyond the last event is treated as the last one.
      if (Math.min(after, last) + 1 >= first) return events.follow({ ...who, after })
      if (phase === 'ended') return events.follow({ ...who, after: last - 1 })
      const standIn = { type: 'status', message: narrator?.label ?? texts.begun, _seq: last } as const
      return events.follow({ ...who, after: last, standIn })
    },
    /** Asks the run to stop; it may still end normally first. */
    cancel(): void {
      if (phase !== 'active' || stop.signal.aborted) return
      narrator?.report({ type: 'status', message: texts.stopping })
      stop.abort(new Canceled(texts.canceled))
    },
    /** Emits timed events, and ends readers that are done. */
    tick(): void {
      if (phase === 'active') narrator?.beat()
      events.judge(now())
    },
  }
}
