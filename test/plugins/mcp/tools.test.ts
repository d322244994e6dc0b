import type { Client } from '@modelcontextprotocol/client'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createLogger } from '../../../kernel/index.ts'
import { createRemoteHost, readVariables, serveHttp } from '../../../config/cli/mcp.ts'
import { toToolSettings } from '../../../plugins/mcp/settings.ts'
import { tools } from '../../../plugins/mcp/catalogue.ts'
import { bearer, call, connect, sample, spawnHost, startStub } from '../../helpers/mcp.ts'

const [access, publish] = ['canary-access-token-0123456789', 'canary-publish-token-0123456789']
const scope = { session: 'dev', siteId: 'acme' }
const query = 'session=dev&siteId=acme'
const base64Data = Buffer.from('bytes').toString('base64')
const file = (name: string, type: string) => ({ name, type, text: 'bytes' })
const block = { id: 'b1', type: 'Hero', props: { heading: 'Hello' } }
const page = { id: 'p', slug: '/a', title: 'A', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [block] }
const blockPlace = { pageSlug: '/a', blockId: 'b1' }
const row = { ...blockPlace, listKey: 'items' }
const [message, plan, commit] = ['Make it shorter', 'plan_1', '0123456789abcdef']

type Row = readonly [
  name: string,
  args: Record<string, unknown>,
  ...requests: (readonly [target: string, body?: unknown])[],
]
const ops = (...list: readonly object[]) => ['POST /ops', { ...scope, ops: list }] as const
const one = (name: string, op: string, args: object): Row => [name, { ...args }, ops({ op, ...args })]
const undone = (name: string, path: string, args: Record<string, unknown>): Row => [
  name,
  args,
  [`POST ${path}`, { ...scope, ...args }],
]

