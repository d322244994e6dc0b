/** Runs of the onboarding agent with a scripted model and scripted answers of a person. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import type { PluginEntry } from '../../config/define-config.ts'
import { createLogger, type Logger, type Seed } from '../../kernel/index.ts'
import { SiteEvent } from '../../plugins/agents/onboarding/testing.ts'
import { calling, saying, startModelServer, type ModelServer, type Script } from './model-server.ts'
import { eventsIn, startStack, temporaryFolder, type Stack } from './stack.ts'

type FolderTest = Parameters<typeof temporaryFolder>[0]
export type SiteStreamEvent = v.InferOutput<typeof SiteEvent> & { readonly _seq: number }
type ApprovalQuestion = Extract<SiteEvent, { type: 'approval_required' }>
/** The answer to a question; `undefined` leaves it open. */
export type Answerer = (asked: ApprovalQuestion) => string | undefined

/** The request of most runs. */
export const integrating = { message: 'Integrate the repository plain', mode: 'integrate' }

/** Approves everything. */
export const agreeing: Answerer = ({ input }) => input.questions[0]?.options[0]?.label

const fakeNpm = `#!/usr/bin/env node
const { existsSync, readFileSync, mkdirSync, writeFileSync, appendFileSync } = require('node:fs')
const [command, script] = process.argv.slice(2)
appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n')
if (command === 'install') {
  mkdirSync('node_modules', { recursive: true })
  writeFileSync('node_modules/variables.json', JSON.stringify(process.env))
} else if (script === 'dev' || script === 'start') {
  require('node:http').createServer(({ url }, response) => response.end(url === '/api/editor/blocks' && existsSync('blocks.json') ? readFileSync('blocks.json') : 'a site')).listen(Number(process.env.PORT), '127.0.0.1')
} else if (script === 'build') console.log('built with', Object.keys(process.env).length, 'variables')
`

export interface SitesAgentSetup {
  readonly stack: Stack
  readonly model: ModelServer
  /** The folder of the sites. */
  readonly workspace: string
  /** The next tool calls, one per turn of the model, and its closing text, after a triage that decides `intent`, usually `integrate`. */
  script(
    calls: readonly (readonly [string, unknown])[],
    options?: { readonly intent?: string; readonly words?: string },
  ): void
  /** Starts a run and follows it to its end. */
  run(request: Readonly<Record<string, unknown>>, person?: Answerer): Promise<readonly SiteStreamEvent[]>
  start(request: Readonly<Record<string, unknown>>): Promise<string>
  follow(streamId: string, person?: Answerer): Promise<readonly SiteStreamEvent[]>
  post(
    path: string,
    json: unknown,
  ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>
  status(streamId?: string): Promise<Readonly<Record<string, unknown>>>
}

export interface SettingOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly plugins?: readonly PluginEntry[]
  /** The search path; without it, npm is a fake. */
  readonly path?: string
  /** Runs programs in boxes, with the bubblewrap of this machine. */
  readonly isBoxed?: boolean
  /** Without a box, commands have neither a namespace nor a cgroup, and a person is asked about their processes. */
  readonly isLoose?: boolean
  readonly log?: Logger
  readonly seeds?: readonly Seed[]
}

const Fields = v.record(v.string(), v.unknown())
export const secret = 'canary-secret-of-the-service-0123456789'

/** Starts the service with a temporary workspace. */
export async function sitesAgent(
  t: FolderTest,
  {
    env = {},
    plugins = [],
    seeds = [],
    path,
    isBoxed = false,
    isLoose = false,
    log = createLogger({ level: 'silent' }),
  }: SettingOptions = {},
): Promise<SitesAgentSetup> {
  const model = await startModelServer(t)
  const folder = temporaryFolder(t)
  const workspace = join(folder, 'sites')
  const programs = join(folder, 'programs')
  for (const each of [workspace, programs]) mkdirSync(each)
  writeProgram(join(programs, 'npm'), fakeNpm)
  const stack = await startStack(t, {
    env: {
      ANTHROPIC_API_KEY: `sk-ant-${secret}`,
      ANTHROPIC_BASE_URL: model.origin,
      SITES_WORKSPACE_DIR: workspace,
      PATH: (path ?? `${programs}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`).replace(
        ':',
        isBoxed ? ':' : `:${without(t, 'bwrap', ...(isLoose ? loose : []))}:`,
      ),
      ...env,
    },
    plugins,
    seeds,
    log,
    beforeBoot: async (port) => ({ ORCHESTRATOR_PUBLIC_ORIGIN: `http://127.0.0.1:${port}` }),
  })
  const post: SitesAgentSetup['post'] = async (url, json) => {
    const answer = await stack.ask({ method: 'POST', url, json })
    return { status: answer.status, body: v.parse(Fields, answer.json()) }
  }
  const start: SitesAgentSetup['start'] = async (request) => {
    const { status, body } = await post('/sites-agent/start', request)
    if (status !== 200) throw new Error(`the run did not start: ${JSON.stringify(body)}`)
    return String(body['streamId'])
  }
  const follow: SitesAgentSetup['follow'] = async (streamId, person = agreeing) => {
    const events: SiteStreamEvent[] = []
    for await (const event of eventsOf(`${stack.origin}/sites-agent/stream?streamId=${streamId}`)) {
      events.push(event)
      // Whether the question about processes is asked depends on the machine.
      const answer = !isLoose && isAboutProcesses(event) ? agreeing : person
      const label = event.type === 'approval_required' ? answer(event) : undefined
      if (event.type !== 'approval_required' || label === undefined) continue
      const answers = Object.fromEntries(event.input.questions.map(({ question }) => [question, label]))
      const { status, body } = await post('/sites-agent/respond', {
        streamId,
        approvalId: event.approvalId,
        answers,
      })
      if (status !== 200) throw new Error(`the answer was not accepted: ${JSON.stringify(body)}`)
    }
    return events
  }
  return {
    stack,
    model,
    workspace,
    post,
    start,
    follow,
    script(calls, { intent = 'integrate', words = 'Done.' } = {}) {
      model.script(deciding(intent), ...calls.map((call) => calling([call])), saying(words))
    },
    run: async (request, person) => follow(await start(request), person),
    async status(streamId) {
      const query = streamId === undefined ? '' : `?streamId=${streamId}`
      return v.parse(Fields, (await stack.ask({ url: `/sites-agent/status${query}` })).json())
    },
  }
}

