/** Pictures and documents for the next message. */
import { computed, signal } from '@preact/signals'
import { callThrough } from '../service.ts'
import type { Attachment } from './chat-turn.ts'
import { reasonOf, refuseLarge, sending } from './sending.ts'

/** A file for the next message. */
export interface Attached {
  readonly id: number
  readonly name: string
  /** How much has been sent, from 0 to 1. */
  readonly part: number
  /** What the service answered; `undefined` while it is sent. */
  readonly sent?: Attachment
  readonly refusal?: string
  readonly stop: () => void
}

/** The service takes no more with one message. */
const most = 4
export const files = signal<readonly Attached[]>([])
export const isSending = computed(() =>
  files.value.some(({ sent, refusal }) => !sent && refusal === undefined),
)
export const attachments = computed(() => files.value.flatMap(({ sent }) => sent ?? []))
let count = 0

export function attach(chosen: Iterable<File>): void {
  for (const file of chosen) void send(file)
}

async function send(file: File): Promise<void> {
  const id = (count += 1)
  const stopping = new AbortController()
  const isOneMore = files.value.filter(({ refusal }) => refusal === undefined).length >= most
  const stop = (): void => stopping.abort()
  files.value = [...files.value, { id, name: file.name || 'Picture', part: 0, stop }]
  const now = (more: Partial<Attached>): void =>
    void (files.value = files.value.map((each) => (each.id === id ? { ...each, ...more } : each)))
  if (isOneMore) return now({ refusal: `A message takes at most ${most} files.` })
  try {
    refuseLarge(file)
    const form = new FormData()
    form.set('file', file)
    const send = callThrough(sending((part) => now({ part })))
    now({ sent: await send('POST /attachment/upload', { form, signal: stopping.signal }) })
  } catch (error) {
    now({ refusal: reasonOf(error) })
  }
}

export function detach(id: number): void {
  files.value.find((each) => each.id === id)?.stop()
  files.value = files.value.filter((each) => each.id !== id)
}
export const detachAll = (): void => void (files.value = [])
