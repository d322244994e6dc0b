/** Pictures and documents for the next message. */
import { computed, signal } from '@preact/signals'
import { call, sentenceOf } from '../service.ts'
import type { Attachment } from './chat-turn.ts'

export interface File {
  readonly id: number
  readonly name: string
  /** What the service answered; `undefined` while it is sent. */
  readonly sent?: Attachment
  readonly refusal?: string
  readonly stop: () => void
}

/** The service takes no more with one message. */
const most = 4
export const files = signal<readonly File[]>([])
export const isSending = computed(() =>
  files.value.some(({ sent, refusal }) => !sent && refusal === undefined),
)
export const attachments = computed(() => files.value.flatMap(({ sent }) => sent ?? []))
let count = 0

export function attach(chosen: Iterable<globalThis.File>): void {
  for (const file of chosen) void send(file)
}

async function send(file: globalThis.File): Promise<void> {
  const id = (count += 1)
  const stopping = new AbortController()
  const isOneMore = files.value.filter(({ refusal }) => refusal === undefined).length >= most
  const stop = (): void => stopping.abort()
  files.value = [...files.value, { id, name: file.name || 'Picture', stop }]
  const now = (more: Partial<File>): void =>
    void (files.value = files.value.map((each) => (each.id === id ? { ...each, ...more } : each)))
  if (isOneMore) return now({ refusal: `A message takes at most ${most} files.` })
  try {
    const form = new FormData()
    form.set('file', file)
    now({ sent: await call('POST /attachment/upload', { form, signal: stopping.signal }) })
  } catch (error) {
    now({ refusal: sentenceOf(error) })
  }
}

export function detach(id: number): void {
  files.value.find((each) => each.id === id)?.stop()
  files.value = files.value.filter((each) => each.id !== id)
}
export const detachAll = (): void => void (files.value = [])
