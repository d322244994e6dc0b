import type { AgentLog } from './agent-log.ts'
import type { RunUsage } from './schemas.ts'
import { isAlive } from './shell/processes.ts'

/** What is kept of a run once it is over: one line, without contents. */
export interface RunRecord {
  readonly stream: string
  readonly kind: 'run'
  readonly status: 'done' | 'error' | 'canceled'
  readonly durationMs: number
  readonly numTurns: number
  readonly toolCallCount: number
  readonly toolsUsed: readonly string[]
  readonly toolDetails: readonly { readonly name: string; readonly durationMs: number; readonly isError: boolean }[]
  readonly sitesCreated: readonly string[]
  /** At most 200 characters; nothing where excerpts are off. */
  readonly userMessage: string
  readonly usage: RunUsage
}

/** Writes a line for every run that was begun by a service which ended before it: it was interrupted. */
export async function closeInterrupted(log: AgentLog): Promise<readonly string[]> {
  const open = new Map<string, string>()
  for (const line of await log.tail()) {
    if (line['kind'] === 'run_started' && typeof line['owner'] === 'string') open.set(line.stream, line['owner'])
    if (line['kind'] === 'run') open.delete(line.stream)
  }
  const closed: string[] = []
  for (const [stream, owner] of open) {
    if (await isAlive(owner)) continue
    await log.append({ stream, kind: 'run', status: 'interrupted' })
    closed.push(stream)
  }
  return closed
}
