/** Pictures and documents for the next message. */
import { computed } from '@preact/signals'
import { createOutbox } from '../stores/sending.ts'

const { list, add } = createOutbox('file', (call, request) => call('POST /attachment/upload', request))
export const files = list

/** The service takes no more with one message. */
const most = 4
export const isSending = computed(() =>
  files.value.some(({ answer, refusal }) => !answer && refusal === undefined),
)
export const attachments = computed(() => files.value.flatMap(({ answer }) => answer ?? []))

export function attach(chosen: readonly File[]): void {
  for (const file of chosen) {
    const isOneMore = files.value.filter(({ refusal }) => refusal === undefined).length >= most
    if (isOneMore) add(file, `A message takes at most ${most} files.`)
    else void add(file).send()
  }
}

export const detachAll = (): void => files.value.forEach(({ stop }) => stop())
