import t from 'tap'
import { documentFile } from '../../plugins/files/port.ts'
import {
  contentOf,
  difference,
  patchBlocks,
  readingOf,
  type FileBlock,
  type OpenBlock,
} from '../helpers/file-edits.ts'

const markdown = documentFile()
const mdx = documentFile({ mdx: true })

const text = `\uFEFF---
title: Boats
x: 1 # c
---
# A *b*

para one
  lazy two

::: tip Hello
Inside **x**

- a
:::
after

> q
lazy

## Hi ##

Set
ext
===

\`\`\`js {1}
code
\`\`\`

    ind
    code

| a | b |
|---|--|
| 1 | 2 |

![alt](x.png "t")

***

[a]: b
[^1]: note

<!-- comment -->

- l
  - m`

type Change = Parameters<typeof patchBlocks>[2]
const edit = (change: Change, from = text, kind = markdown): string =>
  difference(from, patchBlocks(kind, from, change))
/** Changes props of the n-th block of a type. */
const set =
  (type: string, props: OpenBlock['props'], n = 0): Change =>
  (blocks) => {
    Object.assign(blocks.filter((each) => each.type === type)[n]?.props ?? {}, props)
  }
const added = (type: string, props: OpenBlock['props'], at = 2): Change => {
  return (blocks) => blocks.toSpliced(at, 0, { id: 'new', type, props })
}

t.test('a document is its front matter and its nodes', (t) => {
  const { title, heading, blocks } = readingOf(markdown, text)
  t.strictSame([title, heading], ['Boats', 'A b'])
  t.strictSame(
    blocks.map(({ type, props }) => [type, props]),
    [
      ['Details', { x: 1 }],
      ['Heading', { level: 1, text: 'A *b*' }],
      ['Paragraph', { text: 'para one\nlazy two' }],
      ['Component', { name: 'tip', label: 'Hello', source: 'Inside **x**\n\n- a' }],
      ['Paragraph', { text: 'after' }],
      ['Quote', { text: 'q\nlazy' }],
      ['Heading', { level: 2, text: 'Hi' }],
      ['Heading', { level: 1, text: 'Set\next' }],
      ['Code', { language: 'js', text: 'code' }],
      ['Code', { language: '', text: 'ind\ncode' }],
      [
        'Table',
        {
          rows: [
            ['a', 'b'],
            ['1', '2'],
          ],
        },
      ],
      ['Image', { src: 'x.png', alt: 'alt', title: 't' }],
      ['Divider', {}],
      ['Source', { text: '[a]: b\n[^1]: note' }],
      ['Source', { text: '<!-- comment -->' }],
      ['List', { text: '- l\n  - m' }],
    ],
  )
  t.end()
})

t.test('an edit of a node replaces what was edited, with each line end', (t) => {
  const rows: readonly (readonly [change: Change, difference: string])[] = [
    [set('Paragraph', { text: 'para one\nlazy 2' }), 'two => 2'],
    [set('Heading', { level: 2 }), ' => #'],
    [set('Heading', { text: 'Hi you' }, 1), ' => you '],
    [set('Heading', { level: 2 }, 2), '=== => ---'],
    [set('Heading', { level: 3, text: 'one' }, 2), 'Set\next\n=== => ### one'],
    [set('Component', { source: 'Inside y\n\n- a' }), '**x** => y'],
    [set('Component', { label: 'Bye' }), 'Hello => Bye'],
    [set('Quote', { text: 'q\nother\nmore' }), 'lazy => > other\n> more'],
    [set('Code', { text: 'x\n```\ny', language: 'ts' }), 'js {1}\ncode\n => `ts {1}\nx\n```\ny\n`'],
    [set('Code', { text: 'x\n\ny' }, 1), 'ind\n    code => x\n\n    y'],
    [
      set('Table', {
        rows: [
          ['a', 'b'],
          ['a|b', '2'],
        ],
      }),
      String.raw`1 => a\|b`,
    ],
    [
      set('Table', {
        rows: [
          ['a', 'b'],
          ['1', '2'],
          ['3', '4'],
        ],
      }),
      ' => | 3 | 4 |\n',
    ],
    [set('Image', { alt: 'new [x]', title: '' }), String.raw`alt](x.png "t" => new \[x\]](x.png`],
    [set('Image', { src: 'a b.png' }), 'x.png => <a b.png>'],
    [set('List', { text: '- l\n  - n' }), 'm => n'],
    [set('Source', { text: '[a]: c\n[^1]: note' }), 'b => c'],
    [set('Details', { x: 2 }), '1 => 2'],
  ]
  for (const [change, expected] of rows) {
    t.equal(edit(change), expected)
    const windows = text.replaceAll('\n', '\r\n')
    t.equal(edit(change, windows), expected.replaceAll('\n', '\r\n'))
  }
  t.end()
})

