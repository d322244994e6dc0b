import * as v from 'valibot'
import { countOption, definePlugin } from '../../kernel/index.ts'
import { modelClients, type ModelClient } from '../llm/port.ts'
import { outbound } from '../outbound/port.ts'
import { createOpenAi } from './client.ts'
import { modelsOf, OpenAiVariables, ownAddress } from './settings.ts'

/** The language models of OpenAI, and of whatever speaks its protocol. Without OPENAI_MODEL there are none. */
export default definePlugin({
  name: 'openai',
  tag: 'Chat',
  options: v.object({ timeoutMs: countOption(120_000) }),
  env: OpenAiVariables,
  gives: { modelClients },
  needs: { outbound },
}).setup(({ options, env, log, needs }) => {
  const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL: baseUrl } = env
  const models = modelsOf(env)
  if (!models || (apiKey === '' && baseUrl === undefined)) return { gives: { modelClients: undefined } }
  let loading: ReturnType<typeof createOpenAi> | undefined
  const client: ModelClient = {
    provider: 'openai',
    modelOf: (tier) => models[tier],
    timeoutMs: options.timeoutMs,
    seeingModel: env.OPENAI_VISION_MODEL || models.fast,
    async *stream(call, signal) {
      yield* (await (loading ??= createOpenAi({ apiKey, baseUrl: baseUrl ?? ownAddress, timeoutMs: options.timeoutMs, log, ...needs })))(call, signal)
    },
  }
  return { gives: { modelClients: client } }
})
