import { createHash } from 'node:crypto'
import fc, { runs } from '../helpers/property.ts'
import { parse, type DefaultTreeAdapterMap } from 'parse5'
import t from 'tap'
import type { Block, FieldMeta, Fields, Page } from '../../plugins/content/model.ts'
import { navigationOf } from '../../plugins/content/navigation.ts'
import { isPlainObject } from '../../plugins/content/plain-object.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { toMarkup } from '../../plugins/content/markup.ts'
import { cross } from '../../plugins/demo-site/render/drawings.ts'
import { loadRenderer } from '../../plugins/demo-site/port.ts'
import { markdown } from '../../plugins/demo-site/render/markdown.ts'
import { pageLink, safeFile, safeFrame, safeLink } from '../../plugins/demo-site/render/url.ts'

const {
  contentSecurityPolicy,
  placeholderSvg,
  renderEditorBody,
  renderEditorPage,
  renderNotFound,
  renderPage,
  stylesheet,
} = await loadRenderer()

type Element = DefaultTreeAdapterMap['element']
type Node = DefaultTreeAdapterMap['node']

const config = { name: 'Nord', navGroups: { More: ['/b', '/c'] } }
const navigation = navigationOf({ slugs: ['/', '/a', '/b', '/c'], config, current: '/b', siteId: 'nord' })
const page = (blocks: readonly Block[], more: Partial<Page> = {}): Page => ({
  id: 'p',
  slug: '/b',
  title: 'Bread',
  updatedAt: '2026-01-01T00:00:00.000Z',
  blocks,
  ...more,
})
const block = (type: string, props: Block['props'], id = `b_${type}`): Block => ({ id, type, props })
const render = (blocks: readonly Block[], more: Partial<Page> = {}) =>
  renderPage({ page: page(blocks, more), navigation, siteName: 'Nord', draft: false })
const starters = builtinRegistry.types().map(({ type, starter }) => block(type, starter()))

/** Parses a document as a browser does, and collects parse errors. */
function parsed(document: string): {
  readonly elements: readonly Element[]
  readonly errors: readonly string[]
} {
  const errors: string[] = []
  const root = parse(document, { onParseError: ({ code }) => errors.push(code) })
  return { elements: elementsIn(root), errors }
}

function elementsIn(node: Node): readonly Element[] {
  const own = 'tagName' in node ? [node] : []
  return 'childNodes' in node ? [...own, ...node.childNodes.flatMap(elementsIn)] : own
}

const attribute = (element: Element | undefined, name: string) =>
  element?.attrs.find((one) => one.name === name)?.value
