import t from 'tap'
import { mentionsIn, readAdf } from '../../../plugins/jira/read-adf.ts'
import { type AdfNode, maxCommentCharacters, toAdf, toWiki } from '../../../plugins/jira/to-adf.ts'
import fc from '../../helpers/property.ts'
import { scannedBy } from '../../helpers/scanned.ts'

const text = (words: string, ...marks: readonly object[]) => ({
  type: 'text',
  text: words,
  ...(marks.length > 0 && { marks }),
})
const paragraph = (...content: readonly object[]) => ({ type: 'paragraph', content })
const item = (...content: readonly object[]) => ({ type: 'listItem', content: [paragraph(...content)] })
const strong = { type: 'strong' }
const em = { type: 'em' }
const link = (href: string) => ({ type: 'link', attrs: { href } })

t.test('simple markdown is converted to a document', (t) => {
  const rows: readonly (readonly [string, readonly object[]])[] = [
    ['', [paragraph()]],
    ['<!-- nothing -->', [paragraph()]],
    ['one\n\ntwo\r\nthree', [paragraph(text('one')), paragraph(text('two')), paragraph(text('three'))]],
    ['a <!-- b\nc --> d', [paragraph(text('a  d'))]],
    ['a <!-- b', [paragraph(text('a'))]],
    ['# Title', [{ type: 'heading', attrs: { level: 1 }, content: [text('Title')] }]],
    ['###### **Six**', [{ type: 'heading', attrs: { level: 6 }, content: [text('Six', strong)] }]],
    ['#none', [paragraph(text('#none'))]],
    [
      '- a\n- **b**\n\n* c',
      [{ type: 'bulletList', content: [item(text('a')), item(text('b', strong)), item(text('c'))] }],
    ],
    [
      '1. a\n2) b\n- c',
      [
        { type: 'orderedList', content: [item(text('a')), item(text('b'))] },
        { type: 'bulletList', content: [item(text('c'))] },
      ],
    ],
    [
      '- **bold and _both_** `x`',
      [
        {
          type: 'bulletList',
          content: [
            item(text('bold and ', strong), text('both', strong, em), text(' '), text('x', { type: 'code' })),
          ],
        },
      ],
    ],
    [
      '**b** _i_ `c` [t](https://a.example/x)',
      [
        paragraph(
          text('b', strong),
          text(' '),
          text('i', em),
          text(' '),
          text('c', { type: 'code' }),
          text(' '),
          text('t', link('https://a.example/x')),
        ),
      ],
    ],
    ['snake_case_name and __init__', [paragraph(text('snake_case_name and '), text('init', strong))]],
    ['**open _and ` so on', [paragraph(text('**open _and ` so on'))]],
    ['**** __ `` [a]()', [paragraph(text('**** __ `` '), text('a'))]],
    [
      '[m](mailto:a@b.example) [j](javascript:alert(1)) [d](data:text/html,x) [r](/relative)',
      [
        paragraph(
          text('m', link('mailto:a@b.example')),
          text(' [j](javascript:alert(1)) [d](data:text/html,x) [r](/relative)'),
        ),
      ],
    ],
    [
      '[**b** t](https://a.example)',
      [paragraph(text('b', link('https://a.example'), strong), text(' t', link('https://a.example')))],
    ],
    [
      '`a **b**` **`c`**',
      [paragraph(text('a **b**', { type: 'code' }), text(' '), text('c', { type: 'code' }))],
    ],
    [
      '| a | b |\n\n|---|:-:|\n| 1 |  |\n| x |\nafter',
      [
        {
          type: 'table',
          content: [
            {
              type: 'tableRow',
              content: ['a', 'b'].map((word) => ({
                type: 'tableHeader',
                attrs: {},
                content: [paragraph(text(word))],
              })),
            },
            {
              type: 'tableRow',
              content: ['1', ' '].map((word) => ({
                type: 'tableCell',
                attrs: {},
                content: [paragraph(text(word))],
              })),
            },
            {
              type: 'tableRow',
              content: ['x', ' '].map((word) => ({
                type: 'tableCell',
                attrs: {},
                content: [paragraph(text(word))],
              })),
            },
          ],
        },
        paragraph(text('after')),
      ],
    ],
    ['| a | b |\nnot a table', [paragraph(text('| a | b |')), paragraph(text('not a table'))]],
  ]
  for (const [markdown, content] of rows)
    t.strictSame(toAdf(markdown), { type: 'doc', version: 1, content }, markdown)
  t.end()
})

const allOf = (node: AdfNode | ReturnType<typeof toAdf>): readonly AdfNode[] => {
  const children: readonly AdfNode[] = 'content' in node ? (node.content ?? []) : []
  return children.flatMap((child) => [child, ...allOf(child)])
}

