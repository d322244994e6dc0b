import type { Ask } from '../../kernel/testing.ts'
import { startService, type ServiceOptions } from '../prove/service.ts'
import { askOver, type temporaryFolder } from './stack.ts'

/** Starts the service in a process of its own, which a test may kill, and which ends with the test. */
export async function startOwnProcess(
  t: Parameters<typeof temporaryFolder>[0],
  folder: string,
  options: ServiceOptions,
) {
  const service = startService(folder, options)
  t.teardown(() => service.kill('SIGKILL'))
  const origin = `http://127.0.0.1:${(await service.ready).port}`
  const ask: Ask = (request) => askOver(origin, request)
  return { service, origin, ask }
}
