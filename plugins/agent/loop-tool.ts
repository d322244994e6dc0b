import type * as v from 'valibot'
import { createRedactor, type Logger, Refusal } from '../../kernel/index.ts'
import { toJsonSchema } from '../docs/port.ts'
import type { ToolResult } from '../llm/port.ts'
import { readBy } from '../tools/port.ts'
import type { LoopAnswer, LoopTool, ToolCallRecord } from './loop-types.ts'
import type { AskedUse } from './turn.ts'

/** Makes a tool of a run. Arguments that do not fit are told the model, and nothing is run. */
export function defineLoopTool<I>(
  { name, description, input }: { readonly name: string; readonly description: string; readonly input: v.GenericSchema<unknown, I> },
  run: (input: I, call: Parameters<LoopTool['run']>[1]) => Promise<LoopAnswer>,
): LoopTool {
  return {
    name,
    description,
    inputSchema: async () => ({ ...(await toJsonSchema(input)) }),
    async run(value, call) {
      const read = readBy(input, value)
      return read.ok ? run(read.value, call) : { text: `The arguments do not fit. ${read.problem}`, isError: true }
    },
  }
}

/** Of one result, in characters. */
const longestResult = 64 * 1024
const longestExcerpt = 400

/** Runs one call of a model. What goes wrong is a result for the model; only an abort in the middle is not waited for by anybody. */
export async function callTool(use: AskedUse, { tools, signal, log }: { readonly tools: readonly LoopTool[]; readonly signal: AbortSignal; readonly log: Logger }): Promise<{ readonly record: ToolCallRecord; readonly result: ToolResult }> {
  const begun = performance.now()
  const { text: full, pictures = [], isError = false } = await answerTo(use, tools, signal, log)
  const text = full.length > longestResult ? `${full.slice(0, longestResult)}\n[cut: ${full.length - longestResult} more characters]` : full
  const { id, name, input } = use
  return {
    result: { id, text, ...(pictures.length > 0 && { pictures }), ...(isError && { isError }) },
    record: { name: excerptOf(name, 80), input: redacted(input), durationMs: Math.round(performance.now() - begun), resultExcerpt: excerptOf(text, longestExcerpt), isError },
  }
}

async function answerTo({ id, name, input, isBroken }: AskedUse, tools: readonly LoopTool[], signal: AbortSignal, log: Logger): Promise<LoopAnswer> {
  const failed = (text: string): LoopAnswer => ({ text, isError: true })
  const tool = tools.find((each) => each.name === name)
  if (!tool) return failed(`There is no tool '${excerptOf(name, 80)}'. There are: ${tools.map((each) => each.name).join(', ')}.`)
  if (isBroken) return failed('The arguments are no JSON object, or one that is too deep or has keys that are not allowed. Call the tool again with others.')
  try {
    return await tool.run(input, { id, signal })
  } catch (err) {
    if (err instanceof Refusal) return failed(err.reason)
    if (!signal.aborted) log.error({ err, tool: name }, 'tool of an agent failed')
    return failed('The tool failed because of a fault in the service. Go on without it.')
  }
}

const shapes = createRedactor([])
const longestText = 200

/** A value for records: whatever looks like a key is taken out, and long texts are cut. */
export function redacted(value: unknown): unknown {
  const json = JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? excerptOf(part, longestText) : part))
  return json === undefined ? undefined : JSON.parse(json)
}

/** The beginning of a text, without what looks like a key, and never half a character. */
export const excerptOf = (text: string, longest: number): string =>
  shapes(text.slice(0, 4 * longest)).slice(0, longest).replace(/[\ud800-\udbff]$/, '')
