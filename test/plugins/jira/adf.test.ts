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

const text = (words: string, ...marks: readonly unknown[]) => ({ type: 'text', text: words, marks })
const node = (type: string, attrs: object, ...content: readonly unknown[]) => ({ type, attrs, content })
const words = (...of: readonly string[]) => of.map((each) => node('paragraph', {}, text(each)))
const rowsOf = (list: string, item: string, attrs: readonly object[] = [{}, {}]) =>
  node(list, { localId: 'l' }, ...attrs.map((each, at) => node(item, each, ...words(`w${at}`))))

/** Every kind of node in the schema of the format, with what it says. */
const kinds: readonly (readonly [node: unknown, text: string])[] = [
  [node('doc', {}, ...words('a', 'b')), 'a\nb'],
  [node('paragraph', {}, text('a'), { type: 'hardBreak' }, text('b')), 'a\nb'],
  [node('heading', { level: 2 }, text('a')), 'a'],
  [node('codeBlock', { language: 'js' }, text('a')), 'a'],
  [node('blockquote', {}, ...words('a', 'b')), 'a\nb'],
  [{ type: 'rule' }, ''],
  [rowsOf('bulletList', 'listItem'), '- w0\n- w1'],
  [
    node(
      'orderedList',
      { order: 3 },
      node('listItem', {}, ...words('a')),
      node('listItem', {}, ...words('b')),
    ),
    '3. a\n4. b',
  ],
  [node('listItem', {}, ...words('a')), '- a'],
  [
    node('bulletList', {}, node('listItem', {}, ...words('a'), rowsOf('orderedList', 'listItem'))),
    '- a\n  1. w0\n  2. w1',
  ],
  [rowsOf('taskList', 'taskItem', [{ state: 'TODO' }, { state: 'DONE' }]), '- [ ] w0\n- [x] w1'],
  [rowsOf('taskList', 'blockTaskItem', [{ state: 'TODO' }]), '- [ ] w0'],
  [
    node('taskList', {}, node('taskItem', {}, text('a')), rowsOf('taskList', 'taskItem', [{}])),
    '- [ ] a\n  - [ ] w0',
  ],
  [rowsOf('decisionList', 'decisionItem'), '- w0\n- w1'],
  [node('panel', { panelType: 'info' }, ...words('a', 'b')), 'a\nb'],
  [node('expand', { title: 't' }, ...words('a')), 't\na'],
  [node('nestedExpand', { title: 't' }, ...words('a')), 't\na'],
  [
    node(
      'table',
      {},
      node('tableRow', {}, node('tableHeader', {}, ...words('a')), node('tableCell', {}, ...words('b'))),
    ),
    'a | b',
  ],
  [
    node(
      'layoutSection',
      {},
      node('layoutColumn', { width: 50 }, ...words('a')),
      node('layoutColumn', {}, ...words('b')),
    ),
    'a\nb',
  ],
  [
    node(
      'mediaSingle',
      {},
      { type: 'media', attrs: { type: 'file', id: '1', alt: 'team.png' } },
      node('caption', {}, text('c')),
    ),
    'team.png\nc',
  ],
  [
    node(
      'mediaGroup',
      {},
      { type: 'media', attrs: { alt: 'a.png' } },
      { type: 'media', attrs: { url: 'https://a.example/b.png' } },
    ),
    'a.png\nhttps://a.example/b.png',
  ],
  [
    node(
      'mediaSingle',
      {},
      { type: 'media', attrs: { alt: 'a' }, marks: [{ type: 'link', attrs: { href: '/x' } }] },
    ),
    '[a](/x)',
  ],
  [
    node('paragraph', {}, text('see '), { type: 'mediaInline', attrs: { id: '1', alt: 'a.pdf' } }),
    'see a.pdf',
  ],
  [{ type: 'mention', attrs: { id: '5', text: '@Ann' } }, '@Ann'],
  [{ type: 'emoji', attrs: { shortName: ':ok:', text: '👌' } }, '👌'],
  [
    node('paragraph', {}, text('on '), { type: 'date', attrs: { timestamp: '1798761600000' } }),
    'on 2027-01-01',
  ],
  [{ type: 'date', attrs: { timestamp: 1_798_761_600_000 } }, '2027-01-01'],
  [{ type: 'date', attrs: { timestamp: 'soon' } }, '[date]'],
  [{ type: 'status', attrs: { text: 'OPEN', color: 'red' } }, 'OPEN'],
  [{ type: 'inlineCard', attrs: { url: 'https://a.example' } }, 'https://a.example'],
  [
    { type: 'inlineCard', attrs: { data: { name: 'A', url: 'https://a.example' } } },
    '[A](https://a.example)',
  ],
  [
    node('doc', {}, { type: 'blockCard', attrs: { url: 'https://a.example' } }, ...words('b')),
    'https://a.example\nb',
  ],
  [{ type: 'embedCard', attrs: { url: 'https://a.example', layout: 'wide' } }, 'https://a.example'],
  [{ type: 'placeholder', attrs: { text: 'a' } }, 'a'],
  [{ type: 'extension', attrs: { extensionKey: 'k', text: 'a' } }, 'a'],
  [{ type: 'inlineExtension', attrs: { extensionKey: 'k' } }, '[inlineExtension]'],
  [node('bodiedExtension', { extensionKey: 'k' }, ...words('a')), 'a'],
  [
    node(
      'multiBodiedExtension',
      {},
      node('extensionFrame', {}, ...words('a')),
      node('extensionFrame', {}, ...words('b')),
    ),
    'a\nb',
  ],
  [{ type: 'syncBlock', attrs: { resourceId: 'r' } }, '[syncBlock]'],
  [node('bodiedSyncBlock', { resourceId: 'r' }, ...words('a')), 'a'],
  [{ type: 'confluenceJiraIssue', attrs: { issueKey: 'A-1' } }, 'A-1'],
  [node('newer', { title: 't' }, text('a')), 't\na'],
  [node('doc', {}, node('newer', {}, text('a')), node('newer', {}, text('b'))), 'a\nb'],
  [node('paragraph', {}, text('a '), { type: 'newer', attrs: { name: 'n' } }), 'a n'],
]

t.test('every node of a document says what people read in it', (t) => {
  for (const [document, expected] of kinds) t.equal(readAdf(document), expected, JSON.stringify(document))
  t.end()
})

t.test('every mark keeps the text, and a link its address', (t) => {
  const link = (href: string) => ({ type: 'link', attrs: { href } })
  const same =
    'strong em code underline textColor backgroundColor subsup annotation alignment indentation breakout border fragment dataConsumer fontSize newer'
  for (const type of same.split(' ')) t.equal(readAdf(text('a', { type, attrs: {} })), 'a', type)
  const marked: readonly (readonly [parts: readonly unknown[], text: string])[] = [
    [[text('a', { type: 'strike' })], '~~a~~'],
    [[text('to '), text('our prices', link('/p')), text('.')], 'to [our prices](/p).'],
    [[text('our ', link('/p')), text('prices', { type: 'strong' }, link('/p'))], '[our prices](/p)'],
    [[text('a', link('/a')), text('b ', link('/b')), text('c')], '[a](/a)[b](/b) c'],
    [[text('https://a.example', link('https://a.example'))], 'https://a.example'],
    [[text('a', { type: 'link', attrs: null }), text('b', 'link', null)], 'ab'],
  ]
  for (const [parts, expected] of marked) t.equal(readAdf(node('paragraph', {}, ...parts)), expected)
  t.end()
})
