import * as v from 'valibot'
import { findJsonProblem } from '../../kernel/index.ts'
import { parsedJson } from '../content/plain-object.ts'
import { clientHeader } from '../draft/port.ts'
import { NoService, type Host } from './host.ts'
import { type RouteAnswer, Failed, hasQuery, type ToolRequest } from './tools/tool.ts'

const usualMs = 120_000
const longestFailure = 500
/** Limits for answers of a service, sufficient for the largest site. */
const jsonLimits = { depth: 64, values: 1_000_000 }

/** The calling host, and the signal of the call. */
export interface CallingHost {
  /** The name that the host reports. */
  readonly client: string | undefined
  readonly signal: AbortSignal
}

interface Asking extends CallingHost {
  /** The name of the tool or the resource, for failures. */
  readonly named: string
}

/** Sends the request of a tool, and reads the answer. Throws a {@link Failed} unless it is 2xx with JSON. */
export async function ask(
  host: Host,
  { client, signal, named }: Asking,
  request: ToolRequest,
): Promise<RouteAnswer> {
  const { method, path, query, json, file, baseVersion, timeoutMs = usualMs } = request
  const scope = { session: host.session, siteId: host.siteId }
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await host.send({
      method,
      url: hasQuery(method) ? `${path}?${toQuery({ ...scope, ...query })}` : path,
      headers: {
        [clientHeader]: toClientName(client),
        ...(baseVersion !== undefined && { 'if-match': `"${baseVersion}"` }),
      },
      ...(!hasQuery(method) && {
        content: file
          ? await toForm(file)
          : {
              type: 'application/json',
              bytes: new TextEncoder().encode(JSON.stringify({ ...scope, ...json })),
            },
      }),
      publishes: request.publishes ?? false,
      signal: AbortSignal.any([signal, late]),
    })
    const body = toJson(response.text)
    if (response.status >= 200 && response.status < 300 && body !== undefined)
      return { json: body, version: versionIn(response.headers) }
    throw new Failed(withoutSecrets(host.secrets, toFailure(named, response.status, body)))
  } catch (error) {
    if (signal.aborted) throw error
    if (late.aborted) throw new Failed(`${named} → no answer within ${timeoutMs / 1000} seconds`)
    throw error instanceof NoService ? new Failed(`${named} → ${error.message}`) : error
  }
}

function toQuery(fields: NonNullable<ToolRequest['query']>): string {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString()
}

async function toForm({ field, bytes, type, name }: NonNullable<ToolRequest['file']>) {
  const form = new FormData()
  form.append(field, new File([bytes], name, { type }))
  const written = new Response(form)
  return {
    type: written.headers.get('content-type') ?? '',
    bytes: new Uint8Array(await written.arrayBuffer()),
  }
}

/** Formats the name of a client for a header. */
const toClientName = (name = ''): string =>
  name
    .replaceAll(/[^\x21-\x7e]+/g, ' ')
    .trim()
    .slice(0, 64) || 'unknown'

function toJson(text: string): unknown {
  const value = parsedJson(text)
  return findJsonProblem(value, jsonLimits) === undefined ? value : undefined
}

function versionIn(headers: Headers): number | undefined {
  const version = /^"(\d{1,15})(?:;\d{1,15})?"$/.exec(headers.get('etag') ?? '')?.[1]
  return version === undefined ? undefined : Number(version)
}

const text = v.optional(v.string(), '')
const NoPublishToken = v.object({ code: v.literal('publish_token_invalid') })
/** The refusal names the header, which only hosts of `/mcp` send. */
const publishTokenRemedy =
  'Publishing needs the publish token of the orchestrator: set PUBLISH_TOKEN in the environment of the command mcp, ' +
  'or send it to /mcp in the header x-publish-token.'
const texts = v.optional(v.array(v.string()), [])
const Refused = v.object({ code: text, error: text, reason: text })
/** A result of chat. It has no code of a refusal, its status says what came of it. */
const ChatFailure = v.object({
  status: v.string(),
  summary: v.string(),
  changes: texts,
  validationErrors: texts,
})

/** Describes a refusal by code and reason; many refusals repeat the reason as `error`. */
function toFailure(named: string, status: number, body: unknown): string {
  if (v.is(NoPublishToken, body)) return `${named} → ${status} ${body.code} ${publishTokenRemedy}`
  const { code, error, reason } = v.is(Refused, body)
    ? v.parse(Refused, body)
    : { code: '', error: '', reason: body === undefined ? 'The answer is not JSON.' : '' }
  const words = code || error || !v.is(ChatFailure, body) ? [code || error, reason || error] : wordsOf(body)
  return [named, '→', status, ...words]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, longestFailure)
    .toWellFormed()
}

/** Returns the verdict of a failed result of chat, its summary, and what is wrong. */
function wordsOf(body: unknown): readonly string[] {
  const { status, summary, changes, validationErrors } = v.parse(ChatFailure, body)
  return [status, summary, ...changes, ...validationErrors]
}

/** Removes the given secrets from a text, but nothing that only looks like a secret. */
export function withoutSecrets(secrets: readonly string[], text: string): string {
  let clean = text
  for (const secret of secrets) {
    for (const form of secret.length < shortest ? [] : [secret, JSON.stringify(secret).slice(1, -1)])
      clean = clean.replaceAll(form, '[redacted]')
  }
  return clean
}

/** The minimum length of a removed secret: removing shorter values would damage content. */
const shortest = 8