t.test('nodes are added, moved, copied and removed, and others keep their bytes', (t) => {
  const short = '# A\npara\n\n* x\n\n\nlast'
  t.equal(
    edit((blocks) => blocks.toSpliced(1, 1), short),
    'para\n => ',
  )
  t.equal(
    edit((blocks) => [...blocks.slice(1), ...blocks.slice(0, 1)], short),
    '# A\npara\n\n* x\n\n\nlast => para\n\n* x\n\n\nlast\n\n# A',
  )
  t.equal(
    edit((blocks) => [...blocks, { ...blocks[2], id: 'copy' } as FileBlock], short),
    ' => \n\n* x',
  )
  t.equal(edit(added('Paragraph', { text: 'one\ntwo' }), short), ' => one\ntwo\n\n')
  t.equal(edit(added('Heading', { level: 3, text: 'H' }), short), ' => ### H\n\n')
  t.equal(edit(added('Quote', { text: 'a\n\nb' }), short), ' => > a\n>\n> b\n\n')
  t.equal(edit(added('Code', { language: 'js', text: '```' }), short), ' => ````js\n```\n````\n\n')
  t.equal(edit(added('Table', { rows: [['a'], ['|']] }), short), ' => | a |\n| --- |\n| \\| |\n\n')
  t.equal(edit(added('Image', { src: 'a.png', alt: 'A', title: '' }), short), ' => ![A](a.png)\n\n')
  t.equal(edit(added('Divider', {}), short), ' => ---\n\n')
  t.equal(
    edit(() => [], short),
    `${short} => `,
  )
  t.equal(edit(added('Paragraph', { text: 'a' }, 0), ''), ' => a\n')
  t.equal(edit(added('Paragraph', { text: 'a' }), '---\nx: 1\n---'), ' => \na\n')
  t.equal(edit(set('Paragraph', { text: 'a\nx\nc' }), 'a\r\nb\nc\n'), 'b => x', 'each line keeps its end')
  t.equal(edit(set('Paragraph', { text: ' a  b\u00a0' }), 'b\n'), ' => a  ', 'without blanks around it')
  t.equal(edit(set('Heading', { text: 'H ' }), '# b\n'), 'b => H')
  t.equal(edit(set('Table', { rows: [['h'], [' c ']] }), '| h |\n|---|\n| b |\n'), 'b => c')
  t.match(edit(added('List', { text: '* y' }, 3), short), /^form: /, 'two lists would be one')
  t.match(edit(added('Source', { text: '<b>' }), short), /^form: Here a source can be copied/)
  t.match(
    edit((blocks) => blocks.toSpliced(0, 1)),
    /^fixed: The details of a file/,
  )
  t.end()
})

t.test('what would be read as something else is refused, with the reason', (t) => {
  const rows: readonly (readonly [change: Change, reason: RegExp])[] = [
    [set('Heading', { text: 'a\nb' }), /^form: A heading cannot hold a line break\.$/],
    [set('Paragraph', { text: 'a\n\nb' }), /^form: A paragraph cannot hold an empty line\.$/],
    [set('Paragraph', { text: '# a' }), /^form: This would be read as a heading, not as a paragraph\.$/],
    [
      set('Paragraph', { text: '![a](b.png)' }),
      /^form: This would be read as an image, not as a paragraph\.$/,
    ],
    [set('Paragraph', { text: '' }), /^form: This paragraph cannot be empty; remove it instead\.$/],
    [set('Paragraph', { text: '::: tip\nx' }), /^form: /],
    [set('Component', { source: 'a\n:::\nb' }), /^form: /],
    [set('Component', { name: 'danger' }), /^form: This component has no such values/],
    [set('Heading', { level: 7 }), /^form: This heading has no such values/],
  ]
  for (const [change, reason] of rows) t.match(edit(change), reason)
  const before = contentOf(readingOf(markdown, text))
  t.match(difference(text, markdown.patch(`${text}.`, before, before)), /^stale: The file has changed/)
  t.end()
})

t.test('what cannot be written is named, also beside a block that was edited before', (t) => {
  const patched = patchBlocks(markdown, 'One.\n\nTwo.\n', (blocks) => {
    const [one, two] = blocks
    if (one) one.props['text'] = 'First.'
    if (two) two.props['text'] = 'Second\n\nand third.'
  })
  t.match(patched, { refused: 'A paragraph cannot hold an empty line.', block: 'b1' })
  const added = patchBlocks(markdown, 'One.\n', (blocks) => [
    ...blocks.map((block) => ({ ...block, props: { text: 'First.' } })),
    { id: 'b9', type: 'Paragraph', props: { text: 'Second\n\nand third.' } },
  ])
  t.match(added, { refused: 'A paragraph cannot hold an empty line.', block: 'b9' })
  const broken = patchBlocks(mdx, 'One.\n\nTwo.\n', (blocks) => {
    for (const [n, { props }] of blocks.entries()) props['text'] = n === 0 ? 'First.' : 'Second {'
  })
  t.match(broken, { refused: /could not be read/, block: 'b1' })
  const twice = patchBlocks(markdown, '- One\n', (blocks) => [
    ...blocks,
    ...blocks.map((each) => ({ ...each, id: 'b9' })),
  ])
  const beside = patchBlocks(markdown, '- One\n', (blocks) => [
    ...blocks,
    { id: 'b9', type: 'List', props: { text: '- Two' } },
  ])
  for (const each of [twice, beside])
    t.match(each, { refused: 'Here it would become one with what is beside it.', block: 'b9' })
  t.end()
})

