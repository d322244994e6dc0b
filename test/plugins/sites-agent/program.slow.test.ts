import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { assemble } from '../../../config/assemble.ts'
import { serve } from '../../../config/cli/serve/start.ts'
import { give, systemClock } from '../../../kernel/index.ts'
import { scopedTokens } from '../../../plugins/auth/port.ts'
import { createScopedTokens } from '../../../plugins/auth/testing.ts'
import { ownCommand } from '../../../plugins/agents/onboarding/port.ts'
import { store } from '../../../plugins/store/port.ts'
import { cli } from '../../helpers/mcp.ts'
import { endOf, secret, sitesAgent, writeProgram, writeSite } from '../../helpers/sites-agent.ts'
import { until } from '../../helpers/until.ts'
import { capturedLog } from '../../../kernel/testing.ts'
import { askOver, temporaryFolder } from '../../helpers/stack.ts'

/** Starts the tools that its configuration names, as an agent program does, and calls one; or waits, or fails. */
const program = `#!/usr/bin/env node
const { existsSync, readFileSync, writeFileSync, renameSync } = require('node:fs')
const { spawn } = require('node:child_process')
const args = process.argv.slice(2)
const file = args[args.indexOf('--mcp-config') + 1]
const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'))
const token = mcpServers.orchestrator.env.ORCHESTRATOR_ACCESS_TOKEN
const seen = process.env.PATH.split(':')[0] + '/seen.json'
const record = (more) => {
  writeFileSync(seen + '.new', JSON.stringify({ file, args, variables: process.env, mcpServers, ...more }))
  renameSync(seen + '.new', seen)
}
const emit = (value) => console.log(JSON.stringify(value))
const message = args.at(-1)
record({})
if (message.includes('wait')) setInterval(() => {}, 1000)
else if (message.includes('fail')) { console.error('first\\nfailed with ' + token + ' sk-ant-abcdefghijklmnop'); process.exit(3) }
else {
  console.log('no json')
  emit({ type: 'system' })
  emit({ type: 'assistant', message: { content: [{ type: 'text', text: 'Working' }, { type: 'tool_use', name: 'Edit' }] } })
  if (existsSync('plain')) writeFileSync('plain/page.html', 'written by the program')
  const { command, args: words, env } = mcpServers.orchestrator
  const server = spawn(command, words, { env: { PATH: process.env.PATH, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  const send = (value) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...value }) + '\\n')
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'program', version: '1' } } })
  require('node:readline').createInterface({ input: server.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line)
    if (id === 1) {
      send({ method: 'notifications/initialized' })
      send({ id: 2, method: 'tools/call', params: { name: 'orchestrator-list-pages', arguments: {} } })
    }
    if (id !== 2) return
    record({ result })
    emit({ type: 'assistant', message: { content: [{ type: 'text', text: 'I have ' + token }] } })
    emit({ type: 'result', result: 'Done with ' + token, num_turns: 2, usage: { input_tokens: 10, output_tokens: 5 } })
    server.stdin.end()
  })
}
`
const Server = v.object({
  command: v.string(),
  args: v.array(v.string()),
  env: v.record(v.string(), v.string()),
})
const Seen = v.looseObject({
  file: v.string(),
  args: v.array(v.string()),
  variables: v.record(v.string(), v.string()),
  mcpServers: v.object({ orchestrator: Server }),
  result: v.optional(v.unknown()),
})

async function start(t: Test, env: Readonly<Record<string, string>> = {}) {
  const programs = temporaryFolder(t)
  writeProgram(join(programs, 'agent'), program)
  const { log, lines } = capturedLog('debug')
  const setting = await sitesAgent(t, {
    env: { AGENT_CLI: '1', AGENT_CLI_COMMAND: 'agent', ...env },
    path: `${programs}:${dirname(process.execPath)}:/usr/bin:/bin`,
    seeds: [give(ownCommand, [process.execPath, cli])],
    log,
  })
  const read = () => v.parse(Seen, JSON.parse(readFileSync(join(programs, 'seen.json'), 'utf8')))
  const statusOf = async (token: string, path = '/status/planner', init: RequestInit = {}) =>
    (await fetch(setting.stack.origin + path, { ...init, headers: { authorization: `Bearer ${token}` } }))
      .status
  const hasStarted = () => existsSync(join(programs, 'seen.json'))
  return { ...setting, lines, read, statusOf, hasStarted }
}

function serverOf({ mcpServers: { orchestrator } }: v.InferOutput<typeof Seen>) {
  return { ...orchestrator, token: orchestrator.env['ORCHESTRATOR_ACCESS_TOKEN'] ?? '' }
}

t.test('an external program gets the tools of the service, with a token of its run', async (t) => {
  const { run, read, statusOf, stack, lines, workspace } = await start(t)
  const about = { session: 'onboarding', useCliAgent: true, mode: 'integrate' }
  const events = await run({ message: 'Look at the pages', ...about })
  t.match(endOf(events), { type: 'final', result: { status: 'applied', summary: 'Done with [redacted]' } })
  const seen = read()
  const { command, args, env, token } = serverOf(seen)
  t.strictSame([command, args], [process.execPath, [cli, 'mcp']])
  t.match(env, { ORCHESTRATOR_URL: stack.origin, MCP_SITE_ID: /^\w/, MCP_SESSION: 'onboarding' })
  t.match(token, /^cot_/)
  t.match(seen.result, { content: [{ type: 'text' }] })
  t.notMatch(seen.result, { isError: true }, 'the tool reaches the service with the token')
  t.ok(seen.args.includes('Read,Write,Edit,Glob,Grep,mcp__orchestrator'))
  const secret = token.slice(-43)
  const log = readFileSync(join(workspace, '.sites-agent/log.jsonl'), 'utf8')
  for (const each of [seen.args, seen.variables, events, lines, log])
    t.notOk(JSON.stringify(each).includes(secret))
  t.equal(await statusOf(token), 401)
  t.notOk(existsSync(dirname(seen.file)))
  const tokens = createScopedTokens({ store: await stack.get(store), clock: systemClock })
  t.strictSame(await tokens.list(), [], 'an ended token does not count towards the limit')
})

