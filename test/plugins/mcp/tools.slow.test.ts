import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import t, { type Test } from 'tap'
import { tools } from '../../../plugins/mcp/catalogue.ts'
import {
  access,
  call,
  connect,
  ownVariables,
  publish,
  sample,
  spawnHost,
  startOwn,
  startStub,
} from '../../helpers/mcp.ts'

const scope = { session: 'dev', siteId: 'acme' }
const query = 'session=dev&siteId=acme'
const base64Data = Buffer.from('bytes').toString('base64')
const block = { id: 'b1', type: 'Hero', props: { heading: 'Hello' } }
const page = { id: 'p', slug: '/a', title: 'A', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [block] }
const blockPlace = { pageSlug: '/a', blockId: 'b1' }
const blockOf = { slug: '/a', blockId: 'b1' }
const decide = [{ id: 'c1', take: 'draft', seen: 'v1' }]
const at = '2027-01-01T09:00:00Z'
const row = { ...blockPlace, listKey: 'items' }
const message = 'Make it shorter'
const slug = '/a'
const slugs = [`GET /draft/slugs?${query}`] as const
const readPage = [`GET /draft/pages?${query}&slug=%2Fa`] as const
const shot = (fields: object) => ['POST /preview/screenshot', { ...scope, ...fields }] as const

type Request = readonly [target: string, body?: unknown]
type ToolCase = readonly [name: string, args: Record<string, unknown>, ...requests: readonly Request[]]

/** A tool that passes its arguments on to its route. */
const passed = (name: string, route: string, args: Record<string, unknown> = {}): ToolCase => {
  const fields = Object.entries(args).map(([field, value]) => [field, String(value)])
  return route.startsWith('GET')
    ? [name, args, [`${route}?${new URLSearchParams({ ...scope, ...Object.fromEntries(fields) })}`]]
    : [name, args, [route, { ...scope, ...args }]]
}
/** A tool that sends one operation. */
const one = (name: string, args: Record<string, unknown>, op: string, fields: object = args): ToolCase => [
  name,
  args,
  ['POST /ops', { ...scope, ops: [{ op, ...fields }] }],
]
/** A tool that uploads a file of this type, under this name. */
const uploaded = (
  name: string,
  route: string,
  mimeType: string,
  file: string,
  args: object = {},
): ToolCase => {
  const [path = '', field = ''] = route.split(' ')
  const sent = { [field]: { name: file, type: mimeType, text: 'bytes' } }
  return [name, { base64Data, mimeType, ...args }, [`POST ${path}`, sent]]
}
const chatted = (name: string, args: Record<string, unknown>, fields: object): ToolCase => [
  name,
  args,
  ['POST /chat', { ...scope, ...fields }],
]
const publishes = ['POST /publish', 'PATCH /publish/scheduled', 'DELETE /publish/scheduled']
const metaOp = { op: 'update_page_meta', pageSlug: slug, patch: { title: 'T' } }
const creation = { op: 'create_page', page: { slug: '/b', title: 'B', blocks: [block] } }
const shortRename = { op: 'rename_page', pageSlug: slug, newPageSlug: '/b' }
const removal = { op: 'remove_block', ...blockPlace }
const config = { name: 'Acme', logo: '/l.png', navLabels: { '/a': 'A' }, navGroups: { More: ['/a'] } }
const renamed = { slug, newSlug: '/b', newTitle: 'B' }
const moved = { pageSlug: slug, newPageSlug: '/b', newTitle: 'B' }
const created = { slug: '/b', title: 'B' }
const complete = { ...created, blocks: [block], meta: { title: 'T' } }
const search = { title: 'T', ogImage: '' }
const selected = { message, slug: '/b', locale: 'de', activeBlockId: 'b1' }
const dryRun = { executionMode: 'plan_only' }
const pending = { pendingPlanId: 'plan_1' }
const approval = { executionMode: 'apply_pending_plan' }
const site = { name: 'Acme', previewUrl: 'https://acme.example', port: 3000, secret: 's3cret' }
const image = { prompt: 'A boat', aspectRatio: 'square', provider: 'openai', model: 'm' }

