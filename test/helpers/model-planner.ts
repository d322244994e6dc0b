/** A model planner over the real library and real sockets, against a local scripted server. */
import * as v from 'valibot'
import { definePlugin, use, type Used } from '../../kernel/index.ts'
import { capturedLog, mountForTest, openGates, stillClock } from '../../kernel/testing.ts'
import {
  createModelPlanner,
  type ModelPlannerOptions,
  ModelOptions,
  type ModelSettings,
  ModelVariables,
  toSettings,
} from '../../plugins/chat/model/testing.ts'
import type { PlanningFacts } from '../../plugins/chat/testing.ts'
import type { RunEvent, Outcome, PlanningInput, PlanningRun } from '../../plugins/chat/port.ts'
import { demoPages } from './demo-pages.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import llm from '../../plugins/models/anthropic/index.ts'
import {
  type ModelCall,
  type ModelClient,
  modelClients,
  ModelFailure,
  type ModelPiece,
  type ModelSpending,
} from '../../plugins/models/port.ts'
import outbound from '../../plugins/outbound/index.ts'
import { type ModelServer, type Script, startModelServer } from './model-server.ts'

type MountTest = Parameters<typeof mountForTest>[0]

/** A key that must not appear in any output; of a form that no logger redacts. */
export const testKey = 'key-of-the-canary-0123456789'

/** The client that a plugin for a provider gives with these variables, if it gives one. */
export async function clientIn(
  t: MountTest,
  plugin: Used,
  env: Readonly<Record<string, string>>,
  log = capturedLog().log,
): Promise<ModelClient | undefined> {
  let given: ModelClient | undefined
  const asking = definePlugin({ name: 'asking', tag: 'Chat', needs: { clients: modelClients } }).setup(
    ({ needs }) => {
      given = needs.clients[0]
      return {}
    },
  )
  const plugins = [use(outbound), plugin, use(asking)]
  await mountForTest(t, { plugins, seeds: openGates, env, log }).ready()
  return given
}

/** The pieces of an answer, and its failure, if any. */
export async function answerOf(client: ModelClient, call: ModelCall, signal = new AbortController().signal) {
  const pieces: ModelPiece[] = []
  try {
    for await (const piece of client.stream(call, signal)) pieces.push(piece)
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    return { pieces, failure: error }
  }
  return { pieces, failure: undefined }
}

/** A request about the home page of the demo site; `more` overrides the rest. */
export function inputFor(message: string, more: Partial<PlanningInput> = {}): PlanningInput {
  return {
    siteId: 'demo',
    message,
    locale: 'en',
    draft: { version: 1, pages: demoPages, config: { name: 'Avocado Stories' } },
    selection: { slug: '/' },
    registry: builtinRegistry,
    ...more,
  }
}

/** The default settings with these changes. */
export function settingsWith(
  env: Readonly<Record<string, string>> = {},
  more: Partial<ModelSettings> = {},
): ModelSettings {
  return { ...toSettings(v.parse(ModelVariables, env), v.parse(ModelOptions, {}), () => undefined), ...more }
}

/** The result and the events of one run of the planner. */
export interface PlannerRun {
  readonly outcome: Outcome | undefined
  readonly error: unknown
  readonly events: readonly RunEvent[]
  readonly spent: readonly ModelSpending[]
  readonly attempts: readonly PlanningFacts[]
}

export interface PlannerBench {
  readonly server: ModelServer
  readonly lines: readonly string[]
  plan(input: PlanningInput, options?: PlanOptions): Promise<PlannerRun>
}

interface PlanOptions extends Pick<PlanningRun, 'readPicture'> {
  readonly signal?: AbortSignal
  readonly emit?: (event: RunEvent) => void
}

/** Starts a server with these answers, and a planner that asks it. Retries wait only briefly. */
export async function startPlanner(
  t: MountTest,
  scripts: readonly Script[],
  settings: ModelSettings = settingsWith(),
  more: Partial<ModelPlannerOptions> = {},
): Promise<PlannerBench> {
  const server = await startModelServer(t)
  server.script(...scripts)
  const { log, lines } = capturedLog()
  const env = { ANTHROPIC_API_KEY: testKey, ANTHROPIC_BASE_URL: server.origin }
  const client = await clientIn(t, use(llm, {}), env)
  if (!client) throw new Error('there is no client')
  const planner = createModelPlanner({ client, settings, log, clock: stillClock(), waits: [1, 5], ...more })
  return {
    server,
    lines,
    async plan(input, { signal = new AbortController().signal, emit, ...tools } = {}) {
      const events: RunEvent[] = []
      const spent: ModelSpending[] = []
      const attempts: PlanningFacts[] = []
      const run: PlanningRun = {
        ...tools,
        id: 'run',
        signal,
        emit(event) {
          events.push(event)
          emit?.(event)
        },
        spent: (spending) => void spent.push(spending),
        attempting: (facts) => void attempts.push(facts),
      }
      const result = await planner.plan(input, run).then(
        (outcome) => ({ outcome, error: undefined }),
        (error: unknown) => ({ outcome: undefined, error }),
      )
      return { ...result, events, spent, attempts }
    },
  }
}
