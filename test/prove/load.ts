import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { attackFromOutside, attacks } from './attacks.ts'
import { attackedRoutes } from './bodies.ts'
import { prove } from './processes.ts'
import { startService } from './service.ts'
import { watchHealth, type Watch } from './watch.ts'

/** Limits of the added wait in milliseconds, and of memory in mebibytes: four of the largest drafts. */
const most = { wait: 200, memory: 1024 }
/** A wait is measured again before it counts: a busy machine lengthens some. */
const attempts = 3

/**
 * Attacks every route with generated requests, and the service with attacks written by hand, while another process
 * requests its health. Fails if a request for the health waits too long for the main thread, in CPU time of that
 * thread; if the memory exceeds its limit; or if the service exits or logs an error.
 */
const {
  values: { only },
} = parseArgs({ options: { only: { type: 'string', default: '' } } })

interface Attacked {
  readonly name: string
  /** Attacks by hand prepare a service of their own; the routes share one, unless it would be too full for them. */
  readonly isAlone: boolean
  /** An attack by hand may stall on purpose. */
  readonly isAnswered: boolean
}

/** Checks refuse a draft of more than 2,000 pages, which other attacks create. */
const needsOwnDraft = (name: string): boolean => name.includes(' /checks')

const chosen: readonly Attacked[] = [
  ...attackedRoutes.map(({ name }) => ({ name, isAlone: needsOwnDraft(name), isAnswered: true })),
  ...attacks.map(({ name }) => ({ name, isAlone: true, isAnswered: false })),
].filter(({ name }) => name.includes(only))

await prove('load', async (folder) => {
  const failed: string[] = []
  let [longest, highest] = [0, 0]
  let starts = 0
  let shared: Running | undefined
  for (const { name, isAlone, isAnswered } of chosen) {
    let held = Infinity
    for (let attempt = 0; attempt < attempts && held > most.wait; attempt++) {
      const running = (isAlone ? undefined : shared) ?? (await start(join(folder, String(starts++))))
      if (!isAlone) shared = running
      const { verdict, seen, idle, faults } = await attacked(running, name)
      console.log(
        `${name}: ${verdict}; /health waited ${seen.longest.toFixed(0)} ms (idle ${idle.longest.toFixed(0)}), for ${seen.held.toFixed(0)} ms of CPU; memory ${seen.memory.toFixed(0)} MiB`,
      )
      const isSilent = isAnswered && verdict.includes('none')
      for (const fault of faults) console.log(`  ${fault.slice(0, 500)}`)
      held = Math.min(held, seen.held)
      highest = Math.max(highest, seen.memory)
      if (seen.memory > most.memory || faults.length > 0 || isSilent) failed.push(name)
      if (isAlone || faults.length > 0) {
        await running.end()
        if (!isAlone) shared = undefined
      }
    }
    if (held > most.wait) failed.push(name)
    longest = Math.max(longest, held)
  }
  await shared?.end()
  const figures = `/health waited for at most ${longest.toFixed(0)} ms of CPU, memory reached ${highest.toFixed(0)} MiB`
  if (failed.length > 0)
    throw new Error(
      `${figures}; over ${most.wait} ms or ${most.memory} MiB: ${[...new Set(failed)].join(', ')}`,
    )
  return `${chosen.length} routes and attacks, all routes answered, none stopped the service; ${figures}`
})

interface Running {
  readonly port: number
  readonly watch: Watch
  /** Logged errors since the last call. */
  faults(): readonly string[]
  end(): Promise<void>
}

async function start(place: string): Promise<Running> {
  const env = {
    MCP_BEARER_TOKEN: 'load-load-load-load-load-load-load',
    MEDIA_UPLOADS_PER_MIN: '0',
    MEDIA_GENERATIONS_PER_MIN: '0',
  }
  const service = startService(place, { env })
  const { port } = await service.ready
  const watch = watchHealth(port, service.pid)
  let known = 0
  return {
    port,
    watch,
    faults: () => service.faults().slice(known, (known = service.faults().length)),
    async end() {
      watch.stop()
      service.kill('SIGKILL')
      await service.gone
    },
  }
}

async function attacked({ port, watch, faults }: Running, name: string) {
  const attack = await attackFromOutside(port, name)
  await watch.take()
  await pause(200)
  const idle = await watch.take()
  const verdict = await attack.run()
  const seen = await watch.take()
  return {
    verdict,
    seen,
    idle,
    faults: [...faults(), ...(seen.failures > 0 ? [`${seen.failures} requests for /health failed`] : [])],
  }
}
