import type * as v from 'valibot'
import { createRedactor, type Logger, Refusal } from '../../../kernel/index.ts'
import { fenced, type ToolResult } from '../../models/port.ts'
import { toolOf } from '../../tools/port.ts'
import type { LoopAnswer, LoopCall, LoopTool, ToolCallRecord } from './loop-types.ts'
import type { RequestedUse } from './turn.ts'

/** Creates a tool for one run. Invalid arguments are reported to the model, and the tool does not run. */
export const defineLoopTool: <I>(
  definition: Pick<LoopTool, 'name' | 'description'> & { readonly input: v.GenericSchema<unknown, I> },
  run: (input: I, call: LoopCall) => Promise<LoopAnswer>,
) => LoopTool = toolOf

/** The maximum number of characters of a result. */
const longestResult = 64 * 1024
const longestExcerpt = 400

/** Runs one tool call of a model. Every failure becomes a result for the model. */
export async function callTool(
  use: RequestedUse,
  {
    tools,
    signal,
    log,
  }: { readonly tools: readonly LoopTool[]; readonly signal: AbortSignal; readonly log: Logger },
): Promise<{ readonly record: ToolCallRecord; readonly result: ToolResult }> {
  const startedAt = performance.now()
  const { text: full, pictures = [], isError = false } = await answerTo(use, tools, signal, log)
  const text =
    full.length > longestResult
      ? `${full.slice(0, longestResult)}\n[cut: ${full.length - longestResult} more characters]`
      : full
  const { id, name, input } = use
  return {
    result: { id, text, ...(pictures.length > 0 && { pictures }), ...(isError && { isError }) },
    record: {
      name: excerptOf(name, 80),
      input: redacted(input),
      durationMs: Math.round(performance.now() - startedAt),
      resultExcerpt: excerptOf(text, longestExcerpt),
      isError,
    },
  }
}

async function answerTo(
  { id, name, input, isBroken }: RequestedUse,
  tools: readonly LoopTool[],
  signal: AbortSignal,
  log: Logger,
): Promise<LoopAnswer> {
  const failed = (text: string): LoopAnswer => ({ text, isError: true })
  const tool = tools.find((each) => each.name === name)
  if (!tool)
    return failed(
      `Unknown tool '${excerptOf(name, 80)}'. Available tools: ${tools.map((each) => each.name).join(', ')}.`,
    )
  if (isBroken)
    return failed(
      'The arguments must be a JSON object that is not too deep and has no forbidden keys. Correct them and call the tool again.',
    )
  const read = tool.prepare(input)
  if (!read.ok) return failed(`Invalid arguments. ${read.problem}`)
  try {
    return await read.value.run({ id, signal })
  } catch (err) {
    if (err instanceof Refusal) return failed(err.reason)
    if (!signal.aborted) log.error({ err, tool: name }, 'agent tool failed')
    return failed('The tool failed because of an internal error. Continue without it.')
  }
}

/** Formats a result for the model, marked as data. */
export const toolAnswer = (value: unknown): LoopAnswer => ({ text: fenced('tool result', value) })

const shapes = createRedactor([])
const longestText = 200

/** Prepares a value for records: removes anything that looks like a key, and cuts long texts. */
function redacted(value: unknown): unknown {
  const json = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? excerptOf(part, longestText) : part,
  )
  return json === undefined ? undefined : JSON.parse(json)
}

/** Returns the start of a text without anything that looks like a key; does not split surrogate pairs. */
export const excerptOf = (text: string, longest: number): string =>
  shapes(text.slice(0, 4 * longest))
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, '')
