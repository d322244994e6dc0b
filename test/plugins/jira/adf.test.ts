import t from 'tap'
import {
  mentionsIn,
  readAdf,
  type AdfDoc,
  type AdfNode,
  maxCommentCharacters,
  toAdf,
  toWiki,
} from '../../../plugins/agents/jira/testing.ts'
import fc from '../../helpers/property.ts'
import { scannedBy } from '../../helpers/scanned.ts'

/** A document in one line: the types of its blocks, and the marks of its texts. */
const brief = (node: AdfDoc | AdfNode): string => {
  if ('text' in node)
    return (node.marks ?? []).reduceRight(
      (inner, mark) => `${mark.type}${mark.type === 'link' ? `=${mark.attrs.href}` : ''}<${inner}>`,
      node.text,
    )
  const inside = node.content.map(brief).join(node.type === 'paragraph' || node.type === 'heading' ? '' : ' ')
  const level = 'attrs' in node && node.type === 'heading' ? String(node.attrs?.['level']) : ''
  return node.type === 'doc' ? inside : `${node.type}${level}(${inside})`
}

t.test('simple markdown is converted to a document', (t) => {
  const p = (text: string) => `paragraph(${text})`
  const items = (...texts: readonly string[]) => texts.map((text) => `listItem(${p(text)})`).join(' ')
  const row = (cell: string, ...texts: readonly string[]) =>
    `tableRow(${texts.map((text) => `${cell}(${p(text)})`).join(' ')})`
  const rows: readonly (readonly [markdown: string, expected: string])[] = [
    ['', p('')],
    ['<!-- nothing -->', p('')],
    ['one\n\ntwo\r\n  three', `${p('one')} ${p('two')} ${p('three')}`],
    ['a <!-- b\nc --> d', p('a  d')],
    ['a <!-- b', p('a')],
    ['# Title', 'heading1(Title)'],
    ['###### **Six**', 'heading6(strong<Six>)'],
    ['#none', p('#none')],
    ['- a\n- **b**\n\n* c', `bulletList(${items('a', 'strong<b>', 'c')})`],
    ['1. a\n2) b\n- c', `orderedList(${items('a', 'b')}) bulletList(${items('c')})`],
    ['- **b and _both_** `x`', `bulletList(${items('strong<b and >strong<em<both>> code<x>')})`],
    ['**b** _i_ [t](https://a.example/x)', p('strong<b> em<i> link=https://a.example/x<t>')],
    ['snake_case_name and _init_', p('snake_case_name and em<init>')],
    ['**open _and ` so on', p('**open _and ` so on')],
    ['**** __ `` [a]()', p('**** __ `` a')],
    ['[m](mailto:a@b.example) [r](/relative)', p('link=mailto:a@b.example<m> [r](/relative)')],
    ['[j](javascript:alert(1)) [d](data:text/html,x)', p('[j](javascript:alert(1)) [d](data:text/html,x)')],
    ['[**b** t](https://a.example)', p('link=https://a.example<strong<b>>link=https://a.example< t>')],
    ['`a **b**` **`c`** __a **b**__', p('code<a **b**> code<c> strong<a >strong<b>')],
    [
      '| a | b |\n\n|---|:-:|\n| 1 |  |\n| x |\nafter',
      `table(${row('tableHeader', 'a', 'b')} ${row('tableCell', '1', ' ')} ${row('tableCell', 'x', ' ')}) ${p('after')}`,
    ],
    ['| a | b |\nnot a table', `${p('| a | b |')} ${p('not a table')}`],
  ]
  for (const [markdown, expected] of rows) t.equal(brief(toAdf(markdown)), expected, markdown)
  t.strictSame(toAdf('# a'), {
    type: 'doc',
    version: 1,
    content: [{ type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'a' }] }],
  })
  t.end()
})

const allOf = (node: AdfDoc | AdfNode): readonly AdfNode[] =>
  'content' in node ? node.content.flatMap((child) => [child, ...allOf(child)]) : []

