import t from 'tap'
import { createPlaces, type PlacedTexts } from '../../plugins/page-texts/port.ts'
import type { Page } from '../../plugins/content/page.ts'
import { respelled } from '../../plugins/site/testing.ts'
import { filePage } from '../helpers/file-pages.ts'

const shown = (pages: readonly Page[], texts: readonly string[], more: object = {}): PlacedTexts =>
  createPlaces(pages).place({ path: '/', texts, images: [], links: [], hints: [], ...more })

/** For each text its block and path, `?` and the files for an ambiguous one, or nothing. */
const told = ({ places, ambiguous }: PlacedTexts, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => {
    const place = places.find(({ index, kind }) => index === n && kind !== 'image' && kind !== 'link')
    const unsure = ambiguous.find(({ index }) => index === n)
    if (unsure) return `? ${[...new Set(unsure.candidates.map(({ file }) => file))].join()}`
    return place ? `${place.blockType === 'Page' ? '~page' : place.blockId} ${place.path}` : ''
  })

const placed = (pages: readonly Page[], texts: readonly string[], more?: object): readonly string[] =>
  told(shown(pages, texts, more), texts.length)

t.test('texts in elements that are in another element are placed in its source', (t) => {
  const card = (title: string, text: string) => `\t<Card title="${title}">\n\t\t${text}\n\t</Card>\n`
  const cards = card('One', 'Edit `a.mdx` to see it.') + card('Two', 'Learn more in [the docs](/docs/).')
  const page = filePage('a.mdx', `# Cards\n\n<CardGrid>\n${cards}</CardGrid>\n`)
  t.strictSame(placed([page], ['Edit a.mdx to see it.', 'Learn more in the docs.']), [
    'a.mdx#1 source',
    'a.mdx#1 source',
  ])
  t.end()
})

const post = filePage(
  'blog/boats.md',
  `---
title: Boats   # of wood
tags: [oak, pine]
author: { name: Jane }
---
We "build" *boats* -- see [the
  guide](https://example.com/guide)...

## Usage {#use}

- Sail \\*it* &amp; go
- Row **[it](a.md)** slowly
  - Deep \`code\`

> Quoted  
> twice

| Wood | Price |
|------|------:|
| *Oak* | a \\| b |

\`\`\`js
const a = 1
\`\`\`
`,
)

t.test('each text of a document is found as pages render it', (t) => {
  const texts = [
    'Boats',
    'Jane',
    'We “build” boats – see the guide…',
    'Usage',
    'Sail *it* & go',
    'Row it slowly',
    'Deep code',
    'Quoted twice',
    'Oak',
    'a | b',
    'const a = 1\n',
    'Not there',
  ]
  t.strictSame(placed([post], texts), [
    '~page title',
    'blog/boats.md#0 author.name',
    'blog/boats.md#1 text',
    'blog/boats.md#2 text',
    'blog/boats.md#3 text',
    'blog/boats.md#3 text',
    'blog/boats.md#3 text',
    'blog/boats.md#4 text',
    'blog/boats.md#5 rows[1][0]',
    'blog/boats.md#5 rows[1][1]',
    'blog/boats.md#6 text',
    '',
  ])
  t.end()
})

t.test('the path of a value in front matter or data names each step', (t) => {
  const page = filePage(
    'a.yaml',
    'author: { name: Jane }\nmatrix: [[One, Two]]\n"og.image": { alt: A boat }\n"a#1": Hash\nlist: [{ items: [Deep] }]\n',
  )
  const texts = ['Jane', 'Two', 'A boat', 'Hash', 'Deep']
  t.strictSame(placed([page], texts), [
    'a.yaml#0 author.name',
    'a.yaml#0 matrix[0][1]',
    'a.yaml#0 ["og.image"].alt',
    'a.yaml#0 ["a#1"]',
    'a.yaml#0 list[0].items[0]',
  ])
  t.end()
})

t.test('what decides how a page is built is no text of it', (t) => {
  const page = filePage('a.md', '---\nlayout: post\nkind: post\n---\nText\n')
  t.strictSame(placed([page], ['post']), ['a.md#0 kind'])
  t.end()
})

t.test('invisible characters, white space and quotes make no difference', (t) => {
  const page = filePage('a.md', 'It\'s a "long"  text -- with\nlines.\n')
  for (const text of [
    'It’s a “long” text — with lines.',
    ' It\'s\u00A0a "lo\u00ADng" te\u200Bxt - with lines.\n',
  ])
    t.strictSame(placed([page], [text]), ['a.md#0 text'])
  t.strictSame(placed([page], ["It's a long text - with lines."]), [''])
  t.end()
})