/** Every tool with its requests to the service. Versions are tested separately. */
const rows: readonly Row[] = [
  ['get-outline', {}, [`GET /draft/slugs?${query}`]],
  ['get-outline', { slug: '/a' }, [`GET /draft/slugs?${query}`], [`GET /draft/pages?${query}&slug=%2Fa`]],
  [
    'get-block',
    { slug: '/a', blockId: 'b1' },
    [`GET /draft/slugs?${query}`],
    [`GET /draft/pages?${query}&slug=%2Fa`],
  ],
  ['list-block-types', {}, ['GET /sites?session=dev']],
  ['get-block-schema', { type: 'Hero' }, ['GET /sites?session=dev']],
  [
    'edit-content',
    { baseVersion: 3, ops: [{ op: 'remove_page', pageSlug: '/a' }] },
    ops({ op: 'remove_page', pageSlug: '/a' }),
  ],
  ['revert-change', { slug: '/a', baseVersion: 3 }, ['POST /history/undo', { ...scope, slug: '/a' }]],
  ['list-history', { slug: '/a', limit: 5 }, [`GET /history/log?${query}&slug=%2Fa&limit=5`]],
  ['whoami', {}, [`GET /whoami?${query}`]],
  ['list-sessions', {}, [`GET /sessions?${query}`]],
  ['get-page', { slug: '/a' }, [`GET /draft/pages?${query}&slug=%2Fa`]],
  ['list-pages', {}, [`GET /draft/slugs?${query}`]],
  [
    'create-page',
    { slug: '/b', title: 'B' },
    ops({ op: 'create_page', page: { slug: '/b', title: 'B', blocks: [] } }),
  ],
  [
    'create-page',
    { slug: '/b', title: 'B', blocks: [block], meta: { title: 'T' } },
    ops({ op: 'create_page', page: { slug: '/b', title: 'B', blocks: [block], meta: { title: 'T' } } }),
  ],
  [
    'rename-page',
    { slug: '/a', newSlug: '/b', newTitle: 'B' },
    ops({ op: 'rename_page', pageSlug: '/a', newPageSlug: '/b', newTitle: 'B' }),
  ],
  [
    'duplicate-page',
    { slug: '/a', newSlug: '/b', newTitle: 'B', afterSlug: '/' },
    ops({ op: 'duplicate_page', pageSlug: '/a', newPageSlug: '/b', newTitle: 'B', afterPageSlug: '/' }),
  ],
  ['remove-page', { slug: '/a' }, ops({ op: 'remove_page', pageSlug: '/a' })],
  [
    'update-page-meta',
    { slug: '/a', title: 'T', ogImage: '' },
    ops({ op: 'update_page_meta', pageSlug: '/a', patch: { title: 'T', ogImage: '' } }),
  ],
  [
    'batch-apply',
    { ops: [{ op: 'remove_block', ...blockPlace }] },
    ops({ op: 'remove_block', ...blockPlace }),
  ],
  one('add-block', 'add_block', { pageSlug: '/a', block, afterBlockId: 'b0' }),
  one('update-block-props', 'update_props', { ...blockPlace, patch: { heading: 'Hi' } }),
  one('remove-block', 'remove_block', blockPlace),
  one('move-block', 'move_block', { ...blockPlace, afterBlockId: 'b2' }),
  one('duplicate-block', 'duplicate_block', {
    ...blockPlace,
    toPageSlug: '/b',
    newBlockId: 'b3',
    afterBlockId: 'b2',
  }),
  one('add-list-item', 'add_item', { ...row, item: { q: 'Why?' }, afterIndex: 0 }),
  one('update-list-item', 'update_item', { ...row, index: 1, patch: { q: 'How?' } }),
  one('remove-list-item', 'remove_item', { ...row, index: 1 }),
  one('move-list-item', 'move_item', { ...row, index: 1, afterIndex: 0 }),
  undone('register-site', '/sites/register', {
    name: 'Acme',
    previewUrl: 'https://acme.example',
    port: 3000,
    purpose: 'Boats',
    secret: 's3cret',
  }),
  ['list-sites', {}, [`GET /sites?${query}`]],
  ['get-site-config', {}, [`GET /draft/site-config?${query}`]],
  [
    'update-site-config',
    { name: 'Acme', logo: '/l.png', navLabels: { '/a': 'A' }, navGroups: { More: ['/a'] } },
    ops({
      op: 'update_site_config',
      patch: { name: 'Acme', logo: '/l.png', navLabels: { '/a': 'A' }, navGroups: { More: ['/a'] } },
    }),
  ],
  [
    'upload-image',
    { base64Data, mimeType: 'image/png' },
    ['POST /image/upload', { image: file('upload.png', 'image/png') }],
  ],
  [
    'upload-image',
    { base64Data: `data:image/jpeg;base64,${base64Data}`, mimeType: 'image/jpeg', filename: 'boat "1".jpg' },
    ['POST /image/upload', { image: file('boat "1".jpg', 'image/jpeg') }],
  ],
  [
    'upload-attachment',
    { base64Data, mimeType: 'application/pdf' },
    ['POST /attachment/upload', { file: file('upload.pdf', 'application/pdf') }],
  ],
  undone('generate-image', '/image/generate', {
    prompt: 'A boat',
    aspectRatio: 'square',
    provider: 'openai',
    model: 'm',
  }),
  [
    'search-unsplash',
    { q: 'lake', limit: 3, page: 2 },
    [`GET /unsplash/search?${query}&q=lake&limit=3&page=2`],
  ],
  [
    'transcribe-audio',
    { base64Data, mimeType: 'audio/mpeg', filename: 'a.mp3' },
    ['POST /audio/transcribe', { audio: file('a.mp3', 'audio/mpeg') }],
  ],
  [
    'interpret-image',
    { base64Data, mimeType: 'image/webp' },
    ['POST /image/interpret', { image: file('upload.webp', 'image/webp') }],
  ],
  [
    'compute-publish-diff',
    { siteOrigin: 'https://acme.example' },
    [`GET /publish/diff?${query}&siteOrigin=https%3A%2F%2Facme.example`],
  ],
  undone('publish-content', '/publish', { siteOrigin: 'https://acme.example' }),
  ['get-publish-status', {}, [`GET /publish/status?${query}`]],
  ['list-snapshots', { limit: 4 }, [`GET /restore/snapshots?${query}&limit=4`]],
  undone('restore-snapshot', '/restore/snapshot', { commit }),
  undone('undo-edit', '/history/undo', { slug: '/a' }),
  undone('redo-edit', '/history/redo', { slug: '/a' }),
  undone('restore-version', '/history/restore', { targetVersion: 2 }),
  [
    'chat-plan',
    { message },
    ['POST /chat', { ...scope, message, slug: '/' }],
    ['POST /preview/screenshot', { ...scope, slug: '/a' }],
  ],
  [
    'chat-plan',
    { message, slug: '/b', locale: 'de', activeBlockId: 'b1', screenshot: false },
    ['POST /chat', { ...scope, message, slug: '/b', locale: 'de', activeBlockId: 'b1' }],
  ],
  [
    'preview-plan',
    { message, locale: 'en' },
    ['POST /chat', { ...scope, message, locale: 'en', slug: '/', executionMode: 'plan_only' }],
  ],
  [
    'approve-pending-plan',
    { pendingPlanId: plan, screenshot: false },
    ['POST /chat', { ...scope, executionMode: 'apply_pending_plan', pendingPlanId: plan }],
  ],
  ['discard-pending-plan', {}, ['POST /chat', { ...scope, executionMode: 'discard_pending_plan' }]],
  [
    'screenshot-page',
    { slug: '/a', published: true, previewUrl: 'https://acme.example' },
    [
      'POST /preview/screenshot',
      { ...scope, slug: '/a', published: true, previewUrl: 'https://acme.example' },
    ],
  ],
  ['list-checks', { slug: '/a', severity: 'error' }, [`GET /checks?${query}&slug=%2Fa&severity=error`]],
  undone('fix-checks', '/checks/fix', { findingIds: ['chk_0123456789abcdef'], dryRun: true }),
]

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
  '/chat': { body: sample('POST /chat', { status: 'applied', undoSlug: '/a', mentionedSlugs: ['/b'] }) },
  '/preview/screenshot': {
    body: {
      url: 'https://acme.example/a',
      slug: '/a',
      mode: 'draft',
      mimeType: 'image/jpeg',
      base64: 'AAAA',
      width: 1,
      height: 1,
    },
  },
})

