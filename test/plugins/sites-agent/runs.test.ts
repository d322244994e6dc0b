import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import * as v from 'valibot'
import { createLogger, give } from '../../../kernel/index.ts'
import { runOf } from '../../../plugins/agent/run-streams.ts'
import { scopedTokens } from '../../../plugins/auth/port.ts'
import { ownCommand } from '../../../plugins/sites-agent/port.ts'
import { findMarked, markName, ownerOf } from '../../../plugins/sites-agent/shell/processes.ts'
import {
  agreeing,
  endOf,
  secret,
  sitesAgent,
  writeProgram,
  type Setting,
  type StreamEvent,
} from '../../helpers/sites-agent.ts'
import { calling, hanging, opening, saying } from '../../helpers/model-server.ts'

/** A plain site with a file. */
function writeSite(
  { workspace }: Pick<Setting, 'workspace'>,
  files: Readonly<Record<string, string>> = {},
): string {
  const site = join(workspace, 'plain')
  mkdirSync(site)
  for (const [name, text] of Object.entries({
    'package.json': '{"name":"plain","scripts":{"dev":"node server.js","build":"node build.js"}}',
    'page.html': 'a page',
    ...files,
  }))
    writeFileSync(join(site, name), text)
  return site
}

const request = { message: 'Integrate the repository plain', mode: 'integrate' }
const errors = (events: readonly StreamEvent[]) =>
  events.filter((event) => event.type === 'tool_error').map(({ toolName, error }) => `${toolName}: ${error}`)
const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await is())) await wait(5)
}

t.test('invalid requests are rejected, and nothing is created', async (t) => {
  const setting = await sitesAgent(t)
  const { post } = setting
  t.match(await post('/sites-agent/start', {}), { status: 400, body: { code: 'message_required' } })
  t.match(await post('/sites-agent/start', { message: ' ' }), {
    status: 400,
    body: { code: 'message_required' },
  })
  t.match(await post('/sites-agent/start', { message: 'x'.repeat(8001) }), {
    status: 400,
    body: { code: 'message_required' },
  })
  t.match(await post('/sites-agent/start', { message: 'x', mode: 'destroy' }), {
    status: 400,
    body: { code: 'invalid_mode' },
  })
  t.match(await post('/sites-agent/start', { message: 'x', useCliAgent: true }), {
    status: 403,
    body: { code: 'cli_disabled' },
  })
  for (const path of ['respond', 'cancel'])
    t.match(await post(`/sites-agent/${path}`, {}), { status: 400, body: { code: 'stream_required' } })
  t.match(await post('/sites-agent/cancel', { streamId: 'none' }), {
    status: 410,
    body: { code: 'stream_gone' },
  })
  t.match(await post('/sites-agent/respond', { streamId: 'none', answers: { a: 'b' } }), {
    status: 410,
    body: { code: 'stream_gone' },
  })
  t.match(await setting.status('none'), { code: 'stream_gone' })
  t.match(await (await fetch(`${setting.stack.origin}/sites-agent/stream`)).json(), {
    code: 'stream_required',
  })
  t.match(await (await fetch(`${setting.stack.origin}/sites-agent/stream?streamId=none`)).json(), {
    code: 'stream_gone',
  })
  t.strictSame(setting.model.seen, [])
})

t.test('without a key there is no run, and the status names the variable to set', async (t) => {
  const { post, status } = await sitesAgent(t, { env: { ANTHROPIC_API_KEY: '' } })
  t.match(await post('/sites-agent/start', request), {
    status: 503,
    body: { code: 'sites_agent_not_configured', reason: /ANTHROPIC_API_KEY/ },
  })
  t.match(await status(), {
    available: false,
    backends: { api: false, cli: false },
    active: 0,
    maxConcurrent: 2,
    modes: ['create', 'migrate', 'integrate'],
    reason: /ANTHROPIC_API_KEY/,
  })
})

