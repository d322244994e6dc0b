import { isDeepStrictEqual } from 'node:util'
import { Fragment } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import t from 'tap'
import { sameText } from '../../plugins/studio/app/fields/rich/cells.ts'
import { openText, type Format } from '../../plugins/studio/app/fields/rich/format.ts'
import { html } from '../../plugins/studio/app/fields/rich/html.ts'
import { markdown } from '../../plugins/studio/app/fields/rich/markdown.ts'
import { withoutExtras } from '../../plugins/studio/app/fields/rich/pasted.ts'
import { make, schema, type Mark, type Node } from '../../plugins/studio/app/fields/rich/schema.ts'
import { markdown as rendered } from '../../plugins/demo-site/render/markdown.ts'
import { builtinBlocks } from '../../plugins/content/blocks/index.ts'
import { toMarkup } from '../../plugins/content/markup.ts'
import fc, { costlyRuns, runs } from '../helpers/property.ts'

const plain = (node: Node): unknown =>
  node.isTextblock
    ? [
        node.type.name,
        node.attrs,
        // Blanks are seen as one, and those at the edges of lines not at all.
        node.children
          .map(({ text = '\n' }) => text)
          .join('')
          .replaceAll(/ +/g, ' ')
          .replaceAll(/\s*\n\s*/g, '\n')
          .trim(),
      ]
    : [node.type.name, node.attrs, node.children.map(plain)]
const tricky =
  'word| b |two words|2 * 3|snake_case|a*b|*|_x_|[x](y)|[x]|\\|\\*|# no|- no|1. no|5) no|+|!|é|漢字|**|~|`'
const words = fc.oneof(
  fc.constantFrom(...tricky.split('|')),
  fc.string({ unit: fc.constantFrom(...'ab *_[]()\\#-1.!'), minLength: 1, maxLength: 6 }),
)
const marks = fc.constantFrom<readonly Mark[]>([], [], [], [make.strong], [make.em], [make.strong, make.em])
const inline = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 9, arbitrary: words }, { weight: 1, arbitrary: fc.constant('\n') }),
      marks,
      fc.boolean(),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) =>
    parts.flatMap(([text, of, isLink]) =>
      text === '\n'
        ? [make.break([])]
        : make.text(text, isLink && text.trim() !== '' ? [make.link({ href: '/a(b)' }), ...of] : of),
    ),
  )
  .filter((nodes) => nodes.some(({ text = '' }) => text.trim() !== ''))
const paragraph = inline.map(make.paragraph)
const item = fc
  .tuple(inline, fc.option(fc.array(inline, { minLength: 1, maxLength: 2 }), { nil: undefined }))
  .map(([own, inner]) =>
    make.item([
      make.paragraph(own),
      ...(inner
        ? [
            make.list(
              undefined,
              inner.map((each) => make.item([make.paragraph(each)])),
            ),
          ]
        : []),
    ]),
  )
const list = fc
  .tuple(
    fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    fc.array(item, { minLength: 1, maxLength: 3 }),
  )
  .map(([start, items]) => make.list(start, items))
const block = fc.oneof(
  paragraph,
  fc.tuple(fc.integer({ min: 1, max: 6 }), inline).map(([level, own]) =>
    make.heading(
      level,
      own.filter((node) => node.isText),
    ),
  ),
  list,
)

/** The characters with their marks; those of blanks are not seen. */
const marked = (block: Node): string =>
  block.children
    .flatMap(({ text = '', marks }) => {
      const names = marks.map(({ type }) => type.name).toSorted()
      return Array.from(text.replaceAll(' ', ''), (char) => `${char}${names.join('')}`)
    })
    .join('|')

const blocksOf = (format: Format, text: string): readonly Node[] => format.read(text).map(({ node }) => node)

t.test('what is written reads as the same text', (t) => {
  for (const format of [markdown, html]) {
    fc.assert(
      fc.property(block, (block) => {
        const text = format.write(block)
        const read = blocksOf(format, text).map(plain)
        if (!isDeepStrictEqual(read, [plain(block)])) throw new Error(`${text}\n${JSON.stringify(read)}`)
      }),
      {
        numRuns: costlyRuns(700),
        // A backslash before a line break is none, also with a blank between.
        examples: [[make.paragraph([...make.text('\\ ', []), make.break([]), ...make.text('a', [])])]],
      },
    )
  }
  const titled = String.raw`[a](/b "c \"d\"") e`
  t.same(blocksOf(markdown, titled).map(markdown.write), [titled])
  t.end()
})

