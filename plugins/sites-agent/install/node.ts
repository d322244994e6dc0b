import { byHand } from './by-hand.ts'
import { importing } from './content-source.ts'

/** Plain `node:http`. */
export const node = byHand({
  name: 'node',
  imports: importing('{ createServer }', 'node:http'),
  setUp: [],
  mount: [
    'const server = createServer((request, response) =>',
    '  // What is none of its paths is a page.',
    '  editor.node(request, response, async () => {',
    '    const { status, headers, body } = await show(request)',
    '    response.writeHead(status, headers).end(body)',
    '  }),',
    ')',
  ],
  listen: ['server.listen(port, () => console.log(`http://localhost:${port}`))'],
})