t.test('a question is answered without a run', async (t) => {
  const setting = await sitesAgent(t)
  setting.model.script(
    calling([['decide', { intent: 'question', answer: 'It connects websites to the editor.' }]]),
  )
  const events = await setting.run({ message: 'What do you do?' })
  t.match(events, [
    { type: 'summary_token' },
    {
      type: 'final',
      result: { status: 'applied', toolCallCount: 0, usage: { triageOnly: true, numTurns: 1 } },
    },
  ])
  t.equal(setting.model.seen.length, 1)
  t.match(setting.model.seen[0]?.body, { model: 'claude-haiku-4-5-20251001', max_tokens: 256 })
})

t.test('an intent that contradicts the request does not change its mode', async (t) => {
  const setting = await sitesAgent(t)
  setting.script([], { intent: 'migrate' })
  const streamId = await setting.start({ message: 'Make a website for my bakery', mode: 'create' })
  await setting.follow(streamId)
  t.match(await setting.status(streamId), { mode: 'create', state: 'done', backend: 'api' })
  setting.script([], { intent: 'create' })
  const other = await setting.start({ message: 'Make a website for my bakery' })
  t.match(await setting.status(other), { mode: 'migrate', state: 'pending', startedAt: null })
  await setting.follow(other)
  t.match(await setting.status(other), { mode: 'create', state: 'done', finishedAt: String })
})

t.test('a run waits for its answers, and rejects others', async (t) => {
  const setting = await sitesAgent(t)
  const question = {
    question: 'Which colour?',
    header: 'Colour',
    options: [
      { label: 'Red', description: '' },
      { label: 'Blue', description: '' },
    ],
    multiSelect: false,
  }
  setting.script([['AskUserQuestion', { questions: [question] }]], { intent: 'create' })
  const streamId = await setting.start({ message: 'Make a new website', mode: 'create' })
  t.match(await setting.post('/sites-agent/respond', { streamId, answers: { 'Which colour?': 'Red' } }), {
    status: 410,
    body: { code: 'no_pending_approval' },
  })
  const running = setting.follow(streamId, () => undefined)
  await until(async () => (await setting.status(streamId))['state'] === 'waiting')
  const status = v.parse(
    v.looseObject({
      pendingApproval: v.object({ approvalId: v.string(), questions: v.array(v.looseObject({})) }),
    }),
    await setting.status(streamId),
  )
  const { approvalId } = status.pendingApproval
  const respond = (json: object) => setting.post('/sites-agent/respond', { streamId, approvalId, ...json })
  t.match(await respond({}), { status: 400, body: { code: 'answers_required' } })
  t.match(await respond({ answers: {} }), { status: 400, body: { code: 'answers_required' } })
  t.match(await respond({ answers: { 'Which colour?': 'x'.repeat(2001) } }), {
    status: 400,
    body: { code: 'answers_required' },
  })
  t.match(await respond({ answers: { 'Another question': 'Red' } }), {
    status: 400,
    body: { code: 'unknown_question' },
  })
  t.match(await respond({ answers: { 'Which colour?': 'Red' }, approvalId: 'old' }), {
    status: 409,
    body: { code: 'approval_mismatch' },
  })
  t.match(await respond({ answers: { 'Which colour?': 'Blue' } }), { status: 200, body: { ok: true } })
  t.match(endOf(await running), { type: 'final', result: { status: 'applied' } })
  t.match(setting.model.seen.at(-1)?.raw, /Blue/)
  t.match(await respond({ answers: { 'Which colour?': 'Blue' } }), { status: 410 })
})

