/** A website whose development server loads its page again at each change, or replaces its elements. */

/** How a server shows a change of content; a template is always shown by a reload. */
const ways = {
  reload: 'location.reload()',
  replace: `fetch(location.href).then((answer) => answer.text()).then((html) => document.querySelector('main')
    .replaceWith(new DOMParser().parseFromString(html, 'text/html').querySelector('main')))`,
} as const

/** Makes the page after up to 300 ms, as a generator that builds it. */
const devServer = `
import { createServer } from 'node:http'
import { readFileSync, watch } from 'node:fs'
const streams = new Set()
for (const folder of ['content', 'theme'])
  watch(folder, () => { for (const each of streams) each.write('data: ' + folder + '\\n\\n') })
const inline = (text) => text.replace(/\\*\\*(.+?)\\*\\*/g, '<strong>$1</strong>').replace(/\\*(.+?)\\*/g, '<em>$1</em>')
const row = (line, tag) => '<tr>' + line.split('|').slice(1, -1).map((cell) => '<' + tag + '>' + inline(cell.trim()) + '</' + tag + '>').join('') + '</tr>'
const toHtml = (part) => {
  const lines = part.split('\\n')
  if (part.startsWith('## ')) return '<h2>' + inline(part.slice(3)) + '</h2>'
  if (part.startsWith('- ')) return '<ul>' + lines.map((line) => '<li>' + inline(line.slice(2)) + '</li>').join('') + '</ul>'
  if (part.startsWith('|')) return '<table>' + row(lines[0], 'th') + lines.slice(2).map((line) => row(line, 'td')).join('') + '</table>'
  return '<p>' + inline(part) + '</p>'
}
createServer((request, response) => {
  if (request.url === '/changes') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return streams.add(response)
  }
  if (request.url.split('?')[0] !== '/') return response.writeHead(404).end()
  setTimeout(() => {
    const [, front, body] = readFileSync('content/index.md', 'utf8').split('---\\n')
    const main = '<main><h1>' + /title: (.*)/.exec(front)[1] + '</h1>' + body.trim().split('\\n\\n').map(toHtml).join('') + '</main>'
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(readFileSync('theme/page.tpl', 'utf8').replace('MAIN', () => main))
  }, Math.random() * 300)
}).listen(process.env.PORT)
`

const template = (way: keyof typeof ways): string => `<!doctype html>
<html><head><title>Boats</title></head><body>MAIN<script>
new EventSource('/changes').onmessage = ({ data }) => data === 'theme' ? location.reload() : ${ways[way]}
</script></body></html>
`

export const index = `---
title: Boats of wood
order: 3   # as it is
---
We build wooden boats for people who sail on lakes.

## How a boat is made

Each one takes *a long winter*, and is **oiled by hand** in the spring.

- Oak is for the keel
- Larch is for the planks

| Part | Wood |
| --- | --- |
| Mast | Spruce from the north |
| Oars | Ash of the valley |

The developer writes this paragraph, version 0.
`

export const other = '---\ntitle: Oak\n---\nOak is heavy, version 0.\n'

export const filesOf = (way: keyof typeof ways): Readonly<Record<string, string>> => ({
  'boats/package.json': JSON.stringify({ name: 'boats', private: true, scripts: { dev: 'node dev.mjs' } }),
  'boats/dev.mjs': devServer,
  'boats/.gitignore': 'node_modules\n',
  'boats/content/index.md': index,
  'boats/content/oak.md': other,
  'boats/content/elm.md': '---\ntitle: Elm\n---\nElm does not split.\n',
  'boats/theme/page.tpl': template(way),
})

/** Where a person types: an element of the page, and the text in it. */
export const texts: readonly (readonly [name: string, tag: string, text: string])[] = [
  ['title', 'h1', 'Boats of wood'],
  ['heading', 'h2', 'How a boat is made'],
  ['paragraph', 'p', 'We build wooden boats for people who sail on lakes.'],
  ['marks', 'p', 'Each one takes *a long winter*, and is **oiled by hand** in the spring.'],
  ['item', 'li', 'Oak is for the keel'],
  ['cell', 'td', 'Spruce from the north'],
]
