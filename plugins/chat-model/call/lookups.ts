import { findJsonProblem } from '../../../kernel/index.ts'
import { Canceled, type PlanningInput, type PlanningRun } from '../../chat/port.ts'
import { isPlainObject, parsedJson } from '../../content/plain-object.ts'
import { fenced, type ModelMessage, type ModelTool, type ToolResult } from '../../llm/port.ts'
import { createAliases, type ToolExecutor } from '../../tools/port.ts'
import { planToolName } from '../prompt/tool.ts'
import type { AskedTool, ModelAnswer } from './ask.ts'

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
  input,
  run,
  provider,
  mostBytes,
}: LookupOptions): Promise<Lookups> {
  const remote = executor
    ?.list()
    .filter(({ source, capability, enabled }) => enabled && source === 'remote' && capability === 'read')
  const offered = remote?.length ? await executor?.forModel(remote.map(({ name }) => name)) : undefined
  const names = new Map(
    [...createAliases([planToolName, ...(offered ?? []).map(({ tool }) => tool)])].slice(1),
  )
  let bytesLeft = mostBytes

  async function resultOf({ id, name, json }: AskedTool, at: number): Promise<ToolResult> {
    const failed = (text: string): ToolResult => ({ id, text, isError: true })
    const tool = names.get(name)
    if (tool === undefined || !executor)
      return failed(`No tool has this name. The tools are: ${[...names.keys()].join(', ')}.`)
    if (at >= mostCalls) return failed(`At most ${mostCalls} tools can be called at once.`)
    const { siteId, session: sessionId = '' } = input
    const context = { siteId, sessionId, traceId: run.id, plannerProvider: provider, signal: run.signal }
    const outcome = await executor.execute(tool, inputIn(json), context)
    if (!outcome.ok) return failed(outcome.error?.message ?? 'The tool failed.')
    const text = fenced('tool result', outcome.data)
    if (Buffer.byteLength(text) > bytesLeft)
      return failed('The result is too long. Ask for less, or plan without it.')
    bytesLeft -= Buffer.byteLength(text)
    return { id, text }
  }

  return {
    tools: [...names].flatMap(([alias, tool]) =>
      (offered ?? [])
        .filter((each) => each.tool === tool)
        .map(({ description, input: schema }) => ({ name: alias, description, input: schema })),
    ),
    async answered({ prose, thoughts, asked }) {
      const toolResults = await Promise.all(asked.map(resultOf))
      if (run.signal.aborted) throw new Canceled()
      const toolUses = asked.map(({ id, name, json }) => ({ id, name, input: inputIn(json) }))
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
