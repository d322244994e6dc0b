import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, Unanswered } from './ask.ts'
import { startService, type Service, type ServiceOptions } from './service.ts'

/** Milliseconds from the end of a killed process to the start of the next. */
const goneForMs = 500

export type Fleet = ReturnType<typeof createFleet>

/** Starts three processes on one database. */
export function createFleet(folder: string, options: ServiceOptions) {
  const places = ['a', 'b', 'c'].map((name) => join(folder, name))
  const services: Service[] = places.map((place) => startService(place, options))
  const ports = new Map<Service, number>()
  const joined = async (service: Service): Promise<void> =>
    void ports.set(service, (await service.ready).port)

  const any = <T>(of: readonly T[]): T => {
    const found = of[Math.floor(Math.random() * of.length)]
    if (found === undefined) throw new Error('no process runs')
    return found
  }
  return {
    /** The port of any running process. */
    port: (): number => any([...ports.values()]),
    /** Kills any process, but not the last one; resolves when another one has taken its place. */
    async killOne(): Promise<void> {
      while (ports.size < 2) await pause(20)
      const killed = any([...ports.keys()])
      const at = services.indexOf(killed)
      ports.delete(killed)
      killed.kill('SIGKILL')
      const how = await killed.gone
      if (how !== 'SIGKILL') throw new Error(`a process ended with ${how}: ${killed.faults().join('\n')}`)
      await pause(goneForMs)
      // It cannot start without its database.
      for (;;) {
        const next = (services[at] = startService(places[at] ?? folder, options))
        if (
          await joined(next).then(
            () => true,
            () => false,
          )
        )
          return
        await pause(100)
      }
    },
    /** Resolves when all processes are ready. */
    async ready(): Promise<void> {
      await Promise.all(services.map(joined))
      // One that is killed meanwhile is left out: another one takes its place.
      for (const [service, port] of ports)
        while (ports.get(service) === port && !(await isReady(port))) await pause(20)
    },
    async end(): Promise<void> {
      for (const service of services) service.kill('SIGKILL')
      await Promise.all(services.map(({ gone }) => gone))
    },
  }
}

/** Whether a process says that it is ready; not if it is gone. */
const isReady = (port: number): Promise<boolean> =>
  ask({ port, mayLose: true }, { path: '/readyz' }).then(
    ({ status }) => status === 200,
    (error: unknown) => {
      if (error instanceof Unanswered) return false
      throw error
    },
  )
