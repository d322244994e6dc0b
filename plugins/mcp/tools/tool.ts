import * as v from 'valibot'

/** A request as a tool states it. Site and session are added to a query and to a JSON body. */
export interface ToolRequest {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  /** What is `undefined` is left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly json?: Readonly<Record<string, unknown>>
  /** A file, in the field of a form of this name. */
  readonly file?: { readonly field: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string; readonly name: string }
  /** The version that the draft must have, as `If-Match`. */
  readonly baseVersion?: number | undefined
  readonly publishes?: true
  readonly timeoutMs?: number
}

/** What a request came to. */
export interface Answered {
  /** The JSON of the answer. */
  readonly json: unknown
  /** The version of the draft that the answer names in its ETag. */
  readonly version: number | undefined
}

/** What a tool that is more than one request works with. */
export interface Toolbox {
  readonly siteId: string
  readonly session: string
  /** What the website declares; `undefined` where it declares nothing. */
  siteBlocks(): Promise<unknown>
  /** Throws a {@link Failed} for an answer that is not 2xx. */
  ask(request: ToolRequest): Promise<Answered>
}

/** What a tool gives: JSON, beside it a picture, or a note about what did not work. */
export interface Given {
  readonly json: unknown
  readonly picture?: { readonly data: string; readonly mimeType: string }
  readonly note?: string
}

/** Why a tool did nothing, as a sentence for the agent. */
export class Failed extends Error {
  override readonly name = 'Failed'
}

/** What an answer should be. Throws a {@link Failed} for anything else. */
export function expected<const S extends v.GenericSchema>(schema: S, json: unknown): v.InferOutput<S> {
  const { success, output } = v.safeParse(schema, json)
  if (!success) throw new Failed('The service answered something else than was asked for. Check that its address is that of an orchestrator.')
  return output
}

export type Permission = 'delete' | 'publish'

type Args = v.ObjectSchema<v.ObjectEntries, undefined>

interface ToolParts<S extends Args> {
  /** Without the prefix. */
  readonly name: string
  readonly description: string
  readonly input: S
  /** Arguments of which one has to be given. */
  readonly oneOf?: readonly string[]
  /** Changes nothing. */
  readonly reads?: true
  readonly destructive?: true
  /** Reaches beyond the service. */
  readonly open?: true
  /** Among the few that hosts are shown by default; its answers come in parts. */
  readonly byDefault?: true
  /** May take long: progress is reported. */
  readonly long?: true
  /** The routes that it cannot do without. */
  readonly routes: readonly `${'GET' | 'POST'} /${string}`[]
  /** What has to be allowed for a call with these arguments. */
  readonly needs?: Permission | ((args: v.InferOutput<S>) => Permission | undefined)
  /** The one request that it is, whose answer it gives; or all that it does. */
  readonly run: (args: v.InferOutput<S>, box: Toolbox) => Promise<Given>
}

/** A tool with the type of its arguments taken out of sight: `call` reads them. */
export interface Tool extends Omit<ToolParts<Args>, 'needs' | 'run'> {
  /** What has to be allowed; `some` where that depends on the arguments. */
  readonly needs: Permission | 'some' | undefined
  /** The reading of arguments: what the call needs and does, or what is wrong with them. */
  read(args: unknown): { readonly needs: Permission | undefined; run(box: Toolbox): Promise<Given> } | { readonly problem: string }
}

/** Makes a tool of its parts. */
export function defineTool<const S extends Args>({ needs, run, ...tool }: ToolParts<S>): Tool {
  return {
    ...tool,
    needs: typeof needs === 'function' ? 'some' : needs,
    read(args) {
      const { success, output, issues } = v.safeParse(tool.input, args)
      if (!success) return { problem: `${v.getDotPath(issues[0]) ?? 'the arguments'}: ${issues[0].message}` }
      if (tool.oneOf?.every((name) => output[name] === undefined)) return { problem: `give one of ${tool.oneOf.join(', ')}` }
      return { needs: typeof needs === 'function' ? needs(output) : needs, run: (box) => run(output, box) }
    },
  }
}

type OneRequest<S extends Args> = Omit<ToolParts<S>, 'run' | 'routes'> & {
  readonly route: `${'GET' | 'POST'} /${string}`
  readonly request?: (args: v.InferOutput<S>) => Omit<ToolRequest, 'method' | 'path'>
}

/** Makes a tool that is one request, and gives its answer. */
export function requestTool<const S extends Args>({ route, request, ...tool }: OneRequest<S>): Tool {
  return defineTool({ ...tool, routes: [route], run: (args, { ask }) => ask({ ...toTarget(route), ...request?.(args) }) })
}

function toTarget(route: `${'GET' | 'POST'} /${string}`): Pick<ToolRequest, 'method' | 'path'> {
  const [method, path] = route.split(' ')
  return { method: method === 'GET' ? 'GET' : 'POST', path: `/${path?.slice(1) ?? ''}` }
}

/** Arguments that several tools take, with their descriptions for agents. */
export const slug = v.pipe(v.string(), v.nonEmpty('must name a page, such as "/about"'), v.description('The address of a page, such as "/" or "/about".'))
export const optionalSlug = v.optional(slug)
export const text = (description: string) => v.optional(v.pipe(v.string(), v.description(description)))
export const baseVersion = v.pipe(
  v.number('must be the version that you read, a whole number'),
  v.integer(),
  v.minValue(0),
  v.description('The version of the draft that you read. The change is refused when the draft has moved on, with the version that it has.'),
)
export const optionalBaseVersion = v.optional(baseVersion)
export const count = (most: number, description: string) => v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most), v.description(description)))
export const nothing = v.object({})

/** The fields of an object that were given. */
export function given<T extends Readonly<Record<string, unknown>>>(fields: T): Partial<T> {
  const rest = { ...fields }
  for (const name in rest) if (rest[name] === undefined) delete rest[name]
  return rest
}
