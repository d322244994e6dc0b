import * as v from 'valibot'
import { countOption, definePlugin } from '../../../kernel/index.ts'
import {
  defaultModels,
  keyedProviders,
  modelClients,
  seeingClients,
  type KeyedProvider,
  type ModelClient,
  type SeeingClient,
  imageGenerators,
  transcribers,
} from '../port.ts'
import { outbound } from '../../outbound/port.ts'
import { createOpenAi } from './client.ts'
import { createOpenAiImages } from './images.ts'
import { imageModelsOf, OpenAiVariables, ownAddress, transcriptionModelsOf } from './settings.ts'
import { createTranscriber } from './transcriber.ts'

/**
 * Models of OpenAI and of services with the same protocol. Planning needs OPENAI_MODEL; a key alone is enough
 * to generate and describe images and to transcribe recordings.
 */
export default definePlugin({
  name: 'models-openai',
  tag: 'Chat',
  options: v.object({ timeoutMs: countOption(120_000) }),
  env: OpenAiVariables,
  gives: { modelClients, keyedProviders, seeingClients, imageGenerators, transcribers },
  needs: { outbound },
}).setup(({ options, env, log, needs }) => {
  const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL: baseUrl = ownAddress } = env
  const { OPENAI_MODEL: model } = env
  const canPlan = model && (apiKey !== '' || env.OPENAI_BASE_URL !== undefined)
  const transcriptionModels = transcriptionModelsOf(env)
  const open: KeyedProvider['open'] = (apiKey) => {
    let loading: ReturnType<typeof createOpenAi> | undefined
    return {
      provider: 'openai',
      async *stream(call, signal) {
        yield* (
          await (loading ??= createOpenAi({ apiKey, baseUrl, timeoutMs: options.timeoutMs, log, ...needs }))
        )(call, signal)
      },
    }
  }
  const seeing: SeeingClient = {
    ...open(apiKey),
    seeingModel: env.OPENAI_VISION_MODEL || model || defaultModels.openai.seeing,
  }
  const client: ModelClient | undefined = canPlan
    ? { ...seeing, modelOf: () => model, timeoutMs: options.timeoutMs }
    : undefined
  return {
    gives: {
      modelClients: client,
      keyedProviders: { provider: 'openai', open },
      seeingClients: client || apiKey === '' ? undefined : seeing,
      transcribers:
        transcriptionModels.length > 0
          ? createTranscriber({ apiKey, baseUrl, models: transcriptionModels, ...needs })
          : undefined,
      imageGenerators:
        apiKey === ''
          ? undefined
          : createOpenAiImages({ apiKey, baseUrl, models: imageModelsOf(env), ...needs }),
    },
  }
})