t.test('what is written keeps text, links, bold and italics beside all kinds of signs', (t) => {
  const words =
    'word|「重要」|“all”|免费。|(x)|b c| lead|trail |one.|é|2|Wow!|[x]|](|snake_case|a*b|back\\|*|_|\\|!|-'
  const addresses = '/x|/a(b)|/a b|/a\u00A0b|/x?a&amp;b|/b<c>|/x)y|/back\\slash|https://e.example/"q"||/a\tb'
  const link = fc.record(
    { href: fc.constantFrom(...addresses.split('|')), title: fc.constant('a "b" &lt; \\ c') },
    { requiredKeys: ['href'] },
  )
  const part = fc.record({
    text: fc.constantFrom(...words.split('|'), '\n'),
    link: fc.option(link, { freq: 2, nil: undefined }),
    isBold: fc.boolean(),
    isItalic: fc.boolean(),
  })
  const parts = fc
    .array(part, { minLength: 1, maxLength: 8 })
    .filter((each) => each.some(({ text }) => text !== '\n'))
  /** Emphasis of letters is kept. That of signs, and bold italics inside of a word, may have no text. */
  const seen = (block: Node | undefined) =>
    (block?.children ?? []).flatMap(({ text = '', marks }) =>
      Array.from(text.replaceAll(/\s/g, ''), (char) => [
        char,
        ...marks
          .filter(({ type }) => type.name === 'link' || /[\p{L}\p{N}]/u.test(char))
          .map(({ type, attrs }) => JSON.stringify([type.name, attrs])),
      ]),
    )
  fc.assert(
    fc.property(parts, (all) => {
      const nodes = all.flatMap(({ text, link, isBold, isItalic }) =>
        text === '\n'
          ? [make.break([])]
          : make.text(isBold && isItalic ? ` ${text} ` : text, [
              ...(link ? [make.link(link)] : []),
              ...(isBold ? [make.strong] : []),
              ...(isItalic ? [make.em] : []),
            ]),
      )
      const paragraph = make.paragraph(nodes)
      const text = markdown.write(paragraph)
      const [read, ...more] = blocksOf(markdown, text)
      if (more.length > 0 || !isDeepStrictEqual(seen(read), seen(paragraph))) throw new Error(text)
    }),
    { numRuns: costlyRuns(700) },
  )
  t.end()
})

t.test('emphasis that Markdown has no text for is written as far as it has', (t) => {
  const [link, strong, em] = [make.link({ href: '/x' }), make.strong, make.em]
  type Part = readonly [text: string, ...marks: Mark[]]
  const table: readonly (readonly [written: string, ...parts: Part[]])[] = [
    [
      'これは[リンク](/x)と「**重要**」です',
      ['これは'],
      ['リンク', link],
      ['と'],
      ['「重要」', strong],
      ['です'],
    ],
    ['for **“all**”ways', ['for '], ['“all”', strong], ['ways']],
    ['a!!b [*c*](/x)', ['a'], ['!!', strong], ['b '], ['c', link, em]],
    ['**see [this](/x) page**', ['see ', strong], ['this', link, strong], [' page', strong]],
    ['看[**价格**](/x)**很好**吧', ['看'], ['价格', link, strong], ['很好', strong], ['吧']],
    ['Wow\\![here](/x)', ['Wow!'], ['here', link]],
    ['**a** code', ['a', strong, make.link({ href: 'javascript:1' })], [' code']],
  ]
  for (const [written, ...parts] of table) {
    const nodes = parts.flatMap(([text, ...of]) =>
      make.text(
        text,
        of.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), []),
      ),
    )
    t.equal(markdown.write(make.paragraph(nodes)), written)
  }
  t.end()
})

