import * as v from 'valibot'
import { Refusal } from '../../../kernel/index.ts'
import {
  failuresOf,
  postJson,
  type ErrorMeanings,
  type Aspect,
  type ImageGenerator,
  type ImageTier,
} from '../port.ts'
import type { Outbound } from '../../outbound/port.ts'
import { openAiSettings } from './settings.ts'

const sizes: Readonly<Record<Aspect, string>> = {
  landscape: '1536x1024',
  square: '1024x1024',
  portrait: '1024x1536',
}
const meanings: ErrorMeanings = new Map<string, number | 'refused'>([
  ['moderation_blocked', 'refused'],
  ['content_policy_violation', 'refused'],
  ['insufficient_quota', 402],
])
const Answer = v.object({
  data: v.optional(v.array(v.object({ b64_json: v.nullish(v.string()), url: v.nullish(v.string()) })), []),
  usage: v.fallback(v.optional(v.object({ input_tokens: v.number(), output_tokens: v.number() })), undefined),
})

/** The maximum size of an answer: one image in base64. */
const maxBytes = 32 * 1024 * 1024
/** The hosts from which images are downloaded if the answer contains an address, and the download limits. */
const hosts = ['.blob.core.windows.net', '.oaiusercontent.com', '.openai.com']
const limits = { maxBytes: 20 * 1024 * 1024, timeoutMs: 20_000, followsRedirects: false } as const

/** Creates the image generator for the Images API. Needs no package. */
export function createOpenAiImages({
  apiKey,
  baseUrl,
  models,
  outbound,
}: {
  readonly apiKey: string
  readonly baseUrl: string
  readonly models: Readonly<Record<ImageTier, string>>
  readonly outbound: Pick<Outbound, 'fetch'>
}): ImageGenerator {
  const failures = failuresOf({
    ...openAiSettings,
    provider: 'OpenAI',
    models: 'OPENAI_IMAGE_MODEL_DRAFT and OPENAI_IMAGE_MODEL',
    secret: apiKey,
  })
  const { origin } = new URL(baseUrl)

  const fetchPicture = async (address: string, signal: AbortSignal): Promise<Uint8Array> => {
    const url = URL.parse(address)
    const isOwn = url?.origin === origin
    if (!url || !(isOwn || (url.protocol === 'https:' && hosts.some((host) => url.hostname.endsWith(host)))))
      throw failures.brokenOff({ type: 'foreign_address' })
    try {
      const { status, bytes } = await outbound.fetch(url, {
        ...limits,
        signal,
        ...(isOwn && { allowOrigins: [origin] }),
      })
      if (status === 200) return bytes
    } catch (cause) {
      if (signal.aborted) throw failures.aborted()
      if (!(cause instanceof Refusal)) throw cause
      throw failures.brokenOff({ type: cause.code, cause })
    }
    throw failures.brokenOff({ type: 'picture_unavailable' })
  }

  return {
    provider: 'openai',
    modelOf: (tier) => models[tier],
    async make({ prompt, model, aspect, timeoutMs, signal, spent }) {
      const headers = { authorization: `Bearer ${apiKey}` }
      const json = { model, prompt, size: sizes[aspect], n: 1 }
      const answer = await postJson(`${baseUrl}/images/generations`, {
        outbound,
        failures,
        meanings,
        headers,
        json,
        maxBytes,
        timeoutMs,
        signal,
      })
      const { success, output } = v.safeParse(Answer, answer)
      if (!success) throw failures.brokenOff({ type: 'unknown answer' })
      const {
        data: [picture],
        usage,
      } = output
      if (usage)
        spent({
          inputTokens: usage.input_tokens,
          outputTokens: usage.output_tokens,
          cacheCreationInputTokens: 0,
          cacheReadInputTokens: 0,
        })
      if (picture?.b64_json) return Buffer.from(picture.b64_json, 'base64')
      return picture?.url ? fetchPicture(picture.url, signal) : undefined
    },
  }
}
