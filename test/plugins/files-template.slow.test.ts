import { createRequire } from 'node:module'
import { parseSync } from 'rolldown/utils'
import t from 'tap'
import {
  htmlTexts,
  jsxTexts,
  templateFile,
  typeScriptTexts,
  type FileContent,
  type FileKind,
  type TypeScriptParser,
} from '../../plugins/files/port.ts'
import { contentOf, difference, patchBlocks, readingOf } from '../helpers/file-edits.ts'

const html = templateFile(htmlTexts)
const jsxParser = jsxTexts((text) => {
  const { program, errors } = parseSync('page.tsx', text)
  if (errors[0]) throw new Error(errors[0].message)
  return program
})
const jsx = templateFile(jsxParser)

interface LiteralText {
  kind: string
  text: string
}

function shown(kind: FileKind, text: string): readonly string[] {
  const texts = readingOf(kind, text).blocks[0]?.props['texts'] as readonly LiteralText[]
  return texts.map((each) => `${each.kind}: ${each.text}`)
}
/** Writes a text in place of one that is there. */
const edit = (kind: FileKind, text: string, was: string, now: string): string =>
  difference(
    text,
    patchBlocks(kind, text, ([block]) => {
      const texts = block?.props['texts'] as LiteralText[]
      for (const each of texts) if (each.text === was) each.text = now
    }),
  )

const page = `---
title: not a text
---
<tr><td title="A &amp; b" alt={{ x }} data-x="no">Hello
   {{ name }} &nbsp;you {% if a < b %}<a href="/x" onclick="no()">go</a>{% endif %}</td></tr>
<script src="a.js">no</script><!-- no --><style>no</style>{% comment %}no{% endcomment %}
<p>&copy; 2026 <b>Me</b></p>
`

t.test('a template has its literal texts and attributes, between expressions and in parts of a page', (t) => {
  t.strictSame(shown(html, page), [
    'title: A & b',
    'text: Hello',
    'text: \u00a0you',
    'href: /x',
    'text: go',
    'markup: © 2026 <b>Me</b>',
  ])
  const mounted = contentOf(readingOf(html, page))
  t.strictSame(html.patch(page, mounted, mounted), { text: page })
  t.end()
})

t.test('words with elements among them are one text, whose elements and their attributes stay', (t) => {
  const text = `<ul><li>Edit <code class="c">a.md</code>,
  and <a href="/b"><b>R&amp;D</b></a>.</li><li><a href="/c">One</a> <a href="/d">Two</a></li><li><b>Note</b> &lt;b&gt;<br>end</li></ul>`
  const rows = ['Edit <code>a.md</code>, and <a><b>R&amp;D</b></a>.', '<b>Note</b> &lt;b><br>end'] as const
  t.strictSame(shown(html, text), [
    `markup: ${rows[0]}`,
    'href: /b',
    'href: /c',
    'text: One',
    'href: /d',
    'text: Two',
    `markup: ${rows[1]}`,
  ])
  t.equal(
    edit(html, text, rows[0], rows[0].replace('Edit', 'Open').replace('a.md', 'b.md')),
    'Edit <code class="c">a => Open <code class="c">b',
  )
  t.equal(edit(html, text, rows[0], rows[0].replace('D<', 'D &amp; &lt;E<')), ' =>  & &lt;E')
  t.equal(edit(html, text, rows[0], rows[0].replace('D<', 'D &lt;E<')), ' =>  &lt;E')
  for (const other of ['no tags', rows[0].replace('<code>', '<kbd>'), `${rows[0]}<b>x</b>`])
    t.match(edit(html, text, rows[0], other), /^fixed: Elements in a text/, other)
  for (const broken of ['<b>Hi</i> you', 'Hi <b>you', '<i>Hi <b>you</i> all</b>'])
    t.ok(shown(html, broken).length > 0, broken)
  t.strictSame(shown(jsx, "<p>Read{' '}\n <b>this</b> now</p>"), ['markup: Read <b>this</b> now'])
  const links = '<p><a href="/a"><img src="/a.png">One</a> <a href="/b">Two</a></p>'
  t.strictSame(shown(html, links), ['href: /a', 'src: /a.png', 'text: One', 'href: /b', 'text: Two'])
  const lines = '<p>\n  See\n  <b>\n    this\n  </b>\n</p>'
  t.equal(
    edit(html, lines, 'See <b> this </b>', 'See all <b> this one </b>'),
    '\n  <b>\n    this =>  all\n  <b>\n    this one',
  )
  t.end()
})

