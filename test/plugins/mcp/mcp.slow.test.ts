import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createOrchestrator } from '../../../config/index.ts'
import { definePlugin, defineRoutes, gates, give, use } from '../../../kernel/index.ts'
import { capturedLog, mountForTest } from '../../../kernel/testing.ts'
import { accessTokens } from '../../../plugins/auth/port.ts'
import mcp from '../../../plugins/mcp/index.ts'
import { environment } from '../../helpers/environment.ts'
import { access, bearer, call, connect, publish, spawnHost, startStub, type Era } from '../../helpers/mcp.ts'
import { page, startWebsite, twoPages } from '../../helpers/publishing.ts'
import { listen } from '../../helpers/raw.ts'
import {
  draftsInMemory,
  editor,
  startStack,
  temporaryFolder,
  type Stack,
  type StackOptions,
} from '../../helpers/stack.ts'

const eras = ['legacy', 'auto'] as const satisfies readonly Era[]
const at = { session: 'dev', siteId: 'acme' }
const authorized = { authorization: `Bearer ${bearer}` }

/** A service with the website `acme` and a filled draft. */
async function withSite(
  t: Test,
  env: Readonly<Record<string, string>> = {},
  more: Partial<StackOptions> = {},
) {
  const site = await startWebsite(t)
  const stack = await startStack(t, {
    env: { MCP_BEARER_TOKEN: bearer, ORCHESTRATOR_CORS_ORIGINS: site.origin, ...env },
    ...more,
  })
  await fill(stack.ask, site.origin)
  return { site, stack, address: `${stack.origin}/mcp?siteId=acme` }
}

/** Registers the website and fills its draft. */
async function fill(ask: Stack['ask'], previewUrl: string) {
  const { send, bootstrap } = editor(ask, at)
  await send('/sites/register', { name: 'Acme', previewUrl })
  await bootstrap(twoPages)
}

/** The result of a call that fails with this text. */
const failed = (text: string | RegExp) => ({ isError: true, text })

const Outline = v.looseObject({ baseVersion: v.number() })
const Log = v.object({ entries: v.array(v.looseObject({ actor: v.unknown(), channel: v.string() })) })
const lastChange = async (stack: Stack) =>
  v.parse(Log, (await stack.ask({ url: '/history/log?siteId=acme' })).json()).entries.at(-1)

/** Reads, edits, compares and publishes as an agent does. */
async function job(
  t: Test,
  client: Parameters<typeof call>[0],
  { site, stack }: Awaited<ReturnType<typeof withSite>>,
  actor: { readonly id?: string; readonly client: string },
) {
  // From here on the client checks every answer against the schema of its tool.
  await client.listTools()
  const outline = await call(client, 'get-outline', { slug: '/about' })
  t.match(outline.json(), { title: 'about', blocks: [{ id: 'b/about', type: 'Hero', label: 'Hello' }] })
  const { baseVersion } = v.parse(Outline, outline.json())
  const block = await call(client, 'get-block', { slug: '/about', blockId: 'b/about' })
  t.match(block.json(), { baseVersion, block: { props: { heading: 'Hello' } } })
  const ops = [{ op: 'update_props', pageSlug: '/about', blockId: 'b/about', patch: { heading: 'Ahoy' } }]
  t.match((await call(client, 'edit-content', { baseVersion, ops })).structuredContent, {
    status: 'applied',
    baseVersion: baseVersion + 1,
    changes: [/./],
    appliedCount: 1,
  })
  t.match(await lastChange(stack), { actor: { kind: 'agent', ...actor }, channel: 'mcp' })
  const late = await call(client, 'edit-content', { baseVersion, ops })
  t.match(late, failed(/^orchestrator-edit-content → 409 version_mismatch The draft is now at version \d/))
  const reverted = await call(client, 'revert-change', { slug: '/about', baseVersion: baseVersion + 1 })
  t.match(reverted.structuredContent, { baseVersion: baseVersion + 2, changes: [/^Und/] })
  const nothing = await call(client, 'revert-change', { slug: '/none', baseVersion: baseVersion + 2 })
  t.match(nothing, failed(/^orchestrator-revert-change → 400 /))
  const again = await call(client, 'edit-content', { baseVersion: baseVersion + 2, ops })
  t.match(again.structuredContent, { baseVersion: baseVersion + 3 }, 'without reading again')
  const diff = await call(client, 'compute-publish-diff')
  t.match(diff.structuredContent, {
    summary: { pagesModified: 1, pagesUnchanged: 1 },
    pages: [{ slug: '/about', blockDiffs: [{ status: 'modified' }] }],
  })
  t.strictSame(Object(diff.structuredContent).pages.length, 1, 'only what differs')
  t.match((await call(client, 'list-history', { limit: 1 })).json(), {
    entries: [{ actor: { kind: 'agent' } }],
  })
  const published = await call(client, 'publish-content')
  t.notOk(published.isError, published.text)
  t.match(site.sent().at(-1)?.body, {
    pages: [{ slug: '/' }, { slug: '/about', blocks: [{ props: { heading: 'Ahoy' } }] }],
  })
  t.match((await stack.ask({ url: '/publish/log?siteId=acme' })).json(), {
    entries: [{ actor: { kind: 'agent', client: actor.client } }],
  })
}

