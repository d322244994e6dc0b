import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { Refusal } from '../../../kernel/index.ts'
import {
  failureIn,
  failuresOf,
  postJson,
  type ErrorMeanings,
  type Failures,
  type Picture,
  type TokenUsage,
  type ImageOrder,
  type ImagePiece,
} from '../port.ts'
import { UpstreamFailure, type Outbound } from '../../outbound/port.ts'

/** One call of a model. */
interface GeminiCall extends Pick<ImageOrder, 'model' | 'timeoutMs' | 'signal' | 'spent'> {
  /** The request body. */
  readonly json: unknown
}

export type Gemini = ReturnType<typeof createGemini>

/** The maximum size of an answer: images in base64 of up to 20 MiB each. */
const maxBytes = 64 * 1024 * 1024

/** Creates the client of the Generative Language API. */
export function createGemini({
  apiKey,
  baseUrl,
  outbound,
}: {
  readonly apiKey: string
  readonly baseUrl: string
  readonly outbound: Pick<Outbound, 'fetch' | 'stream'>
}) {
  const failures = failuresOf({ ...geminiSettings, secret: apiKey })
  const headers = { 'x-goog-api-key': apiKey }
  const addressOf = (model: string, method: string): string =>
    `${baseUrl}/v1beta/models/${encodeURIComponent(model)}:${method}`

  return {
    /** Throws a ModelFailure. */
    async generate({ model, spent, ...call }: GeminiCall): Promise<readonly ImagePiece[]> {
      const answer = await postJson(addressOf(model, 'generateContent'), {
        ...call,
        outbound,
        failures,
        meanings,
        headers,
        maxBytes,
      })
      const { pieces, usage } = readAnswer(answer, failures)
      if (usage) spent(usage)
      return pieces
    },
    /** Yields the parts of the answer as they arrive. Throws a ModelFailure. */
    async *stream({ model, json, timeoutMs, signal, spent }: GeminiCall): AsyncGenerator<ImagePiece> {
      const url = addressOf(model, 'streamGenerateContent?alt=sse')
      const request = {
        method: 'POST',
        headers,
        json,
        maxBytes,
        timeoutMs,
        signal,
        followsRedirects: false,
        allowOrigins: [new URL(url).origin],
      } as const
      let isComplete = false
      let usageSoFar: TokenUsage | undefined
      try {
        const { status, headers: answered, body } = await outbound.stream(url, request)
        if (status !== 200) {
          const raw = await text(Readable.from(body))
          throw failureIn({ status, headers: answered, json: () => JSON.parse(raw) }, failures, meanings)
        }
        for await (const line of createInterface({ input: Readable.from(body) })) {
          if (!line.startsWith('data:')) continue
          const { pieces, isLast, usage } = readAnswer(JSON.parse(line.slice('data:'.length)), failures)
          isComplete ||= isLast
          usageSoFar = usage ?? usageSoFar
          yield* pieces
        }
      } catch (error) {
        if (signal.aborted) throw failures.aborted()
        if (error instanceof UpstreamFailure && error.kind === 'timeout')
          throw failures.tookTooLong(timeoutMs)
        throw error instanceof Refusal || error instanceof SyntaxError
          ? failures.brokenOff({ cause: error })
          : error
      } finally {
        if (usageSoFar) spent(usageSoFar)
      }
      if (!isComplete) throw failures.brokenOff()
    },
  }
}

/** Converts an image to a part of a message. */
export const toPart = ({ type, bytes }: Picture) => ({
  inlineData: { mimeType: type, data: Buffer.from(bytes).toString('base64') },
})

const Part = v.object({
  text: v.optional(v.string()),
  thought: v.optional(v.boolean()),
  thoughtSignature: v.optional(v.string()),
  inlineData: v.optional(v.object({ data: v.string() })),
})
const tokens = v.optional(v.number(), 0)
const Answer = v.object({
  usageMetadata: v.fallback(
    v.optional(
      v.object({
        promptTokenCount: tokens,
        candidatesTokenCount: tokens,
        thoughtsTokenCount: tokens,
        cachedContentTokenCount: tokens,
      }),
    ),
    undefined,
  ),
  promptFeedback: v.optional(v.object({ blockReason: v.optional(v.string()) })),
  candidates: v.optional(
    v.array(
      v.object({
        content: v.optional(v.object({ parts: v.optional(v.array(Part), []) })),
        finishReason: v.optional(v.string()),
      }),
    ),
    [],
  ),
})

/** The reasons with which a model declines a request. */
const declineReasons: ReadonlySet<string> = new Set([
  'SAFETY',
  'IMAGE_SAFETY',
  'PROHIBITED_CONTENT',
  'IMAGE_PROHIBITED_CONTENT',
  'RECITATION',
  'IMAGE_RECITATION',
  'BLOCKLIST',
  'SPII',
])

/** Parses an answer, or one event of a stream. Throws if the model declined or the answer is invalid. */
function readAnswer(answer: unknown, failures: Failures) {
  const { success, output } = v.safeParse(Answer, answer)
  if (!success) throw failures.brokenOff({ type: 'unknown answer' })
  const [candidate] = output.candidates
  const reason = output.promptFeedback?.blockReason ?? candidate?.finishReason
  if (output.promptFeedback?.blockReason !== undefined || declineReasons.has(reason ?? ''))
    throw failures.refused({ type: reason })
  const pieces = (candidate?.content?.parts ?? []).flatMap(
    ({ text = '', thought, thoughtSignature: signature, inlineData }): readonly ImagePiece[] => {
      if (thought) return []
      if (inlineData) return [{ type: 'image', bytes: Buffer.from(inlineData.data, 'base64'), signature }]
      return text !== '' || signature !== undefined ? [{ type: 'text', text, signature }] : []
    },
  )
  return {
    pieces,
    /** True for the last event of a stream. */
    isLast: candidate?.finishReason !== undefined,
    /** The usage of the answer so far. */
    usage: output.usageMetadata && toUsage(output.usageMetadata),
  }
}

const toUsage = ({
  promptTokenCount,
  candidatesTokenCount,
  thoughtsTokenCount,
  cachedContentTokenCount,
}: NonNullable<v.InferOutput<typeof Answer>['usageMetadata']>): TokenUsage => ({
  inputTokens: promptTokenCount - cachedContentTokenCount,
  outputTokens: candidatesTokenCount + thoughtsTokenCount,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: cachedContentTokenCount,
})

/** The names mentioned in failures. */
const geminiSettings = {
  provider: 'Gemini',
  key: 'GOOGLE_GENAI_API_KEY',
  address: 'GOOGLE_GENAI_BASE_URL',
  models: 'GOOGLE_GENAI_IMAGE_MODEL',
} as const

/** The API rejects an invalid key with status 400. */
const meanings: ErrorMeanings = new Map([['API_KEY_INVALID', 401]])
