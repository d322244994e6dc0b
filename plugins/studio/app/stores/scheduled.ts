/** The publishes that wait for their time, and those of them that failed. */
import { signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { newest } from './newest.ts'
import { draftId } from './site.ts'

export type Scheduled = Answer<'GET /publish/scheduled'>['scheduled'][number]

/** The next one first. */
export const scheduled = signal<readonly Scheduled[]>([])

export const loadScheduled = newest(
  () => call('GET /publish/scheduled', { query: draftId.value }),
  (read) => void (scheduled.value = read.scheduled),
)