/** Every tool with its requests to the service. Versions are tested separately. */
const rows: readonly ToolCase[] = [
  ['get-outline', {}, slugs],
  ['get-outline', { slug }, slugs, readPage],
  ['get-block', { slug, blockId: 'b1' }, slugs, readPage],
  ['list-block-types', {}, [`GET /sites/blocks?${query}`]],
  ['get-block-schema', { type: 'Hero' }, [`GET /sites/blocks?${query}`]],
  ['edit-content', { baseVersion: 3, ops: [removal] }, ['POST /ops', { ...scope, ops: [removal] }]],
  ['revert-change', { slug, baseVersion: 3 }, ['POST /history/undo', { ...scope, slug }]],
  passed('list-history', 'GET /history/log', { slug, limit: 5 }),
  passed('whoami', 'GET /whoami'),
  passed('list-sessions', 'GET /sessions'),
  passed('get-page', 'GET /draft/pages', { slug }),
  passed('list-pages', 'GET /draft/slugs'),
  one('create-page', created, 'create_page', { page: { ...created, blocks: [] } }),
  one('create-page', complete, 'create_page', { page: complete }),
  one('rename-page', renamed, 'rename_page', moved),
  one('duplicate-page', { ...renamed, afterSlug: '/' }, 'duplicate_page', { ...moved, afterPageSlug: '/' }),
  one('remove-page', { slug }, 'remove_page', { pageSlug: slug }),
  one('update-page-meta', { slug, ...search }, 'update_page_meta', { pageSlug: slug, patch: search }),
  passed('batch-apply', 'POST /ops', { ops: [removal] }),
  one('add-block', { pageSlug: slug, block, afterBlockId: 'b0' }, 'add_block'),
  one('update-block-props', { ...blockPlace, patch: { heading: 'Hi' } }, 'update_props'),
  one('remove-block', blockPlace, 'remove_block'),
  one('move-block', { ...blockPlace, afterBlockId: 'b2' }, 'move_block'),
  one('duplicate-block', { ...blockPlace, toPageSlug: '/b', newBlockId: 'b3' }, 'duplicate_block'),
  one('add-list-item', { ...row, item: { q: 'Why?' }, afterIndex: 0 }, 'add_item'),
  one('update-list-item', { ...row, index: 1, patch: { q: 'How?' } }, 'update_item'),
  one('remove-list-item', { ...row, index: 1 }, 'remove_item'),
  one('move-list-item', { ...row, index: 1, afterIndex: 0 }, 'move_item'),
  passed('register-site', 'POST /sites/register', site),
  passed('list-sites', 'GET /sites'),
  passed('get-site-config', 'GET /draft/site-config'),
  one('update-site-config', config, 'update_site_config', { patch: config }),
  uploaded('upload-image', '/image/upload image', 'image/png', 'upload.png'),
  uploaded('upload-image', '/image/upload image', 'image/jpeg', 'boat "1".jpg', {
    base64Data: `data:image/jpeg;base64,${base64Data}`,
    filename: 'boat "1".jpg',
  }),
  uploaded('upload-attachment', '/attachment/upload file', 'application/pdf', 'upload.pdf'),
  uploaded('transcribe-audio', '/audio/transcribe audio', 'audio/mpeg', 'a.mp3', { filename: 'a.mp3' }),
  uploaded('interpret-image', '/image/interpret image', 'image/webp', 'upload.webp'),
  passed('find-media-usage', 'GET /media/usage', { url: '/a.png' }),
  passed('generate-image', 'POST /image/generate', image),
  passed('search-unsplash', 'GET /unsplash/search', { q: 'lake', limit: 3, page: 2 }),
  passed('compute-publish-diff', 'GET /publish/diff', { siteOrigin: 'https://acme.example' }),
  passed('publish-content', 'POST /publish', { siteOrigin: 'https://acme.example' }),
  passed('schedule-publish', 'POST /publish', { at }),
  passed('list-scheduled', 'GET /publish/scheduled'),
  passed('list-scheduled', 'GET /publish/scheduled', { conflicts: '1', others: '1' }),
  passed('reschedule-publish', 'PATCH /publish/scheduled', { id: 'p1', at }),
  passed('reschedule-publish', 'PATCH /publish/scheduled', { id: 'p1', decide, against: 'review' }),
  ['cancel-scheduled', { id: 'p1' }, [`DELETE /publish/scheduled?${query}&id=p1`]],
  passed('get-publish-status', 'GET /publish/status'),
  passed('list-snapshots', 'GET /restore/snapshots', { limit: 4 }),
  passed('restore-snapshot', 'POST /restore/snapshot', { commit: '0123456789abcdef' }),
  passed('undo-edit', 'POST /history/undo', { slug }),
  passed('redo-edit', 'POST /history/redo', { slug }),
  passed('discard-changes', 'POST /history/discard', { ...blockOf, field: 'heading' }),
  passed('restore-version', 'POST /history/restore', { targetVersion: 2 }),
  passed('undo-change', 'POST /history/undo-change', { version: 2, withDependents: true }),
  passed('undo-change', 'POST /history/undo-change', { version: 2 }),
  [...chatted('chat-plan', { message }, { message, slug: '/' }), shot({ slug })],
  chatted('chat-plan', { ...selected, screenshot: false }, selected),
  chatted('preview-plan', { message, locale: 'en' }, { ...dryRun, message, locale: 'en', slug: '/' }),
  chatted('approve-pending-plan', { ...pending, screenshot: false }, { ...approval, ...pending }),
  chatted('discard-pending-plan', {}, { executionMode: 'discard_pending_plan' }),
  passed('screenshot-page', 'POST /preview/screenshot', {
    slug,
    published: true,
    previewUrl: 'https://acme.example',
  }),
  passed('list-checks', 'GET /checks', { slug, severity: 'error' }),
  passed('fix-checks', 'POST /checks/fix', { findingIds: ['chk_0123456789abcdef'], dryRun: true }),
]

