import * as v from 'valibot'
import { type Injected, use, type Used } from '../../kernel/index.ts'
import { type Ask, mountForTest, type TestSetting } from '../../kernel/testing.ts'
import chatImages from '../../plugins/chat/images/index.ts'
import chatModel from '../../plugins/chat/model/index.ts'
import chat from '../../plugins/chat/index.ts'
import {
  ChatResult,
  type Outcome,
  type Planner,
  planners,
  type PlanningInput,
} from '../../plugins/chat/port.ts'
import type { Operation } from '../../plugins/content/operations/index.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import type { Page } from '../../plugins/content/page.ts'
import { pageOf } from './content.ts'
import { draftsInMemory, editor, type SmallOptions, textBlock } from './stack.ts'
import { giving } from './plain.ts'

/** The outcome of each message. */
export type Script = Readonly<Record<string, Outcome | ((input: PlanningInput) => Outcome)>>

export const suggestions = ['Set the title of block b_1 to "Hi"', 'Remove block b_2']

/** Rules that understand only the messages of a script. */
export const scripted =
  (script: Script) =>
  (input: PlanningInput): Outcome => {
    const line = Object.hasOwn(script, input.message) ? script[input.message] : undefined
    if (!line) return { kind: 'unsupported', suggestions }
    return typeof line === 'function' ? line(input) : line
  }

/** Operations as a planner gives them. */
export function opsOf(...raw: readonly object[]): readonly Operation[] {
  const parsed = parseOperations(raw)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.ops
}

/** The outcome that makes these changes. */
export const planOf = (...raw: readonly object[]): Outcome => ({
  kind: 'plan',
  plan: {
    summary: 'I will do that.',
    changeLog: raw.map((_, index) => `Change number ${index + 1}`),
    ops: raw.length > 0 ? opsOf(...raw) : [],
  },
})

export const setBody = (body: string, blockId = 'b_1', pageSlug = '/') => ({
  op: 'update_props',
  pageSlug,
  blockId,
  patch: { body },
})
export const removeBlock = (blockId: string, pageSlug = '/') => ({ op: 'remove_block', pageSlug, blockId })
export const removePage = (pageSlug: string) => ({ op: 'remove_page', pageSlug })

export const startPages: readonly Page[] = [
  pageOf('/', [
    textBlock('b_1', 'One'),
    textBlock('b_2', 'Two'),
    textBlock('b_3', 'Three'),
    textBlock('b_4', 'Four'),
  ]),
  pageOf('/about', [textBlock('b_5', 'About'), textBlock('b_6', 'More')]),
  pageOf('/team', [textBlock('b_7', 'Team')]),
]

export interface ChatOptions extends SmallOptions {
  readonly script?: Script
  readonly chat?: {
    readonly maxOperations?: number
    readonly longestWaitMs?: number
    readonly maxDraftBytes?: number
  }
}

/** Replaces the rules by a local planner that follows a script. */
const scriptedRules = (script: Script): Used =>
  use(giving('chat-rules', planners, scriptedPlanner(script, { name: 'demo', isLocal: true })))

/** A planner in addition to the rules, as a plugin adds one. */
export const withPlanner = (planner: Planner): Used =>
  use(giving(`planner-${planner.name}`, planners, planner))

/** A planner that follows a script, in place of one with a model. */
export const scriptedPlanner = (script: Script, more: Partial<Planner> = {}): Planner => ({
  name: 'anthropic',
  available: true,
  plan: async (input) => scripted(script)(input),
  ...more,
})

/** Chat and the plugins that it needs, in memory, for `everyWayIn`. */
export function chatInMemory({
  script = {},
  chat: options = {},
  plugins = [],
  ...rest
}: ChatOptions = {}): TestSetting {
  return draftsInMemory({
    ...rest,
    plugins: [use(chat, options), scriptedRules(script), use(chatModel, {}), use(chatImages), ...plugins],
  })
}

/** A client of an editor with chat. */
export function chatClient(ask: Ask, at?: Readonly<Record<string, string>>) {
  const client = editor(ask, at)
  const say = (message: string, more: object = {}): Promise<Injected> =>
    client.send('/chat', { slug: '/', message, ...more })
  const run = (executionMode: string, more: object = {}): Promise<Injected> =>
    client.send('/chat', { slug: '/', executionMode, ...more })
  return {
    ...client,
    say,
    approve: (more: object = {}) => run('apply_pending_plan', more),
    discard: (more: object = {}) => run('discard_pending_plan', more),
    run,
    plans: async () => v.parse(Plans, (await client.get('/chat/plans')).json()).plans,
    plan: (id: string) => client.get(`/chat/plans/${id}`),
    /** The draft as text, to compare before and after. */
    draftState: async () =>
      JSON.stringify([
        await client.version(),
        await Promise.all((await client.slugs()).map((slug) => client.page(slug))),
      ]),
  }
}

const Plans = v.object({ plans: v.array(v.looseObject({ id: v.string() })) })

/** The status and the validated result of a response. */
export const resultOf = (answer: Injected) => ({ http: answer.status, ...v.parse(ChatResult, answer.json()) })

/** Chat in memory with the start pages, and a client of it. */
export async function openChat(t: Parameters<typeof mountForTest>[0], options: ChatOptions = {}) {
  const mounted = mountForTest(t, chatInMemory(options))
  const ask: Ask = (request) => mounted.inject(request)
  const client = chatClient(ask)
  await client.bootstrap(startPages)
  return { mounted, ask, ...client }
}
