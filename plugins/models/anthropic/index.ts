import * as v from 'valibot'
import { countOption, definePlugin, readSwitch } from '../../../kernel/index.ts'
import { outbound } from '../../outbound/port.ts'
import { createAnthropic } from './client.ts'
import { keyedProviders, modelClients, type KeyedProvider, type ModelClient } from '../port.ts'
import { LlmVariables } from './settings.ts'

/** Anthropic models. Without ANTHROPIC_API_KEY, only plugins with their own key can use them. */
export default definePlugin({
  name: 'models-anthropic',
  tag: 'Chat',
  options: v.object({ timeoutMs: countOption(120_000) }),
  env: LlmVariables,
  gives: { modelClients, keyedProviders },
  needs: { outbound },
}).setup(({ options, env, log, needs }) => {
  const apiKey = env.ANTHROPIC_API_KEY
  const cache = readSwitch(env.ANTHROPIC_PROMPT_CACHE, true, () =>
    log.warn({ variable: 'ANTHROPIC_PROMPT_CACHE' }, 'invalid value ignored, prompts are cached'),
  )
  const common = { baseUrl: env.ANTHROPIC_BASE_URL, cache, timeoutMs: options.timeoutMs, log, ...needs }
  const open: KeyedProvider['open'] = (apiKey) => {
    let loading: ReturnType<typeof createAnthropic> | undefined
    return {
      provider: 'anthropic',
      async *stream(call, signal) {
        yield* (await (loading ??= createAnthropic({ ...common, apiKey })))(call, signal)
      },
    }
  }
  const keyed: KeyedProvider = { provider: 'anthropic', open }
  if (apiKey === undefined || apiKey === '')
    return { gives: { modelClients: undefined, keyedProviders: keyed } }

  const models = {
    fast: env.ANTHROPIC_MODEL_FAST,
    balanced: env.ANTHROPIC_MODEL_BALANCED,
    reasoning: env.ANTHROPIC_MODEL_REASONING,
    codex: env.ANTHROPIC_MODEL_CODEX,
  }
  const client: ModelClient = {
    ...open(apiKey),
    modelOf: (tier) => models[tier],
    timeoutMs: options.timeoutMs,
    seeingModel: env.ANTHROPIC_VISION_ALT_MODEL || models.fast,
  }
  return { gives: { modelClients: client, keyedProviders: keyed } }
})
