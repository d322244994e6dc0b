import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { failuresOf, isHoldable, libraryOptions, ModelFailure, within, type Connection, type Failures, type ModelCall, type ModelClient, type ModelMessage, type ModelPiece, type Picture, type TokenUsage, type ToolUse } from '../llm/port.ts'
import { openAiSettings, ownAddress } from './settings.ts'

/** What these errors are, whatever status they come with. */
const statusOfCode: ReadonlyMap<string | null | undefined, number> = new Map([['insufficient_quota', 402], ['context_length_exceeded', 413]])

/**
 * Calls models by the protocol of OpenAI. Everything that the library would read from the environment is given to it instead.
 *
 * Rejects with a ModelFailure where the library, an optional package, is not installed.
 */
export async function createOpenAi(connection: Connection): Promise<ModelClient['stream']> {
  const { apiKey, baseUrl, timeoutMs } = connection
  const { default: OpenAI, APIError } = await importLibrary()
  const failures = failuresOf({ ...openAiSettings, provider: baseUrl === ownAddress ? 'OpenAI' : undefined, secret: apiKey })
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
      const { data, request_id: requestId } = await openai.chat.completions.create(toRequest(call, { baseUrl }), { signal }).withResponse()
      yield* toPieces(data, failures, requestId)
    },
    toFailure(error) {
      if (!(error instanceof APIError)) return failures.brokenOff({ cause: error })
      const { code, requestID: requestId, headers, message: text } = error
      const type = error.type ?? code
      return failures.of({ status: statusOfCode.get(code) ?? error.status, type, requestId, headers, text, cause: error.cause })
    },
  })
}

/** Takes longer than this service takes to start. Bundlers let an import in a `try` fail when it is run. */
async function importLibrary() {
  try {
    return await import('openai')
  } catch (cause) {
    throw new ModelFailure('uninstalled', 'A model of OpenAI is set up, and the package openai is not installed. Run npm install openai, and restart the server.', { provider: 'OpenAI', cause })
  }
}

/**
 * Writes a call as the Chat Completions API takes it. How much a model thinks is said by its name; what it keeps for the next
 * call is for the provider to decide.
 */
export function toRequest(call: ModelCall, { baseUrl }: { readonly baseUrl: string }): ChatCompletionCreateParamsStreaming {
  const { model, maxTokens, tools, forcedTool, system, messages, answer } = call
  const isOwn = baseUrl === ownAddress
  const strict = (schema: unknown) => isOwn && isHoldable(schema, 0) && { strict: true }
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    // Other services know the older name alone.
    ...(isOwn ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
    messages: [{ role: 'system', content: textOf(system) }, ...messages.flatMap(toMessages)],
    ...(call.temperature !== undefined && !isFixed(model) && { temperature: call.temperature }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({ type: 'function', function: { name, description, parameters: { ...input }, ...strict(input) } })),
      tool_choice: forcedTool === undefined ? 'auto' : { type: 'function', function: { name: forcedTool } },
    }),
    ...(answer && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { ...answer }, ...strict(answer) } } }),
  }
}

const textOf = (texts: ModelMessage['texts']): string => texts.map(({ text }) => text).join('\n\n')

/** Models that think choose their words as they do. */
const isFixed = (model: string): boolean => /^(?:o\d|gpt-5)/.test(model)

function toMessages({ role, pictures = [], texts, toolUses = [], toolResults = [] }: ModelMessage): readonly ChatCompletionMessageParam[] {
  const text = textOf(texts)
  if (role === 'assistant') return [{ role, content: text, ...(toolUses.length > 0 && { tool_calls: toolUses.map(toToolCall) }) }]
  const results = toolResults.map(({ id, text, isError }) => ({ role: 'tool', tool_call_id: id, content: isError ? `Error: ${text}` : text }) as const)
  // A result of a tool is words alone here; its pictures follow.
  const shown = [...toolResults.flatMap((result) => result.pictures ?? []), ...pictures]
  if (shown.length > 0) return [...results, { role, content: [...shown.map(toImagePart), ...(text === '' ? [] : [{ type: 'text' as const, text }])] }]
  return results.length > 0 && text === '' ? results : [...results, { role, content: text }]
}

const toToolCall = ({ id, name, input }: ToolUse) => ({ id, type: 'function' as const, function: { name, arguments: JSON.stringify(input) } })

const toImagePart = (picture: Picture) => ({ type: 'image_url' as const, image_url: { url: toUrl(picture) } })

const toUrl = ({ type, bytes }: Picture): string => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

type Finish = ChatCompletionChunk.Choice['finish_reason']

/**
 * Reads the chunks of a completion as pieces of an answer.
 *
 * Throws where the answer is none: declined, cut off by its length, or ended by the connection before its own end.
 */
export async function* toPieces(chunks: AsyncIterable<ChatCompletionChunk>, failures: Failures, requestId: string | null | undefined): AsyncGenerator<ModelPiece> {
  let finish: Finish = null
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

/** What was read from the cache is counted among the prompt. */
function toUsage({ prompt_tokens: prompt, completion_tokens: outputTokens, prompt_tokens_details: details }: NonNullable<ChatCompletionChunk['usage']>): TokenUsage {
  const cacheReadInputTokens = details?.cached_tokens ?? 0
  return { inputTokens: prompt - cacheReadInputTokens, outputTokens, cacheCreationInputTokens: 0, cacheReadInputTokens }
}
