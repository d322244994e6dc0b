import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { bearer, call, cli, commandEnvironment, connect, spawnHost, startStub } from '../helpers/mcp.ts'
import { until } from '../helpers/until.ts'
import { folderWith, orchestrator } from './helpers.ts'

const clientInfo = { name: 'a-host', version: '1' }
const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params }

/** Runs the command in this process, with an input that the test writes. */
function runWithInput(t: Test, origin: string) {
  const input = new PassThrough()
  const env = { MCP_SITE_ID: 'acme', ORCHESTRATOR_URL: origin, ORCHESTRATOR_LOG_LEVEL: 'debug' }
  return { input, running: orchestrator(folderWith(t), ['mcp'], { env, stdin: input }) }
}

t.test('missing and invalid environment variables are named, all at once and without values', async (t) => {
  const run = (env: Readonly<Record<string, string>>, ...flags: readonly string[]) =>
    orchestrator(folderWith(t), ['mcp', ...flags], { env })
  const unset = /^MCP_SITE_ID is not set: set it to the id of the site that the tools work on\.\n$/
  t.match(await run({}), { code: 1, out: '', err: unset })
  const names = 'MCP_PORT MCP_BEARER_TOKEN MCP_ALLOW MCP_TOOLS MCP_READ_ONLY MCP_TOOL_PREFIX'.split(' ')
  const { code, err } = await run(Object.fromEntries(names.map((name) => [name, 'canary !'])))
  t.equal(code, 1)
  for (const name of ['MCP_SITE_ID', ...names])
    t.match(err, new RegExp(`^${name}(?: is not set)?: \\w`, 'm'), name)
  t.notMatch(err, /canary/)
  const acme = { MCP_SITE_ID: 'acme' }
  const address = /^ORCHESTRATOR_URL: expected an address(?!.*canary)/
  const wrong = 'nonsense file:///etc http://canary:canary@127.0.0.1:1 http://127.0.0.1:1/?a=b'
  for (const ORCHESTRATOR_URL of wrong.split(' '))
    t.match(await run({ ...acme, ORCHESTRATOR_URL }), { code: 1, err: address })
  const token = /^MCP_BEARER_TOKEN is not set: .*32 random characters\.\n$/
  t.match(await run(acme, '--http'), { code: 1, err: token })
})

t.test('standard output carries only the protocol, and the end of input stops the command', async (t) => {
  const stub = await startStub(t)
  const { input, running } = runWithInput(t, stub.origin)
  const params = { name: 'orchestrator-list-pages', arguments: {} }
  input.write('garbage\n{"jsonrpc":"2.0"}\n[]\n\n')
  for (const message of [
    initialize,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params },
  ])
    input.write(`${JSON.stringify(message)}\n`)
  await until(() => stub.seen.length === 1)
  const client = stub.seen[0]?.headers['x-orchestrator-client']
  t.equal(client, 'a-host', 'an older host is recognized by its first message')
  await new Promise((resolve) => setTimeout(resolve, 20))
  input.end()
  const { code, out, err } = await running
  t.equal(code, 0)
  for (const line of out.trim().split('\n')) t.match(JSON.parse(line), { jsonrpc: '2.0' })
  t.match(out, /"id":2/)
  t.match(err, /message not understood/)
})

t.test('the end of input stops the command also while it starts', async (t) => {
  const never = 'data:text/javascript,await new Promise(() => setInterval(() => {}, 1000))'
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({ resolve: (name, context, next) =>
      next(name === '@modelcontextprotocol/server' ? ${JSON.stringify(never)} : name, context) })`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, cli, 'mcp']
  const child = spawn(process.execPath, args, {
    cwd: folderWith(t),
    env: commandEnvironment({}),
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  child.stdin.end()
  t.same(await once(child, 'exit'), [0, null])
})

t.test('the end of input stops the command, whatever is under way', async (t) => {
  const stub = await startStub(t, { '/chat': { hangs: true } })
  const toolCall = (id: number, name: string) => {
    const params = { name: `orchestrator-${name}`, arguments: { message: 'Hello' } }
    return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`
  }
  const first = `${JSON.stringify(initialize)}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`
  const hanging = first + toolCall(2, 'preview-plan')
  const tools = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
  for (const [name, input, requests] of [
    ['a request that is not answered', hanging, 1],
    ['half a message', `${hanging}{"jsonrpc":`, 1],
    ['a start, with its first messages', hanging, 0],
    ['an answer that is not read', first + tools.repeat(200), 0],
  ] as const)
    await t.test(name, async (t) => {
      const before = stub.seen.length
      const child = spawn(process.execPath, [cli, 'mcp'], {
        cwd: folderWith(t),
        env: commandEnvironment({ ORCHESTRATOR_URL: stub.origin, MCP_TOOLS: 'all' }),
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      t.teardown(() => child.kill('SIGKILL'))
      const exit = once(child, 'exit')
      child.stdin.write(input)
      await until(() => stub.seen.length >= before + requests)
      child.stdin.end()
      t.same(await exit, [0, null])
    })
})

t.test('large messages are read quickly, and one over the limit stops the command', async (t) => {
  const stub = await startStub(t)
  const { client } = await spawnHost(t, { ORCHESTRATOR_URL: stub.origin })
  const base64Data = Buffer.alloc(25 * 1024 * 1024, 'a').toString('base64')
  t.notOk((await call(client, 'transcribe-audio', { base64Data, mimeType: 'audio/mpeg' })).isError)

  const { input, running } = runWithInput(t, stub.origin)
  const piece = Buffer.alloc(1024 * 1024, 'a')
  const closed = once(input, 'close')
  for (let sent = 0; sent <= 40 && !input.destroyed; sent++)
    if (!input.write(piece)) await Promise.race([once(input, 'drain'), closed])
  t.match(await running, { code: 0, out: '', err: /A message exceeds 41943040 bytes\./ })
})

t.test('a disconnect of the host aborts the request to the orchestrator', async (t) => {
  const stub = await startStub(t, { '/chat': { hangs: true } })
  const { client } = await spawnHost(t, { ORCHESTRATOR_URL: stub.origin })
  const asked = call(client, 'preview-plan', { message: 'Hello' }).then(
    () => 'answered',
    () => 'left',
  )
  await until(() => stub.seen.length === 1)
  await client.close()
  await until(() => stub.closed.length === 1)
  t.equal(await asked, 'left')
})

/** Starts the command on a free port. */
async function spawnHttp(t: Test, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [cli, 'mcp', '--http'], {
    cwd: folderWith(t),
    env: commandEnvironment({ MCP_PORT: '0', MCP_BEARER_TOKEN: bearer, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const out = text(child.stdout)
  const [line] = await once(child.stderr, 'data')
  const address = /http:\/\/\S+\/mcp/.exec(String(line))?.[0] ?? ''
  return { child, address, out }
}

t.test('with --http the command listens until a signal, and lets running calls finish', async (t) => {
  const stub = await startStub(t)
  const { child, address, out } = await spawnHttp(t, { ORCHESTRATOR_URL: stub.origin })
  const client = await connect(t, address)
  t.notOk((await call(client, 'list-pages')).isError)
  t.match(await (await fetch(address.replace('/mcp', '/healthz'))).json(), { ok: true })
  child.kill('SIGTERM')
  t.same(await once(child, 'exit'), [0, null])
  t.equal(await out, '')
})
