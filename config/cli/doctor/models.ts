import { definePlugin, use } from '../../../kernel/index.ts'
import { modelClients, ModelFailure, modelTiers, type ModelClient } from '../../../plugins/llm/port.ts'
import type { Assembly } from '../../assemble.ts'
import type { Finding } from './finding.ts'
import { inspect } from '../shared/inspect.ts'

const item = 'Language model'
const none = 'None is set up; set ANTHROPIC_API_KEY, or OPENAI_MODEL with OPENAI_API_KEY or OPENAI_BASE_URL, where one is wanted.'

/** Asks every model that is set up for one word, and judges what comes back. */
export async function checkModels(assembly: Assembly, { timeoutMs }: { readonly timeoutMs: number }): Promise<readonly Finding[]> {
  let clients: readonly ModelClient[] = []
  const asking = definePlugin({ name: 'check-models', tag: 'Chat', needs: { clients: modelClients } }).setup(({ needs }) => {
    clients = needs.clients.filter((client) => client !== undefined)
    return {}
  })
  const plugins = [...assembly.plugins, { ...use(asking), entry: 'check-models', isBuiltin: true }]
  return inspect({ ...assembly, plugins }, async () => {
    if (clients.length === 0) return [{ item, state: 'warn', says: none }]
    return Promise.all(clients.flatMap((client) =>
      [...new Set(modelTiers.map((tier) => client.modelOf(tier)))].map((model) => judge(client, model, AbortSignal.timeout(timeoutMs)))))
  })
}

async function judge(client: ModelClient, model: string, signal: AbortSignal): Promise<Finding> {
  const call = { model, maxTokens: 16, tools: [], system: [{ text: 'Answer with one word.' }], messages: [{ role: 'user' as const, texts: [{ text: 'Ready?' }] }] }
  try {
    for await (const _ of client.stream(call, signal)) break
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    const { kind, reason } = error
    if (kind === 'aborted') return { item, state: 'warn', says: `${model} did not answer in time; try again.` }
    if (kind !== 'truncated' && kind !== 'refused') return { item, state: kind === 'overload' ? 'warn' : 'unsafe', says: `${model}: ${reason}` }
  }
  return { item, state: 'ok', says: `${model} of ${client.provider} answers.` }
}
