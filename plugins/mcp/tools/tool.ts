import * as v from 'valibot'
import { invalidRequest, validate, type Schema, toJsonSchema } from '../../../kernel/index.ts'
import { perObject, picked } from '../../content/plain-object.ts'
import type { AnyTool, JsonSchema, PreparedCall, Read } from '../../tools/port.ts'
import { readArguments } from './arguments.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Route = `${Method} /${string}`

/** A request of a tool. Site and session are added to its query or JSON body. */
export interface ToolRequest {
  readonly method: Method
  readonly path: `/${string}`
  /** `undefined` values are omitted. */
  readonly query?: Readonly<Record<string, unknown>>
  readonly json?: Readonly<Record<string, unknown>>
  /** A file, and the form field for it. */
  readonly file?: {
    readonly field: string
    readonly bytes: Uint8Array<ArrayBuffer>
    readonly type: string
    readonly name: string
  }
  /** The required version of the draft, sent as `If-Match`. */
  readonly baseVersion?: number | undefined
  readonly publishes?: true
  readonly timeoutMs?: number
}

export interface RouteAnswer {
  readonly json: unknown
  /** The draft version in the ETag. */
  readonly version: number | undefined
}

/** The services that tools use. */
export interface Toolbox {
  readonly siteId: string
  readonly session: string
  /** Returns the prefixed name of a tool, as hosts know it. */
  nameOf(tool: string): string
  /** Throws a {@link Failed} unless the answer is 2xx. */
  ask(request: ToolRequest): Promise<RouteAnswer>
}

/** The result of a tool: JSON, optionally with an image, or a note about a failed step. */
export interface ToolOutput {
  readonly json: unknown
  readonly picture?: { readonly data: string; readonly mimeType: string }
  readonly note?: string
}

/** The reason why a tool failed, as a sentence for the agent. */
export class Failed extends Error {
  override readonly name = 'Failed'
}

/** Parses an answer, and drops undeclared fields. Throws a {@link Failed} if it does not match. */
export function expected<const S extends v.GenericSchema>(schema: S, json: unknown): v.InferOutput<S> {
  const { success, output } = v.safeParse(schema, json)
  if (!success)
    throw new Failed(
      'The service gave an unexpected answer. Check that its address is that of an orchestrator of this version.',
    )
  return output
}

export type Permission = 'delete' | 'publish'

type Args = v.ObjectSchema<v.ObjectEntries, undefined>

interface ToolParts<S extends Args> {
  /** The name without prefix. */
  readonly name: string
  readonly description: string
  readonly input: S
  /** Arguments of which at least one is required. */
  readonly oneOf?: readonly string[]
  /** Changes nothing. */
  readonly reads?: true
  readonly destructive?: true
  /** Reaches systems outside the service. */
  readonly open?: true
  /** Listed by default; long answers are split into parts. */
  readonly byDefault?: true
  /** May take long, and reports progress. */
  readonly long?: true
  /** The answer; by default that of the first route. */
  readonly output?: Schema | ((reply: Schema) => Schema)
  /** The required routes. */
  readonly routes: readonly Route[]
  /** The permission required for a call with these arguments. */
  readonly needs?: Permission | ((args: v.InferOutput<S>) => Permission | undefined)
  readonly run: (args: v.InferOutput<S>, box: Toolbox) => Promise<ToolOutput>
}

/** A call with valid arguments. */
interface Prepared extends PreparedCall<Toolbox, ToolOutput> {
  readonly needs: Permission | undefined
}

/** A tool whose argument type is hidden. */
export interface Tool extends AnyTool<Toolbox, ToolOutput>, Omit<ToolParts<Args>, 'needs' | 'run'> {
  /** The required permission; `some` if it depends on the arguments. */
  readonly needs: Permission | 'some' | undefined
  prepare(args: unknown): Read<Prepared>
}

const describe = perObject(async (schema: Args): Promise<JsonSchema> => ({ ...(await toJsonSchema(schema)) }))