t.test('a text of a template is replaced in place, and cannot leave it', (t) => {
  t.equal(edit(html, page, '© 2026 <b>Me</b>', '© 2027 <b>Me</b>'), '6 => 7')
  t.equal(edit(html, page, 'A & b', 'A & "c"'), 'b => &quot;c&quot;')
  t.equal(edit(html, page, 'go', '<b>{{ x }}'), 'go => &lt;b&gt;&#123;&#123; x &#125;&#125;')
  t.equal(edit(html, page, '/x', 'mailto:a@b.c'), '/x => mailto:a@b.c')
  for (const address of ['javascript:x', ' java\tscript:x', 'data:text/html,x', 'ftp://x'])
    t.match(edit(html, page, '/x', address), /^code: An address leads to/, address)
  t.match(edit(html, page, 'go', ''), /^form: The template cannot hold/)
  t.match(
    difference(
      page,
      patchBlocks(html, page, (blocks) => [...blocks, ...blocks]),
    ),
    /^fixed: A template has one block/,
  )
  t.match(
    difference(
      page,
      patchBlocks(html, page, ([block]) => {
        if (block) block.props['texts'] = (block.props['texts'] as LiteralText[]).toReversed()
      }),
    ),
    /^fixed: Texts of a template are not/,
  )
  t.end()
})

t.test('front matter of a template is its details, in the languages that have one', (t) => {
  const kind = templateFile(htmlTexts, { hasFront: true })
  const reading = readingOf(kind, `---\ntitle: T # c\nlayout: x\ntags: [a]\n---\n<p>Hi</p>\n`)
  t.equal(reading.title, 'T')
  t.strictSame(
    reading.blocks.map(({ type, props }) => [type, props]),
    [
      ['Details', { layout: 'x', tags: ['a'] }],
      ['Texts', { texts: [{ kind: 'text', text: 'Hi' }] }],
    ],
  )
  const text = '---\ntitle: T # c\nlayout: x\ntags: [a]\n---\n<p>Hi</p>\n'
  const before = contentOf(readingOf(kind, text))
  const set = (title: string, details: object, words: string) => ({
    title,
    blocks: before.blocks.map((block) => ({
      ...block,
      props:
        block.type === 'Texts' ? { texts: [{ kind: 'text', text: words }] } : { ...block.props, ...details },
    })),
  })
  const patched = (after: FileContent) => kind.patch(text, before, after)
  t.strictSame(patched(set('U', { tags: ['a', 'b'], added: true }, 'Bye')), {
    text: '---\ntitle: U # c\nlayout: x\ntags: [a, b]\nadded: true\n---\n<p>Bye</p>\n',
  })
  t.match(patched(set('T', { layout: 'y' }, 'Hi')), { rule: 'fixed' })
  t.match(patched(set('T', { added: '{{ x }}' }, 'Hi')), { rule: 'code' })
  t.match(patched({ ...before, blocks: before.blocks.slice(1) }), { rule: 'fixed' })
  t.match(kind.read('---\na: [\n---\n<p>Hi</p>\n'), { unreadable: /YAML/, line: 3 })
  t.strictSame(shown(kind, '---js\n{ title: "no" }\n---\n<p>Hi</p>\n'), ['text: Hi'])
  t.end()
})

const component = `export const A = ({ name }: { name: string }) => (
  <div title='T' className="no" aria-label={name}>
    Hello {name}, you
    are &amp; <Link href="/a">in</Link> it{'no'}
  </div>
)
`
t.test(
  'places that count bytes are those of characters, and a text that is not at its place is left out',
  (t) => {
    const text = '<p title="é👋">日本 <b>x</b></p>'
    const at = (part: string): number => Buffer.from(text).indexOf(part)
    const node = (type: string, raw: string, from = at(raw)) => ({
      type,
      raw,
      start: from,
      end: from + raw.length,
    })
    const attribute = {
      type: 'JSXAttribute',
      name: { type: 'JSXIdentifier', name: 'title' },
      value: node('Literal', '"é👋"'),
    }
    const kind = templateFile(
      jsxTexts(() => [attribute, node('JSXText', '日本 '), node('JSXText', 'x'), node('JSXText', 'y', 4)]),
    )
    t.strictSame(shown(kind, text), ['title: é👋', 'markup: 日本 <b>x</b>'])
    t.end()
  },
)

