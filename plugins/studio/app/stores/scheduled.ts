/** The publishes that wait for their time, and those of them that failed, with what they conflict with. */
import { signal } from '@preact/signals'
import { sender } from '../person.ts'
import { call, type Answer } from '../service.ts'
import { byWhom } from './by-whom.ts'
import { newest } from './newest.ts'
import { draftId } from './site.ts'

export type Scheduled = Answer<'GET /publish/scheduled'>['scheduled'][number]

/** The next one first. */
export const scheduled = signal<readonly Scheduled[]>([])

/** Those of other drafts of the site that would meet what this draft publishes. */
export const scheduledElsewhere = signal<readonly Scheduled[]>([])

export const loadScheduled = newest(
  () => call('GET /publish/scheduled', { query: { ...draftId.value, conflicts: '1', others: '1' } }),
  (read) => {
    const isOwn = ({ session }: Scheduled): boolean => sessionOf(session) === draftId.peek().session
    scheduled.value = read.scheduled.filter(isOwn)
    scheduledElsewhere.value = read.scheduled.filter((row) => !isOwn(row))
  },
)

/** The session of a draft, which the service names with its site. */
export const sessionOf = (draft: string): string => draft.split('::').at(-1) ?? draft

/** Whose publish it is, in three words of a sentence. */
export function ownerOf({ actor }: Scheduled): {
  readonly whose: string
  readonly keep: string
  readonly text: string
} {
  const isOwn = actor?.browser?.id === sender().id
  const name = actor && !isOwn ? byWhom({ actor }) : undefined
  if (name !== undefined) return { whose: `${name}’s`, keep: `${name}’s`, text: `${name}’s text` }
  return isOwn
    ? { whose: 'Your', keep: 'mine', text: 'your text' }
    : { whose: 'The', keep: 'the older one', text: 'the older text' }
}
