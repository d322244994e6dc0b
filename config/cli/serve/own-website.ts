/** A website that a server runs as well: the demo site, or that of a folder which is edited. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger, Seed, Used } from '../../../kernel/index.ts'
import type { NodeHandler } from '../../../kernel/http/node.ts'
import type { Assembly } from '../../assemble.ts'
import type { Environment } from '../../env.ts'

/** What a website of the server knows when it starts. */
export interface Listening extends Pick<Assembly, 'settings' | 'env'> {
  readonly port: number
  readonly publicOrigin: string
  readonly log: Logger
}

/** Answers requests for a website on the port of the service. */
interface Front {
  isFor(request: IncomingMessage): boolean
  request(request: IncomingMessage, response: ServerResponse): Promise<void> | void
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** A website that a server runs as well. */
export interface OwnWebsite {
  readonly origin: string
  /** Variables by which the service knows it, unless they are already set. */
  readonly variables: Environment
  readonly seeds: readonly Seed[]
  readonly plugins: readonly Used[]
  /** Absent if it listens on a port of its own. */
  readonly front?: Front
  close(): Promise<void>
}

export type OpenWebsite = (listening: Listening) => Promise<OwnWebsite>

/** Lets a website answer its own requests, once there is one, and a handler all others. */
export const behind =
  (front: () => Front | undefined, handler: NodeHandler): NodeHandler =>
  (request, response, next) => {
    const site = front()
    return site?.isFor(request) ? site.request(request, response) : handler(request, response, next)
  }

/** Only the website changes the protocol of connections. */
export const upgradesOf =
  (front: Front) =>
  (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    front.isFor(request) ? front.upgrade(request, socket, head) : void socket.destroy()