t.test('segments are the source of each character', (t) => {
  const { places } = shown(
    [post],
    ['Sail *it* & go', 'We "build" boats - see the guide...', 'Deep code', 'a | b'],
  )
  const spelled = places.map(({ value, segments = [] }) =>
    segments.map(([from, to, text]) => [value.slice(from, to), text]),
  )
  t.strictSame(spelled, [
    [
      ['Sail ', 'Sail '],
      [String.raw`\*`, '*'],
      ['it* ', 'it* '],
      ['&amp;', '&'],
      [' go', ' go'],
    ],
    [
      ['We "build" ', 'We "build" '],
      ['boats', 'boats'],
      [' -- see ', ' -- see '],
      ['the', 'the'],
      ['\n', '\n'],
      ['guide', 'guide'],
      ['...', '...'],
    ],
    [
      ['Deep ', 'Deep '],
      ['code', 'code'],
    ],
    [['a | b', 'a | b']],
  ])
  const marked = places.map(({ value, marks = [] }) => marks.map(([from, to]) => value.slice(from, to)))
  t.strictSame(marked[1], ['*boats*', '[the\nguide](https://example.com/guide)'])
  t.end()
})

const about = filePage(
  'about.md',
  '---\ntitle: About\n---\n# About us\n\nA long text about the people who build boats here.\n\nAnother long text, of what they build and where.\n\nSame\n\nMiddle\n\nSame\n',
)
const other = filePage('other.md', '# Other\n\nAnother long text, of what they build and where.\n\nSame\n')
const own = [
  'A long text about the people who build boats here.',
  'Another long text, of what they build and where.',
]

t.test('across documents the own one wins, and within it the order', (t) => {
  t.strictSame(placed([about, other], ['Same']), ['? about.md,other.md'])
  const found = shown([about, other], ['About', ...own, 'Same', 'Middle', 'Same', 'Same'])
  t.strictSame(found.document, { slug: '/~about.md', title: 'About' })
  t.strictSame(told(found, 7), [
    '~page title',
    'about.md#2 text',
    'about.md#3 text',
    'about.md#4 text',
    'about.md#5 text',
    // One of them is of the document, and either could be.
    '? about.md,other.md',
    '? about.md,other.md',
  ])
  t.end()
})

t.test('a text that the page has more often than its document may be that of another file', (t) => {
  const footer = filePage('footer.html', '<p>Made by hand</p>')
  const page = (last: string) =>
    filePage('a.md', `# Boats\n\n${own[0]}\n\nMade by hand\n\n${own[1]}\n${last}`)
  const told = (last: string, texts: readonly string[]) =>
    placed([page(last), footer], ['Boats', own[0] ?? '', 'Made by hand', own[1] ?? '', ...texts]).filter(
      (_, n) => n === 2 || n > 3,
    )
  t.strictSame(told('', []), ['a.md#2 text'])
  t.strictSame(told('', ['Made by hand']), ['a.md#2 text', '? a.md,footer.html'], 'its order decides')
  t.strictSame(placed([page('')], ['Made by hand', 'Made by hand']), ['a.md#2 text', 'a.md#2 text'])
  t.end()
})

t.test('a document without a title is known by its address, and what it is called is no text of it', (t) => {
  const feature = (title: string) =>
    `  - title: ${title}\n    details: Built by hand, from the keel up to the mast\n`
  const front = `hero:\n  name: The yard\n  text: Boats of wood\nfeatures:\n${feature('Oak')}${feature('Elm')}`
  const home = filePage('index.md', `---\n${front}---\n`)
  const frame = filePage('frame.html', '<a>Home</a><b>The yard</b>')
  const texts = [
    'Home',
    'The yard',
    'The yard',
    'Boats of wood',
    'Oak',
    'Built by hand, from the keel up to the mast',
    'Elm',
    'Built by hand, from the keel up to the mast',
  ]
  t.equal(home.title, 'Home')
  t.strictSame(placed([home, frame], texts), [
    'frame.html#0 texts[0].text',
    // It is in the frame, and in the document.
    '? index.md,frame.html',
    '? index.md,frame.html',
    'index.md#0 hero.text',
    'index.md#0 features[0].title',
    'index.md#0 features[0].details',
    'index.md#0 features[1].title',
    'index.md#0 features[1].details',
  ])
  const about = { path: '/about' }
  t.equal(shown([home, frame], texts, about).document, undefined)
  const inDocs = filePage('docs/index.md', `---\n${front}---\n`)
  const settings = filePage('settings.html', '<p>Boats of wood</p>')
  t.equal(placed([inDocs, settings], texts)[3], 'docs/index.md#0 hero.text', 'wherever its folder is')
  t.equal(placed([inDocs, settings], texts, about)[3], '? docs/index.md,settings.html')
  t.equal(shown([inDocs, settings], ['Oak', 'Elm']).document, undefined, 'of two short texts')
  const renamed = { ...home, title: 'Yard and boats' }
  t.strictSame(placed([renamed, frame], ['Yard and boats']), ['~page title'], 'it has one now')
  t.end()
})

