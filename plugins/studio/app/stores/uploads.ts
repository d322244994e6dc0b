/** Files on their way to the service, one after the other, each with its own state. */
import { signal } from '@preact/signals'
import { callThrough, sentenceOf, type Answer } from '../service.ts'

export type Uploaded = Answer<'POST /image/upload'>

export interface Upload {
  readonly id: number
  readonly name: string
  /** How much has been sent, from 0 to 1. */
  readonly part: number
  readonly refusal?: string
  readonly stop: () => void
}

export const uploads = signal<readonly Upload[]>([])
export const accepted = 'image/png,image/jpeg,image/webp,image/gif'
const mostBytes = 10 * 1024 * 1024
let count = 0
let turn: Promise<unknown> = Promise.resolve()

/** Sends a picture; resolves with `undefined` if it was refused or stopped, which is shown with it. */
export function upload(file: File): Promise<Uploaded | undefined> {
  const id = (count += 1)
  const stopping = new AbortController()
  const forget = (): void => void (uploads.value = uploads.value.filter((each) => each.id !== id))
  const stop = (): void => {
    stopping.abort()
    forget()
  }
  const note = (more: Partial<Upload>): void =>
    void (uploads.value = uploads.value.map((each) => (each.id === id ? { ...each, ...more } : each)))
  uploads.value = [...uploads.value, { id, name: file.name || 'Picture', part: 0, stop }]
  const run = async (): Promise<Uploaded | undefined> => {
    try {
      stopping.signal.throwIfAborted()
      // The service would end the connection, and its reason would be lost.
      if (file.size > mostBytes) throw new TooLarge()
      const form = new FormData()
      form.set('image', file)
      const send = sending((part) => note({ part }))
      const done = await callThrough(send)('POST /image/upload', { form, signal: stopping.signal })
      forget()
      return done
    } catch (error) {
      note({ refusal: error instanceof TooLarge ? error.message : sentenceOf(error) })
      return undefined
    }
  }
  const mine = turn.then(run)
  turn = mine
  return mine
}

class TooLarge extends Error {
  override readonly message = 'The file is larger than 10 MiB. Choose a smaller one.'
}

/** Sends a request as `fetch` does, and says how much of it has left, which `fetch` does not. */
const sending =
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

/** The pictures among what was dropped or pasted. */
export const filesIn = (data: DataTransfer | null): readonly File[] => [...(data?.files ?? [])]