t.test('title and description are those of the front matter', (t) => {
  const retitle = (from: string, change: { title?: string; description?: string }) => {
    const before = contentOf(readingOf(markdown, from))
    return difference(from, markdown.patch(from, before, { ...before, ...change }))
  }
  t.equal(retitle(text, { title: 'No' }), `Boats => 'No'`)
  t.equal(retitle(text, { description: 'D' }), ' => description: D\n')
  t.match(retitle('---\na: 1\n---\n# H', { title: 'T' }), /^fixed: The title is that of the first heading/)
  t.match(retitle('# H', { description: 'D' }), /^form: The file has no front matter/)
  t.equal(retitle('+++\ntitle = "a"\n+++\nx', { title: 'b' }), 'a => b')
  t.match(markdown.read('---\na: [\n---\n'), { unreadable: /^This is not YAML/, line: 3 })
  t.equal(readingOf(markdown, '---\n\ntext\n\n---\n').blocks.length, 3, 'two rulers are no front matter')
  t.end()
})

t.test('an edit of a document brings no code', (t) => {
  const refused = (change: Change, from = text, kind = markdown) =>
    t.match(edit(change, from, kind), /^(?:code|fixed): /)
  for (const each of [
    'a <b>x</b>',
    '[a](javascript:x)',
    '<javascript:x>',
    'x ![a](data:text/html,x)',
    '[a](&#106;avascript:x)',
    'a {onclick="b()"}',
    'a {: .b onclick=c}',
    'a {{ b }}',
    '{% a %}',
    'a <!-- b -->',
  ])
    refused(set('Paragraph', { text: each }))
  refused(set('List', { text: '- <script>a</script>' }))
  refused(
    set('Table', {
      rows: [
        ['a', 'b'],
        ['<b>', '2'],
      ],
    }),
  )
  refused(set('Component', { source: '<b>' }))
  refused(set('Source', { text: '[a]: javascript:x\n[^1]: note' }))
  refused(set('Image', { src: 'javascript:x' }))
  refused(set('Details', { layout: 'x' }))
  refused(added('Paragraph', { text: 'a <i>b</i>' }))
  const html = '<p onclick="a()" class="b">text</p>\n'
  t.equal(edit(set('Source', { text: '<p onclick="a()" class="b">word</p>' }), html), 'text => word')
  refused(set('Source', { text: '<p onclick="b()" class="b">text</p>' }), html)
  refused(set('Source', { text: '<p onclick="a()" class="b">text</p><script></script>' }), html)
  refused(set('Paragraph', { text: '{{ secret }} x' }), '{{ name }} x\n')
  t.equal(edit(set('Paragraph', { text: '{{ name }} y' }), '{{ name }} x\n'), 'x => y')

  const jsx = 'import A from "a"\n\n<Foo a="x" b={1}>\n  inner\n\n  two\n</Foo>\n\n{1+1}\n\ntext {x} <B/>\n'
  t.equal(edit(set('Component', { a: 'y "q"' }), jsx, mdx), 'x => y &quot;q&quot;')
  t.equal(edit(set('Component', { source: 'inner\n\n3\n4' }), jsx, mdx), 'two => 3\n  4')
  t.equal(edit(set('Paragraph', { text: 'more {x} <B/>' }), jsx, mdx), 'text => more')
  refused(set('Component', { source: 'a {b()}' }), jsx, mdx)
  refused(set('Component', { a: 'javascript:x' }), jsx, mdx)
  refused(set('Paragraph', { text: 'text {y} <B/>' }), jsx, mdx)
  refused(set('Paragraph', { text: 'text {x} <C/>' }), jsx, mdx)
  refused(set('Paragraph', { text: 'text {x} <B c={d}/>' }), jsx, mdx)
  refused(set('Source', { text: 'import A from "b"' }), jsx, mdx)
  t.match(edit(added('Paragraph', { text: 'export const a = 1' }), jsx, mdx), /^form: /)
  t.match(mdx.read('ok\n\na {b\n'), { unreadable: /^This is not MDX/, line: 3 })
  t.end()
})