t.test('one letter typed in a paragraph leaves its marks and links', (t) => {
  const table = [
    'One **bold**, *slanted*, [a page](/page), [a file](</files/a plan.pdf>).',
    'One **bold** [a file](/a\u00A0b) and __more__ \\[x]',
    '- One **bold** [a file](</a b.pdf> "t")\n- two',
  ]
  for (const text of table) {
    const { doc, textOf } = openText(markdown, text) ?? {}
    if (!doc || !textOf) throw new Error('it was not read')
    t.equal(textOf(typed(doc)), text.replace('One', 'OXne'))
  }
  t.end()
})

t.test('what is written is shown by a website as it was in the editor', (t) => {
  const word = fc.constantFrom(
    'one',
    'two three',
    'a*b',
    'snake_case',
    '2 * 3',
    '[x](y)',
    '# five',
    '- six',
    '7. seven',
  )
  const part = fc.tuple(
    word,
    fc.constantFrom<readonly Mark[]>([], [make.strong], [make.em], [make.strong, make.em]),
  )
  const spaced = fc
    .array(part, { minLength: 1, maxLength: 5 })
    .map((parts) =>
      parts.flatMap(([text, of], at) => [...make.text(at === 0 ? '' : ' ', []), ...make.text(text, of)]),
    )
  fc.assert(
    fc.property(spaced, (nodes) => {
      const paragraph = make.paragraph(nodes)
      const shown = toMarkup(rendered(markdown.write(paragraph), 1))
      const wanted = html.write(paragraph)
      const [one, other] = [shown, wanted].map((text) => blocksOf(html, text).map(marked).join())
      if (one !== other) throw new Error(`${shown}\n${wanted}`)
    }),
    { numRuns: runs(700) },
  )
  t.end()
})

t.test('what is read is what a website shows', (t) => {
  const texts = fc.string({ unit: fc.constantFrom(...'ab *_[](/)\\#-1.\n'), maxLength: 40 })
  fc.assert(
    fc.property(texts, (text) => {
      const read = openText(markdown, text)
      const shown = openText(html, toMarkup(rendered(text, 1)).replaceAll(/<\/?p>(?=<\/?li>)/g, ''))
      if (!read || !shown) return fc.pre(false)
      const [one, other] = [read, shown].map(({ doc }) => [doc.children.map(plain), doc.children.map(marked)])
      if (!isDeepStrictEqual(one, other)) throw new Error(`${JSON.stringify(one)}\n${JSON.stringify(other)}`)
      if (read.textOf(read.doc) !== text) throw new Error('the text has changed')
    }),
    { numRuns: runs(700) },
  )
  t.end()
})

t.test('only what was edited changes', (t) => {
  const text =
    '# Title #\n* one\n* two\n  more\n\n\nSecond_paragraph  *is* __here__\n\n| a | b |\n|---|---|\n\n1) last\n'
  const { doc, textOf } = openText(markdown, text) ?? {}
  if (!doc || !textOf) throw new Error('it was not read')
  t.equal(textOf(doc), text)
  const changed = make.doc([
    ...doc.children.slice(0, 2),
    make.paragraph(make.text('New', [])),
    ...doc.children.slice(3),
  ])
  t.equal(textOf(changed), text.replace('Second_paragraph  *is* __here__', 'New'))
  t.equal(textOf(make.doc(doc.children.slice(1))), text.split('\n').slice(1).join('\n'))
  for (const { starter } of builtinBlocks)
    for (const value of Object.values(starter ?? {}).filter((each) => typeof each === 'string')) {
      const opened = openText(markdown, value)
      t.equal(opened?.textOf(opened.doc), value)
    }
  t.end()
})

/** Types a letter into the word `One`. */
function typed(node: Node): Node {
  if (node.isText) return schema.text((node.text ?? '').replace('One', 'OXne'), node.marks)
  return node.textContent.includes('One') ? node.copy(Fragment.from(node.children.map(typed))) : node
}