t.test(
  'for any text, no node is empty, no link is executable, and no document is empty or unbounded',
  (t) => {
    const pieces = fc.constantFrom(
      '**',
      '_',
      '`',
      '[',
      '](',
      ')',
      'javascript:x',
      'https://a.example',
      '|',
      '---',
      '\n',
      '- ',
      '1. ',
      '# ',
      '<!--',
      '-->',
      ' ',
      'word',
      '\ud800',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const document = toAdf(parts.join(''))
        const nodes = allOf(document)
        const texts = nodes.flatMap((node) => ('text' in node ? [node] : []))
        return (
          document.content.length > 0 &&
          texts.every(
            ({ text, marks = [] }) =>
              text !== '' &&
              text.isWellFormed() &&
              marks.every((mark) => mark.type !== 'link' || /^(?:https?|mailto):/.test(mark.attrs.href)),
          )
        )
      }),
    )
    const long = allOf(toAdf('a'.repeat(maxCommentCharacters * 2))).flatMap((node) =>
      'text' in node ? [node.text.length] : [],
    )
    t.strictSame(long, [maxCommentCharacters])
    for (const piece of ['**a ', '_a ', '[', '[a](', '`', '<!--', '|', '- ', '_a_b']) {
      const [short = 0, long = 0] = [maxCommentCharacters / 4, maxCommentCharacters].map((length) =>
        scannedBy(() => void toAdf(piece.repeat(length / piece.length))),
      )
      t.ok(
        long < short * 6,
        `four times as much '${piece}' is read ${(long / short).toFixed(1)} times as often`,
      )
    }
    t.end()
  },
)

t.test('a document is converted to wiki notation, with its text escaped', (t) => {
  const markdown =
    '**Head**\n## Two\n- a\n- b {html} !x! [~user]\n1. one\n| h | i |\n|---|---|\n| 1 | **2** |\n[l|x](https://a.example/?a=1|2) `c` _i_'
  t.equal(
    toWiki(toAdf(markdown)),
    [
      '*Head*',
      'h2. Two',
      '* a',
      '* b \\{html\\} \\!x\\! \\[\\~user\\]',
      '# one',
      '||h||i||',
      '|1|*2*|',
      '[l\\|x|https://a.example/?a=1%7C2] c _i_',
    ].join('\n'),
  )
  t.equal(toWiki(toAdf('')), '')
  t.end()
})

t.test('a document is read as text', (t) => {
  const doc = (...content: readonly unknown[]) => ({ type: 'doc', version: 1, content })
  const rows: readonly (readonly [unknown, string])[] = [
    [null, ''],
    [undefined, ''],
    [7, ''],
    [[], ''],
    ['plain *text*', 'plain *text*'],
    [{}, ''],
    [{ type: 5, content: 'x' }, ''],
    [doc(paragraph(text('a'), { type: 'hardBreak' }, text('b')), paragraph(text('c'))), 'a\nb\nc'],
    [
      doc(
        { type: 'heading', content: [text('t')] },
        { type: 'rule' },
        { type: 'codeBlock', content: [text('x')] },
        { type: 'blockquote', content: [paragraph(text('q'))] },
      ),
      't\n\nx\nq',
    ],
    [doc({ type: 'bulletList', content: [item(text('a')), item(text('b'))] }), '- a\n- b'],
    [
      doc(
        paragraph(
          { type: 'mention', attrs: { id: '5', text: '@Ann' } },
          text(' '),
          { type: 'emoji', attrs: { shortName: ':ok:' } },
          { type: 'inlineCard', attrs: { url: 'https://a.example' } },
          { type: 'mention', attrs: { id: '6' } },
        ),
      ),
      '@Ann :ok:https://a.example6',
    ],
    [doc(paragraph({ type: 'mention' }, { type: 'text' }, { type: 'emoji', attrs: [] })), ''],
    [
      doc({
        type: 'table',
        content: [
          {
            type: 'tableRow',
            content: [
              { type: 'tableCell', content: [paragraph(text('1')), paragraph(text('2'))] },
              { type: 'tableCell', content: [paragraph(text('3'))] },
            ],
          },
        ],
      }),
      '1 2 | 3',
    ],
  ]
  for (const [document, expected] of rows) t.equal(readAdf(document), expected)
  const quoting = doc(
    { type: 'blockquote', content: [paragraph(text('approved'))] },
    paragraph({ type: 'mention', attrs: { id: 'u1', text: '@Ann' } }, text('no')),
  )
  t.equal(readAdf(quoting, { withoutQuotes: true }), 'no')
  t.equal(
    readAdf(
      paragraph(
        { type: 'status', attrs: { text: 'OPEN' } },
        { type: 'date', attrs: {} },
        text('old', { type: 'strike' }),
      ),
    ),
    'OPEN[date]~~old~~',
  )
  t.strictSame(mentionsIn(quoting), ['u1'])
  t.strictSame(mentionsIn('text'), [])
  let deep: unknown = text('deep', { type: 'mention' })
  for (let level = 0; level < 100_000; level++) deep = { type: 'panel', content: [deep] }
  t.equal(readAdf(deep), '')
  t.strictSame(mentionsIn(deep), [])
  t.end()
})