/** The answer of the triage. */
export const deciding = (intent: string): Script => calling([['decide', { intent }]])

/** Returns a folder for the search path, with programs that do not work. */
export function without(t: FolderTest, ...programs: readonly string[]): string {
  const folder = temporaryFolder(t)
  for (const each of programs) writeProgram(join(folder, each), '#!/bin/sh\nexit 1\n')
  return folder
}
/** Without these there are no namespaces and no cgroups. */
const loose = ['unshare', 'sh'] as const

/** A Node script with four ways out of a process group: each starts a `sleep` for a time of this start. */
export const escaping = (name: string): string => `
const { spawn } = require('node:child_process')
const start = (...args) => spawn(args[0], args.slice(1), { stdio: 'ignore', detached: true }).unref()
start('sleep', '${name}1')
start('sh', '-c', 'setsid sh -c "sleep ${name}2 &" &')
start('env', '-i', '/usr/bin/setsid', '/bin/sleep', '${name}3')
start('sh', '-c', '(env -i /usr/bin/setsid /bin/sleep ${name}4 &) & exit 0')
setInterval(() => {}, 1000)`

/**
 * Node scripts that start a `sleep` for a time of this start and end at once. The first leaves its group, parent,
 * variables and memory score; the second is the last of 400 generations, each of which ends at once.
 */
export const leaving = (name: string): readonly string[] =>
  [
    `(setsid env -i /bin/sh -c "echo 1000 > /proc/self/oom_score_adj; exec /bin/sleep ${name}1" &) & sleep 0.1`,
    `setsid sh -c 'next() { if [ $1 = 0 ]; then exec sleep ${name}2; fi; (next $(($1 - 1))) & }; next 400' & sleep 0.1`,
  ].map(
    (code) =>
      `require('node:child_process').execFileSync('/bin/sh', ['-c', ${JSON.stringify(code)}], { stdio: 'ignore' })`,
  )

/** The processes that sleep for a time of this start. */
export function sleeping(name: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return new RegExp(`sleep\0${name}`).test(line) ? [line] : []
    } catch {
      return []
    }
  })
}

export function writeProgram(file: string, source: string): void {
  writeFileSync(file, source)
  chmodSync(file, 0o755)
}

const Numbered = v.intersect([SiteEvent, v.object({ _seq: v.number() })])

/** The events of a stream until it ends, without heartbeats. */
async function* eventsOf(url: string): AsyncIterable<SiteStreamEvent> {
  const { next } = eventsIn(await fetch(url))
  for (let block = await next(60_000); block; block = await next(60_000))
    if (v.is(Numbered, block.data)) yield block.data
}

/** The last event of a run. */
export const endOf = (events: readonly SiteStreamEvent[]): SiteStreamEvent | undefined => events.at(-1)

/** The errors of tools, after their names. */
export const errorsOf = (events: readonly SiteStreamEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'tool_error' ? [`${event.toolName}: ${event.error}`] : []))

/** True for the question whether programs may run whose processes may stay. */
export const isAboutProcesses = (event: SiteStreamEvent): boolean =>
  event.type === 'approval_required' && event.input.questions[0]?.header === 'Processes'

/** The questions to a person, without the one about processes. */
export const askedIn = (events: readonly SiteStreamEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'approval_required' && !isAboutProcesses(event)
      ? [event.input.questions[0]?.question ?? '']
      : [],
  )

/** The shown changes of a run. */
export const changesIn = (events: readonly SiteStreamEvent[]) =>
  events.flatMap((event) => (event.type === 'approval_required' ? (event.input.changes ?? []) : []))

/** Writes the files of a site, with their folders; returns its folder. */
export function writeSite(
  { workspace }: Pick<SitesAgentSetup, 'workspace'>,
  files: Readonly<Record<string, string>>,
  id = 'plain',
): string {
  const site = join(workspace, id)
  mkdirSync(site, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(site, name)), { recursive: true })
    writeFileSync(join(site, name), text)
  }
  return site
}

/** True if bubblewrap works on this machine. */
export const hasBox =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true'])
    .status === 0