t.test(
  'a run belongs to its starter: nothing else contains the id of its stream, and no other id answers or cancels it',
  async (t) => {
    const lines: string[] = []
    const setting = await sitesAgent(t, {
      log: createLogger({
        level: 'debug',
        secrets: [],
        destination: { write: (line) => void lines.push(line) },
      }),
    })
    const { post, stack, workspace } = setting
    writeSite(setting, {
      'look.js':
        'console.log(process.cwd(), JSON.stringify(process.env), require("fs").readdirSync(process.env.HOME + "/..")); setTimeout(() => {}, 200)',
    })
    setting.script(
      [
        ['bootstrap_pages', { siteId: 'plain', pages: [] }],
        ['Write', { siteId: 'plain', path: 'page.html', content: 'another page' }],
        ['Bash', { siteId: 'plain', command: 'node look.js' }],
      ],
      { intent: 'integrate' },
    )
    const streamId = await setting.start(request)
    const events: StreamEvent[] = []
    const asked = Promise.withResolvers<string>()
    const running = setting.follow(streamId, (event) => {
      asked.resolve(event.input.questions[0]?.question ?? '')
      return undefined
    })
    const question = await asked.promise
    const log = () => readFileSync(join(workspace, '.sites-agent/log.jsonl'), 'utf8')
    const id = /"stream":"([^"]+)","kind":"run_started"/.exec(log())?.[1]
    const names = readdirSync(join(workspace, '.sites-agent'), { recursive: true }).join('\n')
    const { text: token } = await (
      await stack.get(scopedTokens)
    ).create({ name: 'another agent', can: ['agent'] })
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      for (const [path, more] of [
        ['respond', { answers: { [question]: 'Apply' } }],
        ['cancel', {}],
      ] as const) {
        const init = {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ streamId: id, ...more }),
        }
        const response = await fetch(`${stack.origin}/sites-agent/${path}`, init)
        t.match(
          { status: response.status, body: await response.json() },
          { status: 403, body: { code: 'not_the_starter', reason: /POST \/sites-agent\/start returned/ } },
          path,
        )
      }
    }
    t.match(await setting.status(id), { code: 'not_the_starter' })
    t.match(await setting.status(streamId), { state: 'waiting' })
    t.equal(readFileSync(join(workspace, 'plain/page.html'), 'utf8'), 'a page')
    t.match(await post('/sites-agent/cancel', { streamId }), { status: 200 })
    events.push(...(await running))
    const seen = {
      names,
      events: JSON.stringify(events),
      log: log() + lines.join(''),
      model: setting.model.seen.map(({ raw }) => raw).join(''),
      list: JSON.stringify(await setting.status()),
    }
    for (const [place, text] of Object.entries(seen)) t.notOk(text.includes(streamId), place)

    setting.script([['Bash', { siteId: 'plain', command: 'node look.js' }]], { intent: 'integrate' })
    const other = await setting.start(request)
    t.match(endOf(await setting.follow(other)), { type: 'final' })
    t.match(setting.model.seen.at(-1)?.raw, /SITES_AGENT_MARK/)
    t.notOk(setting.model.seen.at(-1)?.raw.includes(other), 'not even processes of the run know it')
  },
)