const named = (elements: readonly Element[], tag: string) => elements.filter(({ tagName }) => tagName === tag)
const textOf = (node: Node | undefined): string => {
  if (!node) return ''
  return 'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}
const words = (node: Node) => textOf(node).replace(/\s+/g, ' ').trim()
const blockElement = (document: string, type: string) => {
  const found = parsed(document).elements.find((element) => attribute(element, 'data-block-type') === type)
  return found ? elementsIn(found) : []
}
const outline = (elements: readonly Element[]) =>
  elements.filter(({ tagName }) => /^h[1-6]$/.test(tagName)).map((one) => `${one.tagName} ${textOf(one)}`)
/** Text, address and mark of each link. */
const linksIn = (elements: readonly Element[]) =>
  named(elements, 'a').map((link) =>
    [textOf(link), attribute(link, 'href'), attribute(link, 'aria-current')].join(' ').trim(),
  )

t.test('a page is a valid and accessible document', async (t) => {
  const document = render(starters)
  const { elements, errors } = parsed(document)
  t.match(document, /^<!doctype html>\n<html lang="en">/)
  t.strictSame(errors, [], 'no parse error in any block type')
  for (const tag of ['title', 'main', 'h1', 'style']) t.equal(named(elements, tag).length, 1, tag)
  t.equal(textOf(named(elements, 'title')[0]), 'Bread · Nord')
  t.equal(attribute(named(elements, 'a')[0], 'href'), '#content', 'the first link skips to the content')
  t.equal(attribute(named(elements, 'main')[0], 'id'), 'content')
  t.ok(named(elements, 'img').every((image) => attribute(image, 'alt') !== undefined))
  t.ok(named(elements, 'iframe').every((frame) => attribute(frame, 'title')))
  const ids = elements.flatMap((element) => attribute(element, 'id') ?? [])
  t.equal(new Set(ids).size, ids.length, 'ids are unique')
})

t.test('every block has its id and type, in page order, between header and footer', async (t) => {
  const marks = parsed(render(starters)).elements.flatMap(
    (element) => attribute(element, 'data-block-type') ?? [],
  )
  const types = starters.map(({ type }) => type).filter((type) => type !== 'SiteHeader' && type !== 'Footer')
  t.strictSame(marks, ['SiteHeader', ...types, 'Footer'])
  t.equal(types.length, 18)
  for (const { type } of starters)
    t.ok(blockElement(render(starters), type).length > 1, `${type} shows something`)
  t.equal(attribute(blockElement(render([block('Hero', {}, 'b_1"2')]), 'Hero')[0], 'data-block-id'), 'b_1"2')
})

t.test('a type without a renderer leaves an empty section, where the editor finds the block', async (t) => {
  const [section, ...inside] = blockElement(render([block('Odd"Type', { text: 'secret' })]), 'Odd"Type')
  t.strictSame([section?.tagName, attribute(section, 'data-block-id')], ['section', 'b_Odd"Type'])
  t.strictSame([inside.length, textOf(section)], [0, ''])
  t.notMatch(render([block('Odd', {})]), /<!--/)
})

t.test('questions and tabs work with the keyboard and without script', async (t) => {
  const items = [
    { q: 'Why?', a: 'So.' },
    { q: 'How?', a: 'Thus.' },
  ]
  const faq = blockElement(render([block('FAQAccordion', { title: 'Q', items })]), 'FAQAccordion')
  t.strictSame(outline(named(faq, 'summary').flatMap(elementsIn)), ['h3 Why?', 'h3 How?'])
  const tabs = [
    { label: 'A', content: '*a*' },
    { label: 'B', content: 'b' },
  ]
  const details = named(blockElement(render([block('Tabs', { tabs }, 'b1')]), 'Tabs'), 'details')
  t.strictSame(
    details.map((one) => [attribute(one, 'name'), attribute(one, 'open'), words(one)]),
    [
      ['tabs-b1', '', 'A a'],
      ['tabs-b1', undefined, 'B b'],
    ],
    'one name makes them exclusive, the first is open',
  )
})

t.test('block types render their props', async (t) => {
  const elementsOf = (type: string, props: Block['props']) => blockElement(render([block(type, props)]), type)
  const tags = (type: string, props: Block['props'], tag: string) => named(elementsOf(type, props), tag)
  const values = (name: string, tag: string, type: string, props: Block['props']) =>
    tags(type, props, tag).map((one) => attribute(one, name))
  const images = (type: string, props: Block['props']) => values('src', 'img', type, props)
  t.strictSame(images('Hero', {}), ['/hero-generated.svg'], 'a hero without an image shows the placeholder')
  t.strictSame(images('Card', { imageUrl: 'hero-generated.svg?v=2' }), [], 'a card without one shows none')
  const urls = ['/a.png', 'https://x.test/b.png']
  t.strictSame(images('Gallery', { images: urls.map((imageUrl) => ({ imageUrl })) }), urls)
  t.strictSame(images('FeatureGrid', { features: [{ icon: '/i.svg' }, { icon: '★' }] }), ['/i.svg'])
  const drawing = /<span class="icon" aria-hidden="true"><svg [^>]*><path d="[^"]+"\/><\/svg><\/span>/
  t.match(render([block('FeatureGrid', { features: [{ icon: '♻\uFE0F', title: 'Again' }] })]), drawing)
  const matrix = { headers: ['A', 'B'], rows: [['1', 2], [null, { x: 1 }], 'odd'] }
  t.strictSame(tags('Table', matrix, 'tr').map(words), ['AB', '12', ''])
  t.strictSame(values('scope', 'th', 'Table', { headers: ['A'] }), ['col'])
  const stats = [{ value: '9', label: 'lives', description: 'at least' }]
  t.strictSame(tags('Stats', { stats }, 'dl').map(words), ['lives 9 at least'])
  const columns = [{ title: 'X', links: 'A|/a\n\nB | https://b.test/?x=1|2\nC' }]
  t.strictSame(linksIn(elementsOf('Footer', { columns })), ['A /a', 'B https://b.test/?x=1', 'C #'])
  const [map, own] = [{ url: 'https://maps.test/?q=1', aspectRatio: '4:3' }, { url: '/own/page' }]
  t.strictSame(values('src', 'iframe', 'Embed', map), ['https://maps.test/?q=1'])
  t.match(render([block('Embed', map)]), /ratio-4-3[^>]*sandbox=/)
  t.strictSame(values('src', 'iframe', 'Embed', own), [], 'a page of this site is never framed')
  const [film] = tags('Video', { src: '/f.mp4', autoplay: 'true', loop: 'true' }, 'video')
  const set = film?.attrs.map(({ name }) => name).join(' ')
  t.equal(set, 'class src aria-label controls preload autoplay muted playsinline loop')
  t.strictSame(tags('Video', { src: '' }, 'video'), [])
  const styleOf = (backgroundColor: string, textColor?: string) =>
    values('style', 'div', 'Banner', { text: 'x', backgroundColor, textColor })[0]
  t.equal(styleOf('#0f766e', 'rgb(1 2 3)'), 'background:#0f766e;color:rgb(1 2 3);')
  t.equal(styleOf('red;position:fixed'), undefined)
  const buttons = [{ label: 'Go', href: '/go', variant: 'secondary' }]
  const left = [{ type: 'list', items: ['a', 1] }, { type: 'ctas', buttons }, { type: 'film' }]
  const two = { left, right: [{ type: 'video', src: '/f.mp4' }] }
  t.strictSame(values('class', 'a', 'TwoColumn', two), ['button secondary'])
  t.strictSame(tags('TwoColumn', two, 'li').map(textOf), ['a'])
  t.strictSame(values('src', 'video', 'TwoColumn', two), ['/f.mp4'])
  const sub = { label: 'Sub', href: '/sub' }
  const links = [
    { label: 'Home', href: '/' },
    { label: 'More', children: [sub] },
  ]
  const header = elementsOf('SiteHeader', { siteName: 'N', links, activePath: '/sub' })
  t.strictSame(linksIn(header), ['N /', 'Home /', 'Sub /sub page'])
})

