import * as v from 'valibot'
import { parseExactly } from '../../../content/numbers.ts'
import { isPlainObject, ownValue } from '../../../content/plain-object.ts'
import { withRepeats } from '../../../outbound/port.ts'
import { readBody } from '../read-body.ts'
import type { CmsContentOptions } from './content.ts'

/** The maximum size of an answer in bytes. */
const maxBytes = 64 * 1024 * 1024
const timeoutMs = 20_000
const longestWaitMs = 10_000

interface CmsRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/**
 * Creates a client of a CMS with a token. Resolves with the JSON of an answer, parsed by a schema;
 * `undefined` for an answer without a body. Asks again where `withRepeats` does: writes only after a 429.
 *
 * Rejects with an Error with the name of the CMS, the status and its message, but never the token.
 */
export function createCmsClient(name: string, token: string | undefined, options: CmsContentOptions) {
  const uncached = (url: string, request: RequestInit) => fetch(url, { ...request, cache: 'no-store' })
  const send = options.fetch ?? uncached
  return async <T>(
    answer: v.GenericSchema<unknown, T>,
    url: string,
    { method = 'GET', headers, json }: CmsRequest = {},
  ): Promise<T> => {
    const request = async () => {
      const response = await send(url, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          accept: 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? null : JSON.stringify(json),
      })
      return { response, bytes: await readBody(response, maxBytes) }
    }
    const { response, bytes } = await withRepeats(request, answered, {
      isRead: method === 'GET',
      longestMs: longestWaitMs,
    }).catch((cause: unknown) => {
      throw new Error(`${name} cannot be reached; check its address and try again.`, { cause })
    })
    const text = bytes?.toString()
    if (text === undefined) throw new Error(`${name} answered more than ${maxBytes} bytes.`)
    if (!response.ok) throw new Error(refusal(name, response.status, text))
    return shaped(answer, text === '' ? undefined : parsed(text, name), name)
  }
}

const answered = ({ response: { status, headers } }: { readonly response: Response }) => ({
  status,
  header: (name: string) => headers.get(name) ?? undefined,
})

function parsed(text: string, name: string): unknown {
  try {
    return parseExactly(text)
  } catch (cause) {
    throw new Error(`${name} answered something that is not JSON; check its address.`, { cause })
  }
}

function shaped<T>(schema: v.GenericSchema<unknown, T>, value: unknown, name: string): T {
  const { success, output, issues: [issue] = [] } = v.safeParse(schema, value)
  if (success) return output
  const what = `another form than expected (${(issue && v.getDotPath(issue)) ?? 'all of it'})`
  throw new Error(`${name} answered in ${what}; check the fields of the content type.`)
}

const token = ' Check the token and what it may do.'
const names = ' Check the names in the variables, and that the content type is there.'
const remedies: Readonly<Record<number, string>> = { 401: token, 403: token, 404: names }

function refusal(name: string, status: number, text: string): string {
  const words = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, 200)
  return `${name} answered ${status}: ${words}.${remedies[status] ?? ''}`
}

/** Returns a required variable; throws an Error that names a missing one. */
export function required(variables: Variables, name: string): string {
  const value = variables[name]?.trim()
  if (value === undefined || value === '') throw new Error(`The content cannot be read: ${name} is not set.`)
  return value
}

/** Returns a part of an answer that may be of any form. */
export const valueAt = (value: unknown, name: string): unknown =>
  isPlainObject(value) ? ownValue(value, name) : undefined

export type Variables = Readonly<Record<string, string | undefined>>