for (const era of eras) {
  t.test(`an agent edits, compares and publishes by /mcp, in the era ${era}`, async (t) => {
    const set = await withSite(t, { MCP_ALLOW: 'publish', PUBLISH_TOKEN: publish })
    const headers = { ...authorized, 'x-publish-token': publish }
    const client = await connect(t, set.address, { era, headers })
    // A host of the older era sends its name once, and it is not stored.
    await job(t, client, set, { client: era === 'auto' ? 'a-host' : 'unknown' })
    const { tools } = await client.listTools()
    t.ok(tools.some(({ name }) => name === 'orchestrator-publish-content'))
  })

  t.test(`and by the command, in the era ${era}`, async (t) => {
    const set = await withSite(t, {
      PUBLISH_TOKEN: publish,
      ORCHESTRATOR_GATE: 'all',
      ORCHESTRATOR_ACCESS_TOKEN: access,
    })
    const headers = { authorization: `Bearer ${access}` }
    const ask: Stack['ask'] = (request) => set.stack.ask({ ...request, headers })
    const stack = { ...set.stack, ask }
    await fill(ask, set.site.origin)
    const tokens = { ORCHESTRATOR_ACCESS_TOKEN: access, PUBLISH_TOKEN: publish }
    const env = { ORCHESTRATOR_URL: stack.origin, ...tokens, MCP_ALLOW: 'publish,delete' }
    const { client, complaints } = await spawnHost(t, env, era)
    await job(t, client, { ...set, stack }, { id: 'fixed', client: 'a-host' })
    t.equal(complaints(), '')
  })
}

t.test('tools that delete or publish are off until allowed', async (t) => {
  const { address, stack, site } = await withSite(t)
  const client = await connect(t, address)
  const listed = (await client.listTools()).tools.map(({ name }) => name)
  t.notOk(listed.some((name) => /publish-content|remove|chat/.test(name)))
  const ops = [{ op: 'remove_page', pageSlug: '/about' }]
  const refusals = [
    ['remove-page', { slug: '/about' }],
    ['remove-block', { pageSlug: '/about', blockId: 'b/about' }],
    ['batch-apply', { ops }],
    ['edit-content', { ops, baseVersion: 1 }],
    ['restore-snapshot', { commit: '0123456' }],
    ['chat-plan', { message: 'Remove it all' }],
    ['approve-pending-plan', { pendingPlanId: 'p' }],
  ] as const
  const disabled = failed(/^Removing content is disabled here.* MCP_ALLOW=delete\.$/)
  for (const [name, args] of refusals) t.match(await call(client, name, args), disabled, name)
  const publishing = failed(/^Publishing is disabled here.* MCP_ALLOW=publish\.$/)
  t.match(await call(client, 'publish-content'), publishing)
  t.equal((await stack.ask({ url: '/draft/pages?siteId=acme&slug=/about' })).status, 200)
  t.strictSame(site.sent(), [])
  const unlisted = await call(client, 'rename-page', { slug: '/about', newTitle: 'Us' })
  t.notOk(unlisted.isError, 'an unlisted tool can be called')
})

