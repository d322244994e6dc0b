/** A local server of the Images API of OpenAI and the Generative Language API of Gemini. */
import * as v from 'valibot'
import * as answers from './answers.ts'
import { startServerOf, type Script } from './model-server.ts'

const Part = v.object({
  text: v.optional(v.string()),
  inlineData: v.optional(v.object({ mimeType: v.string(), data: v.string() })),
  thoughtSignature: v.optional(v.string()),
})

/** The fields of both request bodies. */
const Body = v.looseObject({
  model: v.optional(v.string()),
  prompt: v.optional(v.string()),
  size: v.optional(v.string()),
  contents: v.optional(v.array(v.object({ role: v.string(), parts: v.array(Part) })), []),
  generationConfig: v.optional(v.unknown()),
})
export type ImageBody = v.InferOutput<typeof Body>
export type ImageScript = Script<ImageBody>

/** Starts a server for either API. */
export const startImageServer = (t: Parameters<typeof startServerOf>[0]) => startServerOf(t, Body)

export const answering = (
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): ImageScript => answers.answering(status, body, { 'x-request-id': 'req_test', ...headers })

/** OpenAI answers with a picture. */
export const inBase64 = (bytes: Uint8Array): ImageScript =>
  answering({
    created: 1767225600,
    background: 'opaque',
    data: [{ b64_json: Buffer.from(bytes).toString('base64') }],
    output_format: 'png',
    size: '1536x1024',
    usage: { input_tokens: 12, output_tokens: 408, total_tokens: 420 },
  })

/** OpenAI answers with an address. */
export const atAddress = (url: string): ImageScript =>
  answering({ created: 1767225600, data: [{ url, revised_prompt: 'a boat' }] })

/** OpenAI refuses. */
export const refusing = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): ImageScript =>
  answering(
    {
      error: {
        message: `${code}: the key sk-marker-1234 said no`,
        type: 'image_generation_user_error',
        param: null,
        code,
      },
    },
    { status, headers },
  )

/** A part of an answer of Gemini: texts and images, and the finish reason. */
export function candidate(parts: readonly (string | Uint8Array)[], finishReason?: string) {
  const toPart = (part: string | Uint8Array) =>
    typeof part === 'string'
      ? { text: part }
      : { inlineData: { mimeType: 'image/png', data: Buffer.from(part).toString('base64') } }
  return {
    candidates: [
      {
        content: { role: 'model', parts: parts.map(toPart) },
        ...(finishReason !== undefined && { finishReason }),
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 1290, totalTokenCount: 1297 },
    modelVersion: 'gemini-2.5-flash-image',
    responseId: 'abc',
  }
}

/** Gemini streams an answer, an event for each part. */
export const streamed =
  (...parts: readonly unknown[]): ImageScript =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(parts.map((part) => `data: ${JSON.stringify(part)}\r\n\r\n`).join(''))
  }

/** Gemini refuses. */
export const geminiError = (status: number, word: string, reason?: string): ImageScript =>
  answering(
    {
      error: {
        code: status,
        message: 'the key AIza-marker said no',
        status: word,
        details:
          reason === undefined
            ? []
            : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }],
      },
    },
    { status },
  )
