import type { CallerLimits } from '../../../kernel/index.ts'
import type { Actor } from '../../draft/port.ts'
import type { ChatRequest, PlacedRequest } from '../request.ts'
import type { ChatResult } from '../result.ts'
import type { RunEvent } from './event.ts'
import type { RunFact } from './observer.ts'

/** How a run ended. */
export interface RunEnd {
  /** The HTTP status that goes with the result. */
  readonly status: 200 | 400 | 409 | 500 | 503
  readonly result: ChatResult
}

/** The means of one run. */
export interface RunContext {
  readonly id: string
  /** Aborts when the run is canceled: what it applied is taken back, and `Canceled` is thrown. */
  readonly signal: AbortSignal
  emit(event: RunEvent): void
  /** True while somebody follows the run, so that a plan may be applied step by step. */
  readonly isStreamed: boolean
  /** Who asks; somebody, where nobody says. */
  readonly actor?: Actor | undefined
  /** Whose share of the limits on images the run uses, as `shareHolder` names it; a share that all unknown callers have together, without it. */
  readonly holder?: string | undefined
  /** What the caller may do, where that is not everything: without `edit` every plan waits, and without `approve` none is applied. */
  readonly limits?: Pick<CallerLimits, 'may' | 'ask'> | undefined
  /** Told what happens, where somebody observes runs; chat itself puts it here. */
  readonly tell?: ((fact: RunFact) => void) | undefined
}

/** Thrown by a run that was canceled, after everything it did was taken back. */
export class Canceled extends Error {
  override readonly name = 'Canceled'
  /** What people are told where something could not be taken back. */
  readonly told: string | undefined

  constructor(message?: string, { told }: { readonly told?: string } = {}) {
    super(message)
    this.told = told
  }
}

/**
 * Runs one message from words to an applied, held or refused plan. Emits what happens, but none of the events that end a
 * run: whoever runs it knows best how it ended. Refusals that carry no result are thrown.
 */
export interface ChatRunner {
  run(request: ChatRequest, context: RunContext): Promise<RunEnd>
  /** The result of a run that threw, for clients that read every end from a result. */
  resultOf(request: ChatRequest, context: Pick<RunContext, 'id'>, error: unknown): Promise<ChatResult>
}

/** Runs messages whose page is known. */
export interface PlacedRunner {
  run(request: PlacedRequest, context: RunContext): Promise<RunEnd>
}
