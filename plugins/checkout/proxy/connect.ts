import { Agent } from 'node:http'
import { createConnection, type NetConnectOpts, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorCode } from '../../../kernel/index.ts'

const pauseMs = 100

/**
 * Creates an agent that tries a refused connection again for some time: a development server that restarts
 * refuses it for a moment. Requests wait with their bodies.
 */
export function createPatientAgent(mostMs: number): Agent {
  return new (class extends Agent {
    override createConnection(
      options: NetConnectOpts,
      done?: (error: Error | null, socket: Duplex) => void,
    ): undefined {
      const until = performance.now() + mostMs
      const attempt = (): void => {
        // A name of this machine may have two addresses, and the server one of them.
        const socket: Socket = createConnection({ ...options, autoSelectFamily: true })
        const refuse = (error: Error): void => {
          if (errorCode(error) === 'ECONNREFUSED' && performance.now() < until) setTimeout(attempt, pauseMs)
          else done?.(error, socket)
        }
        socket.once('error', refuse).once('connect', () => {
          socket.off('error', refuse)
          done?.(null, socket)
        })
      }
      attempt()
      return undefined
    }
  })()
}
