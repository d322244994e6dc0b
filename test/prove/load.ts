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

/** Milliseconds that one caller may hold up another beyond what the machine does, and mebibytes that one may make the service use: four of the largest drafts. */
const most = { wait: 200, memory: 1024 }

/**
 * Attacks a service as one open caller can, each time a new one, while a second client asks for its health, and a third
 * a bare server beside it: what that one waits for is the machine. It fails when the second client waits too much longer,
 * when the memory grows too far, or when the service ends or logs an error.
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
    const { verdict, wait, besides, memory, faults } = await attacked(join(folder, String(index)), attack, barePort)
    console.log(`${attack.name}: ${verdict}; /health waited ${wait.toFixed(0)} ms, a bare server ${besides.toFixed(0)} ms, memory ${memory.toFixed(0)} MiB`)
    for (const fault of faults) console.log(`  ${fault.slice(0, 500)}`)
    if (wait - besides > most.wait || memory > most.memory || faults.length > 0) failed.push(attack.name)
    longest = Math.max(longest, wait - besides)
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
    const [seen, seenBeside] = [watchHealth(port), watchHealth(barePort)]
    const verdict = await attackFromOutside(port, name)
    const [{ longest: wait, failures }, { longest: besides }] = await Promise.all([seen(), seenBeside()])
    const memory = highestMemory(service.pid)
    const faults = [...service.faults(), ...(failures > 0 ? [`${failures} requests for /health failed`] : [])]
    return { verdict, wait, besides, memory, faults }
  } finally {
    service.kill('SIGKILL')
    await service.gone
  }
}

/** Mebibytes that a process had in memory at its highest. */
function highestMemory(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
