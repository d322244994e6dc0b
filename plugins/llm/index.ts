import * as v from 'valibot'
import { definePlugin } from '../../kernel/index.ts'
import { modelClient, type ModelClient } from './port.ts'
import { LlmVariables, modelsOf } from './settings.ts'
import { toSwitch } from './switch.ts'

const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(1))

/** The language model, called on its provider's own terms. Without ANTHROPIC_API_KEY there is none. */
export default definePlugin({
  name: 'llm',
  tag: 'Chat',
  options: v.object({ timeoutMs: v.optional(milliseconds, 120_000) }),
  env: LlmVariables,
  gives: { modelClient },
}).setup(({ options, env, log }) => {
  const apiKey = env.ANTHROPIC_API_KEY
  const cache = toSwitch(env.ANTHROPIC_PROMPT_CACHE)
  if (cache === undefined) log.warn({ variable: 'ANTHROPIC_PROMPT_CACHE' }, 'neither on nor off; prompts are cached')
  if (apiKey === undefined || apiKey === '') return { gives: { modelClient: undefined } }

  const models = modelsOf(env)
  const load = once(async () => {
    const { createAnthropic } = await import('./anthropic.ts')
    return createAnthropic({ apiKey, baseUrl: env.ANTHROPIC_BASE_URL, cache: cache ?? true, timeoutMs: options.timeoutMs })
  })
  const client: ModelClient = {
    provider: 'anthropic',
    modelOf: (tier) => models[tier],
    seeingModel: env.ANTHROPIC_VISION_ALT_MODEL || models.fast,
    async *stream(call, signal) {
      yield* (await load())(call, signal)
    },
  }
  return { gives: { modelClient: client } }
})

/** Makes a value when it is first wanted: the library takes longer to load than this service to start. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