t.test('a canceled run ends its commands and its question, and keeps its changes', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeSite(setting, {
    'hang.js':
      'process.on("SIGTERM", () => {}); require("fs").writeFileSync("started", ""); require("child_process").spawn("sleep", ["1000"], { detached: true }); setInterval(() => {}, 1000)',
  })
  setting.script([['Bash', { siteId: 'plain', command: 'node hang.js' }]], { intent: 'integrate' })
  const streamId = await setting.start(request)
  const running = setting.follow(streamId)
  await until(() => existsSync(join(site, 'started')))
  t.match(await setting.post('/sites-agent/cancel', { streamId }), { status: 200, body: { ok: true } })
  t.match(endOf(await running), { type: 'error', result: { status: 'error', summary: /canceled by user/ } })
  t.match(await setting.status(streamId), { state: 'canceled' })
  await until(async () => (await findMarked(({ run }) => run.startsWith(runOf(streamId)))).length === 0)
  t.ok(existsSync(join(site, 'started')))
  t.notOk(
    existsSync(join(setting.workspace, '.sites-agent/runs', runOf(streamId), 'plain')),
    'the copy is gone',
  )
  t.match(await setting.post('/sites-agent/cancel', { streamId }), { status: 200 }, 'it has ended already')

  const question = {
    question: 'Go on?',
    header: 'x',
    options: [{ label: 'Yes', description: '' }],
    multiSelect: false,
  }
  setting.script([['AskUserQuestion', { questions: [question] }]], { intent: 'integrate' })
  const other = await setting.start(request)
  const waiting = setting.follow(other, () => undefined)
  await until(async () => (await setting.status(other))['state'] === 'waiting')
  await setting.post('/sites-agent/cancel', { streamId: other })
  t.match(endOf(await waiting), { type: 'error', result: { summary: /canceled by user/ } })

  const pending = await setting.start(request)
  await setting.post('/sites-agent/cancel', { streamId: pending })
  t.match(await setting.status(pending), { state: 'canceled' })
  const log = readFileSync(join(setting.workspace, '.sites-agent/log.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => v.parse(v.looseObject({ stream: v.string() }), JSON.parse(line)))
  t.match(
    log.filter((line) => line['kind'] === 'run').map(({ status }) => status),
    ['canceled', 'canceled'],
  )
})

t.test('files are changed in a copy, and commands see files of the site only', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeSite(setting, {
    '.env': 'KEY=of-the-site',
    'build.js':
      'console.log("built " + Object.keys(process.env).filter((name) => /KEY|TOKEN|SECRET/.test(name)).length)',
  })
  const of = (input: object) => ({ siteId: 'plain', ...input })
  setting.script(
    [
      ['Read', of({ path: 'page.html' })],
      ['Read', of({ path: '' })],
      ['Read', of({ path: '.env' })],
      ['Read', of({ path: '../../../etc/passwd' })],
      ['Write', of({ path: 'new/file.txt', content: 'hello' })],
      ['Write', of({ path: '.git/hooks/x', content: '' })],
      ['Write', { siteId: '../plain', path: 'x', content: '' }],
      ['Edit', of({ path: 'page.html', oldText: 'a page', newText: 'another page' })],
      ['Edit', of({ path: 'page.html', oldText: 'none', newText: '' })],
      ['Glob', of({ words: ['PAGE'] })],
      ['Grep', of({ text: 'ANOTHER' })],
      ['Bash', of({ command: 'cat page.html .env' })],
      ['Bash', of({ command: 'cat /etc/passwd' })],
      ['Bash', of({ command: 'cat page.html | sh' })],
      ['Bash', of({ command: 'cat none.html' })],
      ['Bash', of({ command: 'ls' })],
      ['Bash', of({ command: 'npm run build' })],
      ['Bash', of({ command: 'npm install' })],
      ['Bash', of({ command: 'git status --short' })],
    ],
    { intent: 'integrate' },
  )
  const asked: string[] = []
  const events = await setting.run(request, (event) => {
    asked.push(event.input.questions[0]?.question ?? '')
    if (event.input.changes) t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'a page')
    return agreeing(event)
  })
  t.match(errors(events), [
    /^Read: .*must not read or write/,
    /^Read: .*outside the site/,
    /^Write: .*must not read/,
    /^Write: .*not a valid site id/,
    /^Edit: .*occurs 0 times/,
    /^Bash: .*must not read/,
    /^Bash: .*outside the site/,
    /^Bash: .*shell operator/,
    /^Bash: .*No such file/,
    /^Bash: .*not a git repository/,
  ])
  t.match(
    asked,
    [
      /runs a command on the site 'plain' \(cat none.html\) without a sandbox/,
      /Apply these changes to the site 'plain'\?\nadded: new\/file.txt\nchanged: page.html/,
      /Install these packages/,
    ],
    'one question each',
  )
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'another page')
  t.match(setting.model.seen.at(-1)?.raw, /built with/)
  const log = readFileSync(join(setting.workspace, '.sites-agent/log.jsonl'), 'utf8')
  t.match(log, /"tool":"Write","siteId":"plain","path":"new\/file.txt"/)
  t.match(log, /"tool":"Bash","program":"npm","exitCode":0/)
  t.notMatch(log, /hello/, 'no contents')
})