t.test('a letter typed in a word is all that changes, whatever stands around it', (t) => {
  const written = {
    markdown: [
      // What the editor knows, as people write it.
      'One __bold__ _slanted_ ***both*** **_nested_** a_b_c 2*3 \\*no\\* \\a',
      '__One__ and *One more*, **two _three_ One** [*a* One](</x y> "t")',
      '# One #\n## Next ##\npara _a_',
      'Next\n# One *a* \\# no',
      '* One\n* *two*\n\n\n* three_x_y',
      '+ a\n+ One\n   + *in*\n      + `x_y*z`',
      '1) One\n1) two\n1) three',
      '7. One\n\n   - in *a*\n\n8. two',
      '• One • *two*\n• three',
      '- - One\n  - *b*',
      '-   One\n    goes *on*\nlazily',
      '-\n- One',
      'first  \nOne *a*  \nthird\\\nfourth\n   fifth',
      'One\r\n*two*\r\n\r\n- three\r\n- four\r\n',
      '\n\n  One *a*  \n\n\n\nnext\n',
      'One *a*\n- b',
      // What it does not know.
      'One `a_b*c*` and ``d`e_f_``',
      '```js\nif (One) {\n    b*c*d\n  }\n```',
      '~~~\nOne\n\n\n    a_b_\n~~~',
      '    One *indented*\n    code_x_',
      '> One *a*\n> > b_c_\n>\n> - d',
      '| One | *b* |\n|:---|---:|\n| c_d | `e\\|f` |',
      'One [text][id] and [id] and [x](/y)\n\n[id]: /z "t"\n[^1]: note_a_',
      'One[^1] and [^note*a*] and ^[inline *a*]',
      'One ![alt *a*](/p.png "t") [![b](/c_d_.png)](/e)',
      'One https://a.example/x_y_z?a=2*3&b=*4 <https://b.example/_c_>',
      'One {% link _post/x*.md %} {{ a_b | c: "*" }} {{{d}}} <%= e_f * 2 %>',
      '{% if One %}\n  *a*\n{% endif %}\n{{#each b_c}}\n* d\n{{/each}}',
      '<div class="One_a_*">\n  <b>x_y_</b>\n</div>',
      'One <br> a<sub>*b*</sub> &copy; &#42;c&#42; <!-- _d_ * -->',
      "import One from './a_b'\n\nexport const c = 1 * 2 * 3\n\n<Chart year={2018} d='_e_' />",
      'One {props.a * props.b_c} <Tag f={_g_ * 2}>h_i_</Tag>',
      '*[One]: an abbreviation\n\n: a *definition*',
      '- [ ] One *a*\n- [x] b_c_',
      ':::note One\n*a* :smile_cat: ==b== ~~c~~ ++d++ H~2~O\n:::',
      '---\ntitle: One\ntags: [a_b, "*"]\n---\n\n***\n\n_ _ _',
      '$One_a * b_c$ and $$\nd_e * f\n$$',
      'One\n===\n\n*b*\n---',
      'One **not closed *a and _b [c](d',
      '#\nOne *a*\n\n##\n\n\nb_c_',
      'One\\',
    ],
    html: [
      '<P>One <B>b</B>&nbsp;&amp; &#233;&eacute; <i>c</i> &quot;</P>',
      '<p>\n  a <a target="_blank" href=\'/x?a&amp;b\' rel="noopener">One  l</a><br/>\n  m\n</p>\n\n\n<h2>b</h2>',
      '<ul>\n <li>One<ul>\n   <li><b>b</b></li></ul></li>\n\n <li>c</li>\n</ul>',
      '<ol start="3"><li>a</li>\n<li>One &gt; 2</li></ol>',
      '<h2></h2><p> </p>\n<p>One</p><p></p><p><b></b></p>\n\n<p>b</p>\n<p></p>',
    ],
  }
  for (const [name, format] of Object.entries({ markdown, html }))
    for (const text of name === 'html' ? written.html : written.markdown) {
      const { doc, textOf } = openText(format, text) ?? {}
      if (!doc || !textOf) throw new Error(`it was not read: ${text}`)
      t.equal(textOf(typed(doc)), text.replaceAll('One', 'OXne'))
      t.equal(textOf(doc.copy(doc.content)), text)
    }
  t.end()
})

interface DocEdit {
  readonly kind: 'insert' | 'delete' | 'bold' | 'plain' | 'divide'
  readonly at: number
  readonly size: number
  readonly sign: string
}

