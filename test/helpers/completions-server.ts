/** A local server of the Chat Completions API and its event stream. */
import * as v from 'valibot'
import { answering } from './answers.ts'
import { sending, startServerOf, type ModelServer, type Script } from './model-server.ts'

const Part = v.looseObject({ type: v.string() })
const Body = v.looseObject({
  model: v.string(),
  stream: v.literal(true),
  messages: v.array(
    v.object({
      role: v.string(),
      content: v.union([v.string(), v.array(Part)]),
      tool_calls: v.optional(v.array(v.unknown())),
      tool_call_id: v.optional(v.string()),
    }),
  ),
  tools: v.optional(
    v.array(
      v.object({
        type: v.literal('function'),
        function: v.looseObject({ name: v.string(), strict: v.optional(v.boolean()) }),
      }),
    ),
    [],
  ),
})

/** Starts a server of the Chat Completions API. */
export const startCompletionsServer = (
  t: Parameters<typeof startServerOf>[0],
): Promise<ModelServer<v.InferOutput<typeof Body>>> => startServerOf(t, Body)

const chunk = (more: Readonly<Record<string, unknown>>): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl_test', object: 'chat.completion.chunk', created: 1, model: 'test', choices: [], ...more })}\n\n`
const delta = (part: Readonly<Record<string, unknown>>, finish: string | null = null): string =>
  chunk({ choices: [{ index: 0, delta: part, finish_reason: finish }] })

/** The beginning of an answer. */
export const opening = (): string => delta({ role: 'assistant', content: '' })

/** The end of an answer, with its usage. */
export const ending = (reason: string): string =>
  delta({}, reason) +
  chunk({
    usage: {
      prompt_tokens: 400,
      completion_tokens: 50,
      total_tokens: 450,
      prompt_tokens_details: { cached_tokens: 300 },
    },
  }) +
  'data: [DONE]\n\n'

/** Prose of the model. */
export const prose = (text: string): string => [...text].map((content) => delta({ content })).join('')

/** A refusal by the model. */
export const declining = (refusal: string): string => delta({ refusal })

/** A tool call whose input is split into pieces of `size` characters; by default one piece. */
export const toolCall = (
  json: string,
  { size = json.length, index = 0, name = 'submit_edit_plan' } = {},
): string => {
  const pieces = Array.from({ length: Math.ceil(json.length / size) }, (_, n) =>
    json.slice(n * size, (n + 1) * size),
  )
  const part = (called: object, more: object = {}) =>
    delta({ tool_calls: [{ index, ...more, function: called }] })
  const [first = '', ...rest] = size === json.length ? [json] : ['', ...pieces]
  return (
    part({ name, arguments: first }, { id: `call_${index}`, type: 'function' }) +
    rest.map((piece) => part({ arguments: piece })).join('')
  )
}

/** Answers with an error instead of a stream. */
export const failing = (
  status: number,
  type: string,
  headers: Readonly<Record<string, string>> = {},
  code: string | null = null,
): Script<unknown> => {
  const error = { type, code, param: null, message: `the provider says ${type} in 400 words` }
  return answering(status, { error }, { 'x-request-id': 'req_test', ...headers })
}

/** Ends a stream in the middle with an error. */
export const failingMidway = (start: string, type: string): Script<unknown> =>
  sending(
    `${start}data: ${JSON.stringify({ error: { type, code: null, message: 'it happened midway' } })}\n\n`,
  )
