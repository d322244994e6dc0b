import * as v from 'valibot'
import type { ImagePiece } from '../image-generation/port.ts'
import type { Failures, TokenUsage } from '../llm/port.ts'

const Part = v.object({ text: v.optional(v.string()), thought: v.optional(v.boolean()), thoughtSignature: v.optional(v.string()), inlineData: v.optional(v.object({ data: v.string() })) })
const tokens = v.optional(v.number(), 0)
const Answer = v.object({
  usageMetadata: v.fallback(v.optional(v.object({ promptTokenCount: tokens, candidatesTokenCount: tokens, thoughtsTokenCount: tokens, cachedContentTokenCount: tokens })), undefined),
  promptFeedback: v.optional(v.object({ blockReason: v.optional(v.string()) })),
  candidates: v.optional(v.array(v.object({ content: v.optional(v.object({ parts: v.optional(v.array(Part), []) })), finishReason: v.optional(v.string()) })), []),
})

/** Reasons by which the model itself declined. */
const declined: ReadonlySet<string> = new Set(['SAFETY', 'IMAGE_SAFETY', 'PROHIBITED_CONTENT', 'IMAGE_PROHIBITED_CONTENT', 'RECITATION', 'IMAGE_RECITATION', 'BLOCKLIST', 'SPII'])

/** What an answer holds, or a part of one that is streamed. */
export interface Read {
  readonly pieces: readonly ImagePiece[]
  /** Nothing comes after it. */
  readonly isLast: boolean
  /** Of the whole answer so far. */
  readonly usage: TokenUsage | undefined
}

/** Reads an answer. Throws where the model declined, or the answer is none. */
export function readAnswer(answer: unknown, failures: Failures): Read {
  const { success, output } = v.safeParse(Answer, answer)
  if (!success) throw failures.brokenOff({ type: 'unknown answer' })
  const [candidate] = output.candidates
  const reason = output.promptFeedback?.blockReason ?? candidate?.finishReason
  if (output.promptFeedback?.blockReason !== undefined || declined.has(reason ?? '')) throw failures.refused({ type: reason })
  const pieces = (candidate?.content?.parts ?? []).flatMap(({ text = '', thought, thoughtSignature: signature, inlineData }): readonly ImagePiece[] => {
    if (thought) return []
    if (inlineData) return [{ type: 'image', bytes: Buffer.from(inlineData.data, 'base64'), signature }]
    return text !== '' || signature !== undefined ? [{ type: 'text', text, signature }] : []
  })
  return { pieces, isLast: candidate?.finishReason !== undefined, usage: output.usageMetadata && toUsage(output.usageMetadata) }
}

const toUsage = ({ promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount }: NonNullable<v.InferOutput<typeof Answer>['usageMetadata']>): TokenUsage => ({
  inputTokens: promptTokenCount - cachedContentTokenCount,
  outputTokens: candidatesTokenCount + thoughtsTokenCount,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: cachedContentTokenCount,
})
