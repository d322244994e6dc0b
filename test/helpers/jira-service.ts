/** The service with Jira, a model and a scripted agent; all but Jira and the model in memory. */
import { createHmac } from 'node:crypto'
import type { Test } from 'tap'
import * as v from 'valibot'
import { give, Refusal, use, type Injected, type Seed, type Used } from '../../kernel/index.ts'
import { capturedLog, mountForTest, type TestSetting } from '../../kernel/testing.ts'
import { createLoop } from '../../plugins/agents/loop/loop.ts'
import {
  agentLoop,
  contentAgent,
  type ContentAgent,
  type ContentOutcome,
  type ContentRun,
} from '../../plugins/agents/loop/port.ts'
import { drafts } from '../../plugins/draft/port.ts'
import jira from '../../plugins/agents/jira/index.ts'
import { createRecords, type RunRecord, createTickets } from '../../plugins/agents/jira/testing.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import llm from '../../plugins/models/anthropic/index.ts'
import { defaultPrices } from '../../plugins/models/port.ts'
import media from '../../plugins/media/index.ts'
import type { PublishTarget } from '../../plugins/publish/port.ts'
import type { Store } from '../../plugins/store/port.ts'
import { usage, type Budget } from '../../plugins/models/usage/port.ts'
import { startJira, type JiraServer } from './jira-server.ts'
import { saying, startModelServer } from './model-server.ts'
import { done, inHouse, page } from './publishing.ts'
import { draftsInMemory, editor } from './stack.ts'
import { until } from './until.ts'

export const hookSecret = 'marker-jira-webhook-secret'
export const plan = '{"decision":"proceed","plan":["Change the title of the home page"],"questions":[]}'
export const site = { session: 'dev', siteId: 'acme' }

const outcome: ContentOutcome = {
  status: 'applied',
  summary: 'The title is new.',
  suggestions: [],
  changes: ['Renamed the home page'],
  slugs: ['/'],
  previewVersion: 0,
  opCount: 1,
  toolCalls: [
    {
      name: 'rename_page',
      input: { newTitle: 'New' },
      durationMs: 3,
      resultExcerpt: 'applied',
      isError: false,
    },
  ],
  usage: { inputTokens: 1, outputTokens: 1, cacheCreationInputTokens: 0, cacheReadInputTokens: 0 },
  costUsd: 0,
  modelUsed: 'claude-test',
  provider: 'anthropic',
  traceId: 'trace',
}

export interface TicketServiceOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly server?: JiraServer
  readonly deployment?: 'cloud' | 'server'
  readonly storage?: Store
  readonly time?: { now(): Date }
  readonly target?: Partial<PublishTarget>
  readonly plugins?: readonly Used[]
  readonly seeds?: readonly Seed[]
  readonly budget?: Budget
  /** Registers no site. */
  readonly bare?: true
  readonly parallel?: number
  readonly llm?: { readonly timeoutMs: number }
  /** In place of open gates. */
  readonly gates?: readonly Seed[]
  readonly more?: Partial<TestSetting>
}