t.test('a frame of an own origin is sandboxed from it, however its address is spelled', async (t) => {
  const [www, edit] = ['https://www.nord.example', 'https://edit.nord.example']
  const ours = [www, edit, 'http://[2001:db8::7]:4200', 'https://b\u00fccher.example']
  const frameOf = (url: string, ownOrigins?: readonly string[]) => {
    const shown = page([block('Embed', { url })])
    const document = renderPage({ page: shown, navigation, siteName: 'Nord', draft: false, ownOrigins })
    const [frame] = named(parsed(document).elements, 'iframe')
    return { src: attribute(frame, 'src'), sandbox: attribute(frame, 'sandbox')?.split(' ') ?? [] }
  }
  const own =
    `${www}|HTTPS://WWW.NORD.EXAMPLE/a|${www}./|https://maps.test@www.nord.example/|` +
    `https:/www.nord.example/a|https:\\\\www.nord.example\\a|${www}\\@maps.test/|` +
    `https://www.nord\u3002example/|https://www%2enord.example/|ht\ttps://www.nord.example|` +
    ` ${edit}/?session=dev|http://[2001:0DB8:0:0::7]/|https://BU\u0308CHER.example/|` +
    'http://localhost:4200/|http://2130706433/|http://[::1]:4200/|http://[::ffff:127.0.0.1]/|' +
    'http://site.localhost/'
  for (const url of own.split('|')) {
    const { src, sandbox } = frameOf(url, ours)
    t.notOk(sandbox.includes('allow-same-origin'), url)
    // Resolved from any page, the address has the judged target.
    if (src !== undefined) t.equal(new URL(src, `${www}/deep/page`).href, src, url)
  }
  for (const url of ['/a', '//www.nord.example/a', '#x', 'data:text/html,x', 'about:srcdoc'])
    t.same(frameOf(url, ours), { src: undefined, sandbox: [] }, url)
  const allowed = 'allow-scripts allow-popups allow-forms allow-same-origin'.split(' ')
  for (const url of ['https://maps.test/?q=1', 'https://nord.example/', `${www}.maps.test/`]) {
    t.same(frameOf(url, ours).sandbox, allowed, url)
    // Any address may be ours if no origin is known, or if one cannot be parsed.
    for (const unsure of [undefined, [...ours, 'http://']])
      t.notOk(frameOf(url, unsure).sandbox.includes('allow-same-origin'), url)
  }
})

