import t from 'tap'
import { markdownText } from '../../plugins/content/markdown-text.ts'
import fc from '../helpers/property.ts'

t.test('rich text is shown without its marks', async (t) => {
  const rows: readonly (readonly [markdown: string, text: string])[] = [
    ['## Our work\n\nWe **repair** *bikes*.', 'Our work\n\nWe repair bikes.'],
    ['**bold and *italic* words**', 'bold and italic words'],
    ['***both*** and __this__ and _that_', 'both and this and that'],
    ['- One\n- Two\n  - Three', '• One\n• Two\n  • Three'],
    ['> Said\n> twice', 'Said\ntwice'],
    ['Read [our prices](/pricing "All") or ![a bike](/b.png)', 'Read our prices or a bike'],
    ['Run `npm start`\n```js\nx\n```', 'Run npm start\n\nx\n'],
    ['One\n\n---\n\nTwo', 'One\n\n\n\nTwo'],
    ['5 * 3 * 2, snake_case_name and 1. of May', '5 * 3 * 2, snake_case_name and 1. of May'],
    ['\\*not bold\\* and \\# no heading', '*not bold* and # no heading'],
    ['C:\\temp', 'C:\\temp'],
  ]
  for (const [markdown, text] of rows) t.equal(markdownText(markdown), text, markdown)
  t.equal(markdownText('[a](/x) ![b]()', { addresses: true }), 'a (/x) b')
})

t.test('plain words stay as they are, and the time grows with the text', async (t) => {
  fc.assert(fc.property(fc.stringMatching(/^[\p{L}\p{N} ,.]*$/u), (text) => markdownText(text) === text))
  for (const part of ['*', '_', '[', '`', '*a', '_a ', '[a](', '> ', '\\', ' *a '])
    t.type(markdownText(part.repeat(50_000)), 'string', part)
})