/** Starts everything, with a site whose home page is in its draft. */
export async function startTicketService(t: Test, options: TicketServiceOptions = {}) {
  const server = options.server ?? (await startJira(t, options))
  const model = await startModelServer(t)
  model.script(saying(plan))
  const { log, lines } = capturedLog()
  const storage = options.storage ?? createMemoryStore()
  const time = options.time ?? { now: () => new Date() }
  const published: unknown[] = []
  const runs: ContentRun[] = []
  let titles = 0

  /** Renames the home page, as an agent may. */
  const rename = async (
    { id, channel, source, actor }: ContentRun,
    newTitle = `Title ${++titles}`,
  ): Promise<ContentOutcome> => {
    const edit = {
      kind: 'operations',
      ops: [{ op: 'rename_page', pageSlug: '/', newTitle }],
      source: 'planner',
      logSource: source,
    } as const
    const service = await mounted.get(drafts)
    const { previewVersion } = await service.commit({ id, edit, actor, channel }, (committed) => committed)
    return { ...outcome, previewVersion }
  }
  const agent: { run: ContentAgent['run']; check: ContentAgent['check'] } = {
    run: (run) => rename(run),
    check: () => undefined,
  }
  const given: ContentAgent = { check: () => agent.check(), run: (run) => (runs.push(run), agent.run(run)) }
  const nothing = (): undefined => undefined
  const spending = options.budget && {
    budget: async () => options.budget,
    add: async () => nothing(),
    addCall: async () => nothing(),
    usePrices: nothing,
    countGeneration: async () => nothing(),
  }
  const base = draftsInMemory({
    store: storage,
    clock: time,
    ...(options.gates && { gates: options.gates }),
    plugins: [
      use(media),
      use(llm, options.llm ?? {}),
      use(jira, { retryAfterMs: [1, 1], parallel: options.parallel ?? 2 }),
      inHouse({
        name: 'house',
        publish: async (publication) => {
          published.push(publication.pages)
          return done
        },
        ...options.target,
      }),
      ...(options.plugins ?? []),
    ],
    seeds: [
      give(agentLoop, createLoop({ usage: spending, prices: defaultPrices, log })),
      give(contentAgent, given),
      ...(spending ? [give(usage, spending)] : []),
      ...(options.seeds ?? []),
    ],
    env: {
      ...server.env,
      JIRA_WEBHOOK_SECRET: hookSecret,
      PUBLISH_TARGET: 'house',
      ANTHROPIC_API_KEY: 'sk-ant-marker-model-key',
      ANTHROPIC_BASE_URL: model.origin,
      ORCHESTRATOR_PUBLIC_ORIGIN: 'https://cms.example',
      MEDIA_UPLOADS_PER_MIN: '0',
      ...options.env,
    },
  })
  const mounted = mountForTest(t, { ...base, log, ...options.more })
  const ask = mounted.inject
  const edit = editor(ask, site)
  if (!options.bare) {
    const answers = [
      await edit.send('/sites/register', { name: 'Acme Boats', previewUrl: 'http://boats.localhost:3000' }),
      await edit.bootstrap([page('/')]),
    ]
    for (const { status, text } of answers) if (status !== 200) throw new Error(text)
  }

  const secret = { 'x-jira-webhook-secret': hookSecret }
  const tickets = createTickets({ store: storage, clock: time })
  const records = createRecords({ store: storage, clock: time, ids: { uuid: () => 'none' } })
  let messages = 0
  const deliver = (payload: object, headers: Readonly<Record<string, string>> = {}): Promise<Injected> =>
    ask({
      method: 'POST',
      url: '/jira/webhook',
      json: payload,
      headers: { ...secret, 'x-atlassian-webhook-identifier': `message-${++messages}`, ...headers },
    })
  return {
    server,
    model,
    mounted,
    ask,
    edit,
    lines,
    storage,
    runs,
    agent,
    rename,
    outcome,
    published,
    tickets,
    secret,
    deliver,
    records,
    process: (issueKey: unknown, mode?: unknown): Promise<Injected> => {
      const json = { issueKey, ...(mode !== undefined && { mode }) }
      return ask({ method: 'POST', url: '/jira/process', json, headers: secret })
    },
    status: async () => v.parse(Status, (await ask({ url: '/jira/status', headers: secret })).json()),
    /** Adds a comment of a person, and sends its webhook. */
    async comment(key: string, words: unknown, by: string | undefined = 'ann'): Promise<Injected> {
      return deliver(server.commented(key, server.say(key, by, words)))
    },
    /** Waits until no ticket is being processed. */
    idle: () => until(async () => (await tickets.busy()).length === 0, 'every ticket to be processed'),
    newest: async (): Promise<RunRecord | undefined> => (await records.newest(1))[0],
    ended: (count: number) =>
      until(
        async () => (await records.newest(100)).length >= count && (await tickets.busy()).length === 0,
        `${count} runs`,
      ),
  }
}
export type TicketService = Awaited<ReturnType<typeof startTicketService>>

const Status = v.looseObject({
  agentAccountId: v.nullable(v.string()),
  poller: v.looseObject({
    running: v.boolean(),
    processedCount: v.number(),
    isPolling: v.boolean(),
    lastPollAt: v.optional(v.string()),
    lastError: v.optional(v.string()),
  }),
  queue: v.array(v.looseObject({ issueKey: v.string(), state: v.string() })),
  recent: v.array(v.looseObject({ issueKey: v.string(), status: v.string(), summary: v.string() })),
})

/** The signature of a message of Jira Cloud. */
export const signatureOf = (body: string | Uint8Array, secret = hookSecret): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** An agent that is not set up. */
export const notSetUp = (): never => {
  const reason = 'The agent has no key. Set AGENT_API_KEY.'
  throw new Refusal({ status: 501, code: 'agent_not_configured', reason })
}