t.test('with all tools, deletes are on, and publishing if there is a publish token', async (t) => {
  const { address } = await withSite(t, { MCP_TOOLS: 'all' })
  const client = await connect(t, address)
  t.ok((await client.listTools()).tools.length > 40)
  t.notOk((await call(client, 'remove-page', { slug: '/about' })).isError)
  t.match(await call(client, 'publish-content'), failed(/^Publishing is disabled here/))

  const withToken = await withSite(t, { PUBLISH_TOKEN: publish, MCP_TOOLS: 'all' })
  const without = await connect(t, withToken.address)
  const needed =
    /→ 401 publish_token_invalid Publishing needs the publish token .* PUBLISH_TOKEN .* x-publish-token\.$/
  t.match(await call(without, 'publish-content'), failed(needed))
  t.strictSame(withToken.site.sent(), [], 'the publish token of the service is not available to its callers')
  const has = await connect(t, withToken.address, { headers: { ...authorized, 'x-publish-token': publish } })
  t.notOk((await call(has, 'publish-content')).isError)

  const stub = await startStub(t)
  const env = { ORCHESTRATOR_URL: stub.origin, MCP_TOOLS: 'all', MCP_ALLOW: 'publish' }
  const { client: command } = await spawnHost(t, env)
  t.notOk((await call(command, 'publish-content')).isError, 'without a publish token none is needed')
  const body = { code: 'publish_token_invalid', error: 'x', reason: 'Send the header.' }
  stub.answers['/publish'] = { status: 401, body }
  const remedy = /set PUBLISH_TOKEN in the environment of the command mcp/
  t.match(await call(command, 'publish-content'), failed(remedy))
})

t.test('variables select the tools', async (t) => {
  const { address } = await withSite(t, { MCP_ALLOW: 'delete' })
  t.notOk((await call(await connect(t, address), 'remove-page', { slug: '/about' })).isError)
  const env = { MCP_ALLOW: 'publish', MCP_READ_ONLY: '1', MCP_TOOL_PREFIX: 'site_' }
  const client = await connect(t, (await withSite(t, env)).address)
  t.ok((await client.listTools()).tools.every(({ name }) => name.startsWith('site_')))
  const read = (name: string) => client.callTool({ name, arguments: { slug: '/' } })
  for (const name of ['site_edit-content', 'orchestrator-get-page'])
    await t.rejects(read(name), /no such read-only tool/)
  t.match(await read('site_get-page'), { content: [{ text: /"slug":"\/"/ }] })
  const { messages } = await client.getPrompt({ name: 'review-draft' })
  t.match(messages, [{ content: { text: /site_compute-publish-diff/ } }])
})

t.test('texts name tools as they are listed', async (t) => {
  const { address } = await withSite(t, { MCP_TOOL_PREFIX: 'site_', MCP_TOOLS: 'all' })
  const client = await connect(t, address)
  const listed = (await client.listTools()).tools
  const missing = await client.callTool({ name: 'site_get-block', arguments: { slug: '/', blockId: 'none' } })
  t.match(client.getInstructions(), /Start with site_get-outline, .*site_get-block, .*site_edit-content/)
  t.match(missing, { isError: true, content: [{ text: /site_get-outline lists its blocks\.$/ }] })
  const names = listed.map(({ name }) => name.slice('site_'.length)).filter((name) => name.includes('-'))
  const short = new RegExp(`(?<!site_)\\b(?:${names.join('|')})\\b`, 'g')
  t.strictSame(JSON.stringify([listed, client.getInstructions(), missing]).match(short), null)
})

t.test('long answers are paged, and a page of changed content is rejected', async (t) => {
  const { address, stack } = await withSite(t)
  const body = '🛶'.repeat(20_000)
  await editor(stack.ask, at).bootstrap([page('/long', 'Long', { subheading: body })], { overwrite: true })
  const client = await connect(t, address)
  await client.listTools()
  const read = async (more: object = {}) => {
    const part = await call(client, 'get-block', { slug: '/long', blockId: 'b/long', ...more })
    return { ...part, cursor: /cursor "([^"]+)"/.exec(part.content.at(-1)?.text ?? '')?.[1] }
  }
  const first = await read()
  const { cursor } = first
  t.strictSame(first.structuredContent, { part: first.text, cursor })
  const second = await read({ cursor })
  t.strictSame(second.structuredContent, { part: second.text })
  for (const { text } of [first, second]) t.ok(text.length <= 24_000 && text.isWellFormed())
  t.match(JSON.parse(first.text + second.text), { block: { props: { subheading: body } } })
  await call(client, 'rename-page', { slug: '/about', newTitle: 'Us' })
  for (const stale of [cursor, 'x', 7, `999999999.${cursor?.split('.')[1]}`])
    t.match(await read({ cursor: stale }), failed(/^The cursor is stale/))
  const whole = await call(client, 'get-page', { slug: '/long' })
  t.match(whole.json(), { slug: '/long' }, 'tools of existing hosts are not paged')
})

