/** Files on their way to the service, one after the other, each with its own state. */
import { signal } from '@preact/signals'
import { callThrough, type Answer } from '../service.ts'
import { reasonOf, refuseLarge, sending } from './sending.ts'

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
      refuseLarge(file)
      const form = new FormData()
      form.set('image', file)
      const send = sending((part) => note({ part }))
      const done = await callThrough(send)('POST /image/upload', { form, signal: stopping.signal })
      forget()
      return done
    } catch (error) {
      note({ refusal: reasonOf(error) })
      return undefined
    }
  }
  const mine = turn.then(run)
  turn = mine
  return mine
}

/** The pictures among what was dropped or pasted. */
export const filesIn = (data: DataTransfer | null): readonly File[] => [...(data?.files ?? [])]
