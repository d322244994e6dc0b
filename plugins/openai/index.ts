import * as v from 'valibot'
import { countOption, definePlugin } from '../../kernel/index.ts'
import { transcribers } from '../audio/port.ts'
import { modelClients, type ModelClient } from '../llm/port.ts'
import { outbound } from '../outbound/port.ts'
import { createOpenAi } from './client.ts'
import { modelsOf, OpenAiVariables, ownAddress, transcribingModelsOf } from './settings.ts'
import { createTranscriber } from './transcriber.ts'

/** The models of OpenAI, and of whatever speaks its protocol: language models with OPENAI_MODEL, and those that write down recordings. */
export default definePlugin({
  name: 'openai',
  tag: 'Chat',
  options: v.object({ timeoutMs: countOption(120_000) }),
  env: OpenAiVariables,
  gives: { modelClients, transcribers },
  needs: { outbound },
}).setup(({ options, env, log, needs }) => {
  const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL: baseUrl } = env
  const models = modelsOf(env)
  const writing = transcribingModelsOf(env)
  const transcriber = writing.length > 0 ? createTranscriber({ apiKey, baseUrl: baseUrl ?? ownAddress, models: writing, ...needs }) : undefined
  if (!models || (apiKey === '' && baseUrl === undefined)) return { gives: { modelClients: undefined, transcribers: transcriber } }
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
  return { gives: { modelClients: client, transcribers: transcriber } }
})
