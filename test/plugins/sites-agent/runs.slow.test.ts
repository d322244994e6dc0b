import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createLogger, give } from '../../../kernel/index.ts'
import { runOf } from '../../../plugins/agents/loop/run-streams.ts'
import { scopedTokens } from '../../../plugins/auth/port.ts'
import { ownCommand } from '../../../plugins/agents/onboarding/port.ts'
import { findMarked } from '../../../plugins/processes/testing.ts'
import {
  agreeing,
  askedIn,
  changesIn,
  endOf,
  errorsOf,
  integrating,
  sitesAgent,
  writeSite,
  type Answerer,
  type SitesAgentSetup,
  type SettingOptions,
} from '../../helpers/sites-agent.ts'
import { calling, failing, hanging, opening, saying } from '../../helpers/model-server.ts'
import { until } from '../../helpers/until.ts'

const writePlain = (setting: SitesAgentSetup, files: Readonly<Record<string, string>> = {}): string =>
  writeSite(setting, {
    'package.json': '{"name":"plain","scripts":{"dev":"node server.js","build":"node build.js"}}',
    'page.html': 'a page',
    ...files,
  })
const isWaiting = (setting: SitesAgentSetup, streamId: string) => async () =>
  (await setting.status(streamId))['state'] === 'waiting'
const logOf = ({ workspace }: SitesAgentSetup): string =>
  readFileSync(join(workspace, '.sites-agent/log.jsonl'), 'utf8')
const byProgram = { message: 'x', useCliAgent: true }
const asking = (question: string) => {
  const options = ['Red', 'Blue'].map((label) => ({ label, description: '' }))
  return ['AskUserQuestion', { questions: [{ question, header: 'x', options, multiSelect: false }] }] as const
}

t.test('invalid requests are rejected, and nothing is created', async (t) => {
  const setting = await sitesAgent(t)
  for (const [path, json, status, code] of [
    ['start', {}, 400, 'message_required'],
    ['start', { message: ' ' }, 400, 'message_required'],
    ['start', { message: 'x'.repeat(8001) }, 400, 'message_required'],
    ['start', { message: 'x', mode: 'destroy' }, 400, 'invalid_mode'],
    ['start', { message: 'x', useCliAgent: true }, 403, 'cli_disabled'],
    ['respond', {}, 400, 'stream_required'],
    ['cancel', {}, 400, 'stream_required'],
    ['cancel', { streamId: 'none' }, 410, 'stream_gone'],
    ['respond', { streamId: 'none', answers: { a: 'b' } }, 410, 'stream_gone'],
  ] as const)
    t.match(await setting.post(`/sites-agent/${path}`, json), { status, body: { code } }, `${path} ${code}`)
  for (const [path, code] of [
    ['status?streamId=none', 'stream_gone'],
    ['stream', 'stream_required'],
    ['stream?streamId=none', 'stream_gone'],
  ] as const)
    t.match(await (await fetch(`${setting.stack.origin}/sites-agent/${path}`)).json(), { code }, path)
  t.strictSame(setting.model.seen, [])
})

t.test('what is missing for a run is named in its refusal and in the status', async (t) => {
  const cliOf = (AGENT_CLI_COMMAND: string) => ({ AGENT_CLI: '1', AGENT_CLI_COMMAND })
  const command = [give(ownCommand, [process.execPath])]
  const rows: readonly (readonly [number, string, reason: RegExp, object, SettingOptions])[] = [
    [503, 'sites_agent_not_configured', /ANTHROPIC_API_KEY/, integrating, { env: { ANTHROPIC_API_KEY: '' } }],
    [503, 'sites_agent_not_configured', /no-such/, byProgram, { env: cliOf('no-such'), seeds: command }],
    // In a website there is no command line to give to a program.
    [
      501,
      'cli_unavailable',
      /Run the orchestrator as a server of its own/,
      byProgram,
      { env: cliOf('node') },
    ],
  ]
  for (const [status, code, reason, json, options] of rows) {
    const setting = await sitesAgent(t, options)
    t.match(await setting.post('/sites-agent/start', json), { status, body: { code, reason } })
    const available = json === byProgram
    t.match(await setting.status(), { available, backends: { api: available, cli: false } })
    if (available) continue
    const modes = ['create', 'migrate', 'integrate']
    t.match(await setting.status(), { active: 0, maxConcurrent: 2, modes, reason })
  }
})

