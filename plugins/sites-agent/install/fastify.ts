import { byHand } from './by-hand.ts'
import { importing } from './content-source.ts'

/** Fastify. The hook runs before a body is read. */
export const fastify = byHand({
  name: 'fastify',
  dependency: 'fastify',
  imports: importing('fastify', 'fastify'),
  setUp: ['const app = fastify()', ''],
  mount: [
    "app.all('/api/editor/*', { onRequest: async (request, reply) => { reply.hijack(); await editor.node(request.raw, reply.raw) } }, () => undefined)",
    "app.get('/*', async (request, reply) => {",
    '  const { status, headers, body } = await show(request.raw)',
    '  return reply.code(status).headers(headers).send(body)',
    '})',
  ],
  listen: ['await app.listen({ port })', 'console.log(`http://localhost:${port}`)'],
})
