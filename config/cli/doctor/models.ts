import { definePlugin, use } from '../../../kernel/index.ts'
import { modelClients, ModelFailure, modelTiers, type ModelClient } from '../../../plugins/llm/port.ts'
import type { Assembly } from '../../assemble.ts'
import { inspect } from '../shared/installation.ts'
import { ok, unsafe, warn, type Finding, type CheckResult } from './finding.ts'

const none =
  'None is configured; set ANTHROPIC_API_KEY, or OPENAI_MODEL with OPENAI_API_KEY or OPENAI_BASE_URL, to use one.'

/** Requests one word from every configured model, and checks the answers. */
export async function* checkModels(assembly: Assembly, timeoutMs: number): AsyncGenerator<Finding> {
  let clients: readonly ModelClient[] = []
  const probe = definePlugin({ name: 'check-models', tag: 'Chat', needs: { clients: modelClients } }).setup(
    ({ needs }) => {
      clients = needs.clients.filter((client) => client !== undefined)
      return {}
    },
  )
  const plugins = [...assembly.plugins, { ...use(probe), entry: 'check-models', isBuiltin: true }]
  const results = await inspect({ ...assembly, plugins }, () =>
    Promise.all(
      clients.flatMap((client) => {
        const models = new Set(modelTiers.map((tier) => client.modelOf(tier)))
        return [...models].map((model) => checkModel(client, model, AbortSignal.timeout(timeoutMs)))
      }),
    ),
  )
  for (const result of results.length === 0 ? [warn(none)] : results) {
    yield { item: 'Language model', ...result }
  }
}

async function checkModel(client: ModelClient, model: string, signal: AbortSignal): Promise<CheckResult> {
  const messages = [{ role: 'user' as const, texts: [{ text: 'Ready?' }] }]
  const call = { model, maxTokens: 16, tools: [], system: [{ text: 'Answer with one word.' }], messages }
  try {
    for await (const _ of client.stream(call, signal)) break
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    const { kind, reason } = error
    if (kind === 'aborted') return warn(`${model} did not answer in time; try again.`)
    if (kind === 'overload') return warn(`${model}: ${reason}`)
    if (kind !== 'truncated' && kind !== 'refused') return unsafe(`${model}: ${reason}`)
  }
  return ok(`${model} of ${client.provider} answers.`)
}