t.test('changes that were not shown yet are shown at the end', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeSite(setting)
  const write = [['Write', { siteId: 'plain', path: 'page.html', content: 'another page' }]] as const
  setting.script(write, { intent: 'integrate' })
  await setting.run(request, () => 'No')
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'a page')
  setting.script(write, { intent: 'integrate' })
  await setting.run(request)
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'another page')
})

t.test('of two runs approved at once, one is applied and the other is refused', async (t) => {
  const setting = await sitesAgent(t)
  const files = Array.from({ length: 8 }, (_, at) => `page-${at}.html`)
  const site = writeSite(setting, Object.fromEntries(files.map((name) => [name, 'a page'])))
  const begin = async (content: string) => {
    setting.script(
      files.map((path) => ['Write', { siteId: 'plain', path, content }]),
      { intent: 'integrate' },
    )
    const streamId = await setting.start(request)
    const asked = Promise.withResolvers<string>()
    const ended = setting.follow(streamId, ({ input }) => {
      asked.resolve(input.questions[0]?.question ?? '')
      return undefined
    })
    const question = await asked.promise
    return {
      ended,
      approve: () => setting.post('/sites-agent/respond', { streamId, answers: { [question]: 'Apply' } }),
    }
  }
  const runs = [await begin('of the first run'), await begin('of the second run')]
  t.match(await Promise.all(runs.map(({ approve }) => approve())), [{ status: 200 }, { status: 200 }])
  const ends = (await Promise.all(runs.map(({ ended }) => ended)))
    .map(endOf)
    .toSorted((a, b) => (String(a?.type) > String(b?.type) ? -1 : 1))
  t.match(ends, [
    { type: 'final', result: { status: 'applied' } },
    { type: 'error', result: { summary: /nothing was applied. Start the run again/ } },
  ])
  t.equal(
    new Set(files.map((name) => readFileSync(join(site, name), 'utf8'))).size,
    1,
    'their files are not mixed',
  )
})

t.test('all that is applied was shown, in names and lines that cannot deceive', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeSite(setting)
  const write = (path: string, content: string) => ['Write', { siteId: 'plain', path, content }] as const
  setting.script(
    [
      write('long.js', `${'x\n'.repeat(900)}steal()\n`),
      write('nul.js', 'steal()\0'),
      write('a\nchanged: b.html', 'x'),
      write('safe\u202etxt.js', 'x'),
      ...Array.from({ length: 3 }, (_, at) => write(`big-${at}.txt`, `${at}\n`.repeat(45_000))),
    ],
    { intent: 'integrate' },
  )
  const asked: Extract<StreamEvent, { type: 'approval_required' }>['input'][] = []
  const person = (event: Extract<StreamEvent, { type: 'approval_required' }>, answer: string) => {
    asked.push(event.input)
    return answer
  }
  await setting.run(request, (event) => person({ ...event, _seq: 0 }, 'Apply'))
  const questions = asked.map(({ questions: [first] }) => first?.question ?? '')
  t.match(questions, [
    /^Apply these changes to the site 'plain'\? \(part 1 of 3\)\nadded: a<U\+000A>changed: b\.html\nadded: big-0\.txt$/,
    /\(part 2 of 3\)/,
    /added: safe<U\+202E>txt\.js$/,
  ])
  const shown = Object.fromEntries(
    asked.flatMap(({ changes = [] }) => changes.map(({ path, patch }) => [path, patch])),
  )
  t.match(shown['long.js'], /\n\+steal\(\)\n\+$/)
  t.equal(shown['nul.js'], '@@ line 1 @@\n+steal()<U+0000>')
  t.equal(shown['big-2.txt']?.split('\n').length, 45_002)
  t.equal(Object.keys(shown).length, 7)
  t.ok(existsSync(join(site, 'safe\u202etxt.js')))

  setting.script(
    [
      write('one.txt', 'x'),
      ...Array.from({ length: 3 }, (_, at) => write(`more-${at}.txt`, `${at}\n`.repeat(45_000))),
    ],
    { intent: 'integrate' },
  )
  await setting.run(
    request,
    ({
      input: {
        questions: [first],
      },
    }) => (first?.question.includes('part 2') ? 'No' : 'Apply'),
  )
  t.notOk(existsSync(join(site, 'more-0.txt')), 'a yes to one part applies nothing')
})