t.test('the menu comes from the navigation unless the page has its own header', async (t) => {
  const [element] = named(parsed(render([])).elements, 'header')
  const header = element ? elementsIn(element) : []
  t.strictSame(linksIn(header), ['Nord /', 'Home /', 'A /a', 'B /b page', 'C /c'])
  const [more, ...others] = named(header, 'summary')
  t.strictSame([more && textOf(more), attribute(more, 'class'), others], ['More', 'active', []])
  const [own, ...rest] = named(parsed(render([block('SiteHeader', { siteName: 'Own' })])).elements, 'header')
  t.strictSame([attribute(own, 'data-block-id'), rest], ['b_SiteHeader', []])
})

t.test('a draft is labelled and excluded from search engines; a published page is neither', async (t) => {
  const draft = renderPage({ page: page([]), navigation, siteName: 'Nord', draft: true, lang: 'de' })
  t.match(
    draft,
    /<a href="\/api\/editor\/draft\/disable\?redirect=[^"]*" title="Leave the draft" class="ribbon">Draft<svg[^]*<\/a>/,
  )
  t.match(draft, /<meta name="robots" content="noindex">/)
  t.match(draft, /<html lang="de">/)
  t.notMatch(render([]).replace(stylesheet, ''), /ribbon|noindex/)
})

t.test('a missing page links to the home page', async (t) => {
  const { elements, errors } = parsed(renderNotFound({ navigation, siteName: 'Nord' }))
  t.strictSame(errors, [])
  t.strictSame(outline(elements), ['h1 Page not found'])
  t.ok(
    named(named(elements, 'main').flatMap(elementsIn), 'a').some((link) => attribute(link, 'href') === '/'),
  )
})

t.test('the result of fetchEditorPage is rendered as a document or as a body', async (t) => {
  const visit = {
    slug: '/b',
    slugs: ['/', '/b'],
    siteConfig: { name: 'Nord' },
    access: undefined,
    notice: undefined,
    live: undefined,
    headers: {},
  }
  const shown = { ...visit, source: 'published', page: page([block('Hero', { heading: 'Hi' })]) } as const
  const document = renderEditorPage(shown, { lang: 'de' })
  t.match(document, /<html lang="de">[^]*<title>Bread · Nord<\/title>[^]*data-block-id="b_Hero"/)
  const body = renderEditorBody(shown)
  t.ok(document.includes(body.slice(body.indexOf('</style>') + '</style>'.length)), 'the same')
  t.match(body, /^<style>[^]*<\/style><a class="skip"/)
  t.notMatch(body, /<html|<title|class="ribbon"/)
  const draft = renderEditorBody(
    { ...shown, source: 'draft', access: { siteId: 'my-site', session: 'dev' }, siteConfig: {} },
    { script: 'live()' },
  )
  t.match(draft, /My Site[^]*class="ribbon">Draft<svg[^]*<\/a><script>live\(\)<\/script>$/)
  t.match(renderEditorPage({ ...shown, siteConfig: {} }, { siteId: 'acme' }), '<title>Bread · Acme</title>')
  const missing = { ...shown, page: undefined }
  t.match(renderEditorPage(missing), 'Page not found')
  t.equal(renderEditorBody(missing), '')
})

