import { Refusal } from '../../kernel/index.ts'
import type { ChatRequest, ChatRunner } from '../chat/port.ts'
import type { Ending } from './schemas.ts'

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