const facts = { url: 'https://acme.example/a', slug: '/a', mode: 'draft', mimeType: 'image/jpeg' }
const picture = { ...facts, width: 1, height: 1, base64: 'AAAA' }

const answers = () => ({
  '/draft/slugs': {
    headers: { etag: '"7"' },
    body: sample('GET /draft/slugs', {
      slugs: ['/a'],
      pages: [{ slug: '/a', title: 'A', updatedAt: page.updatedAt, blockCount: 1 }],
    }),
  },
  '/draft/pages': { body: page },
  '/sites': { body: { sites: [] } },
  '/sites/blocks': { body: { version: 1, blocks: [] } },
  '/chat': { body: sample('POST /chat', { status: 'applied', undoSlug: '/a', mentionedSlugs: ['/b'] }) },
  '/preview/screenshot': { body: picture },
})

/** The result of a call that fails with this text. */
const failed = (text: string | RegExp) => ({ isError: true, text })

/** A client of a standalone server. */
const connectOwn = async (t: Test, ...of: [orchestrator: string, more?: Readonly<Record<string, string>>]) =>
  connect(t, (await startOwn(t, ...of)).address)

t.test('each tool that is listed has a row', async (t) => {
  t.strictSame([...new Set(rows.map(([name]) => name))].toSorted(), tools.map(({ name }) => name).toSorted())
})

for (const way of ['stdio', 'http'] as const) {
  t.test(`each tool sends the requests of its row, over ${way}`, async (t) => {
    const stub = await startStub(t, answers())
    const client =
      way === 'http'
        ? await connectOwn(t, stub.origin)
        : (await spawnHost(t, ownVariables(stub.origin))).client
    const listed = (await client.listTools()).tools
    t.strictSame(
      listed.map(({ name }) => name).toSorted(),
      tools.map(({ name }) => `orchestrator-${name}`).toSorted(),
    )
    for (const [name, args, ...requests] of rows) {
      const from = stub.seen.length
      const { isError, text, content, structuredContent } = await call(client, name, args)
      t.notOk(isError, `${name}: ${text}`)
      t.strictSame(structuredContent, JSON.parse(text), `${name}: the client checks it against the schema`)
      const isMarked = content.some(({ text = '' }) => text.startsWith('This is content'))
      t.ok(isMarked, `${name} marks its answer as content`)
      const seen = stub.seen.slice(from).filter(({ url }) => url !== `/history/log?${query}&limit=1`)
      t.strictSame(
        seen.map(({ method, url, body }) =>
          body === undefined ? [`${method} ${url}`] : [`${method} ${url}`, body],
        ),
        requests.map(([target, body]) => (body === undefined ? [target] : [target, body])),
        name,
      )
      for (const { method, url, headers } of seen) {
        const expected = {
          authorization: `Bearer ${access}`,
          'x-publish-token': publishes.includes(`${method} ${url?.split('?')[0]}`) ? publish : undefined,
          'if-match': typeof args['baseVersion'] === 'number' ? '"3"' : undefined,
        }
        t.match(headers, expected, name)
        t.equal(headers['x-orchestrator-client'], 'a-host', name)
      }
    }
  })
}

