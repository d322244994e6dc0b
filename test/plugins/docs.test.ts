import { createHash } from 'node:crypto'
import t from 'tap'
import * as v from 'valibot'
import {
  defineRefusal,
  empty,
  gate,
  gates,
  give,
  publicGate,
  redirect,
  stored,
  text,
  use,
  type Gate,
  type Schema,
  describedBy,
} from '../../kernel/index.ts'
import { everyWayIn, mountForTest, openGates } from '../../kernel/testing.ts'
import { createComponents, openApiDocument, docsPage, enliven } from '../../plugins/docs/testing.ts'
import docs from '../../plugins/docs/index.ts'
import { mountPath } from '../../plugins/sites/port.ts'
import { globals } from '../helpers/environment.ts'
import { plain } from '../helpers/plain.ts'

interface Branch {
  readonly name: string
  readonly branches: readonly Branch[]
}

const Branch: v.GenericSchema<Branch> = v.pipe(
  v.object({ name: v.string(), branches: v.array(v.lazy(() => Branch)) }),
  v.title('branch'),
)
const Tree = v.pipe(
  v.looseObject({
    name: v.pipe(v.string(), v.regex(/^[a-z-]{1,20}$/)),
    height: v.pipe(v.number(), v.minValue(0.5)),
    crown: v.optional(Branch),
  }),
  v.title('Tree'),
  v.description('A tree of the garden.'),
)
const Change = v.variant('op', [
  v.object({
    op: v.literal('prune'),
    session: v.string(),
    by: v.pipe(v.number(), v.integer(), v.minValue(1)),
  }),
  v.object({ op: v.literal('graft'), branch: Branch }),
])

const signature = gate('acme.signature')
const closedGate = gate('acme.closed')
const hostile = `</title><script>alert("1")</script> & 'more' \`code <b>\``

const refusal = (status: number, code: string) =>
  defineRefusal({ status, code, reason: (tree: string) => `Because of the tree '${tree}'.` })

const noGate: Gate = { mounting: () => ({ mount: false, because: 'ACME is off' }), admit: publicGate.admit }
const { access } = gates
const none = empty('')
const session = v.pipe(v.string(), v.description('Whose trees.'))
const tenth = v.optional(v.pipe(v.string(), v.transform(Number), v.number(), v.maxValue(50)), '10')
const count = v.pipe(v.string(), v.transform(Number), v.number())
const trees = v.pipe(v.object({ trees: v.array(Tree), limit: count }), v.description('Trees, tallest first.'))
const note = v.optional(v.string(), 'it\'s "planted"')
const planted = v.object({ tree: Tree, note, on: v.pipe(v.string(), v.isoTimestamp()) })
const name = v.pipe(v.string(), v.regex(/^[A-Z]+$/i), v.description('Its name.'))
const picture = { fields: ['session', 'note'], types: ['image/png', 'image/jpeg'], maxBytes: 2 * 1024 * 1024 }
const garden = plain(
  {
    'GET /trees': {
      summary: 'Lists trees.',
      tag: 'Draft',
      query: v.object({ session, limit: tenth }),
      replies: { 200: trees },
    },
    'POST /trees': {
      gate: access,
      summary: 'Plants a tree.',
      maxBytes: 8 * 1024,
      body: planted,
      replies: { 201: Tree },
      refusals: [refusal(409, 'tree_exists'), refusal(413, 'too_many_trees'), refusal(429, 'rate_limited')],
    },
    'GET /trees/:name': {
      gate: access,
      summary: 'Shows a tree.',
      params: v.object({ name }),
      replies: { 200: stored(Tree), 304: empty('The caller has this tree.') },
    },
    'PATCH /trees/:name': { gate: gates.agent, summary: 'Changes.', body: Change, replies: { 200: Tree } },
    'DELETE /trees/:name': { gate: gates.publish, summary: 'Fells.', replies: { 204: empty('Felled.') } },
    'PUT /trees/:name/place': {
      gate: access,
      summary: 'Moves a tree.',
      body: v.object({ to: v.optional(v.string()) }),
      replies: { 302: redirect('Where it is now.') },
    },
    'POST /trees/:name/picture': {
      gate: access,
      summary: 'Keeps a picture.',
      maxBytes: 3 * 1024 * 1024,
      upload: picture,
      replies: { 201: v.object({ url: v.string() }) },
    },
    'GET /label': { gate: access, summary: hostile, replies: { 200: text('text/plain; charset=utf-8') } },
    'POST /news': {
      gate: signature,
      summary: 'Takes signed news.',
      raw: true,
      maxBytes: 100,
      replies: { 202: empty('Taken.') },
    },
    'GET /statusboard': {
      gate: access,
      summary: 'Says how it stands.',
      replies: { 200: v.object({ ok: v.literal(true) }), 503: v.object({ ok: v.literal(false) }) },
    },
    'GET /hidden': { gate: access, summary: 'Is internal.', internal: true, replies: { 204: none } },
    'GET /closed': { gate: closedGate, summary: 'Is left out.', replies: { 204: none } },
  },
  [
    [signature, publicGate],
    [closedGate, noGate],
  ],
)
const setting = () => ({ plugins: [garden, use(docs)], seeds: openGates })

