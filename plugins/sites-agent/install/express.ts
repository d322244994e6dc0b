import { byHand } from './by-hand.ts'
import { importing } from './content-source.ts'

export const express = byHand({
  name: 'express',
  dependency: 'express',
  imports: importing('express', 'express'),
  setUp: ['const app = express()', ''],
  mount: [
    '// Before body parsers such as express.json(), which would read the bodies of its requests.',
    'app.use(editor.node)',
    '// Last: what nothing else answers is a page.',
    'app.use(async (request, response) => {',
    '  const { status, headers, body } = await show(request)',
    '  response.status(status).set(headers).send(body)',
    '})',
  ],
  listen: ['app.listen(port, () => console.log(`http://localhost:${port}`))'],
})