t.test('an external agent program works on a copy, without a shell and without keys', async (t) => {
  const setting = await start(t, { ANTHROPIC_API_KEY: '' })
  const site = writeSite(setting, { 'package.json': '{"name":"plain"}', 'page.html': 'a page' })
  t.match(await setting.status(), { available: true, backends: { api: false, cli: true } })
  const message = 'Rewrite $(touch /tmp/x); the page'
  const usage = { cliMode: true, totalCostUsd: 0, numTurns: 2, inputTokens: 10 }
  t.match(await setting.run({ message, useCliAgent: true, mode: 'integrate' }), [
    { type: 'summary_token', text: 'Working' },
    { type: 'tool_use', toolName: 'Edit' },
    { type: 'summary_token', text: 'I have [redacted]' },
    { type: 'approval_required' },
    { type: 'final', result: { status: 'applied', usage } },
  ])
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'written by the program')
  const { args, variables } = setting.read()
  t.strictSame(args.slice(-2), ['--', message])
  t.ok(args.includes('--strict-mcp-config'))
  t.notMatch(JSON.stringify(variables), new RegExp(`${secret}|ANTHROPIC`))
})

t.test('the token may read, edit and plan on one site during the run, and a cancel ends it', async (t) => {
  const { start: begin, follow, post, read, hasStarted, statusOf } = await start(t)
  const streamId = await begin({ message: 'wait', useCliAgent: true, mode: 'integrate' })
  const running = follow(streamId)
  await until(hasStarted)
  const seen = read()
  const { token, env } = serverOf(seen)
  t.equal(statSync(seen.file).mode & 0o777, 0o600)
  t.equal(statSync(dirname(seen.file)).mode & 0o777, 0o700)
  t.equal(await statusOf(token, `/draft/slugs?siteId=${env['MCP_SITE_ID']}`), 200)
  t.equal(await statusOf(token, '/draft/slugs?siteId=elsewhere'), 403)
  t.equal(await statusOf(token, `/sites-agent/status`), 403)
  await post('/sites-agent/cancel', { streamId })
  t.match(endOf(await running), { type: 'error' })
  t.equal(await statusOf(token), 401)
  t.notOk(existsSync(dirname(seen.file)))
})

t.test('a failed program ends the token and does not reveal it', async (t) => {
  const { run, read, statusOf } = await start(t)
  const events = await run({ message: 'fail', useCliAgent: true })
  const { token } = serverOf(read())
  t.match(endOf(events), {
    type: 'final',
    result: { status: 'error', summary: /exit code 3\): failed with \[redacted\]/ },
  })
  t.notMatch(JSON.stringify(events), /abcdefghijklmnop/)
  t.equal(await statusOf(token), 401)
})

t.test('a program has at most the scopes and lifetime of its caller', async (t) => {
  const { stack, follow, post, read, hasStarted, statusOf } = await start(t)
  const { create } = await stack.get(scopedTokens)
  const expires = new Date(Date.now() + 60_000).toISOString()
  const mine = await create({ name: 'mine', can: ['agent', 'read'], expires })
  const headers = { authorization: `Bearer ${mine.text}` }
  const json = { message: 'wait', useCliAgent: true, mode: 'integrate' }
  const answer = await stack.ask({ method: 'POST', url: '/sites-agent/start', headers, json })
  const { streamId } = v.parse(v.object({ streamId: v.string() }), answer.json())
  const running = follow(streamId)
  await until(hasStarted)
  const { token, env } = serverOf(read())
  t.equal(await statusOf(token, `/draft/slugs?siteId=${env['MCP_SITE_ID']}`), 200)
  t.equal(await statusOf(token, '/ops', { method: 'POST' }), 403)
  await post('/sites-agent/cancel', { streamId })
  await running
})

t.test('a standalone server passes on its command line', async (t) => {
  const [cwd, programs] = [temporaryFolder(t), temporaryFolder(t)]
  writeProgram(join(programs, 'agent'), program)
  const environment = () => ({
    PATH: `${programs}:${dirname(process.execPath)}:/usr/bin:/bin`,
    ORCHESTRATOR_DATA_DIR: cwd,
    AGENT_CLI: '1',
    AGENT_CLI_COMMAND: 'agent',
  })
  const io = {
    command: [process.execPath, cli],
    write() {},
    print() {},
    isTerminal: false,
    paint: (_: string, text: string) => text,
  } as const
  const assembled = await assemble({ ...io, cwd, environment }, { port: '0' })
  const { port, stop } = await serve({ ...assembled, io })
  t.teardown(stop)
  const at = `http://127.0.0.1:${port}/sites-agent`
  const json = { message: 'Look', useCliAgent: true }
  const started = await askOver(at, { method: 'POST', url: '/sites-agent/start', json })
  const { streamId } = v.parse(v.object({ streamId: v.string() }), started.json())
  t.match(await (await fetch(`${at}/stream?streamId=${streamId}`)).text(), /Done with \[redacted\]/)
  const seen = v.parse(Seen, JSON.parse(readFileSync(join(programs, 'seen.json'), 'utf8')))
  t.match(serverOf(seen), {
    command: process.execPath,
    args: [cli, 'mcp'],
    env: { ORCHESTRATOR_URL: new RegExp(`:${port}$`) },
  })
  t.notMatch(seen.result, { isError: true })
})
