/** Passes the changes of the draft on to the page in the frame, which then needs no stream of its own. */
import { effect } from '@preact/signals'
import { latest, type DraftEvent } from '../stores/draft-events.ts'
import { post } from './channel.ts'

/** More pages than a message has room for count as all of them. */
const mostPages = 500

export const followChanges = (): (() => void) =>
  effect(() => {
    const event = latest.value
    if (event && event.type !== 'presence' && event.type !== 'publish')
      post('draftChanged', { event: partOf(event) })
  })

function partOf(event: DraftEvent): object {
  if (!('slugs' in event)) return { type: event.type }
  const { type, slugs, removedSlugs, configChanged } = event
  if (slugs.length + (removedSlugs?.length ?? 0) > mostPages) return { type: 'reset' }
  return { type, slugs, removedSlugs, configChanged }
}
