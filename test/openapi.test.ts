import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import t from 'tap'
import * as v from 'valibot'
import type { Injected, Injection, JsonSchema, Subschema } from '../kernel/index.ts'
import { definitions } from '../plugins/content/operations/index.ts'
import { perObject } from '../plugins/content/plain-object.ts'
import {
  nameIn,
  type ApiResponse,
  type Operation,
  type Reference,
  apiVersion,
  isPublished,
  openApiDocument,
} from '../plugins/docs/testing.ts'
import { files, form } from './helpers/media-files.ts'
import { openDocumented } from './helpers/documented.ts'
import { askOver } from './helpers/stack.ts'
import { routesOf } from './surface/shapes.ts'

const { routes, document, origin } = await openDocumented(t)

const resolve = (ref: string): JsonSchema => {
  const schema = document.components.schemas[nameIn(ref)]
  if (!schema) throw new Error(`${ref} leads nowhere`)
  return schema
}
/** Looks up a shared response. */
const toResponse = (response: ApiResponse | Reference): ApiResponse =>
  '$ref' in response
    ? (document.components.responses[response.$ref.replace('#/components/responses/', '')] ?? {
        description: '',
      })
    : response
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const schemaOf = (
  content: Operation['requestBody'] | ReturnType<typeof toResponse>,
): JsonSchema | undefined => content?.content?.['application/json']?.schema

const ajv = new Ajv2020({ strictTypes: false, strictTuples: false })
  .addVocabulary(Object.keys(document))
  .addSchema(document, 'document')
