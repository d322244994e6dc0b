import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/index.ts'
import type { Workspace } from './workspace.ts'

/** A line of the log: what a run did, without any content. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly stream: string }

export interface AgentLog {
  append(line: LogLine): Promise<void>
  /** The last lines, oldest first; invalid lines are skipped. */
  tail(): Promise<readonly LogLine[]>
}

const mostRead = 1024 * 1024

/** The log of a workspace: an append-only file of JSON lines that only its owner can read. */
export function openAgentLog(workspace: Workspace, clock: Clock): AgentLog {
  const openLog = async (flags: string) => open(join(await workspace.own(), 'log.jsonl'), flags, 0o600)
  return {
    async append(line) {
      const file = await openLog('a')
      try {
        await file.appendFile(`${JSON.stringify({ time: clock.now().toISOString(), ...line })}\n`)
      } finally {
        await file.close()
      }
    },
    async tail() {
      const file = await openLog('a+')
      try {
        const { size } = await file.stat()
        const bytes = Buffer.alloc(Math.min(size, mostRead))
        await file.read(bytes, 0, bytes.length, size - bytes.length)
        return bytes.toString('utf8').split('\n').flatMap(toLine)
      } finally {
        await file.close()
      }
    },
  }
}

function toLine(text: string): readonly LogLine[] {
  try {
    const value: unknown = JSON.parse(text)
    return isLine(value) ? [value] : []
  } catch {
    return []
  }
}

const isLine = (value: unknown): value is LogLine => typeof value === 'object' && value !== null && 'stream' in value && typeof value.stream === 'string'