const variables = (origin: string) => ({
  MCP_SITE_ID: 'acme',
  MCP_TOOLS: 'all',
  MCP_PORT: '0',
  MCP_BEARER_TOKEN: bearer,
  ORCHESTRATOR_URL: `${origin}/`,
  ORCHESTRATOR_ACCESS_TOKEN: access,
  PUBLISH_TOKEN: publish,
})

/** A client of a standalone server. */
async function overHttp(t: Test, given: Readonly<Record<string, string>>): Promise<Client> {
  const log = createLogger({ level: 'silent' })
  const env = readVariables(given)
  const { port, stop } = await serveHttp(
    await createRemoteHost(env, log),
    toToolSettings(env, { hasPublishToken: env.PUBLISH_TOKEN !== undefined }),
    env,
    log,
  )
  t.teardown(stop)
  return connect(t, `http://127.0.0.1:${port}/mcp`)
}

t.test('each tool that is listed has a row', async (t) => {
  t.strictSame([...new Set(rows.map(([name]) => name))].toSorted(), tools.map(({ name }) => name).toSorted())
})

for (const way of ['stdio', 'http'] as const) {
  t.test(`each tool sends the requests of its row, over ${way}`, async (t) => {
    const stub = await startStub(t, answers())
    const client =
      way === 'http'
        ? await overHttp(t, variables(stub.origin))
        : (await spawnHost(t, variables(stub.origin))).client
    const listed = (await client.listTools()).tools
    t.strictSame(
      listed.map(({ name }) => name).toSorted(),
      tools.map(({ name }) => `orchestrator-${name}`).toSorted(),
    )
    for (const [name, args, ...requests] of rows) {
      const from = stub.seen.length
      const { isError, text, content, structuredContent } = await call(client, name, args)
      t.notOk(isError, `${name}: ${text}`)
      t.strictSame(
        structuredContent,
        JSON.parse(text),
        `${name} answers what its schema declares, which the client checks`,
      )
      t.ok(
        content.some(({ text = '' }) => text.startsWith('This is content')),
        `${name} marks its answer as content`,
      )
      const seen = stub.seen.slice(from).filter(({ url }) => url !== `/history/log?${query}&limit=1`)
      t.strictSame(
        seen.map(({ method, url, body }) =>
          body === undefined ? [`${method} ${url}`] : [`${method} ${url}`, body],
        ),
        requests.map(([target, body]) => (body === undefined ? [target] : [target, body])),
        name,
      )
      for (const { url, headers } of seen) {
        t.match(
          headers,
          {
            authorization: `Bearer ${access}`,
            'x-publish-token': url === '/publish' ? publish : undefined,
            'if-match': typeof args['baseVersion'] === 'number' ? '"3"' : undefined,
          },
          name,
        )
        if (!url?.startsWith('/sites?session=dev') || url.includes('siteId'))
          t.equal(headers['x-orchestrator-client'], 'a-host', name)
      }
    }
  })
}

