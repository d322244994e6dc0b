import * as v from 'valibot'
import { type CallerLimits, type Logger, Refusal } from '../../kernel/index.ts'
import { Canceled, type ChatRequest, type ChatRunner, type RunEvent, StreamEvent } from '../chat/port.ts'
import type { Actor } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { EventLog, Following, Reader } from './event-log.ts'
import { createRun, type StartedRun } from './run.ts'
import type { Ending, EventBody, Heartbeat } from './schemas.ts'
import { texts } from './texts.ts'

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

interface ChatRunParts {
  readonly id: string
  readonly of: DraftId
  readonly request: ChatRequest
  readonly sender: Sender
  readonly runner: ChatRunner
  /** Called when the run can no longer be read. */
  readonly forget: () => void
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  readonly log: Logger
}

export const limits = { events: 2_000, bytes: 5 * 1024 * 1024 }

/**
 * How long a stream waits after the last event until its client leaves. An editor in a browser counts a stream as lost
 * that ends before it has handled that event, which a busy one does late. Programs often wait for the end.
 */
export const lingerMs = { browser: 15_000, program: 1_500 }

/** One chat request: parked, then active, then ended. */
export type ChatRun = ReturnType<typeof createChatRun>

/** Creates a parked run. */
export function createChatRun(parts: ChatRunParts) {
  const { of, now, forget } = parts
  const { origin, holder, limits: callerLimits } = parts.sender
  // Read now: for a token that was revoked in the meantime, a later read would return a new signal.
  const access = callerLimits?.signal
  let narrator: Narrator | undefined
  const run = createRun<EventBody>({
    id: parts.id,
    now,
    limits,
    holder,
    work: workOf(parts, (events) => (narrator = createNarrator(events, now))),
    beat: () => narrator?.beat(),
  })
  /** True once the run has ended or changed the draft. */
  const isTooLate = (): boolean => run.phase === 'ended' || narrator?.isCommitted === true
  return {
    run,
    of,
    isTooLate,
    get isRevoked(): boolean {
      return access?.aborted === true
    },
    /** What others need to know to follow it. */
    about: (): AboutRun => ({ of, origin, label: narrator?.label ?? texts.begun }),
    follow: (reader: Omit<Following<EventBody>, 'standIn'>): Reader<EventBody> =>
      followRun(run.events, narrator?.label, reader),
    /** Asks the run to stop; it may still end normally first. */
    cancel(): void {
      if (run.stop(new Canceled(texts.canceled)))
        narrator?.report({ type: 'status', message: texts.stopping })
    },
    tick: run.tick,
    forget,
  }
}

/** Creates the work of a run; only this function holds the request, which may be large. */
function workOf(
  { id, request, sender: { actor, limits, holder }, runner, log }: ChatRunParts,
  narrate: (events: EventLog<EventBody>) => Narrator,
) {
  const endingOf = async (emit: Narrator['report'], signal: AbortSignal): Promise<Ending> => {
    try {
      const how = { id, actor, limits, holder: () => holder, signal, emit, isStreamed: true }
      const { status, result } = await runner.run(request, how)
      return { ...(status < 400 ? { type: 'final' } : { type: 'error', code: status }), result }
    } catch (err) {
      if (err instanceof Canceled) return { type: 'canceled', message: texts.canceled }
      const code = err instanceof Refusal ? err.status : 500
      if (!(err instanceof Refusal)) log.error({ run: id, err }, 'chat run failed')
      else if (code >= 500) log.warn({ run: id, err }, 'chat run refused')
      return failedWith({ id, request, runner }, err)
    }
  }
  return async ({ signal, events }: StartedRun<EventBody>): Promise<Ending> => {
    const { report, endThought } = narrate(events)
    const ending = await endingOf(report, signal)
    endThought()
    return ending
  }
}

/** A request, and what can tell its result. */
interface Asked {
  readonly id: string
  readonly request: ChatRequest
  readonly runner: Pick<ChatRunner, 'resultOf'>
}

/** The end of a run that was refused or has failed. */
export async function failedWith({ id, request, runner }: Asked, err: unknown): Promise<Ending> {
  const result = await runner.resultOf(request, { id }, err)
  const code = err instanceof Refusal ? err.status : 500
  return { type: 'error', code, error: result.summary, reason: result.summary, result }
}

/** What another process needs to know to follow a run. */
export interface AboutRun {
  readonly of: DraftId
  readonly origin: string | undefined
  /** The last status. */
  readonly label: string
}

/**
 * Adds a reader that starts after the last event that it saw.
 *
 * If events after that were dropped, the reader gets the current state instead: the end of the run, or
 * the last status. A reader that has seen all of a run that has ended gets the end again: it did not act on it.
 */
export function followRun(
  events: EventLog<EventBody>,
  label: string = texts.begun,
  { after, ...reader }: Omit<Following<EventBody>, 'standIn'>,
): Reader<EventBody> {
  const { first, last } = events
  if (events.closed && after >= last) return events.follow({ ...reader, after: last - 1 })
  // A number beyond the last event is treated as the last one.
  if (Math.min(after, last) + 1 >= first) return events.follow({ ...reader, after })
  if (events.closed) return events.follow({ ...reader, after: last - 1 })
  return events.follow({ ...reader, after: last, standIn: { type: 'status', message: label, _seq: last } })
}

/** Status texts by which clients recognise that a run applies or has applied its plan. */
const applying =
  /^applying|updating draft|(?:resolving|collecting|preparing) image|wrapping up|finalizing the response|almost done/i

const beatEveryMs = 1_000
/** Milliseconds after an applied operation until the run counts as finishing. */
const quietAfterMs = 1_500

type Narrator = ReturnType<typeof createNarrator>

/** Creates the writer of the events of one run to its log, with heartbeats. */
function createNarrator(log: EventLog<EventBody>, now: () => number) {
  const began = now()
  let beatAt = began + beatEveryMs
  /** Only goes forward: a run that plans again after its first image is still applying. */
  let stage: Heartbeat['stage'] = 'planning'
  let label: string = texts.begun
  let isThinking = false
  let isCommitted = false
  /** The time of the last applied operation, until the next status. */
  let appliedAt: number | undefined

  /** Writes an event that streams show; other events, and all after the end, are dropped. */
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
    log.write(shown)
  }

  return {
    /** The last status. */
    get label(): string {
      return label
    },
    /** True once an operation of the run is in the draft; then it can no longer be canceled. */
    get isCommitted(): boolean {
      return isCommitted
    },
    report,
    /** Ends an open thinking phase. */
    endThought(): void {
      if (isThinking) log.write({ type: 'thinking_end' })
    },
    /** Writes the events that are due. */
    beat(): void {
      const at = now()
      if (at - (appliedAt ?? at) >= quietAfterMs) report({ type: 'status', message: texts.finishing })
      if (at < beatAt) return
      while (beatAt <= at) beatAt += beatEveryMs
      log.write({ type: 'heartbeat', stage, label, elapsedMs: at - began })
    },
  }
}
