/** Why a page is not shown in a frame: the service asks the website itself. */
import { effect, signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { notice, slug } from '../stores/draft.ts'
import { askForRoutes, routes } from '../stores/editor-routes.ts'
import { draftId, site } from '../stores/site.ts'
import { shows } from '../stores/ui.ts'
import { connection, notePageLoaded } from './channel.ts'
import { hasOtherWay } from './entry.ts'

export type Framing = Answer<'GET /sites/framing'>
/** Whether the draft may be framed; `undefined` until the service knows it. */
export const framing = signal<Framing | undefined>(undefined)
/** Whether the live page may be framed. */
export const liveFraming = signal<Framing | undefined>(undefined)
/** Whether this page was loaded before the site was registered: what it may frame is fixed then. */
export const isOutdated = signal(false)

/** How long the script of a loaded page may be silent: less while there is another way in to try. */
const firstWayMs = 500
const lastWayMs = 750

/** Waits for the script of a loaded page, and asks the website meanwhile if no other way is left. */
export function noteDraftLoaded(): void {
  const isLast = !hasOtherWay()
  if (notePageLoaded(isLast ? lastWayMs : firstWayMs) && isLast) void askDraft()
}

/** Whether the website was asked about the page that the frame loads now. */
let isRequested = false

async function askDraft(): Promise<void> {
  isRequested = true
  const path = slug.peek()
  const answer = await ask('draft', path)
  if (connection.value.state !== 'connected' && slug.value === path) framing.value = answer
}

/** Asks once the draft is silent, and for each live page that is shown. */
export function followFraming(): () => void {
  const outdated = ({ effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective === 'frame-src') isOutdated.value = true
  }
  document.addEventListener('securitypolicyviolation', outdated)
  const followDraft = effect(() => {
    if (connection.value.state === 'silent') {
      if (!isRequested && !hasOtherWay()) void askDraft()
      return
    }
    framing.value = undefined
    isRequested = false
  })
  const followRoutes = effect(() => {
    const isNeeded = notice.value !== undefined || connection.value.state === 'silent'
    if (isNeeded && !site.peek()?.mounted)
      void askForRoutes(draftId.peek()).then((answer) => {
        routes.value = answer
      })
  })
  const followLive = effect(() => {
    liveFraming.value = undefined
    const path = slug.value
    if (shows.value !== 'draft')
      void ask('published', path).then((answer) => {
        if (slug.value === path) liveFraming.value = answer
      })
  })
  return () => {
    document.removeEventListener('securitypolicyviolation', outdated)
    followDraft()
    followRoutes()
    followLive()
  }
}

async function ask(version: 'draft' | 'published', page: string): Promise<Framing | undefined> {
  // A website that mounts the service frames itself, and the service does not know its address.
  if (site.peek()?.mounted) return { state: 'allowed', url: location.origin }
  const query = { ...draftId.peek(), slug: page, editorOrigin: location.origin, version }
  return call('GET /sites/framing', { query }).catch(() => undefined)
}
