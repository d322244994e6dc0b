import * as v from 'valibot'
import { countOption, definePlugin, readSwitch } from '../../kernel/index.ts'
import { modelClient, type ModelClient } from './port.ts'
import { LlmVariables, modelsOf } from './settings.ts'

/** The language model, called on its provider's own terms. Without ANTHROPIC_API_KEY there is none. */
export default definePlugin({
  name: 'llm',
  tag: 'Chat',
  options: v.object({ timeoutMs: countOption(120_000) }),
  env: LlmVariables,
  gives: { modelClient },
}).setup(({ options, env, log }) => {
  const apiKey = env.ANTHROPIC_API_KEY
  const cache = readSwitch(env.ANTHROPIC_PROMPT_CACHE, true, () => log.warn({ variable: 'ANTHROPIC_PROMPT_CACHE' }, 'neither on nor off; prompts are cached'))
  if (apiKey === undefined || apiKey === '') return { gives: { modelClient: undefined } }

  const models = modelsOf(env)
  // The library takes longer to load than this service to start.
  const load = async () => {
    const { createAnthropic } = await import('./anthropic.ts')
    return createAnthropic({ apiKey, baseUrl: env.ANTHROPIC_BASE_URL, cache, timeoutMs: options.timeoutMs })
  }
  let loading: ReturnType<typeof load> | undefined
  const client: ModelClient = {
    provider: 'anthropic',
    modelOf: (tier) => models[tier],
    seeingModel: env.ANTHROPIC_VISION_ALT_MODEL || models.fast,
    async *stream(call, signal) {
      yield* (await (loading ??= load()))(call, signal)
    },
  }
  return { gives: { modelClient: client } }
})