t.test('each write tool accepts an expected version', async (t) => {
  const stub = await startStub(t)
  const client = await connectOwn(t, stub.origin)
  const { tools: listed } = await client.listTools()
  const versioned = listed.filter(({ inputSchema: { properties = {} } }) => 'baseVersion' in properties)
  for (const { name } of versioned) {
    const bare = name.replace('orchestrator-', '')
    const [, args] = rows.find(([each]) => each === bare) ?? []
    await call(client, bare, { ...args, baseVersion: 12 })
    const change = stub.seen.findLast(({ method }) => method === 'POST')
    t.equal(change?.headers['if-match'], '"12"', bare)
    t.notOk(Object.hasOwn(Object(change?.body), 'baseVersion'), bare)
  }
  t.ok(versioned.length > 20)
  t.match(await call(client, 'edit-content', { ops: [removal] }), failed('baseVersion is required'))
})

t.test(
  'arguments may have the names of the API, and lists, objects and numbers may be JSON text',
  async (t) => {
    const stub = await startStub(t)
    const client = await connectOwn(t, stub.origin)
    const sent = async (name: string, args: object) => {
      const { isError, text } = await call(client, name, { ...args })
      if (isError) return text
      const { body, headers } = stub.seen.findLast(({ method }) => method === 'POST') ?? {}
      const { ops } = v.parse(v.looseObject({ ops: v.unknown() }), body)
      return { ops, ...(headers?.['if-match'] !== undefined && { version: headers['if-match'] }) }
    }
    const op = { op: 'update_props', ...blockPlace, patch: { heading: '{"a":1}', items: [1] } }
    const rename = { op: 'rename_page', pageSlug: slug, newPageSlug: '/b', newTitle: '12' }
    const changed = { ops: [op], version: '"3"' }
    const json = JSON.stringify
    for (const [name, args, expected] of [
      ['edit-content', { baseVersion: '3', ops: [op] }, changed],
      ['edit-content', { baseVersion: 3, ops: json([op]) }, changed],
      ['edit-content', { baseVersion: 3, ops: [json(op)] }, changed],
      ['edit-content', { baseVersion: 3, ops: [{ ...op, patch: json(op.patch) }] }, changed],
      ['edit-content', { baseVersion: 3, ops: json([json({ ...op, patch: json(op.patch) })]) }, changed],
      ['rename-page', { pageSlug: slug, newPageSlug: '/b', newTitle: '12' }, { ops: [rename] }],
      ['rename-page', { slug, newSlug: '/b', newTitle: '12' }, { ops: [rename] }],
      ['update-block-props', { slug, blockId: 'b1', patch: json(op.patch) }, { ops: [op] }],
      ['update-page-meta', { pageSlug: slug, patch: { title: 'T' } }, { ops: [metaOp] }],
      ['update-page-meta', { pageSlug: slug, patch: json({ title: 'T' }) }, { ops: [metaOp] }],
      ['create-page', { page: { ...created, blocks: json([block]) } }, { ops: [creation] }],
      ['rename-page', { slug, pageSlug: '/c', newSlug: '/b' }, { ops: [{ ...shortRename }] }],
      ['edit-content', { baseVersion: 'three', ops: [op] }, /'baseVersion' .* must be the version/],
      ['edit-content', { baseVersion: 3, ops: 'null' }, /'ops' .* must be a list of operations/],
      ['update-page-meta', { slug, patch: 'T' }, /Give at least one of/],
    ] as const)
      t.match(await sent(name, args), expected, json(args))
  },
)

/** The tools that read, remove, or reach beyond the service; hosts know the others as plain changes. */
const marked = {
  reads:
    `list-block-types get-block-schema whoami list-sessions get-page list-pages list-sites get-site-config
    compute-publish-diff get-publish-status list-snapshots list-checks get-outline get-block list-history
    search-unsplash transcribe-audio interpret-image screenshot-page list-scheduled find-media-usage`.split(
      /\s+/,
    ),
  removes: `remove-page batch-apply remove-block remove-list-item restore-snapshot approve-pending-plan
    edit-content chat-plan publish-content discard-changes schedule-publish reschedule-publish
    cancel-scheduled`.split(/\s+/),
  reaches: `search-unsplash transcribe-audio interpret-image screenshot-page generate-image
    publish-content schedule-publish reschedule-publish cancel-scheduled`.split(/\s+/),
}

