import { appendFile, open } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Clock } from '../../../../kernel/index.ts'
import type { Workspace } from './workspace.ts'

/** A line of the log: the actions of a run, without content. */
type LogLine = Readonly<Record<string, unknown>> & { readonly stream: string }
const Line = v.pipe(v.string(), v.parseJson(), v.looseObject({ stream: v.string() }))

export type AgentLog = ReturnType<typeof openAgentLog>

const mostReadBytes = 1024 * 1024

/** Opens the log of a workspace: an append-only file of JSON lines that only its owner can read. */
export function openAgentLog(workspace: Workspace, clock: Clock) {
  const file = async () => join(await workspace.own(), 'log.jsonl')
  return {
    async append(line: LogLine): Promise<void> {
      const text = `${JSON.stringify({ time: clock.now().toISOString(), ...line })}\n`
      await appendFile(await file(), text, { mode: 0o600 })
    },
    /** Returns the last lines, oldest first; skips invalid lines. */
    async tail(): Promise<readonly LogLine[]> {
      const log = await open(await file(), 'a+', 0o600)
      try {
        const { size } = await log.stat()
        const bytes = Buffer.alloc(Math.min(size, mostReadBytes))
        await log.read(bytes, 0, bytes.length, size - bytes.length)
        return bytes
          .toString('utf8')
          .split('\n')
          .flatMap((text) => {
            const { success, output } = v.safeParse(Line, text)
            return success ? [output] : []
          })
      } finally {
        await log.close()
      }
    },
  }
}
