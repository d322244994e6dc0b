import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mostIdle = 64

/** Connects the sockets of two sides in pairs, in their order. */
function createPairs() {
  const idle: Socket[] = []
  const waiting: Socket[] = []
  const open = new Set<Socket>()
  const connect = (): void => {
    for (let outer = waiting[0], inner = idle[0]; outer && inner; outer = waiting[0], inner = idle[0]) {
      waiting.shift()
      idle.shift()
      outer.pipe(inner).pipe(outer)
    }
  }
  const accept =
    (to: Socket[], most: number) =>
    (socket: Socket): void => {
      open.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        open.delete(socket)
        if (to.includes(socket)) to.splice(to.indexOf(socket), 1)
      })
      if (to.length >= most) socket.destroy()
      else if (!socket.destroyed) to.push(socket)
      connect()
    }
  return {
    outer: accept(waiting, Infinity),
    inner: accept(idle, mostIdle),
    end: () => [...open].map((socket) => socket.destroy()),
  }
}

/**
 * Opens a port whose connections are passed to a program in a box. The box connects to a socket in `folder`, and
 * never the other way round, so that it chooses neither what it reaches nor what is connected to it. `before` is
 * awaited for every connection. Rejects if the port is taken.
 */
export async function openDoor(port: number, before: () => Promise<unknown>) {
  const pairs = createPairs()
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const socket = join(folder, 'door')
  const outside = createServer({ pauseOnConnect: true }, (each) => {
    each.on('error', () => each.destroy())
    void before()
      .catch(() => undefined)
      .then(() => pairs.outer(each))
  })
  const inside = createServer({ pauseOnConnect: true }, pairs.inner)
  const close = async (): Promise<void> => {
    for (const server of [outside, inside]) if (server.listening) server.close()
    pairs.end()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await once(inside.listen(socket), 'listening')
    await once(outside.listen({ port, host: '127.0.0.1', exclusive: true }), 'listening')
  } catch (error) {
    await close()
    throw error
  }
  return {
    folder,
    /** The arguments of Node that start a program in the box and connect it. */
    args: (program: string, args: readonly string[]): readonly string[] => [
      '-e',
      relay,
      '--',
      socket,
      String(port),
      program,
      ...args,
    ],
    close,
  }
}

/** Runs in the box: keeps one connection to the door open, and passes what comes through it to the port. */
const relay = `
const { spawn } = require('node:child_process')
const { connect } = require('node:net')
const [door, port, program, ...args] = process.argv.slice(1)
const offer = () => {
  let isUsed = false
  const outer = connect(door).on('error', () => undefined)
  outer.once('close', () => isUsed || setTimeout(offer, 100))
  outer.once('data', (first) => {
    isUsed = true
    offer()
    const inner = connect({ port, host: 'localhost' }).on('error', () => outer.destroy())
    inner.on('close', () => outer.destroy())
    outer.on('close', () => inner.destroy())
    inner.write(first)
    outer.pipe(inner).pipe(outer)
  })
}
offer()
spawn(program, args, { stdio: 'inherit' }).on('error', () => process.exit(1)).on('exit', (code) => process.exit(code ?? 1))`