t.test('for any text no node is empty, no link is executable, and no document unbounded', (t) => {
  const parts =
    '** _ ` [ ]( ) javascript:x https://a.example | --- \n -\u0020 1.\u0020 # <!-- --> word \ud800'
  const pieces = fc.constantFrom(...parts.split(' '), ' ')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const document = toAdf(parts.join(''))
      return (
        document.content.length > 0 &&
        allOf(document).every(
          (node) =>
            !('text' in node) ||
            (node.text !== '' &&
              node.text.isWellFormed() &&
              (node.marks ?? []).every(
                (mark) => mark.type !== 'link' || /^(?:https?|mailto):/.test(mark.attrs.href),
              )),
        )
      )
    }),
  )
  const { length } = brief(toAdf('a'.repeat(maxCommentCharacters * 2)))
  t.equal(length, maxCommentCharacters + 'paragraph()'.length)
  for (const piece of ['**a ', '_a ', '[', '[a](', '`', '<!--', '|', '- ', '_a_b']) {
    const [short = 0, long = 0] = [maxCommentCharacters / 4, maxCommentCharacters].map((length) =>
      scannedBy(() => void toAdf(piece.repeat(length / piece.length))),
    )
    t.ok(long < short * 6, `four times as much '${piece}' is read ${long / short} times as often`)
  }
  t.end()
})

t.test('a document is converted to wiki notation, with its text escaped', (t) => {
  const rows = [
    ['**Head**', '*Head*'],
    ['## Two', 'h2. Two'],
    ['- a\n- b {html} !x! [~user]', '* a\n* b \\{html\\} \\!x\\! \\[\\~user\\]'],
    ['1. one', '# one'],
    ['| h | i |\n|---|---|\n| 1 | **2** |', '||h||i||\n|1|*2*|'],
    ['[l|x](https://a.example/?a=1|2) `c` _i_', '[l\\|x|https://a.example/?a=1%7C2] c _i_'],
    ['', ''],
  ] as const
  for (const [markdown, wiki] of rows) t.equal(toWiki(toAdf(markdown)), wiki, markdown)
  t.end()
})

t.test('a document is read as text', (t) => {
  const node = (type: string, ...content: readonly unknown[]) => ({ type, content })
  const text = (words: string, ...marks: readonly string[]) => ({
    type: 'text',
    text: words,
    marks: marks.map((type) => ({ type })),
  })
  const leaf = (type: string, attrs: object = {}) => ({ type, attrs })
  const doc = (...content: readonly unknown[]) => node('doc', ...content)
  const p = (...content: readonly unknown[]) => node('paragraph', ...content)
  const said = [leaf('mention', { id: '5', text: '@Ann' }), text(' '), leaf('emoji', { shortName: ':ok:' })]
  const cells = [node('tableCell', p(text('1')), p(text('2'))), node('tableCell', p(text('3')))]
  const rows: readonly (readonly [document: unknown, text: string])[] = [
    ...[null, undefined, 7, [], {}, { type: 5, content: 'x' }].map((value) => [value, ''] as const),
    ['plain *text*', 'plain *text*'],
    [doc(p(text('a'), { type: 'hardBreak' }, text('b')), p(text('c'))), 'a\nb\nc'],
    [doc(node('heading', text('t')), node('rule'), node('codeBlock', text('x'))), 't\n\nx'],
    [doc(node('blockquote', p(text('q')))), 'q'],
    [doc(node('bulletList', node('listItem', p(text('a'))), node('listItem', p(text('b'))))), '- a\n- b'],
    [doc(p(...said, leaf('inlineCard', { url: 'https://a.example' }))), '@Ann :ok:https://a.example'],
    [doc(p({ type: 'mention' }, { type: 'text' }, { type: 'emoji', attrs: [] })), ''],
    [doc(node('table', node('tableRow', ...cells))), '1 2 | 3'],
    [p(leaf('status', { text: 'OPEN' }), leaf('date'), text('old', 'strike')), 'OPEN[date]~~old~~'],
  ]
  for (const [document, expected] of rows) t.equal(readAdf(document), expected)
  const quoting = doc(node('blockquote', p(text('approved'))), p(leaf('mention', { id: 'u1' }), text('no')))
  t.equal(readAdf(quoting, { withoutQuotes: true }), 'no')
  t.strictSame(mentionsIn(quoting), ['u1'])
  let deep: unknown = text('deep', 'mention')
  for (let level = 0; level < 100_000; level++) deep = node('panel', deep)
  t.strictSame([readAdf(deep), mentionsIn(deep), mentionsIn('text')], ['', [], []])
  t.end()
})