t.test('each edit reads as it was made', (t) => {
  const signs =
    'word| |**b**|*i*|_u_|`c_d*e`|[l](/x)|[r][id]|{% t _a_ %}|  \n|\\\n|\\*|<b>|![a](b)|*|_|**|- |é|•|\n'
  const pieces = [...signs.split('|'), '\n\n', '\n- it', '\n  - in', '\n1) on', '\n\n# He']
  const source = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 })
    .map((each) => each.join(''))
  const edit: fc.Arbitrary<DocEdit> = fc.record({
    kind: fc.constantFrom<DocEdit['kind'][]>('insert', 'delete', 'bold', 'plain', 'divide'),
    at: fc.nat(200),
    size: fc.integer({ min: 1, max: 5 }),
    sign: fc.constantFrom(...'x*_[])#-1. \\`'),
  })
  const edits = fc.array(edit, { minLength: 1, maxLength: 3 })
  const made = (doc: Node, all: readonly DocEdit[]): Node => {
    const change = new Transform(doc)
    for (const { kind, at, size, sign } of all) {
      const places: number[] = []
      change.doc.descendants((node, start) => {
        if (node.isTextblock)
          places.push(...Array.from({ length: node.content.size + 1 }, (_, each) => start + 1 + each))
      })
      const from = places[at % places.length] ?? 0
      const place = change.doc.resolve(from)
      const to = Math.min(from + size, place.end())
      if (kind === 'insert') change.insert(from, schema.text(sign, place.marks()))
      else if (kind === 'delete') change.delete(from, to)
      else if (kind === 'bold') change.addMark(from, to, make.strong)
      else if (kind === 'plain') change.removeMark(from, to)
      else if (place.depth === 1) change.split(from)
    }
    const blocks = change.doc.children.filter((block) => !block.isTextblock || block.content.size > 0)
    return make.doc(blocks)
  }
  const inHtml = (text: string): string =>
    (openText(markdown, text)?.doc.children ?? []).map(html.write).join('\n')
  for (const format of [markdown, html])
    fc.assert(
      fc.property(source, edits, (markup, all) => {
        const text = format === html ? inHtml(markup) : markup
        const opened = openText(format, text)
        if (!opened) return
        const wanted = made(opened.doc, all)
        const now = opened.textOf(wanted)
        const reads = (each: string): boolean => sameText(openText(format, each)?.doc ?? opened.doc, wanted)
        // Some emphasis has no text in Markdown.
        const hasText = reads(wanted.children.map((block) => format.write(block)).join(format.between()))
        if (hasText && !reads(now)) throw new Error(JSON.stringify([text, now]))
      }),
      { numRuns: runs(50) },
    )
  t.end()
})

t.test('rows and paragraphs that are added take the form of those around them', (t) => {
  const row = (text: string) => make.item([make.paragraph(make.text(text, []))])
  type Change = (rows: readonly Node[]) => readonly Node[]
  const table: readonly (readonly [text: string, change: Change, written: string])[] = [
    ['* a_b_\n* c', (rows) => rows.toSpliced(1, 0, row('new')), '* a_b_\n* new\n* c'],
    ['1) a\n\n2) *c*', (rows) => [...rows, row('new')], '1) a\n\n2) *c*\n\n3) new'],
    ['+ a\n+ _b_\n+ c', (rows) => rows.slice(1), '+ _b_\n+ c'],
  ]
  for (const [text, change, written] of table) {
    const { doc, textOf } = openText(markdown, text) ?? {}
    const list = doc?.firstChild
    if (!list || !textOf) throw new Error('it was not read')
    t.equal(textOf(make.doc([list.copy(Fragment.from(change(list.children)))])), written)
  }
  const { doc, textOf } = openText(markdown, 'One `a_b*c`\n\n\n\nnext') ?? {}
  if (!doc || !textOf) throw new Error('it was not read')
  t.equal(textOf(new Transform(doc).split(5).doc), 'One\n\n`a_b*c`\n\n\n\nnext'.replace('One', 'One '))
  t.end()
})

