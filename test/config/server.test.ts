import { once } from 'node:events'
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