export function defineTool<const S extends Args>({ needs, run, ...tool }: ToolParts<S>): Tool {
  return {
    ...tool,
    needs: typeof needs === 'function' ? 'some' : needs,
    inputSchema: () => describe(tool.input),
    prepare(args) {
      const { success, output, issues } = validate(tool.input, readArguments(tool.input.entries, args))
      if (!success) return { ok: false, problem: invalidRequest(issues, 'arguments').reason }
      if (tool.oneOf?.every((name) => output[name] === undefined)) {
        return { ok: false, problem: `Give at least one of ${tool.oneOf.join(', ')}.` }
      }
      const needed = typeof needs === 'function' ? needs(output) : needs
      return { ok: true, value: { input: output, needs: needed, run: (box) => run(output, box) } }
    },
  }
}

const methods = ['GET', 'PATCH', 'DELETE'] as const
/** True for methods whose requests have a query and no body. */
export const hasQuery = (method: Method): boolean => method === 'GET' || method === 'DELETE'

type RequestParts = Omit<ToolRequest, 'method' | 'path'>

type OneRequest<S extends Args> = Omit<ToolParts<S>, 'run' | 'routes'> & {
  readonly route: Route
  /** Default: GET and DELETE send the arguments as query; others send JSON, and the base version separately. */
  readonly request?: (args: v.InferOutput<S>) => RequestParts
}

const Version = v.object({ previewVersion: v.number() })
const NewestEntry = v.object({ entries: v.array(v.object({ version: v.number(), summary: v.string() })) })
const Changed = v.object({ baseVersion: v.optional(v.number()), changes: v.optional(v.array(v.string())) })
const changed = perObject((reply: Schema): Schema => v.intersect([Changed, reply]))

/** Adds the next `baseVersion` to the answer to a change, and what the history says about it. */
async function withChange(json: unknown, { ask }: Toolbox): Promise<unknown> {
  const { success, output } = v.safeParse(Version, json)
  if (!success) return json
  const log = await ask({ method: 'GET', path: '/history/log', query: { limit: 1 } }).catch(
    (error: unknown) => {
      if (!(error instanceof Failed)) throw error
    },
  )
  const { entries } = v.parse(v.fallback(NewestEntry, { entries: [] }), log?.json)
  const changes = entries
    .filter(({ version }) => version === output.previewVersion)
    .map(({ summary }) => summary)
  return { ...Object(json), baseVersion: output.previewVersion, ...(changes.length > 0 && { changes }) }
}

/** Defines a tool that sends one request and returns its answer; a change also returns what `withChange` adds. */
export function requestTool<const S extends Args>({ route, request, ...tool }: OneRequest<S>): Tool {
  const method = methods.find((each) => route.startsWith(each)) ?? 'POST'
  const path = `/${route.slice(method.length + 2)}` as const
  const usual = ({ baseVersion, ...fields }: { readonly baseVersion?: number }): RequestParts =>
    hasQuery(method) ? { query: fields } : { json: fields, baseVersion }
  const changes = 'baseVersion' in tool.input.entries
  const run: ToolParts<S>['run'] = async (args, box) => {
    const { json } = await box.ask({ method, path, ...(request ?? usual)(args) })
    return { json: changes ? await withChange(json, box) : json }
  }
  return defineTool({ ...(changes && { output: changed }), ...tool, routes: [route], run })
}

/** Defines a tool that reads a route without arguments. */
export const readTool = (name: string, route: `GET /${string}`, description: string): Tool =>
  requestTool({ name, route, description, reads: true, input: nothing })

// Arguments shared by several tools, with their descriptions for agents.
export const slug = v.pipe(
  v.string(),
  v.nonEmpty('must name a page, such as "/about"'),
  v.description('The slug of a page, such as "/" or "/about".'),
)
export const optionalSlug = v.optional(slug)
export const text = (description: string) => v.optional(v.pipe(v.string(), v.description(description)))
export const baseVersion = v.pipe(
  v.number('must be the version that you read, a whole number'),
  v.integer(),
  v.minValue(0),
  v.description(
    'The version of the draft that you read. If the draft has changed since, the change is refused with the current version.',
  ),
)
export const optionalBaseVersion = v.optional(baseVersion)
export const count = (most: number, description: string) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most), v.description(description)))
export const nothing = v.object({})

/** Removes the `undefined` fields of an object. */
export const given = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  picked(fields, (value) => value !== undefined)