t.test('the pages load no external resources, and the policy allows their style and no script', async (t) => {
  const document = render(starters)
  t.equal(textOf(named(parsed(document).elements, 'style')[0]), stylesheet)
  t.match(contentSecurityPolicy, `'sha256-${createHash('sha256').update(stylesheet).digest('base64')}'`)
  t.match(contentSecurityPolicy, /^default-src 'none'/)
  t.notMatch(contentSecurityPolicy, /script-src|unsafe-eval/)
  t.notMatch(stylesheet, /@import|url\(|<\//)
  t.match(stylesheet, /prefers-color-scheme: dark/)
  t.strictSame(parsed(`<!doctype html><title>x</title>${placeholderSvg}`).errors, [])
  t.notMatch(placeholderSvg, /<script|href=/)
})

t.test('links run no script, files open as files, pages stay on the site', async (t) => {
  const kept = ['/a', 'a/b?c=d#e', '#x', 'https://x.test/', 'mailto:a@b.test', '//cdn.test/x', 'a/b:c']
  for (const url of kept) t.equal(safeLink(url), url)
  const scripts = [
    'javascript:x',
    ' javascript:x',
    'java\nscript:x',
    '\u0001javascript:x',
    'javascript&colon;x:',
  ]
  const refused = [...scripts, 'data:text/html,x', 'file:///etc/passwd', ':', '', null, {}, ['javascript:x']]
  for (const url of refused) t.equal(safeLink(url), '#', JSON.stringify(url))
  for (const url of ['/a.png', 'https://x.test/a.png']) t.equal(safeFile(url), url)
  for (const url of ['mailto:x', 'javascript:x', 'data:image/svg+xml,x', '', '/hero-generated.svg']) {
    t.equal(safeFile(url), undefined, url)
  }
  t.equal(safeFrame('https://x.test/'), 'https://x.test/')
  for (const url of ['/a', '//x.test', 'https:', 'javascript:x']) t.equal(safeFrame(url), undefined, url)
  const paths = ['/', '/a', 'a', '//evil.test', '/\\evil.test', 'javascript:x'].map(pageLink).join(' ')
  t.equal(paths, '/ /a /a /evil.test /evil.test /javascript:x')
})

t.test('a small Markdown subset is supported', async (t) => {
  const cases: readonly (readonly [unknown, string])[] = [
    ['one\ntwo\n\n\nthree', '<p>one<br>two</p><p>three</p>'],
    ['**b**, *i*, [m](/x)', '<p><strong>b</strong>, <em>i</em>, <a href="/x">m</a></p>'],
    [
      '[**b**](/x) **[l](/y)**',
      '<p><a href="/x"><strong>b</strong></a> <strong><a href="/y">l</a></strong></p>',
    ],
    ['# A\n###### B\n####### C', '<h2>A</h2><h6>B</h6><p>####### C</p>'],
    ['- a\n- b\n\n* c\n\n+ d', '<ul><li>a</li><li>b</li></ul><ul><li>c</li></ul><ul><li>d</li></ul>'],
    ['• a\n• b', '<ul><li>a</li><li>b</li></ul>'],
    ['text\n\n3. c\n4. d\n\n1) a', '<p>text</p><ol start="3"><li>c</li><li>d</li></ol><ol><li>a</li></ol>'],
    ['2 * 3 * 4 = 24, **not closed', '<p>2 * 3 * 4 = 24, **not closed</p>'],
    ['<b>x</b> [y](javascript:alert(1))', '<p>&lt;b&gt;x&lt;/b&gt; [y](javascript:alert(1))</p>'],
    ['<script>x</script>\n\n<!-- c -->', '<p>&lt;script&gt;x&lt;/script&gt;</p><p>&lt;!-- c --&gt;</p>'],
    ['[a]: /b\n\n`c` ![d](/e.png) &amp;', '<p>[a]: /b</p><p>`c` !<a href="/e.png">d</a> &amp;amp;</p>'],
    ['', ''],
    [[{ type: 'doc' }], ''],
  ]
  for (const [text, wanted] of cases) t.equal(toMarkup(markdown(text, 2)).replaceAll('\n', ''), wanted)
})

const forbidden = new Set(['script', 'object', 'embed', 'base', 'form', 'svg', 'math', 'template'])

function isDangerous({ name, value }: Element['attrs'][number]): boolean {
  if (/^on/i.test(name) || name === 'srcdoc' || name === 'http-equiv') return true
  if (name === 'style') return !/^(?:background:[#\w(),.% ]+;)?(?:color:[#\w(),.% ]+;)?$/.test(value)
  const isAddress = ['href', 'src', 'poster', 'action', 'xlink:href'].includes(name)
  return isAddress && value !== 'data:,' && /^\W*(?:javascript|data|vbscript|file):/i.test(value)
}

// Anything executable, wherever it came from; every test below looks for it.
function danger(document: string): readonly string[] {
  const { elements } = parsed(document)
  return elements.flatMap((element) => [
    ...(forbidden.has(element.tagName) ? [element.tagName] : []),
    ...(element.tagName === 'style' && textOf(element) !== stylesheet ? ['style'] : []),
    ...element.attrs.filter(isDangerous).map(({ name, value }) => `${element.tagName} ${name}=${value}`),
  ])
}

const payloads = [
  '<script>alert(1)</script>',
  '"onerror=alert(1) x="',
  "' onmouseover='alert(1)",
  '"><img src=x onerror=alert(1)>',
  '</style><script>alert(1)</script>',
  '--><script>alert(1)</script>',
  'javascript:alert(1)',
  'JaVa\tScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '[x](javascript:alert(1))',
  '# <script>alert(1)</script>',
  'Label|javascript:alert(1)',
  'red;background:url(javascript:alert(1))',
  'url(javascript:alert(1))',
  '<svg onload=alert(1)>',
]

/** The only drawing on a draft page whose icons are texts. */
const ownDrawing = toMarkup(cross)

t.test('no text of any block can be executed or break out of its element', async (t) => {
  const types = builtinRegistry.types()
  const plain = types.map(({ type, fields }) => block(type, filled(fields, 'plain text')))
  t.ok(parsed(render(plain)).elements.length > 150, 'all props are filled')
  for (const payload of payloads) {
    const blocks = types.map(({ type, fields }) => block(type, filled(fields, payload), `${type}${payload}`))
    const meta = { title: payload, description: payload, ogImage: payload }
    const link = { label: payload, slug: payload, active: true }
    const items = [link, { label: payload, active: false, children: [link] }]
    const document = renderPage({
      page: page([...blocks, block(payload, { text: payload })], { title: payload, slug: payload, meta }),
      navigation: { name: payload, logo: payload, items },
      siteName: payload,
      draft: true,
      lang: payload,
    })
    t.strictSame(danger(document.replace(ownDrawing, '')), [], payload)
    t.notMatch(document, /<script/i)
    t.notMatch(document, /"onerror=/i)
    t.notMatch(document, /(?:href|src|poster)="\s*javascript:/i)
  }
})

t.test('no shape of content makes a page fail', async () => {
  const types = fc.constantFrom(...builtinRegistry.types().map(({ type }) => type), 'Unheard')
  const known = new Set(builtinRegistry.types().flatMap(({ fields }) => Object.keys(fields)))
  const keys = fc.constantFrom(...known, 'headingLevel', 'constructor')
  const rowKeys = fc.oneof(keys, fc.constantFrom('type', 'label', 'href', 'src', 'text', 'q', 'a'))
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.string(),
      fc.double(),
      fc.constantFrom(...payloads, null, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(rowKeys, tie('value'), { maxKeys: 4 }),
    ),
  }))
  const anyBlock = fc.record({
    id: fc.string(),
    type: types,
    props: fc.dictionary(keys, value, { maxKeys: 6 }),
  })
  const blocks = fc.array(anyBlock, { maxLength: 4 })
  fc.assert(
    fc.property(blocks, (some) => {
      const document = render(some)
      return danger(document).length === 0 && document.endsWith('</html>\n')
    }),
    { numRuns: runs(100) },
  )
})

/** Props with one text in every field. */
function filled(fields: Fields, text: string): Block['props'] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, meta]) => [name, filledValue(name, meta, text)]),
  )
}

function filledValue(name: string, meta: FieldMeta, text: string): unknown {
  if (meta.kind === 'stringList') return [text, text]
  if (name === 'rows') return [[text, text]]
  if (meta.kind !== 'list' && meta.kind !== 'imageList') return text
  const common = filled(meta.itemFields ?? {}, text)
  const branches = Object.entries(meta.itemFieldsByType ?? {}).map(([type, fields]) => ({
    ...common,
    ...filled(fields, text),
    type,
  }))
  const children = { ...common, children: [common] }
  return [common, ...branches, children].filter(isPlainObject)
}