t.test('a page that shows parts of several documents is none of them', (t) => {
  const posts = ['one', 'two', 'three'].map((name) =>
    filePage(
      `${name}.md`,
      `---\ntitle: Post ${name}\ndescription: What is in post ${name}, in a sentence of some length.\nauthor: Jane\n---\nText\n`,
    ),
  )
  const texts = posts.flatMap(({ title, meta }) => [title, String(meta?.description), 'Jane'])
  const found = shown(posts, texts)
  t.equal(found.document, undefined)
  t.strictSame(told(found, 9), [
    '~page title',
    '~page meta.description',
    '? one.md,two.md,three.md',
    '~page title',
    '~page meta.description',
    '? one.md,two.md,three.md',
    '~page title',
    '~page meta.description',
    '? one.md,two.md,three.md',
  ])
  t.strictSame(
    found.places.map(({ slug }) => slug),
    posts.flatMap(({ slug }) => [slug, slug]),
  )
  t.end()
})

t.test('a list is the template of its address, and a hint chooses between templates', (t) => {
  const index = filePage('src/pages/blog/index.html', '<h1>All posts</h1><a href="/feed.xml">Feed</a>')
  const footer = filePage('src/parts/footer.html', '<p>Feed</p><img src="./logo.png">')
  t.strictSame(shown([index, footer], ['All posts'], { path: '/blog/' }).document?.slug, index.slug)
  t.equal(shown([index, footer], ['All posts'], { path: '/about' }).document, undefined)
  t.strictSame(placed([index, footer], ['Feed'], { path: '/x' }), [
    '? src/pages/blog/index.html,src/parts/footer.html',
  ])
  const hints = [{ index: 0, file: '/tmp/checkout/src/parts/footer.html' }]
  t.strictSame(placed([index, footer], ['Feed'], { path: '/x', hints }), [
    'src/parts/footer.html#0 texts[0].text',
  ])
  t.end()
})

t.test('references to footnotes are no part of a text, which may have several lines', (t) => {
  const page = filePage(
    'a.md',
    'One[^1] line\nand another[^b].\n\n[^1]: First note.\n\n- Item[^b]\n\n[^b]: Last\n    note.\n',
  )
  t.strictSame(placed([page], ['One line and another.', 'Item', 'First note.', 'Last note.']), [
    'a.md#0 text',
    'a.md#2 text',
    '',
    '',
  ])
  t.end()
})

t.test('the title of a page is no text of its own on it', (t) => {
  const home = filePage('src/pages/index.html', '<title>Home</title><h1>Boats of wood</h1>')
  const header = filePage('src/parts/header.html', '<a href="/">Home</a>')
  const [texts, title] = [['Home', 'Boats of wood'], 'Home']
  const boats = 'src/pages/index.html#0 texts[1].text'
  t.strictSame(placed([home, header], texts, { title }), [
    '? src/pages/index.html,src/parts/header.html',
    boats,
  ])
  const hints = [{ index: 0, file: '/tmp/checkout/src/parts/header.html' }]
  const link = 'src/parts/header.html#0 texts[0].text'
  t.strictSame(placed([home, header], texts, { title, hints }), [link, boats])
  const both = filePage('src/pages/index.html', '<title>Home</title><h1>Home</h1>')
  t.strictSame(placed([both, header], ['Home', 'Home'], { title, hints }), [link, boats])
  t.end()
})

t.test('the longest match wins', (t) => {
  const page = filePage('a.md', 'Hello *big world* of boats\n\nbig world\n')
  const texts = ['Hello big world of boats', 'big world']
  t.strictSame(placed([page], texts, { parents: [-1, 0] }), ['a.md#0 text', ''])
  t.strictSame(placed([page], ['Hello big world, more', 'big world'], { parents: [-1, 0] }), [
    '',
    'a.md#1 text',
  ])
  t.end()
})

t.test('pictures are found by their address, links by where they lead', (t) => {
  const page = filePage(
    'docs/a.md',
    '---\ncover: ./images/cover photo.png\nurl: https://example.com/x\n---\n![A](../img/hero.png)\n',
  )
  const images = [
    '/_image?href=%2F%40fs%2Ftmp%2Fdocs%2Fimg%2Fhero.png&w=10',
    '/_astro/hero.B4dF3a9x.webp',
    '/other.png',
  ]
  const links = [{ text: 'X', href: 'https://example.com/x/' }]
  const { places } = shown([page], [], { images, links })
  t.strictSame(
    places.map(({ index, kind, path }) => [index, kind, path]),
    [
      [0, 'image', 'src'],
      [1, 'image', 'src'],
      [0, 'link', 'url'],
    ],
  )
  t.end()
})