t.test('each write tool accepts an expected version', async (t) => {
  const stub = await startStub(t)
  const client = await overHttp(t, variables(stub.origin))
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
  t.match(await call(client, 'edit-content', { ops: [{ op: 'remove_page', pageSlug: '/a' }] }), {
    isError: true,
    text: 'baseVersion is required',
  })
})

const hints = {
  R: { readOnlyHint: true, destructiveHint: false },
  D: { readOnlyHint: false, destructiveHint: true },
  '': { readOnlyHint: false, destructiveHint: false },
} as const
/** The hints of the tools that existing hosts know, where they are not those of a plain change. */
const marked: Readonly<Record<string, readonly [keyof typeof hints, boolean]>> = {
  ...Object.fromEntries(
    [
      'list-block-types',
      'get-block-schema',
      'whoami',
      'list-sessions',
      'get-page',
      'list-pages',
      'list-sites',
      'get-site-config',
      'compute-publish-diff',
      'get-publish-status',
      'list-snapshots',
      'list-checks',
      'get-outline',
      'get-block',
      'list-history',
    ].map((name) => [name, ['R', false] as const]),
  ),
  ...Object.fromEntries(
    ['search-unsplash', 'transcribe-audio', 'interpret-image', 'screenshot-page'].map((name) => [
      name,
      ['R', true] as const,
    ]),
  ),
  ...Object.fromEntries(
    [
      'remove-page',
      'batch-apply',
      'remove-block',
      'remove-list-item',
      'restore-snapshot',
      'approve-pending-plan',
      'edit-content',
      'chat-plan',
    ].map((name) => [name, ['D', false] as const]),
  ),
  'generate-image': ['', true],
  'publish-content': ['D', true],
}

t.test('annotations say which tools read, remove, or reach beyond the service', async (t) => {
  const stub = await startStub(t)
  const client = await overHttp(t, variables(stub.origin))
  for (const { name, annotations, description = '', inputSchema, outputSchema } of (await client.listTools())
    .tools) {
    const [kind, openWorldHint] = marked[name.replace('orchestrator-', '')] ?? ['', false]
    t.match(annotations, { ...hints[kind], openWorldHint }, name)
    t.match(description, /^[A-Z].*\.$/, name)
    t.equal(inputSchema.type, 'object')
    t.match(
      outputSchema,
      {
        type: 'object',
        [['properties', 'anyOf', 'allOf'].find((key) => key in Object(outputSchema)) ?? 'properties']: Object,
      },
      name,
    )
  }
  const only = await overHttp(t, { ...variables(stub.origin), MCP_READ_ONLY: '1' })
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
  const client = await overHttp(t, variables(stub.origin))
  const shot = await call(client, 'screenshot-page', { slug: '/a' })
  t.match(shot.content[1], { type: 'image', data: 'AAAA', mimeType: 'image/jpeg' })
  t.strictSame(shot.json(), {
    url: 'https://acme.example/a',
    slug: '/a',
    mode: 'draft',
    mimeType: 'image/jpeg',
    width: 1,
    height: 1,
  })
  t.match(
    (await call(client, 'chat-plan', { message })).content.map(({ type }) => type),
    ['text', 'image', 'text'],
  )
})