t.test('markup that the editor does not know is left alone', (t) => {
  const known = [
    '',
    '<p>a</p>',
    '<P>a <B>b</B>&nbsp;&amp; &#233;&eacute;</P>',
    '<ul>\n <li>a<ul><li>b</li></ul></li>\n</ul>',
    '<p><a href="/x" target="_blank" rel="noopener">l</a><br>m</p>',
  ]
  for (const text of known) {
    const opened = openText(html, text)
    t.equal(opened?.textOf(opened.doc), text, text)
  }
  const unknown = [
    'text',
    '<p class="lead">a</p>',
    '<p>a',
    '<p>a</div>',
    '<img src=x onerror=alert(1)>',
    '<p><script>1</script></p>',
    '<p onclick="x">a</p>',
    '<table></table>',
    '<ul></ul>',
    '<p>a < b</p>',
    '<!-- a -->',
    '<a href="javascript:1">x</a>',
  ]
  for (const text of unknown) t.equal(openText(html, text), undefined, text)
  t.end()
})

t.test('one address is one link in markup, also with emphasis in it', (t) => {
  const linked = (text: string, from: number, to: number) => {
    const opened = openText(html, text)
    return opened?.textOf(new Transform(opened.doc).addMark(from, to, make.link({ href: '/a' })).doc)
  }
  t.equal(linked('<p>one two</p>', 5, 8), '<p>one <a href="/a">two</a></p>')
  t.equal(linked('<p>one <em>tw</em>o.</p>', 5, 8), '<p>one <a href="/a"><em>tw</em>o</a>.</p>')
  t.equal(linked('<p>a <a href="/b">b</a> c</p>', 5, 6), '<p>a <a href="/b">b</a> <a href="/a">c</a></p>')
  t.end()
})

/** A row as Word copies it. */
const wordRow = (text: string, list: string, sign: string): string =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:.5in;text-indent:-.25in;mso-list:${list} lfo1'>` +
  `<![if !supportLists]><span style='font-family:Symbol;mso-bidi-font-family:Symbol'><span style='mso-list:Ignore'>${sign}` +
  `<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n\n`

t.test('lists that were copied in Word are lists, with their levels and numbers', (t) => {
  const row = (text: string, more = '') => `<li><p>${text}<o:p></o:p></p>${more}</li>`
  const copied = (rows: readonly string[]) => withoutExtras(`<p>Before</p>\n${rows.join('')}<p>After</p>`)
  const around = (lists: string) => `<p>Before</p>\n${lists}<p>After</p>`
  const [one, two, level2] = ['l0 level1', 'l1 level1', 'l0 level2']
  t.equal(
    copied([
      wordRow('A', one, '·'),
      wordRow('B <b>bold</b>', level2, 'o'),
      wordRow('C', one, '·'),
    ]).replaceAll(/<span><\/span>/g, ''),
    around(`<ul>${row('A', `<ul>${row('B <b>bold</b>')}</ul>`)}${row('C')}</ul>`),
  )
  t.equal(
    copied([wordRow('A', two, '3.'), wordRow('B', two, '4.'), wordRow('C', one, '·')]).replaceAll(
      /<span><\/span>/g,
      '',
    ),
    around(`<ol start="3">${row('A')}${row('B')}</ol><ul>${row('C')}</ul>`),
    'two lists without a paragraph between them',
  )
  const letters = copied([wordRow('A', level2, 'a)'), wordRow('B', one, '1.')]).replaceAll(
    /<span><\/span>/g,
    '',
  )
  t.equal(letters, around(`<ol>${row('A')}${row('B')}</ol>`), 'a first row that is deeper than the next one')
  t.equal(withoutExtras('<p style="mso-list:none">a</p>'), '<p>a</p>')
  t.end()
})

t.test('copied markup keeps what the editor reads', (t) => {
  const table = [
    ['<p class="a" onclick="x()" style="color:red">a</p>', '<p>a</p>'],
    ['<img src=x onerror=alert(1)>', '<img>'],
    ["<a title='>' href='/a\"b' ping=x>l</a>", '<a href="/a&quot;b">l</a>'],
    ['a<script>alert(1)</script ><!-- c --><style>p{}</style>b', 'ab'],
    [
      '<b style="font-weight:normal"><span style="font-weight:700;font-style:italic">x</span></b>',
      '<span><span data-look="bold italic">x</span></span>',
    ],
    ['<ol start="3" data-pm-slice="1 1 []">', '<ol start="3" data-pm-slice="1 1 []"></ol>'],
    ['2 < 3 > 1', '2 &lt; 3 &gt; 1'],
  ] as const
  for (const [copied, kept] of table) t.equal(withoutExtras(copied), kept)
  t.end()
})
