/** Polls `GET /health` in a separate process, so that an attack does not delay the measurement. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { ask } from './ask.ts'

/** Milliseconds between two requests. */
const every = 10

/** The result of polling `GET /health`. */
const Seen = v.object({
  /** Milliseconds of the slowest response. */
  longest: v.number(),
  /** Like `longest`, in CPU time of the main thread of the service: other processes do not slow it down. */
  held: v.number(),
  /** The peak of the memory in mebibytes. */
  memory: v.number(),
  /** Requests without a 200. */
  failures: v.number(),
})
type Seen = v.InferOutput<typeof Seen>

const script = fileURLToPath(import.meta.url)

export interface Watch {
  /** Returns what was seen since the last call. */
  take(): Promise<Seen>
  stop(): void
}

/** Starts polling a service. */
export function watchHealth(port: number, pid: number | undefined): Watch {
  const child = fork(script, [String(port), String(pid)])
  return {
    async take() {
      child.send('take')
      const [seen] = await once(child, 'message')
      return v.parse(Seen, seen)
    },
    stop: () => void child.kill(),
  }
}

const nothing: Seen = { longest: 0, held: 0, memory: 0, failures: 0 }

async function watch(port: number, pid: string): Promise<void> {
  let seen = nothing
  process.on('message', () => {
    process.send?.({ ...seen, memory: peakMemory(pid) })
    // Resets the peak.
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    seen = nothing
  })
  for (;;) {
    const [began, cpu] = [performance.now(), mainThreadTime(pid)]
    const status = await ask({ port }, { path: '/health' }).then(
      ({ status }) => status,
      () => 0,
    )
    seen = {
      ...seen,
      longest: Math.max(seen.longest, performance.now() - began),
      held: Math.max(seen.held, mainThreadTime(pid) - cpu),
      failures: seen.failures + Number(status !== 200),
    }
    await pause(every)
  }
}

const peakMemory = (pid: string): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** The CPU time of the main thread of a process in milliseconds. */
const mainThreadTime = (pid: string): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6

if (process.argv[1] === script) {
  setPriority(-10)
  const [, , port, pid = ''] = process.argv
  await watch(Number(port), pid)
}
