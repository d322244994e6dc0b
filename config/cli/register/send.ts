import * as v from 'valibot'
import { createRedactor } from '../../../kernel/index.ts'
import { CommandError } from '../shared/command.ts'
import { NoAnswer, callHttp, toJson, toShownText, type HttpAnswer } from '../shared/http.ts'
import type { Wishes } from './wishes.ts'

/** What the orchestrator made of a registration. */
export interface Registered {
  /** `registered` or `unchanged`. */
  readonly status: string
  readonly warnings: readonly string[]
}

const Answer = v.object({ status: v.string(), siteId: v.string(), warnings: v.array(v.string()) })
const Refused = v.object({ reason: v.optional(v.string()), error: v.optional(v.string()) })

/** The longest answer that is read: a name and a few warnings, or an error page. */
const maxBytes = 1024 * 1024

/**
 * Registers a site with one request, and gives what the orchestrator says to it.
 *
 * Throws a CommandError that names the remedy when it says no, nothing, or something else; neither the secret
 * nor the token is in it, whatever the other side sent back.
 */
export async function send(
  { siteId, name, port, previewUrl, purpose, session, orchestrator, token }: Wishes,
  { secret, timeoutMs }: { readonly secret: string | undefined; readonly timeoutMs: number },
): Promise<Registered> {
  const hasToken = token !== undefined
  const redact = createRedactor([secret, token].filter((value) => value !== undefined))
  const shown = (text: string): string => toShownText(redact(text))
  const answer = await callHttp(new URL(`${orchestrator}/sites/register`), {
    method: 'POST',
    headers: hasToken ? { 'x-access-token': token } : {},
    json: { siteId, name, port, previewUrl, purpose, secret, session },
    timeoutMs,
    maxBytes,
  }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error
    throw new CommandError(`${orchestrator} ${error.message}; start it, or name another with --orchestrator`)
  })
  const body = answer.bytes && toJson(answer.bytes)
  if (answer.status < 200 || answer.status >= 300) {
    const { reason, error } = v.is(Refused, body) ? body : {}
    const why = shown(reason ?? error ?? '')
    const said = `${orchestrator} answered ${answer.status}${why && `: ${why}`}`
    throw new CommandError([said, remedyOf(answer, hasToken)].filter(Boolean).join('\n'))
  }
  const parsed = v.safeParse(Answer, body)
  if (!parsed.success) throw new CommandError(`${orchestrator} answered ${what(answer, body)}; ${wrongServer}`)
  return { status: shown(parsed.output.status), warnings: parsed.output.warnings.map(shown) }
}

/** False where the orchestrator refuses pages of an origin. */
export async function mayCall(origin: string, { orchestrator }: Pick<Wishes, 'orchestrator'>, timeoutMs: number): Promise<boolean> {
  const headers = { origin, 'access-control-request-method': 'GET' }
  const asked = callHttp(new URL(`${orchestrator}/events`), { method: 'OPTIONS', headers, timeoutMs, maxBytes })
  return asked.then(({ status }) => status !== 403, () => true)
}

const wrongServer = 'check that --orchestrator names an orchestrator'

function what({ bytes }: HttpAnswer, body: unknown): string {
  if (bytes === undefined) return `more than ${maxBytes} bytes`
  return body === undefined ? 'something that is not JSON' : 'JSON that does not answer a registration'
}

function remedyOf({ status }: HttpAnswer, hasToken: boolean): string | undefined {
  if (status === 401 && hasToken) return 'The access token is not one that it accepts; check --access-token.'
  if (status === 401) return 'Pass an access token with --access-token or in ORCHESTRATOR_ACCESS_TOKEN.'
  if (status >= 300 && status < 400) {
    return 'Redirects are not followed; name the address itself with --orchestrator.'
  }
  return status === 404 ? `There is nothing to register at; ${wrongServer}.` : undefined
}