t.test('a question is answered without a run', async (t) => {
  const { model, run } = await sitesAgent(t)
  model.script(calling([['decide', { intent: 'question', answer: 'It connects websites to the editor.' }]]))
  const usage = { triageOnly: true, numTurns: 1 }
  t.match(await run({ message: 'What do you do?' }), [
    { type: 'summary_token' },
    { type: 'final', result: { status: 'applied', toolCallCount: 0, usage } },
  ])
  t.equal(model.seen.length, 1)
  t.match(model.seen[0]?.body, { model: 'claude-haiku-4-5-20251001', max_tokens: 256 })
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
  setting.script([asking('Which colour?')], { intent: 'create' })
  const streamId = await setting.start({ message: 'Make a new website', mode: 'create' })
  const respond = (json: object) => setting.post('/sites-agent/respond', { streamId, ...json })
  const blue = { answers: { 'Which colour?': 'Blue' } }
  t.match(await respond(blue), { status: 410, body: { code: 'no_pending_approval' } })
  const running = setting.follow(streamId, () => undefined)
  await until(isWaiting(setting, streamId))
  const { approvalId } = Object((await setting.status(streamId))['pendingApproval'])
  for (const [json, status, code] of [
    [{}, 400, 'answers_required'],
    [{ answers: {} }, 400, 'answers_required'],
    [{ answers: { 'Which colour?': 'x'.repeat(2001) } }, 400, 'answers_required'],
    [{ answers: { 'Another question': 'Red' } }, 400, 'unknown_question'],
    [{ ...blue, approvalId: 'old' }, 409, 'approval_mismatch'],
  ] as const)
    t.match(await respond({ approvalId, ...json }), { status, body: { code } }, code)
  t.match(await respond({ approvalId, ...blue }), { status: 200, body: { ok: true } })
  t.match(endOf(await running), { type: 'final', result: { status: 'applied' } })
  t.match(setting.model.seen.at(-1)?.raw, /Blue/)
  t.match(await respond(blue), { status: 410 })
})

t.test('a run belongs to its starter, who alone knows the id of its stream', async (t) => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const setting = await sitesAgent(t, { log: createLogger({ level: 'debug', secrets: [], destination }) })
  const { post, stack, workspace } = setting
  writePlain(setting, {
    'look.js':
      'console.log(process.cwd(), JSON.stringify(process.env), require("fs").readdirSync(process.env.HOME + "/..")); setTimeout(() => {}, 200)',
  })
  const look = ['Bash', { siteId: 'plain', command: 'node look.js' }] as const
  setting.script([
    ['bootstrap_pages', { siteId: 'plain', pages: [] }],
    ['Write', { siteId: 'plain', path: 'page.html', content: 'another page' }],
    look,
  ])
  const streamId = await setting.start(integrating)
  const asked = Promise.withResolvers<string>()
  const running = setting.follow(streamId, (event) => {
    asked.resolve(event.input.questions[0]?.question ?? '')
    return undefined
  })
  const question = await asked.promise
  const id = /"stream":"([^"]+)","kind":"run_started"/.exec(logOf(setting))?.[1]
  const names = readdirSync(join(workspace, '.sites-agent'), { recursive: true }).join('\n')
  const tokens = await stack.get(scopedTokens)
  const { text: token } = await tokens.create({ name: 'another agent', can: ['agent'] })
  const refused = { code: 'not_the_starter', reason: /POST \/sites-agent\/start returned/ }
  for (const headers of [{}, { authorization: `Bearer ${token}` }])
    for (const [path, more] of Object.entries({
      respond: { answers: { [question]: 'Apply' } },
      cancel: {},
    })) {
      const json = { streamId: id, ...more }
      const answer = await stack.ask({ method: 'POST', url: `/sites-agent/${path}`, headers, json })
      t.match([answer.status, answer.json()], [403, refused], path)
    }
  t.match(await setting.status(id), { code: 'not_the_starter' })
  t.match(await setting.status(streamId), { state: 'waiting' })
  t.equal(readFileSync(join(workspace, 'plain/page.html'), 'utf8'), 'a page')
  t.match(await post('/sites-agent/cancel', { streamId }), { status: 200 })
  const seen = {
    names,
    events: JSON.stringify(await running),
    log: logOf(setting) + lines.join(''),
    model: setting.model.seen.map(({ raw }) => raw).join(''),
    list: JSON.stringify(await setting.status()),
  }
  for (const [place, text] of Object.entries(seen)) t.notOk(text.includes(streamId), place)

  setting.script([look])
  const other = await setting.start(integrating)
  t.match(endOf(await setting.follow(other)), { type: 'final' })
  t.match(setting.model.seen.at(-1)?.raw, /SITES_AGENT_MARK/)
  t.notOk(setting.model.seen.at(-1)?.raw.includes(other), 'not even processes of the run know it')
})

