import { createHash } from 'node:crypto'
import { BootError, missingPackage, errorCode } from '../../../kernel/index.ts'
import type { Bucket } from './bucket.ts'

/** Milliseconds until an answer begins. */
const patienceMs = 60_000
const retries = 3

export interface S3Request {
  /** The name of the file, without the prefix of the place; none for the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | string
}

/**
 * Sends a signed request; an answer other than 2xx throws an error whose code is that of a sentence for
 * callers.
 */
export type SendToS3 = (
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE',
  request?: S3Request,
) => Promise<Response>

const codes: Readonly<Record<number, string>> = {
  401: 'S3_DENIED',
  403: 'S3_DENIED',
  404: 'S3_MISSING',
  412: 'REPLACED',
}

/** The optional package. Inside `try`, bundlers let a missing package fail at run time. */
async function importLibrary() {
  try {
    return await import('aws4fetch')
  } catch (cause) {
    throw new BootError([missingPackage('BLOBS_URL', 'aws4fetch')], { cause })
  }
}

/** Creates a client of one bucket. Throws a BootError if the package `aws4fetch` is missing. */
export async function createClient({ bucket, prefix, ...keys }: Bucket): Promise<SendToS3> {
  const { AwsClient } = await importLibrary()
  const aws = new AwsClient({ ...keys, service: 's3', retries })
  return async (method, { key, query = {}, headers = {}, body = '' } = {}) => {
    const url = new URL(key === undefined ? '' : prefix + key, bucket)
    url.search = String(new URLSearchParams(query))
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), patienceMs)
    const answer = await aws
      .fetch(url, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
        // With a redirect the signature is void.
        redirect: 'manual',
        signal: late.signal,
        ...(body !== '' && { body }),
      })
      .catch((cause: unknown) => {
        throw failure('S3_AWAY', `no answer (${causeOf(cause)})`)
      })
      .finally(() => clearTimeout(timer))
    if (answer.ok) return answer
    const errorText =
      /<Code>(\w{1,60})<\/Code>/.exec(await answer.text().catch(() => ''))?.[1] ?? answer.statusText
    const code = codes[answer.status] ?? (answer.status >= 500 ? 'S3_AWAY' : 'S3_REFUSED')
    throw failure(code, `${method} was answered with ${answer.status} ${errorText}`)
  }
}

/** An error for the log, with what `errorCode` reads; it has neither address nor headers. */
export const failure = (code: string, message: string): Error =>
  Object.assign(new Error(`S3: ${message}`), { code })

const causeOf = (error: unknown): string =>
  errorCode(error instanceof Error ? (error.cause ?? error) : error) ?? 'network'
