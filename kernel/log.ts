import pino, { type DestinationStream, type Logger as PinoLogger } from 'pino'
import { credentialHeaders } from './http/headers.ts'
import { service } from './service.ts'

/** The part of a pino logger that plugins use. Calls pass one object, then a short lower-case phrase. */
export type Logger = Pick<
  PinoLogger,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'level' | 'isLevelEnabled'
> & { child(bindings: Readonly<Record<string, unknown>>): Logger }

interface LogOptions {
  /** `trace` to `fatal`, or `silent`. */
  readonly level?: string
  readonly destination?: DestinationStream
  /** Values that must never be written. */
  readonly secrets?: readonly string[]
}

const censored = '[redacted]'
const secretShapes =
  /\bcot_[0-9a-f]{12}_[\w-]{20,}|\bsk-[\w-]{8,}|\bAIza[\w-]{20,}|\bghp_\w{20,}|\b(?:Bearer|Basic) +[\w.~+/=-]{4,}|((?:accessToken|access_token|secret|sig)=)[^&\s"\\]+/g

/** The forms in which a secret may occur in a text: plain, in JSON, and in a URL. */
function formsOf(secret: string): readonly string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]
}

/**
 * Creates a function that redacts the given secrets in a text, and everything that looks like a provider key,
 * a bearer token or a credential in a query.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const exact = [...new Set(secrets.filter((secret) => secret.length >= 4).flatMap(formsOf))].toSorted(
    (a, b) => b.length - a.length,
  )
  return (text) => {
    let clean = text
    for (const secret of exact) if (clean.includes(secret)) clean = clean.replaceAll(secret, censored)
    return clean.replace(secretShapes, (_, name: string | undefined) => `${name ?? ''}${censored}`)
  }
}

/** Redacts the secrets of this installation in a text, for plugins that store what people write. */
export const redactor = service<(text: string) => string>('kernel.redactor')

/** Creates the logger: pino writes JSON lines with secrets redacted. */
export function createLogger({
  level = 'info',
  destination = pino.destination({ dest: 1, sync: true }),
  secrets = [],
}: LogOptions = {}): Logger {
  const redact = createRedactor(secrets)
  const paths = credentialHeaders.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`])
  return pino(
    { level, base: null, redact: { paths, censor: censored } },
    { write: (line) => void destination.write(redact(line)) },
  )
}

/** One finished request. The route is its pattern, never the requested address. */
export interface AccessEntry {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  readonly id: string
}

/** The access log; `flush` writes pending lines. */
export interface AccessLog {
  write(entry: AccessEntry): void
  flush(): void
}

const flushAt = 16 * 1024
const flushEveryMs = 200

/**
 * Writes one JSON line per request in the format of the other log lines, in batches.
 *
 * Assembles each line directly and delays it by at most 200 ms, because a logger call per request costs a
 * quarter of the request itself. No part of a line needs escaping. Successful answers of `quiet` routes, which probes ask
 * all the time, are left out.
 */
export function createAccessLog(
  write: (lines: string) => void,
  now: () => number,
  quiet: readonly string[] = [],
): AccessLog {
  let lines = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (lines === '') return
    const out = lines
    lines = ''
    write(out)
  }
  return {
    write({ method, route, status, milliseconds, id }) {
      if (status === 200 && quiet.includes(route)) return
      lines += `{"level":30,"time":${now()},"msg":"request","method":"${method}","route":"${route}","status":${status},"ms":${Math.round(milliseconds * 10) / 10},"id":"${id}"}\n`
      if (lines.length >= flushAt) flush()
      else timer ??= setTimeout(flush, flushEveryMs).unref()
    },
    flush,
  }
}