t.test('a screenshot after chat shows the changed page, and its failure is a note', async (t) => {
  const stub = await startStub(t, answers())
  const client = await overHttp(t, variables(stub.origin))
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
    t.notOk((await call(client, 'approve-pending-plan', { pendingPlanId: plan })).isError)
    t.equal(shots(), before)
  }
  stub.answers['/chat'] = answers()['/chat']
  stub.answers['/preview/screenshot'] = {
    status: 503,
    body: { code: 'browser_missing', reason: 'There is none.' },
  }
  const noted = await call(client, 'chat-plan', { message })
  t.notOk(noted.isError)
  t.match(noted.content.map(({ text }) => text).join(), /There is no screenshot/)
})

t.test('block types are those of the registered website, or those of the service', async (t) => {
  const manifest = {
    version: 1,
    blocks: [
      {
        type: 'Boat',
        displayName: 'A boat',
        propsSchema: { type: 'object', properties: { sail: { type: 'string' } } },
      },
    ],
  }
  const site = await startStub(t, { '/api/editor/blocks': { body: manifest } })
  const stub = await startStub(t, {
    '/sites': { body: { sites: [{ id: 'acme', previewUrl: `${site.origin}/home` }] } },
  })
  const client = await overHttp(t, variables(stub.origin))
  t.match((await call(client, 'list-block-types')).json(), {
    blockTypes: [{ type: 'Boat', displayName: 'A boat' }],
  })
  t.match((await call(client, 'get-block-schema', { type: 'Boat' })).json(), {
    type: 'Boat',
    propsSchema: { properties: { sail: { type: 'string' } } },
  })
  t.notOk(
    site.seen.some(({ headers }) => JSON.stringify(headers).includes('canary')),
    'no secret is sent to the site',
  )
  t.match(await call(client, 'get-block-schema', { type: 'Hero' }), {
    isError: true,
    text: 'There is no such block type. Available types: Boat.',
  })
  site.answers['/api/editor/blocks'] = { body: { version: 'one', blocks: [] } }
  t.match(await call(client, 'list-block-types'), {
    isError: true,
    text: /^The website declares invalid block types: version /,
  })
  const Types = v.object({
    blockTypes: v.array(v.looseObject({ type: v.string(), chrome: v.optional(v.boolean()) })),
  })
  for (const answer of [{ body: 'no JSON' }, { status: 500 }, { body: '<p>' }]) {
    site.answers['/api/editor/blocks'] = { ...answer, headers: { 'content-type': 'text/html' } }
    const { blockTypes } = v.parse(Types, (await call(client, 'list-block-types')).json())
    t.ok(blockTypes.some(({ type }) => type === 'Hero'))
    t.ok(blockTypes.some(({ chrome }) => chrome))
  }
  stub.answers['/sites'] = { body: { sites: [{ id: 'other', previewUrl: site.origin }] } }
  t.match((await call(client, 'get-block-schema', { type: 'Hero' })).json(), { type: 'Hero', starter: {} })
  for (const answer of [{ body: 'no JSON' }, { status: 401, body: { sites: [] } }]) {
    stub.answers['/sites'] = answer
    t.match(await call(client, 'list-block-types'), {
      isError: true,
      text: /^http:\S+ answered \d+ instead of a list of sites$/,
    })
  }
})