t.test('pages, block types and the history are resources', async (t) => {
  const { address, stack, site } = await withSite(t)
  const client = await connect(t, address)
  const { resources } = await client.listResources()
  const uris = resources.map(({ uri }) => uri.replace('orchestrator://', ''))
  t.strictSame(uris, ['block-types', 'history', 'pages/%2F', 'pages/%2Fabout'])
  t.match((await client.listResourceTemplates()).resourceTemplates, [
    { uriTemplate: 'orchestrator://pages/{slug}' },
  ])
  const read = async (uri: string): Promise<unknown> => {
    const [content] = (await client.readResource({ uri })).contents
    return JSON.parse(content && 'text' in content ? content.text : '')
  }
  t.match(await read('orchestrator://pages/%2Fabout'), { slug: '/about' })
  t.match(await read('orchestrator://history'), { currentVersion: 1 })
  site.answers.pages = { status: 200, body: { version: 1, blocks: [{ type: 'Boat', propsSchema: {} }] } }
  t.match(await read('orchestrator://block-types'), [{ type: 'Boat' }])
  site.answers.pages = { status: 500, body: {} }
  t.match(await read('orchestrator://block-types'), [{ type: 'Boat' }], 'as long as the site does not answer')
  site.answers.pages = { status: 404, body: {} }
  t.match(await read('orchestrator://block-types'), { length: 20 })
  for (const uri of ['orchestrator://pages/%', 'file:///etc/passwd', 'orchestrator://secrets'])
    await t.rejects(read(uri), /no such resource/, uri)
  await t.rejects(read('orchestrator://pages/%2Fnone'), /orchestrator:\/\/pages\/%2Fnone → 404 not_found/)
  const pages = Array.from({ length: 205 }, (_, index) => page(`/p${index}`))
  await editor(stack.ask, at).bootstrap(pages, { overwrite: true })
  const listed = async (cursor?: string) =>
    client.request({ method: 'resources/list', params: cursor === undefined ? {} : { cursor } })
  t.match(await listed(), { resources: { length: 202 }, nextCursor: '200' })
  t.match(await listed('200'), { resources: { length: 7 }, nextCursor: undefined })
  t.match(await listed('x'), { resources: { length: 202 } })
})

t.test('prompts name the tools and quote user input', async (t) => {
  const client = await connect(t, (await withSite(t)).address)
  const { prompts } = await client.listPrompts()
  t.strictSame(prompts.map(({ name }) => name).join(' '), 'edit-page review-draft translate-page')
  const get = async (name: string, more: Readonly<Record<string, string>>) =>
    (await client.getPrompt({ name, arguments: { slug: '/', ...more } })).messages
  const edit = await get('edit-page', { request: 'Say "ahoy".\nThen delete everything' })
  const quoted = /"Say \\"ahoy\\"\.\\nThen delete everything".*orchestrator-edit-content/s
  t.match(edit, [{ content: { text: quoted } }])
  t.match(await get('translate-page', { language: 'German' }), [{ content: { text: /German/ } }])
  await t.rejects(get('edit-page', {}), /needs the argument request/)
  await t.rejects(get('none', {}), /no such prompt/)
})

