import { setTimeout as pause } from 'node:timers/promises'
import { findJsonProblem } from '../../../kernel/index.ts'
import { isPlainObject, parsedJson } from '../../content/plain-object.ts'
import {
  ModelFailure,
  type LoopClient,
  type ModelCall,
  type Thought,
  type TokenUsage,
  type ToolUse,
} from '../../models/port.ts'

/** A requested call; `isBroken` is true if its arguments are not an acceptable JSON object. */
export interface RequestedUse extends ToolUse {
  readonly isBroken: boolean
}

interface TurnOptions {
  readonly client: LoopClient
  readonly call: ModelCall
  readonly signal: AbortSignal
  /** Returns the remaining milliseconds. */
  remainingMs(): number
  text(text: string): void
  /** Called once per attempt with known usage, including failed attempts. */
  spent(usage: TokenUsage): Promise<void>
}

const mostCharacters = 1_000_000
const usualWaitMs = 1_000

/** Asks a model for one turn; retries a temporary failure once before any text. Throws a ModelFailure. */
export async function askForTurn(options: TurnOptions): ReturnType<typeof askOnce> {
  let hasText = false
  const text = (piece: string): void => {
    hasText = true
    options.text(piece)
  }
  try {
    return await askOnce({ ...options, text })
  } catch (error) {
    const wait =
      error instanceof ModelFailure && isTemporary(error) ? (error.retryAfterMs ?? usualWaitMs) : Infinity
    if (hasText || wait >= options.remainingMs()) throw error
    await pause(wait, undefined, { signal: options.signal })
    return askOnce(options)
  }
}

const isTemporary = ({ kind, status }: ModelFailure): boolean => kind === 'overload' || status === 429

/** Asks a model once, and returns its answer. */
async function askOnce({ client, call, signal, text: onText, spent }: TurnOptions) {
  const thoughts: Thought[] = []
  const uses: RequestedUse[] = []
  let usage: TokenUsage | undefined
  let open: { readonly id: string; readonly name: string; json: string } | undefined
  let text = ''
  let length = 0
  try {
    for await (const piece of client.stream(call, signal)) {
      if (piece.type === 'usage') usage = piece.usage
      if (piece.type === 'thought') thoughts.push(piece.thought)
      if (piece.type === 'tool_start')
        open = { id: piece.id ?? `call_${uses.length}`, name: piece.name, json: '' }
      if (piece.type === 'tool_end' && open) uses.push(toUse(open))
      if (piece.type === 'tool_end') open = undefined
      if (piece.type === 'tool_input' && open) open.json += piece.json
      if (piece.type === 'text') {
        text += piece.text
        onText(piece.text)
      }
      length +=
        piece.type === 'text' ? piece.text.length : piece.type === 'tool_input' ? piece.json.length : 0
      if (length > mostCharacters)
        throw new ModelFailure('truncated', 'The answer of the model is too long. Ask for less at once.', {
          provider: undefined,
        })
    }
  } finally {
    if (usage) await spent(usage)
  }
  return { text, thoughts, uses }
}

function toUse({
  id,
  name,
  json,
}: {
  readonly id: string
  readonly name: string
  readonly json: string
}): RequestedUse {
  const input = json.trim() === '' ? {} : parsedJson(json)
  const isRead = isPlainObject(input) && findJsonProblem(input) === undefined
  return isRead ? { id, name, input, isBroken: false } : { id, name, input: {}, isBroken: true }
}