t.test('of equal pictures of the own document, each is the one in its order', (t) => {
  const page = filePage(
    'a.md',
    `---\ncover: /img/a.png\n---\n# Boats\n\n${own[0]}\n\n${own[1]}\n\n![A](/img/a.png)\n`,
  )
  const other = filePage('b.md', '![A](/img/a.png)\n')
  const paths = (images: readonly string[]) =>
    shown([page, other], ['Boats', ...own], { images })
      .places.filter(({ kind }) => kind === 'image')
      .map(({ slug, path }) => `${slug} ${path}`)
  t.strictSame(paths(['/img/a.png', '/img/a.png']), ['/~a.md cover', '/~a.md src'])
  t.strictSame(paths(['/img/a.png']), [], 'one could be either')
  t.end()
})

t.test('a page that changed, and one that is gone, are found as they are now', (t) => {
  const places = createPlaces([post, about])
  const find = (text: string) =>
    told(places.place({ path: '/', texts: [text], images: [], links: [], hints: [] }), 1)
  t.strictSame(find('Middle'), ['about.md#5 text'])
  places.update(filePage('about.md', 'Changed\n'))
  t.strictSame([find('Middle'), find('Changed')], [[''], ['about.md#0 text']])
  places.remove('/~about.md')
  t.strictSame([find('Changed'), find('Usage')], [[''], ['blog/boats.md#2 text']])
  t.end()
})

t.test('of equal texts of a template, each is the one at its place, and none that could be another', (t) => {
  const template = filePage('src/pages/index.html', '<title>Boats</title><h1>Boats</h1><p>Oak</p>')
  t.strictSame(placed([template], ['Boats', 'Oak'], { title: 'Boats' }).slice(0, 1), [
    `${template.blocks[0]?.id} texts[1].text`,
  ])
  t.match(placed([template], ['Boats', 'Oak'])[0], /^\?/, 'without the title of the page it could be either')
  t.end()
})

t.test(
  'a text with thousands of tags, beside which its page shows no line ends, is found in linear time',
  (t) => {
    const words = Array.from({ length: 8000 }, (_, n) => `word${n}`)
    const template = filePage('page.html', `<p>${words.map((word) => `${word}\n<b>b</b>\n`).join('')}end</p>`)
    const text = `${words.map((word) => `${word}b`).join('')}end`
    t.strictSame(placed([template], [text]), ['page.html#0 texts[0].text'])
    t.end()
  },
)

t.test('what is typed at an end of a value stands beside its words, and the end stays', (t) => {
  const value = '\n One  two -- \n'
  const typedAt = (from: number, to: number, text: string, isBehind = true) =>
    respelled({ value }, 'One two –', [{ from, to, text, isBehind }])
  t.equal(typedAt(9, 9, ' three'), '\n One  two -- three \n')
  t.equal(typedAt(0, 0, 'No ', false), '\n No One  two -- \n')
  t.equal(typedAt(4, 9, '2'), '\n One  2 \n')
  t.end()
})

t.test('a text of a template is found where its framework shows no line ends beside tags', (t) => {
  const template = filePage(
    'page.html',
    '<p>Set in your <code>a.mjs</code>\n  file. Read\n<a href="/x">this</a>, or <b>all &amp; more</b>\n</p><p>Set in <i>b</i> file</p>',
  )
  const spelledIn = (text: string) =>
    shown([template], [text]).places.map(({ value, segments = [] }) =>
      segments.map(([from, to]) => value.slice(from, to)).join('|'),
    )
  t.strictSame(spelledIn('Set in your a.mjsfile. Readthis, or all & more'), [
    'Set in your| |a.mjs|file. Read|this|, or| |all |&amp;| more',
  ])
  t.strictSame(spelledIn('Set in your a.mjs file. Readthis, or all & more'), [
    'Set in your| |a.mjs| |file. Read|this|, or| |all |&amp;| more',
  ])
  const text = 'Set in your a.mjsfile. Readthis, or all & more'
  const [place] = shown([template], [text]).places
  const typedAt = (at: number, isBehind: boolean) =>
    place && respelled(place, text, [{ from: at, to: at, text: 'x', isBehind }])
  const at = text.indexOf('file')
  const [before, behind] = ['Set in your <code>a.mjs', 'file. Read <a>this</a>, or <b>all &amp; more</b>']
  t.equal(typedAt(at, false), `${before}</code> x${behind}`)
  t.equal(typedAt(at, true), `${before}x</code> ${behind}`)
  t.strictSame(placed([template], ['Setin your a.mjs file. Read this, or all & more', 'Set inb file']), [
    '',
    'page.html#0 texts[2].text',
  ])
  t.end()
})