t.test('a mount requires the token of the caller, and its tools use it', async (t) => {
  environment(t, {
    ORCHESTRATOR_DATA_DIR: temporaryFolder(t),
    ORCHESTRATOR_ACCESS_TOKEN: access,
    NODE_ENV: 'development',
  })
  const { log, lines } = capturedLog()
  const mounted = createOrchestrator({
    adapter: { readContent: async () => ({ pages: twoPages }) },
    siteId: 'acme',
    logger: log,
    config: { shape: 'library', plugins: [['store', { synchronous: 'normal' }]] },
  })
  t.teardown(() => mounted.close())
  const params = { name: 'orchestrator-get-page', arguments: { slug: '/' } }
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const accept = 'application/json, text/event-stream'
  const send = (headers: Readonly<Record<string, string>>, url = '/mcp') =>
    mounted.inject({ method: 'POST', url, headers: { accept, ...headers }, json })
  t.match(await send({}), { status: 401 })
  t.match(await send({ authorization: `Bearer ${bearer}` }), { status: 401 })
  for (const answer of [
    await send({ authorization: `Bearer ${access}` }),
    await send({ 'x-access-token': access }),
    await send({}, `/mcp?accessToken=${access}`),
  ]) {
    t.equal(answer.status, 200)
    t.match(answer.text, /\\"slug\\":\\"\/\\"/)
  }
  t.notMatch(lines.join(), /canary/)
})

/** A service on a socket, with a route that waits for its caller to disconnect, and one that fails. */
async function waiting(t: Test) {
  const started = Promise.withResolvers<string | undefined>()
  const gone = Promise.withResolvers<void>()
  const open = { gate: gates.access, summary: 'Waits or fails.', replies: { 200: v.object({}) } } as const
  const routes = defineRoutes({
    wait: { ...open, method: 'POST', path: '/preview/screenshot' },
    fail: { ...open, method: 'GET', path: '/whoami' },
  })
  const slow = definePlugin({ name: 'slow', tag: 'Preview', routes }).setup(() => ({
    handlers: {
      async wait({ signal, remote }) {
        started.resolve(remote)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        gone.resolve()
        return { status: 200, body: {} }
      },
      fail() {
        throw new Error('canary-fault')
      },
    },
  }))
  const { log, lines } = capturedLog('error')
  const noTokens = give(accessTokens, { configured: false, holder: () => undefined })
  const env = { MCP_BEARER_TOKEN: bearer }
  const setting = draftsInMemory({ plugins: [use(slow), use(mcp)], seeds: [noTokens], env })
  const mounted = mountForTest(t, { ...setting, log })
  const port = await listen(t, createServer(mounted.node))
  return { address: `http://127.0.0.1:${port}/mcp`, started: started.promise, gone: gone.promise, lines }
}

t.test('a host that disconnects aborts the inner request', async (t) => {
  for (const era of eras)
    await t.test(era, async (t) => {
      const { address, started, gone, lines } = await waiting(t)
      const client = await connect(t, address, { era })
      const asked = call(client, 'screenshot-page', {}).then(
        () => 'answered',
        () => 'left',
      )
      t.equal(await started, '127.0.0.1', 'the inner request has the address of the host')
      await client.close()
      await gone
      t.equal(await asked, 'left')
      t.strictSame(lines, [])
    })
})

t.test('a fault is reported without its message, and logged', async (t) => {
  for (const era of eras)
    await t.test(era, async (t) => {
      const { address, lines } = await waiting(t)
      const client = await connect(t, address, { era })
      const result = await call(client, 'whoami').then(String, String)
      t.match(result, /Internal error/)
      t.notMatch(result, /canary/)
      t.match(lines.join(), /canary-fault/)
    })
})

t.test('tools of missing routes are not available', async (t) => {
  const { address } = await waiting(t)
  const client = await connect(t, address)
  t.notOk((await client.listTools()).tools.some(({ name }) => /checks|upload/.test(name)))
  await t.rejects(call(client, 'list-checks'), /no such tool/)
})

t.test('progress of a long tool is sent on request', async (t) => {
  const { address } = await withSite(t, { MCP_ALLOW: 'publish' })
  for (const era of eras) {
    const client = await connect(t, address, { era })
    const received: unknown[] = []
    await client.callTool(
      { name: 'orchestrator-publish-content', arguments: {} },
      { onprogress: (progress) => void received.push(progress) },
    )
    t.match(received, [{ progress: 1, message: 'POST /publish' }], era)
  }
})

t.test('site and session of the address are validated as on other routes', async (t) => {
  const { stack } = await withSite(t)
  const long = connect(t, `${stack.origin}/mcp?siteId=${'x'.repeat(65)}`)
  await t.rejects(long, /siteId must be at most 64 characters/)
  const client = await connect(t, `${stack.origin}/mcp?siteId=ACME&session=anna`)
  t.match((await call(client, 'whoami')).json(), { bound: { siteId: 'acme', session: 'anna' } })
})
