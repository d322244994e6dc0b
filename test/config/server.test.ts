import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { createDrainingServer } from '../../config/cli/shared/server.ts'
import { dial } from '../helpers/raw.ts'

t.test('a server that stops ends connections whose protocol was changed', async (t) => {
  const server = createDrainingServer(
    (_request, response) => void response.end(),
    (error) => t.fail(String(error)),
  )
  server.onUpgrade((_request, socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
  const socket = await dial(t, await server.listen(0, '127.0.0.1'))
  socket.write('GET / HTTP/1.1\r\nhost: boats\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  t.match(String(await once(socket, 'data')), /^HTTP\/1\.1 101/)
  const closed = once(socket, 'close')
  await server.stop(async () => undefined)
  await closed
})

t.test(
  'a server that stops answers the connections of a proxy, which uses one after the other',
  async (t) => {
    const server = createDrainingServer(
      (_request, response) => pause(60).then(() => void response.end()),
      (error) => t.fail(String(error)),
    )
    const port = await server.listen(0, '127.0.0.1')
    const sockets = await Promise.all(Array.from({ length: 8 }, () => dial(t, port)))
    const ask = async (socket: (typeof sockets)[number]) => {
      socket.write('GET / HTTP/1.1\r\nhost: boats\r\n\r\n')
      return String(await once(socket, 'data'))
    }
    for (const socket of sockets) t.match(await ask(socket), /^HTTP\/1\.1 200.*connection: keep-alive/is)
    const stopped = server.stop(async () => undefined)
    for (const socket of sockets) t.match(await ask(socket), /^HTTP\/1\.1 200.*connection: close/is)
    await stopped
  },
)

t.test('a server that stops accepts connections until none has come for some time', async (t) => {
  const server = createDrainingServer(
    (_request, response) => void response.end(),
    (error) => t.fail(String(error)),
  )
  const port = await server.listen(0, '127.0.0.1')
  const ask = async (): Promise<string> => {
    const socket = await dial(t, port)
    socket.write('GET / HTTP/1.1\r\nhost: boats\r\n\r\n')
    return String(await once(socket, 'data'))
  }
  t.match(await ask(), /^HTTP\/1\.1 200.*connection: keep-alive/is)
  const stopped = server.stop(async () => undefined)
  await pause(20)
  t.match(await ask(), /^HTTP\/1\.1 200.*connection: close/is)
  await stopped
  await t.rejects(ask(), { code: 'ECONNREFUSED' })
})