t.test('a canceled run ends its commands and its question, and keeps its changes', async (t) => {
  const setting = await sitesAgent(t)
  const site = writePlain(setting, {
    'hang.js':
      'process.on("SIGTERM", () => {}); require("fs").writeFileSync("started", ""); require("child_process").spawn("sleep", ["1000"], { detached: true }); setInterval(() => {}, 1000)',
  })
  setting.script([['Bash', { siteId: 'plain', command: 'node hang.js' }]])
  const streamId = await setting.start(integrating)
  const running = setting.follow(streamId)
  const cancel = (id: string) => setting.post('/sites-agent/cancel', { streamId: id })
  await until(() => existsSync(join(site, 'started')))
  t.match(await cancel(streamId), { status: 200, body: { ok: true } })
  t.match(endOf(await running), { type: 'error', result: { status: 'error', summary: /canceled by user/ } })
  t.match(await setting.status(streamId), { state: 'canceled' })
  await until(async () => (await findMarked(({ run }) => run.startsWith(runOf(streamId)))).length === 0)
  t.ok(existsSync(join(site, 'started')))
  const copy = join(setting.workspace, '.sites-agent/runs', runOf(streamId), 'plain')
  t.notOk(existsSync(copy), 'the copy is gone')
  t.match(await cancel(streamId), { status: 200 }, 'it has ended already')

  setting.script([asking('Go on?')])
  const other = await setting.start(integrating)
  const waiting = setting.follow(other, () => undefined)
  await until(isWaiting(setting, other))
  await cancel(other)
  t.match(endOf(await waiting), { type: 'error', result: { summary: /canceled by user/ } })

  const pending = await setting.start(integrating)
  await cancel(pending)
  t.match(await setting.status(pending), { state: 'canceled' })
  const statuses = [...logOf(setting).matchAll(/"kind":"run","status":"(\w+)"/g)].map(([, status]) => status)
  t.strictSame(statuses, ['canceled', 'canceled'])
})

t.test('files are changed in a copy, and commands see files of the site only', async (t) => {
  const setting = await sitesAgent(t)
  const site = writePlain(setting, { '.env': 'KEY=of-the-site' })
  const commands =
    'cat page.html .env, cat /etc/passwd, cat page.html | sh, cat none.html, ls, npm run build, npm install, ' +
    'git status --short'
  const calls: readonly (readonly [string, object])[] = [
    ['Read', { path: 'page.html' }],
    ['Read', { path: '' }],
    ['Read', { path: '.env' }],
    ['Read', { path: '../../../etc/passwd' }],
    ['Write', { path: 'new/file.txt', content: 'hello' }],
    ['Write', { path: '.git/hooks/x', content: '' }],
    ['Write', { siteId: '../plain', path: 'x', content: '' }],
    ['Edit', { path: 'page.html', oldText: 'a page', newText: 'another page' }],
    ['Edit', { path: 'page.html', oldText: 'none', newText: '' }],
    ['Glob', { words: ['PAGE'] }],
    ['Grep', { text: 'ANOTHER' }],
    ...commands.split(', ').map((command) => ['Bash', { command }] as const),
  ]
  setting.script(calls.map(([name, input]) => [name, { siteId: 'plain', ...input }]))
  const events = await setting.run(integrating, (event) => {
    if (event.input.changes) t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'a page')
    return agreeing(event)
  })
  t.match(errorsOf(events), [
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
  t.match(askedIn(events), [
    /runs a command on the site 'plain' \(cat none.html\) without a sandbox/,
    /Apply these changes to the site 'plain'\?\nadded: new\/file.txt\nchanged: page.html/,
    /Install these packages/,
  ])
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'another page')
  t.match(setting.model.seen.at(-1)?.raw, /built with/)
  t.match(logOf(setting), /"tool":"Write","siteId":"plain","path":"new\/file.txt"/)
  t.match(logOf(setting), /"tool":"Bash","program":"npm","exitCode":0/)
  t.notMatch(logOf(setting), /hello/, 'no contents')
})

t.test('changes that were not shown yet are shown at the end', async (t) => {
  const setting = await sitesAgent(t)
  const site = writePlain(setting)
  for (const [answer, content] of Object.entries({ No: 'a page', Apply: 'another page' })) {
    setting.script([['Write', { siteId: 'plain', path: 'page.html', content: 'another page' }]])
    await setting.run(integrating, () => answer)
    t.equal(readFileSync(join(site, 'page.html'), 'utf8'), content)
  }
})

