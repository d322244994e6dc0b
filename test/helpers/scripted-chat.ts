import { Refusal } from '../../kernel/index.ts'
import type { ChatRequest, ChatResult, ChatRunner, RunOptions, RunEnd } from '../../plugins/chat/port.ts'

/** A run that a test controls. */
export interface ScriptedRun extends Pick<RunOptions, 'id' | 'signal' | 'emit'> {
  readonly request: ChatRequest
  readonly end: (end: RunEnd) => void
  readonly fail: (error: unknown) => void
}

/** A result with every required field. */
export const resultOf = (more: Partial<ChatResult> = {}): ChatResult => ({
  status: 'applied',
  summary: 'Changed the heading.',
  changes: ['Update the heading of the hero.'],
  previewVersion: 2,
  plannerSource: 'demo',
  modelUsed: 'rules',
  modelKey: 'balanced',
  debug: {
    traceId: 'trace',
    promptHash: '0123456789abcdef',
    promptExcerpt: 'Change the heading',
    outcome: 'applied',
    plannerTier: 'demo',
    modelUsed: 'rules',
    plannerSource: 'demo',
    executionMode: 'auto',
  },
  ...more,
})

export const done: RunEnd = { status: 200, result: resultOf() }

/**
 * A runner whose events and results a test controls.
 *
 * A canceled run stops at once, unless it is `deaf`; `script` is called synchronously when a run starts.
 */
export function scriptedRunner({
  deaf = false,
  script,
}: { readonly deaf?: boolean; readonly script?: (run: ScriptedRun) => void } = {}) {
  const runs: ScriptedRun[] = []
  const runner: ChatRunner = {
    run(request, context) {
      const { promise, resolve: end, reject: fail } = Promise.withResolvers<RunEnd>()
      const { id, signal } = context
      const run = { id, signal, request, emit: context.emit, end, fail }
      if (!deaf) signal.addEventListener('abort', () => fail(signal.reason))
      runs.push(run)
      script?.(run)
      return promise
    },
    resultOf: async (_request, { id }, error) =>
      resultOf({
        status: 'error',
        summary: error instanceof Refusal ? error.reason : 'Internal error.',
        debug: { ...done.result.debug, traceId: id },
      }),
  }
  return {
    runner,
    /** In the order of their start. */
    runs,
    /** The run that started last. */
    get last(): ScriptedRun {
      const run = runs.at(-1)
      if (!run) throw new Error('no run has started')
      return run
    },
  }
}
