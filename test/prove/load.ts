import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { attackFromOutside, attacks, type Attack } from './attacks.ts'
import { prove } from './processes.ts'
import { startService } from './service.ts'
import { watchHealth } from './watch.ts'

/** Limits of the added latency in milliseconds, and of memory in mebibytes: four of the largest drafts. */
const most = { wait: 200, memory: 1024 }

/**
 * Runs each attack on a new service, while a second client requests its health and a third that of a bare server, as the
 * baseline of the machine. Fails if the second client waits too much longer, if the memory exceeds its limit, or if the
 * service exits or logs an error.
 */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })

await prove('load', async (folder) => {
  const chosen = attacks.filter(({ name }) => name.includes(values.only))
  const failed: string[] = []
  let [longest, highest] = [0, 0]
  const bare = createServer((_, response) => response.end('{"ok":true}')).listen(0, '127.0.0.1')
  await once(bare, 'listening')
  const { port: barePort } = bare.address() as AddressInfo
  for (const [index, attack] of chosen.entries()) {
    const { verdict, wait, bareWait, memory, faults } = await attacked(join(folder, String(index)), attack, barePort)
    console.log(`${attack.name}: ${verdict}; /health waited ${wait.toFixed(0)} ms, a bare server ${bareWait.toFixed(0)} ms, memory ${memory.toFixed(0)} MiB`)
    for (const fault of faults) console.log(`  ${fault.slice(0, 500)}`)
    if (wait - bareWait > most.wait || memory > most.memory || faults.length > 0) failed.push(attack.name)
    longest = Math.max(longest, wait - bareWait)
    highest = Math.max(highest, memory)
  }
  bare.close()
  const figures = `/health waited at most ${longest.toFixed(0)} ms longer than a bare server, memory reached ${highest.toFixed(0)} MiB`
  if (failed.length > 0) throw new Error(`${figures}; over ${most.wait} ms or ${most.memory} MiB: ${failed.join(', ')}`)
  return `${chosen.length} attacks, none stopped the service; ${figures}`
})

async function attacked(place: string, { name, prepare }: Attack, barePort: number) {
  const service = startService(place)
  try {
    const { port } = await service.ready
    await prepare?.(port)
    const [seen, seenBare] = [watchHealth(port), watchHealth(barePort)]
    const verdict = await attackFromOutside(port, name)
    const [{ longest: wait, failures }, { longest: bareWait }] = await Promise.all([seen(), seenBare()])
    const memory = highestMemory(service.pid)
    const faults = [...service.faults(), ...(failures > 0 ? [`${failures} requests for /health failed`] : [])]
    return { verdict, wait, bareWait, memory, faults }
  } finally {
    service.kill('SIGKILL')
    await service.gone
  }
}

/** The peak resident memory of a process in mebibytes. */
function highestMemory(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
