import { Agent } from 'node:http'
import { createConnection, type NetConnectOpts, Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export const pauseMs = 100

/**
 * Creates an agent that connects to the server at `origin`, and tries again for some time: a development server that
 * restarts refuses connections for a moment, and one that is started again may have another port. Requests wait with
 * their bodies.
 */
export function createPatientAgent(origin: () => string | undefined, mostMs: number): Agent {
  return new (class extends Agent {
    override createConnection(
      options: NetConnectOpts,
      done?: (error: Error | null, socket: Duplex) => void,
    ): undefined {
      const until = performance.now() + mostMs
      const attempt = (): void => {
        const at = origin()
        if (at === undefined) return again(new Error('no server runs'), new Socket())
        const { hostname: host, port } = new URL(at)
        // A name of this machine may have two addresses, and the server one of them.
        const socket = createConnection({ ...options, host, port: Number(port), autoSelectFamily: true })
        const refuse = (error: Error): void => again(error, socket)
        socket.once('error', refuse).once('connect', () => {
          socket.off('error', refuse)
          done?.(null, socket)
        })
      }
      const again = (error: Error, socket: Socket): void => {
        if (performance.now() < until) setTimeout(attempt, pauseMs)
        else done?.(error, socket)
      }
      attempt()
      return undefined
    }
  })()
}
