import * as v from 'valibot'
import { clock, countOption, definePlugin, ids, optional } from '../../../kernel/index.ts'
import { ProxyVariables, shareHolder } from '../../auth/port.ts'
import { demoLock } from '../../demo/port.ts'
import { type ModelSpending, aspects, imageGenerators } from '../../models/port.ts'
import { imageSources, media } from '../port.ts'
import { outbound } from '../../outbound/port.ts'
import { store } from '../../store/port.ts'
import { features } from '../../health/status/port.ts'
import { tools } from '../../tools/port.ts'
import { usage } from '../../models/usage/port.ts'
import { canMake, namesOf } from './providers.ts'
import { createConversations, imageConversations } from './conversations.ts'
import { createDurations, createGenerate } from './generate.ts'
import { createImageChat, toEvents, toAnswer } from './image-chat.ts'
import { createReadReferences } from './references.ts'
import { routes } from './routes.ts'
import { checkPrompt, ImageVariables } from './schemas.ts'
import { createGeneratingSource, createImageTool } from './source.ts'

/** Generates images by route, in conversations, and for chat. */
export default definePlugin({
  name: 'media-generation',
  tag: 'Media',
  options: v.object({ timeoutMs: countOption(90_000) }),
  env: v.object({ ...ImageVariables.entries, ...ProxyVariables.entries }),
  needs: {
    clock,
    ids,
    store,
    media,
    outbound,
    usage,
    generators: imageGenerators,
    demoLock: optional(demoLock),
  },
  gives: { features, source: imageSources, tool: tools },
  collections: [imageConversations],
  routes,
}).setup(({ needs, options: { timeoutMs }, env, log, signal: closing }) => {
  const { media, usage } = needs
  const generators = needs.generators.filter((each) => each !== undefined)
  const providers = { generators, preferred: env.IMAGE_GEN_PROVIDER }
  if (!namesOf(providers).includes(providers.preferred))
    log.warn({ variable: 'IMAGE_GEN_PROVIDER' }, 'unknown provider ignored, using the first one with a key')
  const durations = createDurations()
  const generate = createGenerate({
    ...needs,
    providers,
    allowed: env.IMAGE_MODELS_ALLOWED,
    durations,
    timeoutMs,
    log,
  })
  const conversational = generators.find(({ converse }) => converse !== undefined)
  const imageChat = createImageChat({
    media,
    usage,
    timeoutMs,
    log,
    generator: conversational,
    conversations: createConversations(needs),
    readReferences: createReadReferences(needs),
  })
  const available = canMake(providers)

  return {
    gives: {
      features: { imageGenerate: available, imageGenerateChat: conversational !== undefined },
      source: createGeneratingSource({ generate, usage, durations, available, longestMs: timeoutMs }),
      tool:
        available && !needs.demoLock?.playground
          ? createImageTool({ generate, usage, durations })
          : undefined,
    },
    handlers: {
      async generate(call) {
        const { prompt, aspectRatio, provider, model } = call.body
        checkPrompt(prompt)
        await usage.countGeneration(shareHolder(call, env.TRUST_PROXY))
        const aspect = aspects.find((each) => each === aspectRatio) ?? 'landscape'
        const calls: ModelSpending[] = []
        const signal = AbortSignal.any([call.signal, closing])
        const body = await generate({
          prompt,
          aspect,
          tier: 'draft',
          provider,
          model,
          signal,
          spent: (each) => calls.push(each),
        }).finally(() => Promise.all(calls.map(usage.addCall)))
        return { status: 200, body }
      },
      async chat(call) {
        const { prompt, stream } = call.body
        checkPrompt(prompt)
        await usage.countGeneration(shareHolder(call, env.TRUST_PROXY))
        const turn = await imageChat(call.body, AbortSignal.any([call.signal, closing]))
        return { status: 200, body: stream ? toEvents(turn, log) : await toAnswer(turn, prompt) }
      },
    },
  }
})