t.test('a spent budget ends the run with a message', async (t) => {
  const setting = await sitesAgent(t, { env: { SITES_AGENT_MAX_BUDGET_USD: '0.01' } })
  const dear = opening({
    input_tokens: 1_000_000,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  })
  const { sending, toolCall, ending } = await import('../../helpers/model-server.ts')
  setting.model.script(
    calling([['decide', { intent: 'integrate' }]]),
    sending(dear + toolCall('{}', { name: 'list_sites' }) + ending('tool_use')),
  )
  const events = await setting.run(request)
  t.match(endOf(events), {
    type: 'final',
    result: { status: 'error', summary: /its budget is spent.*SITES_AGENT_MAX_BUDGET_USD/ },
  })
})

t.test('a model failure ends the run with a message', async (t) => {
  const setting = await sitesAgent(t)
  setting.model.script(
    saying('nothing'),
    (response) =>
      void response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"type":"error","error":{"type":"authentication_error","message":"bad"}}'),
  )
  const events = await setting.run(request)
  t.match(endOf(events), { type: 'error', result: { status: 'error' } })
})

t.test('concurrent runs are limited', async (t) => {
  const setting = await sitesAgent(t, { env: { SITES_AGENT_MAX_CONCURRENT: '1' } })
  setting.model.script(hanging(opening()))
  const streamId = await setting.start(request)
  const running = setting.follow(streamId)
  await until(async () => (await setting.status(streamId))['state'] === 'active')
  t.match(await setting.post('/sites-agent/start', request), { status: 429, body: { code: 'too_many_runs' } })
  t.match(await setting.status(), { active: 1 })
  await setting.post('/sites-agent/cancel', { streamId })
  t.match(endOf(await running), { type: 'error' })
})

const fakeCli = `#!/usr/bin/env node
const { writeFileSync, readFileSync, existsSync } = require('node:fs')
const args = process.argv.slice(2)
const valueOf = (name) => args[args.indexOf(name) + 1]
const emit = (value) => console.log(JSON.stringify(value))
if (args.at(-1).includes('fail')) { console.error('first\\nno login sk-ant-abcdefghijklmnop'); process.exit(3) }
console.log('no json')
emit({ type: 'system' })
emit({ type: 'assistant', message: { content: [{ type: 'text', text: 'Working' }, { type: 'tool_use', name: 'Edit' }] } })
writeFileSync('plain/page.html', 'written by the program')
writeFileSync('plain/seen.json', JSON.stringify({ args, variables: process.env, prompt: readFileSync(valueOf('--system-prompt-file'), 'utf8').length, mode: require('node:fs').statSync(valueOf('--mcp-config')).mode }))
emit({ type: 'result', result: 'It is done.', num_turns: 2, usage: { input_tokens: 10, output_tokens: 5 } })
`

t.test('an external agent program works on a copy, without a shell and without keys', async (t) => {
  const programs = t.testdir({ agent: fakeCli })
  writeProgram(join(programs, 'agent'), fakeCli)
  const setting = await sitesAgent(t, {
    env: { AGENT_CLI: '1', AGENT_CLI_COMMAND: 'agent', ANTHROPIC_API_KEY: '' },
    path: `${programs}:${process.env['PATH']}`,
    seeds: [give(ownCommand, [process.execPath])],
  })
  const site = writeSite(setting)
  t.match(await setting.status(), { available: true, backends: { api: false, cli: true } })
  const message = 'Rewrite $(touch /tmp/x); the page'
  const events = await setting.run({ message, useCliAgent: true, mode: 'integrate' })
  t.match(events, [
    { type: 'summary_token', text: 'Working' },
    { type: 'tool_use', toolName: 'Edit' },
    { type: 'approval_required' },
    {
      type: 'final',
      result: {
        status: 'applied',
        summary: 'It is done.',
        usage: { cliMode: true, totalCostUsd: 0, numTurns: 2, inputTokens: 10 },
      },
    },
  ])
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'written by the program')
  const seen = v.parse(
    v.looseObject({
      args: v.array(v.string()),
      variables: v.record(v.string(), v.string()),
      mode: v.number(),
    }),
    JSON.parse(readFileSync(join(site, 'seen.json'), 'utf8')),
  )
  t.strictSame(seen.args.slice(-2), ['--', message])
  t.ok(seen.args.includes('--strict-mcp-config'))
  t.equal(seen.mode & 0o777, 0o600)
  t.notMatch(JSON.stringify(seen.variables), new RegExp(`${secret}|ANTHROPIC`))
  const failed = await setting.run({ message: 'fail', useCliAgent: true })
  t.match(endOf(failed), { type: 'final', result: { status: 'error', summary: /exit code 3\): no login/ } })
  t.notMatch(JSON.stringify(failed), /abcdefghijklmnop/)
})