formats.default(ajv)
const compiled = perObject((part: JsonSchema) => ajv.compile({ $ref: `document#${pointerTo(part)}` }))
const pointers = new Map(pointersIn(document, ''))
/** Returns the JSON pointer of a part of the document. */
function pointerTo(part: object): string {
  const pointer = pointers.get(part)
  if (pointer === undefined) throw new Error('this schema is not a part of the document')
  return pointer
}
function* pointersIn(value: unknown, pointer: string): Generator<[object, string]> {
  if (typeof value !== 'object' || value === null) return
  yield [value, pointer]
  for (const [key, each] of Object.entries(value))
    yield* pointersIn(
      each,
      `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
    )
}
/** Lists where a value does not fit a schema of the document. An unknown keyword throws. */
function misfits(schema: Subschema, value: unknown): readonly string[] {
  if (typeof schema === 'boolean') return schema ? [] : ['nothing is described']
  const fits = compiled(schema)
  return fits(value) ? [] : [ajv.errorsText(fits.errors)]
}

t.test('a running service serves the document of its route table', async (t) => {
  const answer = await fetch(`${origin}/docs/json`)
  t.same(await answer.json(), document)
})

t.test('built-in routes under the internal prefixes of the interface are not described', async (t) => {
  const prefixes =
    'telemetry gdrive jira audio restore agent published status generated-images contentful favicon.ico'
  const all = await routesOf('standalone')
  for (const prefix of prefixes.split(' ')) {
    const hidden = all.filter(({ spec }) => spec.path.split('/')[1] === prefix)
    t.ok(hidden.length > 0, `${prefix} has routes`)
    t.same(hidden.filter(isPublished), [], prefix)
  }
})

t.test('a method or a path without a route answers as the default of each operation says', async (t) => {
  for (const { name, operation } of operations) {
    const { default: otherwise = { description: '' } } = operation.responses
    t.match(toResponse(otherwise).description, /`not_found`: No route matches/, name)
  }
  const { default: refused = { description: '' } } =
    document.paths['/history/undo']?.['post']?.responses ?? {}
  for (const url of ['/history/undo', '/sites-agent/none']) {
    const answer = await askOver(origin, { url })
    t.match([answer.status, answer.json()], [404, { code: 'not_found' }], url)
    t.same(misfits(schemaOf(toResponse(refused)) ?? false, answer.json()), [], url)
  }
})

t.test('an operation that refuses unknown fields says so, and no other', async (t) => {
  t.match(document.info.description, 'ignored, unless the operation says that they are refused')
  const refusing = operations.filter(({ operation }) =>
    /Unknown fields are refused/.test(operation.description),
  )
  t.same(refusing.map(({ name }) => name).toSorted(), [
    'DELETE /publish/scheduled',
    'PATCH /publish/scheduled',
    'POST /checks/dismiss',
    'POST /publish',
  ])
})

t.test('own routes and a publish refuse unknown fields, and other routes ignore them', async (t) => {
  const closed = (await routesOf('standalone')).flatMap(({ spec: { method, path, body, query } }) =>
    [body, query].some((schema) => schema?.type === 'strict_object') ? [`${method} ${path}`] : [],
  )
  t.strictSame(closed.toSorted(), [
    'DELETE /publish/scheduled',
    'PATCH /publish/scheduled',
    'POST /checks/dismiss',
    'POST /publish',
  ])
  const asking = async (method: string, url: string, json?: object) => {
    const answer = await askOver(origin, { method, url, ...(json && { json }) })
    return [answer.status, v.parse(v.object({ reason: v.optional(v.string()) }), answer.json()).reason]
  }
  const sesion = { siteId: 'demo', sesion: 'x' }
  const snapshot = { commit: '0123456', siteId: 'demo', hosting: 'vercel' }
  const tooLong =
    /^'x{100}…' of the body is not valid: unknown field; the fields are session, siteId, siteOrigin, baseVersion, remove, allowDelete, at, commit, pages, siteConfig, overwrite, asCommit, client\.$/
  for (const [method, url, json, reason] of [
    ['POST', '/publish', sesion, /^'sesion' of the body .*; did you mean 'session'\?/],
    ['POST', '/publish', { ['x'.repeat(500_000)]: 1 }, tooLong],
  ] as const)
    t.match(await asking(method, url, json), [400, reason])
  t.match(await asking('DELETE', '/sites?filtre=localhost'), [200])
  for (const method of ['POST', 'DELETE'])
    t.match(
      await asking(method, '/restore/snapshot', snapshot),
      [400, /snapshot/],
      'only the snapshot is missing',
    )
  const address = { port: 3000, previewUrl: 'http://localhost:3000' }
  const sent = { siteId: 'cli', name: 'CLI', ...address, purpose: 'x', secret: null, session: 'dev' }
  t.equal((await asking('POST', '/sites/register', sent))[0], 200, 'the fields that the command sends')
  t.equal((await asking('DELETE', '/sites?key=cli&accessToken=any'))[0], 200)
})

t.test('the session is optional everywhere, except for a stream', async (t) => {
  const all = await openApiDocument(await routesOf('standalone'), { version: apiVersion })
  const { '/chat/start': starting, ...paths } = all.paths
  t.match(schemaOf(starting?.post?.requestBody), { required: ['session'] })
  const takers = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter((operation) => JSON.stringify([operation.parameters, operation.requestBody]).includes('session'))
  t.ok(takers.length > 20)
  for (const { parameters = [], requestBody, summary } of takers) {
    t.notMatch(parameters, [{ name: 'session', required: true }], summary)
    t.notOk(schemaOf(requestBody)?.required?.includes('session'), summary)
  }
})

t.test('the headers that a route reads are described, and its ETag works with If-None-Match', async (t) => {
  const headersOf = ({ parameters = [] }: Operation) =>
    parameters.flatMap(({ in: where, name }) => (where === 'header' ? [name] : []))
  const mentions = (operation: Operation, status: string, code: string) =>
    JSON.stringify(operation.responses[status] ?? '').includes(code)
  for (const { name, operation } of operations) {
    const headers = headersOf(operation)
    t.equal(headers.includes('if-match'), mentions(operation, '409', 'version_mismatch'), name)
    t.equal(headers.includes('idempotency-key'), mentions(operation, '422', 'idempotency_key_reused'), name)
    t.equal(headers.includes('if-none-match'), '304' in operation.responses, name)
  }
  const tagged = operations.filter(({ operation }) => '304' in operation.responses)
  t.same(
    tagged.map(({ name }) => name),
    ['GET /draft/pages', 'GET /draft/slugs', 'GET /docs', 'GET /docs/json', 'GET /openapi.json'],
  )
  for (const { name } of tagged) {
    const url = `${origin}${name.slice('GET '.length)}?session=dev&siteId=demo&slug=/`
    const first = await fetch(url)
    const etag = first.headers.get('etag') ?? ''
    t.match(etag, /^"[\w-]+"$/, name)
    t.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304, name)
  }
})

t.test('schemas that several routes share have names', async (t) => {
  const names = new Set(Object.keys(document.components.schemas))
  const ofOperations = definitions.map(({ name }) =>
    name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()),
  )
  t.equal(ofOperations.length, 16)
  const shared = 'Page PageMeta Block SiteConfig ContentDiff BlockManifest FieldMetadata Operation Refusal'
  for (const name of [...shared.split(' '), ...ofOperations]) t.ok(names.has(name), name)
  const made = [...names].filter((name) => /Recursive|\d/.test(name))
  t.same(made, [], 'no name is generated, and none stands for two schemas')
})

t.test('the description has its own version, and no path carries one', async (t) => {
  const served: unknown = await (await fetch(`${origin}/openapi.json`)).json()
  t.match(served, { info: { version: '0.11.1' } })
  for (const path of Object.keys(document.paths)) t.notMatch(path, /\/v?\d+(?:\.\d+)*(?:\/|$)/, path)
})

/** The places in a schema that allow anything, down to its own fields. */
function blanks(schema: Subschema, at: string): readonly string[] {
  if (typeof schema === 'boolean' || Object.keys(schema).every((keyword) => keyword === 'description'))
    return [at]
  const { $ref, anyOf = [], oneOf = [], properties = {} } = schema
  const inside = $ref === undefined ? [] : blanks(resolve($ref), at)
  const named = Object.entries(properties).flatMap(([name, part]) => blanks(part, `${at}.${name}`))
  return [...inside, ...[...anyOf, ...oneOf].flatMap((part) => blanks(part, at)), ...named]
}

t.test('every route describes its request and its responses', async (t) => {
  t.equal(operations.length, routes.length)
  const described = new Map(operations.map(({ name, operation }) => [name, operation]))
  for (const { spec } of routes) {
    const name = `${spec.method} ${spec.path.replaceAll(/:(\w+)/g, '{$1}')}`
    const operation = described.get(name)
    if (!t.ok(operation, `${name} is there`) || !operation) continue
    t.match(operation.description, /^Needs |^Answers |^The gate /, `${name} says who may call it`)
    const takes = spec.body ?? spec.upload ?? spec.raw
    t.equal(operation.requestBody !== undefined, takes !== undefined, `${name} describes its body`)
    const body = schemaOf(operation.requestBody)
    if (body) t.same(blanks(body, 'body'), [], `${name} leaves no part of its body open`)
    for (const example of body?.examples ?? [])
      t.same(misfits(body ?? {}, example), [], `${name}: its example fits`)
    t.ok(
      Object.keys(spec.replies).every((status) => status in operation.responses),
      name,
    )
    const open = Object.entries(operation.responses).flatMap(([status, response]) => {
      const { description, content } = toResponse(response)
      const schema = content?.['application/json']?.schema
      const isVague = !/\w/.test(description) || /undefined|NaN|\[object/.test(description)
      return [...(isVague ? [`${status}: ${description}`] : []), ...(schema ? blanks(schema, status) : [])]
    })
    t.same(open, [], `${name} leaves no part of its answers open`)
  }
})

const at = { session: 'review', siteId: 'demo' }
const soon = new Date(Date.now() + 3_600_000).toISOString()
const query = new URLSearchParams(at).toString()
const get = (url: string): Injection => ({ url })
/** GET requests of these addresses. */
const gets = (status: number, urls: string) => urls.split(' ').map((url) => [status, get(url)] as const)
const send = (
  url: string,
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Injection => ({ method, url, json, headers })
const upload = (url: string, file: Parameters<typeof form>[0]): Injection => ({
  method: 'POST',
  url,
  ...form(file),
})
const ops = (...list: readonly object[]): object => ({ ...at, ops: list })
const varied = { ...at, slug: '/', message: 'Give me three variations', activeBlockId: 'b_hero_home' }
const page = { id: 'p_new', slug: '/new', title: 'New', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [] }
const block = { id: 'b_new', type: 'RichText', props: { title: 'New', body: 'Fresh.' } }
const sides = { before: { what: 'version', version: 1 }, after: { what: 'draft' } }
const elsewhere = { siteOrigin: 'https://elsewhere.example' }
const redirects = { '/menu-card': '/a.jpg' }
const config = { op: 'update_site_config', patch: { name: 'Corner bakery', redirects } }
const created = { op: 'create_page', page: { slug: '/new' } }
const added = { op: 'add_block', pageSlug: '/new', block }
const edited = { op: 'update_props', pageSlug: '/new', blockId: 'b_new', patch: { title: 'Newer' } }
const moved = { op: 'move_block', pageSlug: '/new', blockId: 'b_new' }
const site = {
  siteId: 'other',
  name: 'Other',
  previewUrl: 'https://other.example',
  config: { navLabels: { '/': 'Start' } },
}

/** Valid and invalid requests of an editor, with the expected status. */
const scenario: readonly (readonly [status: number, request: Injection])[] = [
  ...gets(200, '/health /livez /readyz /auth/status'),
  [200, send('/auth/verify', { password: 'x' })],
  [200, send('/sites/register', site)],
  [400, send('/sites/register', { name: 'No id' })],
  ...gets(
    200,
    '/sites /sites/blocks?siteId=demo /sites/framing?siteId=demo&editorOrigin=http://localhost:4200',
  ),
  [400, get('/sites/framing?siteId=demo&editorOrigin=here')],
  [404, get('/sites/framing?siteId=unknown&editorOrigin=http://localhost:4200')],
  [200, send('/presence', { ...at, name: 'Ana', slug: '/' })],
  [400, send('/presence', { ...at, name: 'Two\nlines', slug: '/' })],
  [200, get(`/draft/pages?${query}&slug=/`)],
  [400, get('/draft/pages')],
  [404, get(`/draft/pages?${query}&slug=/nowhere`)],
  [200, get(`/draft/view?${query}&slug=/`)],
  [200, get(`/draft/view?${query}&slug=/nowhere`)],
  [400, get('/draft/view')],
  [200, get(`/draft/slugs?${query}`)],
  [200, send('/draft/bootstrap', { ...at, pages: [page] })],
  [200, send('/draft/bootstrap', { siteId: 'other', pages: [page] })],
  [400, send('/draft/bootstrap', { siteId: 'third', pages: [{ slug: '/bad' }] })],
  [409, send('/draft/bootstrap', { siteId: 'other', overwrite: true, pages: [page], ...elsewhere })],
  [200, get(`/draft/site-config?${query}`)],
  [200, send('/draft/site-config', { ...at, config: { navGroups: { More: ['/about'] } } }, {}, 'PUT')],
  [400, send('/draft/site-config', { ...at, config: { navGroups: 7 } }, {}, 'PUT')],
  [200, send('/ops', ops(created, added))],
  [200, send('/ops', ops(edited, moved, { op: 'duplicate_page', pageSlug: '/new' }))],
  [200, send('/ops', ops(config), { 'idempotency-key': 'one' })],
  [422, send('/ops', ops(config, config), { 'idempotency-key': 'one' })],
  [400, send('/ops', at)],
  [400, send('/ops', ops({ op: 'paint', pageSlug: '/' }))],
  [404, send('/ops', ops({ op: 'remove_page', pageSlug: '/nowhere' }))],
  [409, send('/ops', ops(config), { 'if-match': '"0"' })],
  [413, send('/ops', ops(...Array.from({ length: 201 }, () => config)))],
  [415, { method: 'POST', url: '/ops', body: 'ops', headers: { 'content-type': 'text/plain' } }],
  [200, send('/chat', { ...at, slug: '/', message: 'Write a poem' })],
  [400, send('/chat', { ...at, slug: '/' })],
  [404, send('/chat', { ...at, slug: '/nowhere', message: 'Write a poem' })],
  [409, send('/chat', { ...at, slug: '/', executionMode: 'continue_chain' })],
  [200, send('/chat', { ...at, slug: '/', executionMode: 'discard_pending_plan' })],
  [409, send('/chat', { ...at, slug: '/', executionMode: 'apply_pending_plan' })],
  [200, send('/chat/prefetch', { ...at, slug: '/', message: 'Write a poem' })],
  [200, send('/chat/variations', varied)],
  [400, send('/chat/variations', { ...varied, activeBlockId: '' })],
  [404, send('/chat/variations', { ...varied, activeBlockId: 'none' })],
  [200, send('/chat/variations/stream', varied)],
  [400, send('/chat/variations/stream', { ...varied, message: '' })],
  [200, send('/chat/start', { ...at, slug: '/', message: 'Write a poem' })],
  [400, send('/chat/start', { message: 'Write a poem' })],
  [400, send('/chat/start', { siteId: 'demo', slug: '/', message: 'Write a poem' })],
  [400, send('/chat/start', { ...at, session: ' ', slug: '/', message: 'Write a poem' })],
  [200, send('/chat/cancel', at)],
  [404, send('/chat/cancel', { ...at, streamId: 'none' })],
  [410, get('/chat/stream?streamId=none')],
  [400, get(`/chat/stream?${query}`)],
  [200, get(`/chat/plans?${query}`)],
  [404, get(`/chat/plans/none?${query}`)],
  ...gets(200, `/publish/content?${query} /publish/diff?${query} /publish/files?${query}`),
  [200, send('/publish/diff', at)],
  [200, send('/draft/follow', at)],
  [409, send('/draft/conflicts', { ...at, decide: [{ id: 'none', take: 'site' }] })],
  [400, send('/publish/diff', { ...at, ...elsewhere })],
  [404, get(`/publish/status?${query}`)],
  [400, send('/publish', { siteId: 'third', siteOrigin: 'ftp://x' })],
  [200, send('/publish', at)],
  [202, send('/publish', { ...at, at: soon })],
  [400, send('/publish', { ...at, commit: '0123456', at: soon })],
  [200, get(`/publish/scheduled?${query}`)],
  [404, { method: 'PATCH', url: '/publish/scheduled', json: { ...at, id: 'none', at: soon } }],
  [404, { method: 'DELETE', url: `/publish/scheduled?${query}&id=none` }],
  ...gets(
    200,
    `/publish/status?${query} /publish/log?${query} /history/status?${query}&slug=/new ` +
      `/history/log?${query}&limit=100 /history/page?${query}&slug=/new&version=2`,
  ),
  [404, get(`/history/page?${query}&slug=/new&version=999`)],
  [404, send('/history/undo-change', { ...at, version: 999 })],
  [200, send('/history/undo', { ...at, slug: '/new' })],
  [200, send('/history/redo', { ...at, slug: '/new' })],
  [400, send('/history/undo', { ...at, slug: '/pricing' })],
  [200, send('/history/restore', { ...at, targetVersion: 1 })],
  [200, send('/history/undo-change', { ...at, version: 2 })],
  [404, send('/history/restore', { ...at, targetVersion: 999 })],
  [200, send('/ops', ops({ op: 'rename_page', pageSlug: '/faq', newTitle: 'Answers' }))],
  [200, send('/history/discard', at)],
  [400, send('/history/discard', at)],
  [200, get(`/checks?${query}`)],
  [404, get(`/checks?${query}&slug=/nowhere`)],
  [200, get('/checks/rules')],
  [200, send('/checks/run', { ...at, rules: ['site.logo-missing'] })],
  [400, send('/checks/run', { ...at, rules: ['none'] })],
  [200, send('/checks/fix', { ...at, findingIds: ['chk_0123456789abcdef'] })],
  [400, send('/checks/fix', { ...at, findingIds: [] })],
  [404, send('/checks/dismiss', { ...at, findingId: 'chk_0123456789abcdef' })],
  [404, send('/checks/integration', { ...at, siteId: 'unregistered' })],
  [400, send('/preview/screenshot', { ...at, slug: 'https://elsewhere.example' })],
  [503, send('/preview/screenshot', at)],
  [200, send('/preview/entry', at)],
  [200, send('/preview/links', { ...at, what: 'draft' })],
  [200, send('/preview/links', { ...at, slug: '/new', what: 'compare', ...sides })],
  [404, send('/preview/links', { ...at, what: 'plan', planId: 'none' })],
  [200, upload('/image/upload', { field: 'image', type: 'image/png', bytes: files.png })],
  [415, upload('/image/upload', { field: 'image', type: 'image/svg+xml', bytes: files.png })],
  [200, get('/media/uploads?limit=5')],
  [400, get('/media/uploads?after=x')],
  [200, get(`/media/usage?${query}&url=/a.jpg`)],
  [400, get('/media/usage')],
  [200, send('/image/generate', { prompt: 'A boat', provider: 'placeholder' })],
  [400, send('/image/generate', { prompt: '' })],
  [503, send('/image/generate', { prompt: 'A boat' })],
  [400, send('/image/generate/chat', { prompt: '' })],
  [503, send('/image/generate/chat', { prompt: 'A boat', stream: true })],
  [503, upload('/image/interpret', { field: 'image', type: 'image/png', bytes: files.png })],
  [200, upload('/attachment/upload', { type: 'application/pdf', bytes: files.pdf })],
  [200, upload('/attachment/upload', { type: 'text/plain', bytes: Buffer.from('words') })],
  [422, upload('/attachment/upload', { type: 'application/pdf', bytes: files.pdf.subarray(0, 100) })],
  [200, get('/unsplash/search?q=lake')],
  [200, send('/unsplash/use', { id: 'LBI7cgq3pbM' })],
  [400, send('/unsplash/use', { id: 'none' })],
  [200, send('/media/cms', { ...at, query: 'lake' })],
  [400, send('/media/cms', { ...at, config: { provider: 'strapi', url: 'http://10.0.0.1' } })],
  [501, upload('/media/cms', { field: 'image', type: 'image/png', bytes: files.png })],
  ...gets(200, `/whoami?${query} /sessions /tools /usage?group=model`),
  [400, get('/usage?from=2020-01-01&to=2026-01-01')],
  ...gets(
    200,
    '/metrics /audit?limit=5 /auth/access /auth/tokens /doctor /webhooks ' +
      '/webhooks/deliveries?state=failed',
  ),
  [400, get('/webhooks/deliveries?state=lost')],
  [404, { method: 'POST', url: '/webhooks/deliveries/msg_0_0/replay' }],
  [503, send('/sites-agent/start', { message: 'Connect my site' })],
  [400, send('/sites-agent/start', {})],
  [400, get('/sites-agent/stream')],
  [410, get('/sites-agent/stream?streamId=none')],
  [410, send('/sites-agent/respond', { streamId: 'none', answers: { 'Go on?': 'Yes' } })],
  [410, send('/sites-agent/cancel', { streamId: 'none' })],
  [410, get('/sites-agent/status?streamId=none')],
  [200, get('/sites-agent/status')],
  [403, send('/ops', ops(config), { origin: 'https://elsewhere.example' })],
  ...gets(200, '/docs /docs/json /openapi.json'),
  [200, { method: 'DELETE', url: '/sites?key=other' }],
]

t.test('an answer with notes or a notice has a text for editors that show nothing else', async (t) => {
  for (const { name, operation } of operations)
    for (const [status, response] of Object.entries(operation.responses)) {
      const { content } = toResponse(response)
      for (const each of alternatives(content?.['application/json']?.schema ?? {})) {
        const names = Object.keys(each.properties ?? {})
        if (!names.includes('notes') && !names.includes('notice')) continue
        t.ok(names.includes('message'), `${name} ${status}: ${names.join()}`)
      }
    }
})

/** The schemas of objects that a value of a schema may have. */
function alternatives(schema: Subschema): readonly JsonSchema[] {
  if (typeof schema === 'boolean') return []
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema
  const inside = $ref === undefined ? [] : alternatives(resolve($ref))
  return [schema, ...inside, ...[...anyOf, ...oneOf, ...allOf].flatMap(alternatives)]
}

/** The notes and the notice of an answer that are not in the text that existing editors show. */
function unshown(answer: unknown): readonly string[] {
  const { notes = [], notice = [], message = '', error = '' } = v.parse(Remarks, answer)
  const shown = message + error
  return error !== '' && !error.includes(' ')
    ? []
    : [...notes, notice].flat().filter((each) => !shown.includes(each))
}
const Remarks = v.fallback(
  v.object({
    notes: v.optional(v.array(v.string())),
    notice: v.optional(v.string()),
    message: v.optional(v.string()),
    error: v.optional(v.string()),
  }),
  {},
)

t.test('real answers to valid and invalid requests match the document', async (t) => {
  const asked = new Set<string>()
  for (const [status, request] of scenario) {
    const { method = 'GET', url, json } = request
    const [path = ''] = url.split('?')
    const name = `${method} ${path}`
    const known =
      operations.find((each) => each.name === name) ?? operations.find((each) => isOne(each.name, name))
    const operation = known?.operation
    const answer = await askOver(origin, request)
    const what = `${name} ${status} ${JSON.stringify(json)?.slice(0, 100) ?? ''}`
    if (!t.equal(answer.status, status, what) || !known || !operation) {
      t.comment(answer.text.slice(0, 300))
      continue
    }
    asked.add(known.name)
    t.notMatch(answer.text, /\$redirects/, `${what}: what the service adds to a config stays inside`)
    const described = toResponse(operation.responses[status] ?? { description: '' })
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';')
    const schema = described.content?.[type]?.schema
    t.ok(schema, `${what}: ${type} is described`)
    const [value, ...others] = valuesOf(type, answer)
    t.strictSame(unshown(value), [], `${what}: what it says is shown`)
    for (const each of [value, ...others])
      t.same(misfits(schema ?? false, each), [], `${what}: the answer fits`)
    // A result of chat has an outcome instead of a verdict.
    if (status >= 400 && type === 'application/json' && !('debug' in v.parse(v.looseObject({}), value)))
      t.match(described.description, codeOf(answer), what)
    if (status !== 200 || json === undefined) continue
    t.same(misfits(schemaOf(operation.requestBody) ?? false, json), [], `${what}: the request fits`)
  }
  t.same(
    operations.map(({ name }) => name).filter((name) => !asked.has(name)),
    ['GET /events'],
  )
})

/** The content of an answer: a value, or the events of a stream. */
function valuesOf(type: string, answer: Injected): readonly unknown[] {
  if (type === 'application/json') return [answer.json()]
  if (type !== 'text/event-stream') return [answer.text]
  return [...answer.text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as unknown)
}

/** Whether a path matches a route with parameters. */
function isOne(route: string, name: string): boolean {
  return route.includes('{') && new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(name)
}

/** The verdict of a refusal, as the description of a response names it. */
function codeOf(answer: Injected): RegExp {
  const { code } = v.parse(v.object({ code: v.string() }), answer.json())
  return new RegExp(`\\b${code}\\b`)
}

t.test('the events of a stream match the document', async (t) => {
  const stream = document.paths['/events']?.get?.responses['200'] ?? { description: '' }
  const schema = toResponse(stream).content?.['text/event-stream']?.schema
  const stop = new AbortController()
  const headers = { 'last-event-id': '1' }
  const response = await fetch(`${origin}/events?${query}`, { headers, signal: stop.signal })
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.split('\ndata: ').length > 4) break
  }
  stop.abort()
  const events = [...text.matchAll(/^data: (.*)\n/gm)].map(([, data = '']) => JSON.parse(data) as unknown)
  t.ok(events.length >= 3)
  for (const event of events) t.same(misfits(schema ?? false, event), [])
})
