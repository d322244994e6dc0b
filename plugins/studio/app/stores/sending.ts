/** Sends files to the service, and says how far each is and why it was refused. */
import { signal } from '@preact/signals'
import { callThrough, sentenceOf } from '../service.ts'

/** A file on its way. */
export interface Sending<A> {
  readonly id: number
  readonly name: string
  /** How much has been sent, from 0 to 1. */
  readonly part: number
  /** What the service answered; `undefined` while it is sent. */
  readonly answer?: A
  readonly refusal?: string
  /** Stops it, and takes it out of the list. */
  readonly stop: () => void
}

type Call = ReturnType<typeof callThrough>

/** A list of files, each with its own state; `post` sends the form that has a file by the name of `field`. */
export function createOutbox<A>(
  field: string,
  post: (call: Call, request: { readonly form: FormData; readonly signal: AbortSignal }) => Promise<A>,
) {
  const list = signal<readonly Sending<A>[]>([])
  let count = 0
  /** Takes a file into the list, with more fields of its form; `refusal` says why it is not to be sent. */
  const add = (file: File, refusal?: string, fields: Readonly<Record<string, string>> = {}) => {
    const id = (count += 1)
    const stopping = new AbortController()
    const { signal } = stopping
    const note = (more: Partial<Sending<A>>): void =>
      void (list.value = list.value.map((each) => (each.id === id ? { ...each, ...more } : each)))
    const stop = (): void => {
      stopping.abort()
      list.value = list.value.filter((each) => each.id !== id)
    }
    list.value = [...list.value, { id, name: file.name || 'Picture', part: 0, stop }]
    if (refusal !== undefined) note({ refusal })
    /** Returns `undefined` if it was refused or stopped. */
    const send = async (): Promise<A | undefined> => {
      try {
        signal.throwIfAborted()
        refuseLarge(file)
        const form = new FormData()
        for (const [name, value] of Object.entries(fields)) form.set(name, value)
        form.set(field, file)
        const answer = await post(callThrough(sending((part) => note({ part }))), { form, signal })
        note({ answer })
        return answer
      } catch (error) {
        note({ refusal: error instanceof TooLarge ? error.message : sentenceOf(error) })
        return undefined
      }
    }
    return { send, stop }
  }
  return { list, add }
}

class TooLarge extends Error {}

/** What the service takes, in MiB; anything else is text. */
const mostOf = (type: string): number =>
  type.startsWith('image/') ? 10 : type === 'application/pdf' ? 25 : 1

/** Refuses a large file here: the service would end the connection, and its reason would be lost. */
function refuseLarge({ size, type }: File): void {
  const most = mostOf(type)
  if (size > most * 1024 * 1024)
    throw new TooLarge(`The file is larger than ${most} MiB. Choose a smaller one.`)
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
