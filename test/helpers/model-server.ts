/** A scripted local server for models, and the events of the Messages API. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { answering } from './answers.ts'
import { listen, type TeardownTest } from './raw.ts'
import { until } from './until.ts'

const Text = v.object({ type: v.literal('text'), text: v.string(), cache_control: v.optional(v.unknown()) })
const Source = v.object({ type: v.literal('base64'), media_type: v.string(), data: v.string() })
/** A tool call, its result, or a thought. */
const Turned = v.object({
  id: v.string(),
  name: v.string(),
  input: v.unknown(),
  tool_use_id: v.string(),
  content: v.unknown(),
  is_error: v.boolean(),
  thinking: v.string(),
  signature: v.string(),
})
/** A text block, or another block with an empty text. */
const Content = v.object({
  type: v.picklist(['text', 'image', 'tool_use', 'tool_result', 'thinking']),
  text: v.optional(v.string(), ''),
  source: v.optional(Source),
  cache_control: v.optional(v.unknown()),
  ...v.partial(Turned).entries,
})
const Body = v.looseObject({
  model: v.string(),
  max_tokens: v.number(),
  stream: v.boolean(),
  tools: v.optional(
    v.array(
      v.looseObject({
        name: v.string(),
        strict: v.optional(v.boolean()),
        input_schema: v.unknown(),
        cache_control: v.optional(v.unknown()),
      }),
    ),
    [],
  ),
  tool_choice: v.optional(v.looseObject({ type: v.string() })),
  thinking: v.optional(v.looseObject({ type: v.string() })),
  output_config: v.optional(v.looseObject({})),
  system: v.optional(v.array(Text), []),
  messages: v.array(v.object({ role: v.string(), content: v.array(Content) })),
})

/** A received request. */
export interface SeenCall<B = v.InferOutput<typeof Body>> {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The bytes of the body, as text. */
  readonly raw: string
  readonly body: B
}

/** Writes one answer. */
export type Script<B = v.InferOutput<typeof Body>> = (response: ServerResponse, seen: SeenCall<B>) => unknown

export interface ModelServer<B = v.InferOutput<typeof Body>> {
  readonly origin: string
  readonly seen: readonly SeenCall<B>[]
  /** The next answers, in order; the last one is repeated. */
  script(...scripts: readonly Script<B>[]): void
  /** How many connections are open. */
  open(): number
  /** Waits until no request is being answered: a hanging answer ends when its client disconnects. */
  idle(): Promise<void>
}

/** Starts a server of the Messages API. */
export const startModelServer = (t: TeardownTest): Promise<ModelServer> => startServerOf(t, Body)

/** Starts a server for bodies of a shape on a free port of 127.0.0.1. Without a script it answers 500. */
export async function startServerOf<B>(
  t: TeardownTest,
  shape: v.GenericSchema<unknown, B>,
): Promise<ModelServer<B>> {
  const seen: SeenCall<B>[] = []
  let scripts: Script<B>[] = [failing(500, 'api_error')]
  let inProgress = 0
  const server = createServer((request, response) => {
    inProgress += 1
    response.on('close', () => (inProgress -= 1)).on('error', () => undefined)
    text(request)
      .then(async (raw) => {
        const { method, url, headers } = request
        const call = { method, url, headers, raw, body: v.parse(shape, JSON.parse(raw)) }
        seen.push(call)
        const script = scripts.length > 1 ? scripts.shift() : scripts[0]
        await script?.(response, call)
      })
      .catch((error: unknown) =>
        response.destroy(error instanceof Error ? error : new Error('the script failed')),
      )
  })
  const sockets = new Set<object>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const origin = `http://127.0.0.1:${await listen(t, server)}`
  return {
    origin,
    seen,
    script: (...next) => void (scripts = [...next]),
    open: () => sockets.size,
    idle: () => until(() => inProgress === 0, 'every answer to end'),
  }
}

/** One event of a stream, as it is sent. */
export const event = (type: string, data: Readonly<Record<string, unknown>> = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

const usage = {
  input_tokens: 100,
  output_tokens: 1,
  cache_creation_input_tokens: 20,
  cache_read_input_tokens: 300,
}

/** The beginning of an answer. */
export const opening = (counts: Readonly<Record<string, number>> = usage): string =>
  event('message_start', {
    message: {
      id: 'msg_test',
      type: 'message',
      role: 'assistant',
      model: 'test',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: counts,
    },
  })

/** The end of an answer. */
export const ending = (reason: string, outputTokens = 50): string =>
  event('message_delta', {
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: outputTokens },
  }) + event('message_stop')

const block = (index: number, start: object, deltas: readonly object[]): string =>
  event('content_block_start', { index, content_block: start }) +
  deltas.map((delta) => event('content_block_delta', { index, delta })).join('') +
  event('content_block_stop', { index })

