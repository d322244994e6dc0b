import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import {
  failuresOf,
  isHoldable,
  libraryOptions,
  ModelFailure,
  within,
  type Connection,
  type Failures,
  type ModelCall,
  type ModelClient,
  type ModelMessage,
  type ModelPiece,
  type Picture,
  type TokenUsage,
  type ToolUse,
} from '../port.ts'
import { sameAddress } from '../../content/site-address.ts'
import { openAiSettings, ownAddress } from './settings.ts'

/** The equivalent statuses of these error codes, which override the actual status. */
const statusOfCode: ReadonlyMap<string | null | undefined, number> = new Map([
  ['insufficient_quota', 402],
  ['context_length_exceeded', 413],
])

/**
 * Creates the chat client for the OpenAI protocol, with explicit settings, so that it reads no environment.
 *
 * Rejects with a ModelFailure if the library, an optional package, is not installed.
 */
export async function createOpenAi(connection: Connection): Promise<ModelClient['stream']> {
  const { apiKey, baseUrl, timeoutMs } = connection
  const { default: OpenAI, APIError } = await importLibrary()
  const failures = failuresOf({
    ...openAiSettings,
    provider: sameAddress(baseUrl, ownAddress) ? 'OpenAI' : undefined,
    secret: apiKey,
  })
  const openai = new OpenAI({
    ...libraryOptions('openai', connection),
    apiKey: apiKey === '' ? 'none' : apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
  })
  return within({
    timeoutMs,
    failures,
    async *call(call, signal) {
      const { data, request_id: requestId } = await openai.chat.completions
        .create(toRequest(call, { baseUrl }), { signal })
        .withResponse()
      yield* toPieces(data, failures, requestId)
    },
    toFailure(error) {
      if (!(error instanceof APIError)) return failures.brokenOff({ cause: error })
      const { code, requestID: requestId, headers, message: text } = error
      const type = error.type ?? code
      return failures.of({
        status: statusOfCode.get(code) ?? error.status,
        type,
        requestId,
        headers,
        text,
        cause: error.cause,
      })
    },
  })
}

/** Imported on first use, for a fast start. Inside `try`, bundlers let a missing package fail at run time. */
async function importLibrary() {
  try {
    return await import('openai')
  } catch (cause) {
    throw new ModelFailure(
      'uninstalled',
      'An OpenAI model is configured, but the package openai is not installed. Run npm install openai, and restart the server.',
      { provider: 'OpenAI', cause },
    )
  }
}

/**
 * Converts a call to a request of the Chat Completions API. The model name determines the amount of
 * reasoning; the provider decides on caching.
 */
export function toRequest(
  call: ModelCall,
  { baseUrl }: { readonly baseUrl: string },
): ChatCompletionCreateParamsStreaming {
  const { model, maxTokens, tools, forcedTool, system, messages } = call
  const isOwn = sameAddress(baseUrl, ownAddress)
  const strict = (schema: unknown) => isOwn && isHoldable(schema, 0) && { strict: true }
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    // Other services support only the older name.
    ...(isOwn ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
    messages: [{ role: 'system', content: joinedTexts(system) }, ...messages.flatMap(toMessages)],
    ...(call.temperature !== undefined && !rejectsTemperature(model) && { temperature: call.temperature }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({
        type: 'function',
        function: { name, description, parameters: { ...input }, ...strict(input) },
      })),
      tool_choice: forcedTool === undefined ? 'auto' : { type: 'function', function: { name: forcedTool } },
    }),
  }
}

const joinedTexts = (texts: ModelMessage['texts']): string => texts.map(({ text }) => text).join('\n\n')

/** Reasoning models do not support a temperature. */
const rejectsTemperature = (model: string): boolean => /^(?:o\d|gpt-5)/.test(model)

function toMessages({
  role,
  pictures = [],
  texts,
  toolUses = [],
  toolResults = [],
}: ModelMessage): readonly ChatCompletionMessageParam[] {
  const text = joinedTexts(texts)
  if (role === 'assistant')
    return [{ role, content: text, ...(toolUses.length > 0 && { tool_calls: toolUses.map(toToolCall) }) }]
  const results = toolResults.map(
    ({ id, text, isError }) =>
      ({ role: 'tool', tool_call_id: id, content: isError ? `Error: ${text}` : text }) as const,
  )
  // Tool results are text only; their images follow.
  const images = [...toolResults.flatMap((result) => result.pictures ?? []), ...pictures]
  if (images.length > 0)
    return [
      ...results,
      {
        role,
        content: [...images.map(toImagePart), ...(text === '' ? [] : [{ type: 'text' as const, text }])],
      },
    ]
  return results.length > 0 && text === '' ? results : [...results, { role, content: text }]
}

const toToolCall = ({ id, name, input }: ToolUse) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: JSON.stringify(input) },
})

function toImagePart({ type, bytes }: Picture) {
  const url = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
  return { type: 'image_url', image_url: { url } } as const
}

/** Converts completion chunks to pieces of an answer. Throws if it was declined, cut or broken off. */
export async function* toPieces(
  chunks: AsyncIterable<ChatCompletionChunk>,
  failures: Failures,
  requestId: string | null | undefined,
): AsyncGenerator<ModelPiece> {
  let finish: ChatCompletionChunk.Choice['finish_reason'] = null
  let isDeclined = false
  let openTool: number | undefined
  let hasTool = false
  for await (const { choices, usage } of chunks) {
    if (usage) yield { type: 'usage', usage: toUsage(usage) }
    const [choice] = choices
    if (!choice) continue
    const { delta, finish_reason: reason } = choice
    if (delta.content) yield { type: 'text', text: delta.content }
    isDeclined ||= Boolean(delta.refusal)
    for (const { index, id, function: called } of delta.tool_calls ?? []) {
      if (index !== openTool) {
        if (openTool !== undefined) yield { type: 'tool_end' }
        yield { type: 'tool_start', id: id || `call_${index}`, name: called?.name ?? '' }
        openTool = index
        hasTool = true
      }
      if (called?.arguments) yield { type: 'tool_input', json: called.arguments }
    }
    finish = reason ?? finish
  }
  if (openTool !== undefined) yield { type: 'tool_end' }
  if (isDeclined || finish === 'content_filter') throw failures.refused({ requestId, type: finish })
  if (finish === 'length') throw failures.truncated({ requestId, type: finish })
  if (finish === null) throw failures.brokenOff({ requestId })
  yield { type: 'stop', reason: hasTool ? 'tool' : 'end' }
}

/** `prompt_tokens` includes the cached tokens. */
function toUsage({
  prompt_tokens: prompt,
  completion_tokens: outputTokens,
  prompt_tokens_details: details,
}: NonNullable<ChatCompletionChunk['usage']>): TokenUsage {
  const cacheReadInputTokens = details?.cached_tokens ?? 0
  return {
    inputTokens: prompt - cacheReadInputTokens,
    outputTokens,
    cacheCreationInputTokens: 0,
    cacheReadInputTokens,
  }
}
