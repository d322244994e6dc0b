/** The publishes that wait for their time, and those of them that failed. */
import { signal } from '@preact/signals'
import { call, sentenceOf, type Answer } from '../service.ts'
import { draftId } from './site.ts'
import { say } from './toast.ts'

export type Scheduled = Answer<'GET /publish/scheduled'>['scheduled'][number]

/** The next one first. */
export const scheduled = signal<readonly Scheduled[]>([])

export async function loadScheduled(): Promise<void> {
  scheduled.value = (await call('GET /publish/scheduled', { query: draftId.value })).scheduled
}

async function change(said: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
    say(said)
  } catch (error) {
    say(sentenceOf(error))
  }
  await loadScheduled().catch(() => undefined)
}

export const reschedule = (id: string, at: string): Promise<void> =>
  change('It has another time', () =>
    call('PATCH /publish/scheduled', { body: { ...draftId.value, id, at } }),
  )

export const cancel = (id: string): Promise<void> =>
  change('It will not be published', () =>
    call('DELETE /publish/scheduled', { query: { ...draftId.value, id } }),
  )