/** Prose of the model. */
export const prose = (text: string, index = 0): string =>
  block(
    index,
    { type: 'text', text: '' },
    [...text].map((character) => ({ type: 'text_delta', text: character })),
  )

/** Thoughts of the model. */
export const thoughts = (text: string, index = 0): string =>
  block(index, { type: 'thinking', thinking: '', signature: '' }, [
    { type: 'thinking_delta', thinking: text },
    { type: 'signature_delta', signature: 'signed' },
  ])

/** A tool call whose input is split into pieces of `size` characters. */
export const toolCall = (
  json: string,
  { size = 7, index = 0, name = 'submit_edit_plan', id = 'toolu_test' } = {},
): string =>
  block(index, { type: 'tool_use', id, name, input: {} }, [
    { type: 'input_json_delta', partial_json: '' },
    ...piecesOf(json, size).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  ])

function piecesOf(text: string, size: number): readonly string[] {
  const characters = [...text]
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, n) =>
    characters.slice(n * size, (n + 1) * size).join(''),
  )
}

const streaming = {
  'content-type': 'text/event-stream; charset=utf-8',
  'request-id': 'req_test',
  'x-request-id': 'req_test',
}

/** How a stream is split into chunks, and the pause after each. */
interface Pace {
  readonly sizes?: readonly number[]
  readonly pauseMs?: number
}

/** Sends a stream in chunks of these sizes, repeated in turn; by default in one chunk. */
export function sending(stream: string, { sizes = [], pauseMs = 0 }: Pace = {}): Script<unknown> {
  return async (response) => {
    response.writeHead(200, streaming)
    const bytes = Buffer.from(stream)
    let at = 0
    for (let n = 0; sizes.length > 0 && at < bytes.length && !response.destroyed; n += 1) {
      const end = at + Math.max(1, sizes[n % sizes.length] ?? 1)
      response.write(bytes.subarray(at, end))
      at = end
      await (pauseMs > 0 ? pause(pauseMs) : turn())
    }
    response.end(bytes.subarray(at))
  }
}

/** An answer that is only text. */
export const saying = (text: string, reason = 'end_turn'): Script<unknown> =>
  sending(opening() + (text === '' ? '' : prose(text)) + ending(reason))

/** Answers with a plan, valid or not. */
export const planning = (plan: unknown, options: Pace = {}): Script<unknown> =>
  sending(
    opening() +
      event('ping') +
      toolCall(typeof plan === 'string' ? plan : JSON.stringify(plan)) +
      ending('tool_use'),
    options,
  )

/** Answers with text and then tool calls, each with its arguments as an object or as JSON text. */
export const calling = (
  calls: readonly (readonly [name: string, input: unknown])[],
  before = '',
): Script<unknown> =>
  sending(
    opening() +
      (before === '' ? '' : prose(before)) +
      calls
        .map(([name, input], n) =>
          toolCall(typeof input === 'string' ? input : JSON.stringify(input), {
            size: 40,
            index: n + 1,
            name,
            id: `toolu_${n + 1}`,
          }),
        )
        .join('') +
      ending('tool_use'),
  )

/** Answers with an error instead of a stream. */
export const failing = (
  status: number,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): Script<unknown> => {
  const error = { type, message: `the provider says ${type} in 400 words` }
  return answering(status, { type: 'error', error }, { 'request-id': 'req_test', ...headers })
}

/** Ends a stream in the middle with an error. */
export const failingMidway = (start: string, type: string): Script<unknown> =>
  sending(start + event('error', { error: { type, message: 'it happened midway' } }))

/** Sends the beginning of a stream, and cuts the connection. */
export const cutting =
  (start: string): Script<unknown> =>
  async (response) => {
    response.writeHead(200, streaming)
    response.write(start)
    await pause(20)
    response.destroy()
  }

/** Sends the beginning of a stream, and then nothing for as long as the connection lasts. */
export const hanging =
  (start: string): Script<unknown> =>
  (response) => {
    response.writeHead(200, streaming)
    response.write(start)
  }

/** The plan of a model that is asked for variations; `again` for the last ones. */
export const variationsWanted = (again = false): Script<unknown> =>
  planning({
    intent: 'variations',
    again,
    summary_for_user: 'I will write variations.',
    change_log: [],
    ops: [],
  })

/** A model that is asked for variations in chat, the last ones with `once more`, and writes them by these scripts. */
export function saysVariations(...scripts: readonly Script[]): Script {
  const left = [...scripts]
  return (response, seen) => {
    const isPlanning = seen.body.tools.some(({ name }) => name === 'submit_edit_plan')
    if (isPlanning)
      return variationsWanted(
        /"request":"[^"]*once more/.test(seen.body.messages.at(-1)?.content[0]?.text ?? ''),
      )(response, seen)
    return (left.length > 1 ? left.shift() : left[0])?.(response, seen)
  }
}
