import { byHand } from './by-hand.ts'
import { importing } from './content-source.ts'

export const hono = byHand({
  name: 'hono',
  dependency: 'hono',
  listener: '@hono/node-server',
  imports: importing('{ serve }', '@hono/node-server') + importing('{ Hono }', 'hono'),
  setUp: ['const app = new Hono()', ''],
  mount: [
    "app.all('/api/editor/*', (context) => editor.fetch(context.req.raw))",
    "app.get('/*', async (context) => {",
    '  const { status, headers, body } = await show(context.req.raw)',
    '  return new Response(body, { status, headers })',
    '})',
  ],
  listen: ['serve({ fetch: app.fetch, port }, () => console.log(`http://localhost:${port}`))'],
})
