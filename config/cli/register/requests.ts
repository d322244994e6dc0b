import * as v from 'valibot'
import { createRedactor } from '../../../kernel/index.ts'
import { CommandError } from '../shared/command.ts'
import { NoAnswer, callHttp, toJson, toShownText } from '../shared/http.ts'
import type { Registration } from './registration.ts'

/** The status is `registered` or `unchanged`. */
const Answer = v.object({ status: v.string(), siteId: v.string(), warnings: v.array(v.string()) })
const Refused = v.fallback(v.object({ reason: v.optional(v.string()), error: v.optional(v.string()) }), {})

/** The maximum size of an answer: a name and a few warnings, or an error page. */
const answerBytes = 1024 * 1024

/** Registers a site. Throws a CommandError with a remedy; hides the secret and token even if echoed. */
export async function send(registration: Registration, secret: string | undefined) {
  const { siteId, name, port, previewUrl, purpose, session, orchestrator, token, timeoutMs } = registration
  const redact = createRedactor([secret, token].filter((value) => value !== undefined))
  const shown = (text: string): string => toShownText(redact(text))
  const { status, bytes } = await callHttp(new URL(`${orchestrator}/sites/register`), {
    method: 'POST',
    headers: token === undefined ? {} : { 'x-access-token': token },
    json: { siteId, name, port, previewUrl, purpose, secret, session },
    timeoutMs,
    maxBytes: answerBytes,
  }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error
    throw new CommandError(`${orchestrator} ${error.message}; start it, or name another with --orchestrator`)
  })
  const body = toJson(bytes)
  if (status < 200 || status >= 300) {
    const { reason, error } = v.parse(Refused, body)
    const why = shown(reason ?? error ?? '')
    const remedy = remedyOf(status, token !== undefined)
    throw new CommandError(`${orchestrator} answered ${status}${why && `: ${why}`}${remedy && `\n${remedy}`}`)
  }
  const parsed = v.safeParse(Answer, body)
  if (parsed.success)
    return { status: shown(parsed.output.status), warnings: parsed.output.warnings.map(shown) }
  const what = body === undefined ? 'something that is not JSON' : 'JSON that does not answer a registration'
  throw new CommandError(
    `${orchestrator} answered ${bytes ? what : `more than ${answerBytes} bytes`}; ${wrongServer}`,
  )
}

const wrongServer = 'check that --orchestrator names an orchestrator'

function remedyOf(status: number, hasToken: boolean): string {
  if (status === 401 && hasToken) return 'It does not accept the access token; check --access-token.'
  if (status === 401) return 'Pass an access token with --access-token or in ORCHESTRATOR_ACCESS_TOKEN.'
  if (status >= 300 && status < 400)
    return 'Redirects are not followed; name the final address with --orchestrator.'
  return [404, 405, 501].includes(status) ? `It has no route to register at; ${wrongServer}.` : ''
}
