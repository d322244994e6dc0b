import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { BootError, Refusal, validate, type Logger } from '../../kernel/index.ts'
import { violations } from '../content/check-props.ts'
import type { PropsSchema } from '../content/model.ts'
import type { Outbound } from '../outbound/port.ts'
import { SubsetSchema, ToolShape } from './manifest.ts'
import type { PreparedCall, Read, Tool } from './tool.ts'

interface RemoteParts {
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly log: Logger
  readonly production: boolean
  /** Returns the value of an environment variable that a header references. */
  valueOf(name: string): string | undefined
}

const mostBytes = 1024 * 1024
const mostFileBytes = 1024 * 1024
const mostTools = 200
const variable = 'ORCHESTRATOR_TOOL_MANIFEST_PATH'

const RemoteTool = v.object({
  manifest: v.object({ ...ToolShape.entries, inputSchema: SubsetSchema, outputSchema: SubsetSchema }),
  endpoint: v.pipe(
    v.string(),
    v.check((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https address'),
  ),
  staticHeaders: v.optional(
    v.record(v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,80}$/)), v.pipe(v.string(), v.maxLength(4_000))),
    {},
  ),
})
type RemoteTool = v.InferOutput<typeof RemoteTool>

const Answer = v.object({ data: v.unknown() })

/** Reads other services' tools from a file. Skips invalid entries; an unreadable file stops the boot. */
export async function readRemoteTools(path: string, parts: RemoteParts): Promise<readonly Tool[]> {
  const file = v.safeParse(
    v.object({ tools: v.pipe(v.array(v.unknown()), v.maxLength(mostTools)) }),
    await readJson(path),
  )
  if (!file.success)
    throw new BootError([`${variable}: the file has no list 'tools' of at most ${mostTools} entries`])
  return file.output.tools.flatMap((raw, index) => {
    const { success, output, issues } = validate(RemoteTool, raw)
    if (!success) {
      const [{ path, message } = { path: '', message: '' }] = issues
      parts.log.warn({ variable, entry: index, problem: `${path} ${message}`.trim() }, 'invalid tool skipped')
      return []
    }
    const tool = remoteTool(output, parts)
    if (tool) return [tool]
    parts.log.warn(
      { variable, entry: index },
      'tool skipped: production requires https, and all variables that its headers name must be set',
    )
    return []
  })
}

async function readJson(path: string): Promise<unknown> {
  try {
    const text = await readFile(path, 'utf8')
    return text.length > mostFileBytes ? undefined : JSON.parse(text)
  } catch (cause) {
    throw new BootError([`${variable}: the file cannot be read, or is not JSON`], { cause })
  }
}

function remoteTool(
  { manifest, endpoint, staticHeaders }: RemoteTool,
  { outbound, production, valueOf }: RemoteParts,
): Tool | undefined {
  const { inputSchema, outputSchema, ...shape } = manifest
  const { origin, protocol } = new URL(endpoint)
  if (production && protocol !== 'https:') return undefined
  const headers: Record<string, string> = {}
  for (const [name, written] of Object.entries(staticHeaders)) {
    const missing: string[] = []
    headers[name] = written.replaceAll(
      /\$\{env:([A-Z0-9_]+)\}/g,
      (_, variable: string) => valueOf(variable) ?? (missing.push(variable), ''),
    )
    if (missing.length > 0) return undefined
  }
  return {
    ...shape,
    source: 'remote',
    inputSchema: async () => inputSchema,
    prepare(input) {
      const read = readAs(inputSchema, input)
      if (!read.ok) return read
      const run: PreparedCall['run'] = async (context) => {
        const { siteId, sessionId, userId, traceId, plannerProvider } = context
        const json = {
          toolName: shape.name,
          arguments: input,
          context: { siteId, sessionId, userId, traceId, plannerProvider },
        }
        const answer = await outbound.fetch(endpoint, {
          json,
          headers,
          maxBytes: mostBytes,
          timeoutMs: shape.timeoutMs,
          followsRedirects: false,
          allowOrigins: [origin],
          signal: context.signal,
        })
        if (answer.status < 200 || answer.status > 299)
          throw new Refusal({
            status: 502,
            code: 'tool_failed',
            reason: `The tool answered with status ${answer.status}.`,
          })
        return answerIn(answer.json())
      }
      return { ok: true, value: { input, run } }
    },
    readOutput: (output) => readAs(outputSchema, output),
  }
}

function answerIn(json: unknown): unknown {
  const { success, output } = v.safeParse(Answer, json)
  if (!success)
    throw new Refusal({ status: 502, code: 'tool_failed', reason: 'The tool answered without data.' })
  return output.data
}

function readAs(schema: PropsSchema, value: unknown): Read<unknown> {
  const [first] = violations(schema, value, '')
  return first ? { ok: false, problem: `${first.path} ${first.message}`.trim() } : { ok: true, value }
}