t.test('a missing program is named', async (t) => {
  const { post } = await sitesAgent(t, {
    env: { AGENT_CLI: '1', AGENT_CLI_COMMAND: 'no-such-agent' },
    seeds: [give(ownCommand, [process.execPath])],
  })
  t.match(await post('/sites-agent/start', { message: 'x', useCliAgent: true }), {
    status: 503,
    body: { code: 'sites_agent_not_configured', reason: /no-such-agent/ },
  })
})

t.test(
  'processes of a killed service are ended by the next one, and its run is not active',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const setting = await sitesAgent(t)
    await setting.status()
    const own = join(setting.workspace, '.sites-agent')
    const { createHash } = await import('node:crypto')
    const workspace = createHash('sha256').update(setting.workspace).digest('hex').slice(0, 16)
    const start = (owner: string) =>
      spawn('sleep', ['1000'], {
        env: { PATH: '/usr/bin:/bin', [markName]: `${workspace} ${owner} run-1/1` },
        detached: true,
        stdio: 'ignore',
      })
    const left = start(`${process.pid}:1`)
    const living = start(await ownerOf(process.pid))
    t.teardown(() => living.kill('SIGKILL'))
    const site = writeSite(setting)
    for (const left of ['runs/run-1/plain', 'cli/run-1', 'applying/plain'])
      mkdirSync(join(own, left), { recursive: true })
    writeFileSync(
      join(own, 'log.jsonl'),
      `${JSON.stringify({ stream: 'run-1', kind: 'run_started', owner: `${process.pid}:1` })}\n{"torn\n${JSON.stringify({ stream: 'run-2', kind: 'run_started', owner: await ownerOf(process.pid) })}\n`,
    )
    writeFileSync(join(own, 'applying/plain/page.html'), 'a new page')
    const [before, after] = ['a page', 'a new page'].map((text) =>
      createHash('sha256').update(text).digest('hex'),
    )
    writeFileSync(
      join(own, 'applying/plain.json'),
      JSON.stringify({
        owner: `${process.pid}:1`,
        next: ['applying', 'plain'],
        steps: [{ path: 'page.html', before, after }],
      }),
    )
    await until(async () => (await findMarked(({ run }) => run === 'run-1/1')).length === 2)
    await setting.stack.restart()
    await setting.status()
    t.equal(
      left.signalCode ?? (await new Promise((resolve) => left.once('exit', (_, signal) => resolve(signal)))),
      'SIGKILL',
    )
    t.equal(living.signalCode, null)
    t.match(
      readFileSync(join(own, 'log.jsonl'), 'utf8'),
      /"stream":"run-1","kind":"run","status":"interrupted"/,
    )
    t.notMatch(readFileSync(join(own, 'log.jsonl'), 'utf8'), /"stream":"run-2","kind":"run",/)
    for (const left of ['runs/run-1', 'cli/run-1']) t.notOk(existsSync(join(own, left)))
    t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'a new page', 'a decided change is finished')
    t.match(await setting.status('run-1'), { code: 'stream_gone' })
    t.match(await setting.status(), { active: 0 })
  },
)