t.test('of two runs approved at once, one is applied and the other is refused', async (t) => {
  const setting = await sitesAgent(t)
  const files = Array.from({ length: 8 }, (_, at) => `page-${at}.html`)
  const site = writePlain(setting, Object.fromEntries(files.map((name) => [name, 'a page'])))
  const begin = async (content: string) => {
    setting.script(files.map((path) => ['Write', { siteId: 'plain', path, content }]))
    const streamId = await setting.start(integrating)
    const asked = Promise.withResolvers<string>()
    const ended = setting.follow(streamId, ({ input }) => {
      asked.resolve(input.questions[0]?.question ?? '')
      return undefined
    })
    const answers = { [await asked.promise]: 'Apply' }
    return { ended, approve: () => setting.post('/sites-agent/respond', { streamId, answers }) }
  }
  const runs = [await begin('of the first run'), await begin('of the second run')]
  t.match(await Promise.all(runs.map(({ approve }) => approve())), [{ status: 200 }, { status: 200 }])
  const ends = (await Promise.all(runs.map(({ ended }) => ended))).map(endOf)
  const [applied, refused] = ['final', 'error'].map((type) => ends.find((event) => event?.type === type))
  t.match(applied, { result: { status: 'applied' } })
  t.match(refused, { result: { summary: /nothing was applied. Start the run again/ } })
  const contents = new Set(files.map((name) => readFileSync(join(site, name), 'utf8')))
  t.equal(contents.size, 1, 'their files are not mixed')
})

t.test('all that is applied was shown, in names and lines that cannot deceive', async (t) => {
  const setting = await sitesAgent(t)
  const site = writePlain(setting)
  const write = (path: string, content = 'x') => ['Write', { siteId: 'plain', path, content }] as const
  const large = (name: string) =>
    Array.from({ length: 3 }, (_, at) => write(`${name}-${at}.txt`, `${at}\n`.repeat(45_000)))
  setting.script([
    write('long.js', `${'x\n'.repeat(900)}steal()\n`),
    write('nul.js', 'steal()\0'),
    write('a\nchanged: b.html'),
    write('safe\u202etxt.js'),
    ...large('big'),
  ])
  const events = await setting.run(integrating)
  t.match(askedIn(events), [
    /^Apply these changes to the site 'plain'\? \(part 1 of 3\)\nadded: a<U\+000A>changed: b\.html\nadded: big-0\.txt$/,
    /\(part 2 of 3\)/,
    /added: safe<U\+202E>txt\.js$/,
  ])
  const shown = Object.fromEntries(changesIn(events).map(({ path, patch }) => [path, patch]))
  t.match(shown['long.js'], /\n\+steal\(\)\n\+$/)
  t.equal(shown['nul.js'], '@@ line 1 @@\n+steal()<U+0000>')
  t.equal(shown['big-2.txt']?.split('\n').length, 45_002)
  t.equal(Object.keys(shown).length, 7)
  t.ok(existsSync(join(site, 'safe\u202etxt.js')))

  setting.script([write('one.txt'), ...large('more')])
  const part: Answerer = ({ input }) => (input.questions[0]?.question.includes('part 2') ? 'No' : 'Apply')
  await setting.run(integrating, part)
  t.notOk(existsSync(join(site, 'more-0.txt')), 'a yes to one part applies nothing')
})

t.test('a model failure ends the run with a message', async (t) => {
  const setting = await sitesAgent(t)
  setting.model.script(saying('nothing'), failing(401, 'authentication_error'))
  t.match(endOf(await setting.run(integrating)), { type: 'error', result: { status: 'error' } })
})

t.test('concurrent runs are limited', async (t) => {
  const setting = await sitesAgent(t, { env: { SITES_AGENT_MAX_CONCURRENT: '1' } })
  setting.model.script(hanging(opening()))
  const streamId = await setting.start(integrating)
  const running = setting.follow(streamId)
  await until(async () => (await setting.status(streamId))['state'] === 'active')
  const refused = { status: 429, body: { code: 'too_many_runs' } }
  t.match(await setting.post('/sites-agent/start', integrating), refused)
  t.match(await setting.status(), { active: 1 })
  await setting.post('/sites-agent/cancel', { streamId })
  t.match(endOf(await running), { type: 'error' })
})
