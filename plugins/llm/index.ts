import * as v from 'valibot'
import { countOption, definePlugin, readSwitch } from '../../kernel/index.ts'
import { outbound } from '../outbound/port.ts'
import { createAnthropic } from './anthropic.ts'
import { modelClients, type ModelClient } from './port.ts'
import { LlmVariables, modelsOf } from './settings.ts'

/** The language models of Anthropic. Without ANTHROPIC_API_KEY there are none. */
export default definePlugin({
  name: 'llm',
  tag: 'Chat',
  options: v.object({ timeoutMs: countOption(120_000) }),
  env: LlmVariables,
  gives: { modelClients },
  needs: { outbound },
}).setup(({ options, env, log, needs }) => {
  const apiKey = env.ANTHROPIC_API_KEY
  const cache = readSwitch(env.ANTHROPIC_PROMPT_CACHE, true, () => log.warn({ variable: 'ANTHROPIC_PROMPT_CACHE' }, 'neither on nor off; prompts are cached'))
  if (apiKey === undefined || apiKey === '') return { gives: { modelClients: undefined } }

  const models = modelsOf(env)
  let loading: ReturnType<typeof createAnthropic> | undefined
  const client: ModelClient = {
    provider: 'anthropic',
    modelOf: (tier) => models[tier],
    timeoutMs: options.timeoutMs,
    seeingModel: env.ANTHROPIC_VISION_ALT_MODEL || models.fast,
    async *stream(call, signal) {
      yield* (await (loading ??= createAnthropic({ apiKey, baseUrl: env.ANTHROPIC_BASE_URL, cache, timeoutMs: options.timeoutMs, log, ...needs })))(call, signal)
    },
  }
  return { gives: { modelClients: client } }
})