t.test('annotations say which tools read, remove, or reach beyond the service', async (t) => {
  const stub = await startStub(t)
  const client = await connectOwn(t, stub.origin)
  for (const { name, annotations, description = '', inputSchema, outputSchema } of (await client.listTools())
    .tools) {
    const bare = name.replace('orchestrator-', '')
    const [readOnlyHint, destructiveHint, openWorldHint] = Object.values(marked).map((names) =>
      names.includes(bare),
    )
    t.match(annotations, { readOnlyHint, destructiveHint, openWorldHint }, name)
    t.match(description, /^[A-Z].*\.$/, name)
    t.match([inputSchema, outputSchema], [{ type: 'object' }, { type: 'object' }], name)
  }
  const only = await connectOwn(t, stub.origin, { MCP_READ_ONLY: '1' })
  const { tools: reading } = await only.listTools()
  t.strictSame([...new Set(reading.map(({ annotations }) => annotations?.readOnlyHint))], [true])
  await t.rejects(call(only, 'remove-page', { slug: '/a' }), /no such read-only tool/)
  t.equal(stub.seen.length, 0)
})

t.test('the routes that tools call exist in the service', async (t) => {
  const table = readFileSync(new URL('../../fixtures/surface/routes.txt', import.meta.url), 'utf8')
  for (const { name, routes } of tools)
    for (const route of routes)
      t.match(table, new RegExp(`^${route.replace(' ', ' +')} `, 'm'), `${name}: ${route}`)
  for (const [, , ...requests] of rows)
    for (const [target] of requests)
      t.match(table, new RegExp(`^${target.replace(/\?.*/, '').replace(' ', ' +')} `, 'm'), target)
})

t.test('an image is returned as an image with its description', async (t) => {
  const stub = await startStub(t, answers())
  const client = await connectOwn(t, stub.origin)
  const shot = await call(client, 'screenshot-page', { slug })
  t.match(shot.content[1], { type: 'image', data: 'AAAA', mimeType: 'image/jpeg' })
  t.strictSame(shot.json(), { ...facts, width: 1, height: 1 })
  const { content } = await call(client, 'chat-plan', { message })
  t.strictSame(content.map(({ type }) => type).join(' '), 'text image text')
})

t.test('a screenshot after chat shows the changed page, and its failure is a note', async (t) => {
  const stub = await startStub(t, answers())
  const client = await connectOwn(t, stub.origin)
  const shots = () => stub.seen.filter(({ url }) => url === '/preview/screenshot').length
  stub.answers['/chat'] = { body: sample('POST /chat', { status: 'applied', mentionedSlugs: ['/c'] }) }
  await call(client, 'chat-plan', { message })
  t.match(stub.seen.at(-1), { url: '/preview/screenshot', body: { slug: '/c' } })
  for (const fields of [
    { status: 'plan_ready', undoSlug: '/a' },
    { status: 'applied', mentionedSlugs: [] },
  ]) {
    stub.answers['/chat'] = { body: sample('POST /chat', fields) }
    const before = shots()
    t.notOk((await call(client, 'approve-pending-plan', { pendingPlanId: 'plan_1' })).isError)
    t.equal(shots(), before)
  }
  stub.answers['/chat'] = answers()['/chat']
  const missing = { code: 'browser_missing', reason: 'There is none.' }
  stub.answers['/preview/screenshot'] = { status: 503, body: missing }
  const noted = await call(client, 'chat-plan', { message })
  t.notOk(noted.isError)
  t.match(noted.content.map(({ text }) => text).join(), /There is no screenshot/)
})

t.test('block types are those that the service returns for the site, and page chrome', async (t) => {
  const propsSchema = { type: 'object', properties: { sail: { type: 'string' } } }
  const boat = { type: 'Boat', displayName: 'A boat', propsSchema }
  const stub = await startStub(t, { '/sites/blocks': { body: { version: 1, blocks: [boat] } } })
  const client = await connectOwn(t, stub.origin)
  const list = () => call(client, 'list-block-types')
  const get = (type: string) => call(client, 'get-block-schema', { type })
  const [first, ...rest] = v.parse(Listed, (await list()).json()).blockTypes
  t.strictSame(first, { type: 'Boat', displayName: 'A boat' })
  t.ok(rest.length > 0 && rest.every(({ chrome }) => chrome))
  t.match((await get('Boat')).json(), { type: 'Boat', propsSchema })
  t.match(await get('Hero'), failed(/^There is no such block type. Available types: Boat, /))
  stub.answers['/sites/blocks'] = { body: { version: 'one', blocks: [] } }
  t.match(await list(), failed(/^The website declares invalid block types: version /))
  stub.answers['/sites/blocks'] = { body: { version: 1, blocks: [] } }
  t.match((await get('Hero')).json(), { type: 'Hero', starter: {} })
})

const Listed = v.object({ blockTypes: v.array(v.looseObject({ chrome: v.optional(v.boolean()) })) })
