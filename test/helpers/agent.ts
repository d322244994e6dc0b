/** The content agent with a scripted model, on a draft in memory. */
import * as v from 'valibot'
import { use, type Clock, type Injected, type Logger, type Seed, type Used } from '../../kernel/index.ts'
import { mountForTest, type Ask } from '../../kernel/testing.ts'
import agent from '../../plugins/agents/loop/index.ts'
import llm from '../../plugins/models/anthropic/index.ts'
import openai from '../../plugins/models/openai/index.ts'
import tools from '../../plugins/tools/index.ts'
import usage from '../../plugins/models/usage/index.ts'
import { boatAbout, boatHome } from './boats.ts'
import { calling, startModelServer } from './model-server.ts'
import { draftsInMemory, editor, eventsIn } from './stack.ts'

type MountTest = Parameters<typeof mountForTest>[0]

export interface AgentOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly plugins?: readonly Used[]
  readonly seeds?: readonly Seed[]
  readonly gates?: readonly Seed[]
  readonly clock?: Clock
  readonly log?: Logger
}

export const agentKey = 'sk-ant-marker-of-the-agent'
const Started = v.object({ streamId: v.string() })
const StreamEvent = v.looseObject({ type: v.string(), _seq: v.number() })
export type AgentStreamEvent = v.InferOutput<typeof StreamEvent>

/** Starts the agent with two pages about boats. */
export async function openAgent(
  t: MountTest,
  { env = {}, plugins = [], log, ...options }: AgentOptions = {},
) {
  const server = await startModelServer(t)
  const setting = draftsInMemory({
    ...options,
    env: { ANTHROPIC_BASE_URL: server.origin, AGENT_API_KEY: agentKey, ...env },
    plugins: [use(llm, {}), use(openai, {}), use(usage), use(tools), use(agent, {}), ...plugins],
  })
  const mounted = mountForTest(t, { ...setting, ...(log && { log }) })
  const ask: Ask = (request) => mounted.inject(request)
  const at = editor(ask)
  await at.bootstrap([boatHome('We lend boats.'), boatAbout])
  const post = (
    path: string,
    json: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Injected> => ask({ method: 'POST', url: path, json, headers })
  const start = async (message: string, more: object = {}): Promise<string> =>
    v.parse(Started, (await post('/agent/start', { ...at.at, message, ...more })).json()).streamId
  const open = async (
    streamId: string,
    query: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const response = await mounted.fetch(
      new Request(`http://localhost/agent/stream?${new URLSearchParams({ streamId, ...query })}`, {
        headers,
      }),
    )
    if (response.status !== 200)
      throw new Error(`the stream answered ${response.status}: ${await response.text()}`)
    const stream = eventsIn(response)
    t.teardown(() => stream.close())
    return {
      ...stream,
      events: async (count: number): Promise<readonly AgentStreamEvent[]> =>
        (await stream.take(count)).map(({ data }) => v.parse(StreamEvent, data)),
      toEnd: async (): Promise<readonly AgentStreamEvent[]> =>
        (await stream.rest()).flatMap(({ data }) => (data === undefined ? [] : [v.parse(StreamEvent, data)])),
    }
  }
  /** All events of a run. */
  const run = async (message: string, more: object = {}): Promise<readonly AgentStreamEvent[]> =>
    (await open(await start(message, more))).toEnd()
  return { server, mounted, ask, post, start, open, run, ...at }
}

export const typesOf = (events: readonly AgentStreamEvent[]): readonly string[] =>
  events.map(({ type }) => type)

/** An answer that calls tools: one line each, of a name and its input as JSON. */
export const calls = (lines: string, before = '') =>
  calling(
    lines
      .trim()
      .split(/\n\s*/)
      .map((line) => [line.split(' ', 1).join(), line.slice(line.indexOf(' ')).trim()] as const),
    before,
  )

/** The call that sets the heading of the hero. */
export const setHeading = (heading: string): string =>
  `batch_update_props {"pageSlug":"/","blockId":"b_hero","patch":{"heading":"${heading}"}}`
