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
const jsx = templateFile(
  jsxTexts((text) => {
    const { program, errors } = parseSync('page.tsx', text)
    if (errors[0]) throw new Error(errors[0].message)
    return program
  }),
)

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
    'text: © 2026',
    'text: Me',
  ])
  const mounted = contentOf(readingOf(html, page))
  t.strictSame(html.patch(page, mounted, mounted), { text: page })
  t.end()
})

t.test('a text of a template is replaced in place, and cannot leave it', (t) => {
  t.equal(edit(html, page, '© 2026', '© 2027'), '6 => 7')
  t.equal(edit(html, page, 'A & b', 'A & "c"'), 'b => &quot;c&quot;')
  t.equal(edit(html, page, 'go', '<b>{{ x }}'), 'go => &lt;b&gt;&#123;&#123; x &#125;&#125;')
  t.equal(edit(html, page, '/x', 'mailto:a@b.c'), '/x => mailto:a@b.c')
  for (const address of ['javascript:x', ' java\tscript:x', 'data:text/html,x', 'ftp://x'])
    t.match(edit(html, page, '/x', address), /^code: An address leads to/, address)
  t.match(edit(html, page, 'Me', ''), /^form: The template cannot hold/)
  t.match(edit(html, page, 'Me', ' x '), /^form: /)
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
    t.strictSame(shown(kind, text), ['title: é👋', 'text: 日本', 'text: x'])
    t.end()
  },
)

const texts = ['title: T', 'text: Hello', 'text: , you are &', 'href: /a', 'text: in', 'text: it']

/** Tap brings one of the versions that parse in the process. */
const typescript: TypeScriptParser = createRequire(
  createRequire(import.meta.url).resolve('tshy/package.json'),
)('typescript')

t.test('JSX is read by the parser of the project: a tree of ESTree, or TypeScript', (t) => {
  for (const kind of [jsx, templateFile(typeScriptTexts(typescript))]) {
    t.strictSame(shown(kind, component), texts)
    t.equal(edit(kind, component, ', you are &', ', we {x} are &'), 'you => we &#123;x&#125;')
    t.equal(edit(kind, component, '/a', '/b"c'), 'a => b&quot;c')
    t.equal(edit(kind, component, 'T', "it's"), 'T => it&#39;s')
    t.match(kind.read('const a = <b'), { unreadable: /^This cannot be parsed: / })
  }
  t.end()
})
