/** Polls `GET /health` in a separate process, so that an attack does not delay the measurement. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
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
  /** Requests without a 200. */
  failures: v.number(),
})
type Seen = v.InferOutput<typeof Seen>

const script = fileURLToPath(import.meta.url)

/** Starts polling; the returned function stops it and returns the result. */
export function watchHealth(port: number): () => Promise<Seen> {
  const child = fork(script, [String(port)])
  return async () => {
    child.send('stop')
    const [seen] = await once(child, 'message')
    return v.parse(Seen, seen)
  }
}

async function watch(port: number): Promise<Seen> {
  const stopping = new AbortController()
  process.once('message', () => stopping.abort())
  let [longest, failures] = [0, 0]
  while (!stopping.signal.aborted) {
    const began = performance.now()
    const status = await ask({ port }, { path: '/health' }).then(({ status }) => status, () => 0)
    longest = Math.max(longest, performance.now() - began)
    if (status !== 200) failures++
    await pause(every)
  }
  return { longest, failures }
}

if (process.argv[1] === script) {
  process.send?.(await watch(Number(process.argv[2])))
  process.disconnect()
}
