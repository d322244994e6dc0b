import { BootError } from '../../../kernel/index.ts'
import type { DrainingServer } from '../shared/drain.ts'

/** How many ports are tried before it is no coincidence any more. */
const tries = 20

/** Listens on the first port from this one on that is free. Refuses, as a BootError, what another port would not mend. */
export async function listenNear(
  server: Pick<DrainingServer, 'listen'>,
  first: number,
  host: string,
): Promise<number> {
  for (let port = first; port < first + tries; port++) {
    try {
      return await server.listen(port, host)
    } catch (error) {
      if (!isInUse(error)) throw error
    }
  }
  const last = first + tries - 1
  throw new BootError([`the ports ${first} to ${last} of ${host} are all in use; choose another with --port or PORT`])
}

function isInUse(error: unknown): boolean {
  const cause = error instanceof BootError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
}
