/** Sends a file to the service, and says how far it is and why it was refused. */
import { sentenceOf } from '../service.ts'

class TooLarge extends Error {}

/** What the service takes, in MiB; anything else is text. */
const mostOf = (type: string): number =>
  type.startsWith('image/') ? 10 : type === 'application/pdf' ? 25 : 1

/** Refuses a large file here: the service would end the connection, and its reason would be lost. */
export function refuseLarge({ size, type }: File): void {
  const most = mostOf(type)
  if (size > most * 1024 * 1024)
    throw new TooLarge(`The file is larger than ${most} MiB. Choose a smaller one.`)
}

export const reasonOf = (error: unknown): string =>
  error instanceof TooLarge ? error.message : sentenceOf(error)

/** Sends a request as `fetch` does, and says how much of it has left, which `fetch` does not. */
export const sending =
  (onPart: (part: number) => void) =>
  (url: string, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onPart(total === 0 ? 0 : loaded / total),
    )
    request.addEventListener('load', () => {
      const type = request.getResponseHeader('content-type') ?? ''
      resolve(
        new Response(request.responseText, { status: request.status, headers: { 'content-type': type } }),
      )
    })
    request.addEventListener('error', () => reject(new TypeError('There was no answer.')))
    signal?.addEventListener('abort', () => {
      request.abort()
      reject(signal.reason)
    })
    request.send(body as FormData)
    return promise
  }
