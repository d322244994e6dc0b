import { type CallerLimits, type Logger, Refusal } from '../../../kernel/index.ts'
import { Canceled, type ChatRequest, type ChatRunner } from '../port.ts'
import type { Actor } from '../../draft/port.ts'
import { type DraftId, draftKey } from '../../scope/port.ts'
import { createNarrator, type Narrator } from './narrator.ts'
import { runLost } from './refusals.ts'
import type { Run, RunParts } from './run.ts'
import type { Ending, EventBody } from './schemas.ts'
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

/** What every process needs to know about a run of chat. */
export interface RunMetadata {
  readonly of: DraftId
  readonly origin?: string | undefined
  /** The last status. */
  readonly label: string
  /** True once the run has changed the draft; then it can no longer be canceled. */
  readonly isCommitted: boolean
}

export type ChatRun = Run<EventBody, RunMetadata>

interface ChatRunParts {
  readonly id: string
  readonly of: DraftId
  readonly request: ChatRequest
  readonly sender: Sender
  readonly runner: ChatRunner
  /** Removes a run that has not started. */
  readonly forget: (run: ChatRun) => void
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  readonly log: Logger
}

/** Describes one chat request as a run. */
export async function chatRunOf(parts: ChatRunParts): Promise<RunParts<EventBody, RunMetadata>> {
  const { id, of, now, forget } = parts
  const { origin, holder, limits } = parts.sender
  // Read now: for a token that was revoked in the meantime, a later read would return a new signal.
  const access = limits?.signal
  let narrator: Narrator | undefined
  return {
    id,
    draft: draftKey(of),
    holder,
    lost: await failureOf(parts, runLost()),
    about: () => ({
      of,
      origin,
      label: narrator?.label ?? texts.started,
      isCommitted: narrator?.isCommitted === true,
    }),
    work: workOf(parts, (emit) => (narrator = createNarrator(emit, now))),
    tick: ({ phase }) => void (phase === 'active' && narrator?.beat()),
    isRevoked: () => access?.aborted === true,
    isTooLate: () => narrator?.isCommitted === true,
    cancel(run) {
      if (!run.hasStarted && run.phase !== 'ended') forget(run)
      else if (run.stop(new Canceled(texts.canceled)))
        narrator?.report({ type: 'status', message: texts.stopping })
    },
  }
}

/** Creates the work of a run; only this function holds the request, which may be large. */
function workOf(
  parts: ChatRunParts,
  narrate: (emit: (event: EventBody) => void) => Narrator,
): RunParts<EventBody, RunMetadata>['work'] {
  const { id, request, sender, runner, log } = parts
  const { actor, limits, holder } = sender
  const endingOf = async (emit: Narrator['report'], signal: AbortSignal): Promise<Ending> => {
    try {
      signal.throwIfAborted()
      const how = { id, actor, limits, holder: () => holder, signal, emit, isStreamed: true }
      const { status, result } = await runner.run(request, how)
      return { ...(status < 400 ? { type: 'final' } : { type: 'error', code: status }), result }
    } catch (err) {
      if (err instanceof Canceled) return { type: 'canceled', message: texts.canceled }
      const code = err instanceof Refusal ? err.status : 500
      if (!(err instanceof Refusal)) log.error({ run: id, err }, 'chat run failed')
      else if (code >= 500) log.warn({ run: id, err }, 'chat run refused')
      return failureOf(parts, err)
    }
  }
  return async ({ signal, emit }) => {
    const { report, endThought } = narrate(emit)
    const ending = await endingOf(report, signal)
    endThought()
    return ending
  }
}

/** The end of a run that was refused or has failed. */
async function failureOf({ id, request, runner }: ChatRunParts, err: unknown): Promise<Ending> {
  const result = await runner.resultOf(request, { id }, err)
  const code = err instanceof Refusal ? err.status : 500
  return { type: 'error', code, error: result.summary, reason: result.summary, result }
}
