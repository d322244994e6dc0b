import { findJsonProblem } from '../../../../kernel/index.ts'
import { Canceled, type PlanningInput, type PlanningRun } from '../../port.ts'
import { isPlainObject, parsedJson } from '../../../content/plain-object.ts'
import { fenced, type ModelMessage, type ModelTool, type ToolResult } from '../../../models/port.ts'
import type { ToolExecutor } from '../../../tools/port.ts'
import { planToolName } from '../prompt/tool.ts'
import type { ToolCall, ModelAnswer } from './ask.ts'

/** The tools with which a model may look things up before it plans. */
export interface Lookups {
  readonly tools: readonly ModelTool[]
  /** Runs the tool calls of an answer, and returns both as turns of the conversation. */
  answered(answer: ModelAnswer): Promise<readonly ModelMessage[]>
}

/** The maximum number of calls in one answer. */
const mostCalls = 8

interface LookupOptions {
  readonly executor: ToolExecutor | undefined
  readonly input: PlanningInput
  readonly run: PlanningRun
  readonly provider: string
  /** The maximum size of all results of a request in bytes. */
  readonly mostBytes: number
}

/** Offers the tools of other services that only read. Failed calls are reported to the model. */
export async function createLookups({
  executor,
  input: { siteId, session: sessionId = '' },
  run: { id: traceId, signal },
  provider: plannerProvider,
  mostBytes,
}: LookupOptions): Promise<Lookups> {
  const offered = executor?.forModel([], [planToolName]) ?? []
  const context = { siteId, sessionId, traceId, plannerProvider, signal }
  let remainingBytes = mostBytes

  async function resultOf({ id, name, json }: ToolCall, at: number): Promise<ToolResult> {
    const failed = (text: string): ToolResult => ({ id, text, isError: true })
    const call = offered.find((tool) => tool.name === name)?.prepare(inputIn(json))
    if (!call?.ok)
      return failed(`No tool has this name. The tools are: ${offered.map((tool) => tool.name).join(', ')}.`)
    if (at >= mostCalls) return failed(`At most ${mostCalls} tools can be called at once.`)
    const outcome = await call.value.run(context)
    if (!outcome.ok) return failed(outcome.error?.message ?? 'The tool failed.')
    const text = fenced('tool result', outcome.data)
    if (Buffer.byteLength(text) > remainingBytes)
      return failed('The result is too long. Ask for less, or plan without it.')
    remainingBytes -= Buffer.byteLength(text)
    return { id, text }
  }

  return {
    tools: await Promise.all(
      offered.map(async ({ name, description, inputSchema }) => ({
        name,
        description,
        input: await inputSchema(),
      })),
    ),
    async answered({ prose, thoughts, toolCalls }) {
      const toolResults = await Promise.all(toolCalls.map(resultOf))
      if (signal.aborted) throw new Canceled()
      const toolUses = toolCalls.map(({ id, name, json }) => ({ id, name, input: inputIn(json) }))
      const texts = prose.trim() === '' ? [] : [{ text: prose }]
      return [
        { role: 'assistant', texts, thoughts, toolUses },
        { role: 'user', texts: [], toolResults },
      ]
    },
  }
}

/** The input of a call; an empty one if it is not an acceptable object, which the schema of the tool then refuses. */
function inputIn(json: string): Readonly<Record<string, unknown>> {
  const input = parsedJson(json)
  return isPlainObject(input) && findJsonProblem(input) === undefined ? input : {}
}