const mounted = mountForTest(t, setting())
const routes = await mounted.ready()
const document = await openApiDocument(routes, { version: '0.11.1' })
const page = docsPage(document)

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.values(item).map((operation) => ({ path, operation })),
)
const operationOf = (route: string) => {
  const [method = '', path = ''] = route.toLowerCase().split(' ')
  const found = Object.entries(document.paths[path] ?? {}).find(([name]) => name === method)
  if (!found) throw new Error(`no operation '${route}'`)
  return found[1]
}

t.test('the policy of the page allows its own style and script, and nothing else', (t) =>
  everyWayIn(t, setting, async (t, ask) => {
    const answer = await ask({ url: '/docs' })
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    const shown = (text: string): string => text.replace(/(?<=<span id="address">).*?(?=<)/, '')
    t.equal(shown(answer.text), shown(page))
    const hashOf = (tag: string): string => {
      const [, text = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(answer.text) ?? []
      return createHash('sha256').update(text).digest('base64')
    }
    t.equal(
      answer.headers.get('content-security-policy'),
      `default-src 'none'; style-src 'sha256-${hashOf('style')}'; script-src 'sha256-${hashOf('script')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    const again = await ask({ url: '/docs', headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })
    t.equal(again.status, 304)
  }),
)

/** The parts of an element that the script of the page uses. */
class FakeElement extends EventTarget {
  hidden = false
  value = ''
  button: FakeElement | undefined
  textContent: string
  readonly parts: Readonly<Record<string, readonly FakeElement[]>>
  constructor(textContent = '', parts: FakeElement['parts'] = {}) {
    super()
    this.textContent = textContent
    this.parts = parts
  }
  querySelector = (selector: string) => this.parts[selector]?.[0]
  querySelectorAll = (selector: string) => this.parts[selector] ?? []
  before = (button: FakeElement): void => void (this.button = button)
}

t.test('in a browser the page shows its own address, is searched, and copies examples', async (t) => {
  const card = (...texts: readonly string[]) =>
    new FakeElement('', { 'summary, .name': texts.map((text) => new FakeElement(text)) })
  const cards = [card('POST /trees Plants a tree.', 'note'), card('POST /trees/{name}', 'by'), card('Tree')]
  const [search, address, pre] = [new FakeElement(), new FakeElement('as written'), new FakeElement('curl')]
  const ids = { '#search': [search], '#address': [address], '.cards > details': cards, pre: [pre] }
  const written: string[] = []
  const location = { href: 'https://edit.example/api/orchestrator/docs?accessToken=x#all' }
  globals(t, {
    location,
    document: Object.assign(new FakeElement('', ids), { createElement: () => new FakeElement() }),
    navigator: { clipboard: { writeText: async (text: string) => void written.push(text) } },
  })
  enliven()
  t.equal(address.textContent, 'https://edit.example/api/orchestrator')
  for (const [typed, shown] of [
    [' TREE  post ', '110'],
    [' ', '111'],
  ] as const) {
    search.value = typed
    search.dispatchEvent(new Event('input'))
    t.equal(cards.map(({ hidden }) => (hidden ? 0 : 1)).join(''), shown, typed)
  }
  pre.button?.dispatchEvent(new Event('click'))
  t.same(written, ['curl'])
  location.href = 'http://a;reboot.example/docs'
  enliven()
  t.equal(address.textContent, 'https://edit.example/api/orchestrator', 'only what is safe in a shell')
})

t.test('the description of a mount names the path below which it is mounted', async (t) => {
  for (const [path, url] of [
    ['/api/editor-service', '/api/editor-service'],
    ['', '/'],
  ] as const) {
    const { inject } = mountForTest(t, { ...setting(), seeds: [...openGates, give(mountPath, path)] })
    t.match((await inject({ url: '/openapi.json' })).json(), { servers: [{ url }] })
  }
})

t.test('each gate describes its authentication', async (t) => {
  const token = [{ accessToken: [] }, { accessTokenBearer: [] }, { accessTokenQuery: [] }]
  const expected = {
    'GET /trees': [],
    'POST /trees': token,
    'PATCH /trees/{name}': token,
    'DELETE /trees/{name}': token.map((way) => ({ ...way, publishToken: [] })),
    'POST /news': [{ 'gate.acme.signature': [] }],
  }
  for (const [name, security] of Object.entries(expected)) t.same(operationOf(name).security, security, name)
  t.match(document.components.securitySchemes, {
    accessToken: { type: 'apiKey', in: 'header', name: 'x-access-token' },
    accessTokenBearer: { type: 'http', scheme: 'bearer' },
    accessTokenQuery: { type: 'apiKey', in: 'query', name: 'accessToken' },
    publishToken: { type: 'apiKey', in: 'header', name: 'x-publish-token' },
    'gate.acme.signature': { description: /acme\.signature/ },
  })
})

t.test('requests are described in their wire format', async (t) => {
  const text = { schema: { type: 'string' } }
  t.same(operationOf('GET /trees').parameters, [
    { name: 'session', in: 'query', required: true, description: 'Whose trees.', ...text },
    { name: 'limit', in: 'query', required: false, schema: { type: 'string', default: '10' } },
  ])
  const name = { name: 'name', in: 'path', required: true }
  const read = [{ ...name, description: 'Its name.', ...text }]
  t.same(operationOf('GET /trees/{name}').parameters, read, 'without a pattern whose flags JSON Schema lacks')
  const fell = [{ ...name, schema: { type: 'string', maxLength: 256 } }]
  t.same(operationOf('DELETE /trees/{name}').parameters, fell)
  const properties = { tree: { $ref: '#/components/schemas/Tree' }, on: { format: 'date-time' } }
  const plant = { 'application/json': { schema: { properties, required: ['tree', 'on'] } } }
  t.match(operationOf('POST /trees').requestBody, {
    description: 'At most 8 KiB.',
    required: true,
    content: plant,
  })
  t.equal(operationOf('PUT /trees/{name}/place').requestBody?.required, false, 'a missing body is read as {}')
  const file = { description: 'One of image/png, image/jpeg; at most 2 MiB.' }
  const fields = { session: text.schema, note: text.schema, file }
  const encoding = { file: { contentType: 'image/png, image/jpeg' } }
  const form = { schema: { properties: fields, required: ['file'] }, encoding }
  t.match(operationOf('POST /trees/{name}/picture').requestBody, { content: { 'multipart/form-data': form } })
  t.same(operationOf('POST /news').requestBody?.content, { '*/*': {} })
})

t.test('a route lists its own refusals next to those of the kernel', async (t) => {
  const envelope = { $ref: '#/components/schemas/Refusal' }
  const { responses } = operationOf('POST /trees')
  const content = { 'application/json': { schema: envelope } }
  const because = "Because of the tree '…'."
  t.same(responses['409'], { description: `\`tree_exists\`: ${because}`, content })
  t.match(responses['413'], {
    description:
      /^`too_many_trees`: Because of the tree '…'\.\n\n`body_too_large`: The body is larger than the … bytes/,
    content,
  })
  t.match(responses['429'], { description: /rate_limited/ })
  t.same(responses['500'], { $ref: '#/components/responses/InternalServerError' })
  t.match(operationOf('GET /statusboard').responses['503'], {
    description: /^Service Unavailable\.\n\n`closing`: .*`too_many_bodies`/s,
    content: {
      'application/json': {
        schema: { anyOf: [{ type: 'object' }, envelope, { $ref: '#/components/schemas/GateRefusal' }] },
      },
    },
  })
  const has = (id: string) => new Set(Object.keys(operationOf(id).responses))
  const some = new Set(['401', '404', '413', '415'])
  t.ok(has('GET /trees').isDisjointFrom(some), 'a public GET has no body and no token')
  t.ok(has('POST /trees/{name}/picture').isSupersetOf(some))
})

t.test('a schema with a title is written once', async (t) => {
  t.same(Object.keys(document.components.schemas), ['Branch', 'GateRefusal', 'Refusal', 'Tree'])
  const branch = { $ref: '#/components/schemas/Branch' }
  t.match(document.components.schemas['Branch'], { properties: { branches: { items: branch } } })

  const { describe, all } = await createComponents()
  const size = v.object({ size: v.optional(v.number(), 1) })
  const Leaf = v.pipe(size, v.title('Leaf'), v.description('A leaf.'))
  const c = v.pipe(Leaf, v.description('The top one.'))
  const $ref = '#/components/schemas/Leaf'
  t.same(describe(v.object({ a: Leaf, b: v.optional(Leaf, { size: 2 }), c }), 'input').properties, {
    a: { $ref },
    b: { $ref, default: { size: 2 } },
    c: { $ref, description: 'The top one.' },
  })
  t.same(describe(Leaf, 'output'), { $ref })
  const other = v.pipe(v.string(), v.title('leaf'))
  t.same(describe(other, 'input'), { $ref: `${$ref}2` }, 'another schema of that title')
  const Json: v.GenericSchema = v.lazy(() => v.union([v.string(), v.array(Json)]))
  const data = { $ref: '#/components/schemas/Recursive' }
  t.match(describe(v.object({ data: Json }), 'input').properties, { data })
  t.same(Object.keys(all()), ['Leaf', 'Leaf2', 'Recursive'])
})

t.test('what JSON Schema cannot express is omitted', async (t) => {
  const endless = (): Schema => v.lazy(endless)
  const itself: Schema = v.lazy(() => itself)
  const loop: Record<string, unknown> = {}
  loop['self'] = loop
  const odd: readonly Schema[] = [
    v.pipe(v.string(), v.transform(Number)),
    v.custom<string>((value) => value === 'x'),
    v.pipe(
      v.object({ a: v.string() }),
      v.check(() => false),
    ),
    v.map(v.string(), v.date()),
    v.date(),
    v.undefined(),
    v.instance(Map),
    v.never(),
    v.optional(v.bigint(), 1n),
    v.optional(v.unknown(), () => loop),
    v.pipe(v.string(), v.metadata({ loop })),
    v.record(v.picklist(['a', 'b']), v.unknown()),
    v.strictTuple([v.string(), v.number()]),
    endless(),
    itself,
    v.pipe(v.unknown(), v.metadata({ describedBy: null })),
    v.pipe(v.unknown(), describedBy(endless())),
  ]
  for (const schema of odd) {
    const replies = { 200: schema, 201: stored(schema) }
    const everywhere = { params: schema, query: schema, body: schema, replies }
    const at = { method: 'POST', path: '/odd/:name', gate: gates.public, summary: 'Is odd.' } as const
    const route = { plugin: 'odd', tag: 'Odd', key: 'odd', spec: { ...at, ...everywhere } }
    const described = await openApiDocument([route], { version: '1' })
    t.same(JSON.parse(JSON.stringify(described)), described, schema.type)
    t.match(docsPage(described), 'Is odd.')
  }
  const made = v.optional(v.string(), () => String(Math.random()))
  t.same((await createComponents()).describe(made, 'input'), { type: 'string' }, 'a default that varies')
  t.same(
    await openApiDocument(routes, { version: '0.11.1' }),
    document,
    'the same routes give the same document',
  )
})

t.test('the page shows every route, and every link on it resolves', async (t) => {
  const valuesOf = (name: string) =>
    [...page.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)
  const [ids, links] = [valuesOf('id'), valuesOf('href')]
  t.equal(new Set(ids).size, ids.length, 'ids are unique')
  for (const { path, operation } of operations) {
    t.ok(ids.includes(operation.operationId), operation.operationId)
    t.match(page, `<code class="path">${path}</code>`)
  }
  const broken = links.filter((href) => !href.startsWith('#') || !ids.includes(href.slice(1)))
  t.same(broken, ['docs/json'])
  t.match(page, '<code class="path">Refusal</code>')
  t.match(page, /name<\/code> <span class="type">string<\/span> <span class="rule">pattern \^\[a-z-\]/)
})

t.test('text of a route is escaped on the page', async (t) => {
  t.equal(page.split('<script').length, 2, 'the one of the page itself')
  t.notMatch(
    page.replace(/<script>.*?<\/script>/s, ''),
    /<script|javascript:|\son\w+=|\sstyle=|<img|<link|<iframe|@import|url\(/i,
  )
  t.match(page, '&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;')
})
