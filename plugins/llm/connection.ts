import type { Logger } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import { guardedFetch } from './guarded-fetch.ts'

/** What the library of a provider is given to call its models. */
export interface Connection {
  /** Blank for services that ask for none. */
  readonly apiKey: string
  readonly baseUrl: string
  /** For a whole call, from the request to the end of the answer. */
  readonly timeoutMs: number
  readonly log: Logger
  readonly outbound: Pick<Outbound, 'stream'>
}

/** The options that libraries of providers share: one try, through the guarded way out, and warnings without their details. */
export function libraryOptions(library: string, { baseUrl, timeoutMs, log, outbound }: Connection) {
  // The details may be content.
  const warn = (message: string): void => log.warn({ library }, message)
  // `within` ends a call in time; a timeout of the library would read as a broken connection.
  const timeout = 2 * timeoutMs
  return {
    baseURL: baseUrl,
    maxRetries: 0,
    timeout,
    fetch: guardedFetch(outbound, { base: baseUrl, timeoutMs: timeout }),
    logger: { error: warn, warn, info: warn, debug: warn },
    logLevel: 'warn',
  } as const
}