const texts = ['title: T', 'text: Hello', 'markup: , you are &amp; <Link>in</Link> it', 'href: /a']

/** Tap brings one of the versions that parse in the process. */
const typescript: TypeScriptParser = createRequire(
  createRequire(import.meta.url).resolve('tshy/package.json'),
)('typescript')

t.test('JSX is read by the parser of the project: a tree of ESTree, or TypeScript', (t) => {
  for (const kind of [jsx, templateFile(typeScriptTexts(typescript))]) {
    t.strictSame(shown(kind, component), texts)
    t.equal(
      edit(kind, component, texts[2]?.slice(8) ?? '', ', we {x} are &amp; <Link>in</Link> it'),
      'you => we &#123;x&#125;',
    )
    t.equal(edit(kind, component, '/a', '/b"c'), 'a => b&quot;c')
    t.equal(edit(kind, component, 'T', "it's"), 'T => it&#39;s')
    t.match(kind.read('const a = <b'), { unreadable: /^This cannot be parsed: / })
  }
  t.end()
})

const configuration = `const FOOTER_LABEL = \`About\`
export default {
  title: 'It\\'s a site', 'sub-title': "Boats \\u0026 more", description: 'a' + 'b', path: 'no', type: 'label',
  productName: 'Ann', SITE_NAME: 'Yard', fileName: 'no', name: 'no',
  tagline: \`Two
lines\`, caption: \`\${no}\`, navbar: { items: [{ label: "One", to: '/one' }], [title]: 'no' },
}
`
const strings = [
  'string: About',
  "string: It's a site",
  'string: Boats & more',
  'string: Ann',
  'string: Yard',
  'string: Two\nlines',
  'string: One',
]

t.test('strings of code are texts by the names that they have, and stay between their quotes', (t) => {
  const plain = { delimiters: [] }
  for (const parser of [jsxParser, typeScriptTexts(typescript), typeScriptTexts(typescript, false)]) {
    const kind = templateFile(parser, plain)
    t.strictSame(shown(kind, configuration), strings)
    t.equal(edit(kind, configuration, "It's a site", "It's a 'new' site"), " => \\'new\\' ")
    t.equal(edit(kind, configuration, 'One', 'A "1" \\ `x`\n'.trim()), 'One => A \\"1\\" \\\\ `x`')
    t.equal(edit(kind, configuration, 'One', 'a\nb ${c}'), 'One => a\\nb ${c}')
    t.equal(edit(kind, configuration, 'About', 'a`${b}'), 'About => a\\`\\${b}')
    t.equal(edit(kind, configuration, 'Boats & more', 'Boats & fewer'), 'more => fewer')
    for (const code of ['<b>One</b>', 'javascript:x', 'One<script>'])
      t.match(edit(kind, configuration, 'One', code), /^code: /, code)
  }
  const object = "<A b={{ title: 'One' }} />"
  t.equal(edit(templateFile(jsxParser, plain), object, 'One', 'Two'), 'One => Two')
  t.end()
})

t.test('white space is shown as it is on the page, and typed as anywhere', (t) => {
  const text = '<p>A <b>b</b>  c\n</p><h1> d\u00a0e </h1><img alt="f  g"><i title=" h ">x</i>'
  t.strictSame(shown(html, text), [
    'markup: A <b>b</b> c',
    'text: d\u00a0e',
    'alt: f  g',
    'title: h',
    'text: x',
  ])
  t.equal(edit(html, text, 'A <b>b</b> c', ' A <b>b</b> c  new\n'), ' =>  new')
  t.equal(edit(html, text, 'd\u00a0e', 'd\u00a0e.  f\u00a0'), ' => . f')
  t.equal(edit(html, text, 'f  g', ' f  h '), 'g => h')
  t.equal(edit(html, text, 'x', 'y\t'), 'x => y')
  t.end()
})
