/** Why a page is not shown in a frame: the service asks the website itself. */
import { effect, signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { notice, slug } from '../stores/draft.ts'
import { askForRoutes, routes } from '../stores/editor-routes.ts'
import { draftId, site } from '../stores/site.ts'
import { shows } from '../stores/ui.ts'
import { connection } from './channel.ts'

export type Framing = Answer<'GET /sites/framing'>
/** Whether the draft may be framed; `undefined` until the service knows it. */
export const framing = signal<Framing | undefined>(undefined)
/** Whether the live page may be framed. */
export const liveFraming = signal<Framing | undefined>(undefined)
/** Whether this page was loaded before the site was registered: what it may frame is fixed then. */
export const isOutdated = signal(false)

/** Asks whenever the draft keeps silent, and for each live page that is shown. */
export function followFraming(): () => void {
  const outdated = ({ effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective === 'frame-src') isOutdated.value = true
  }
  document.addEventListener('securitypolicyviolation', outdated)
  const followDraft = effect(() => {
    framing.value = undefined
    const path = slug.peek()
    if (connection.value.state !== 'silent') return
    void ask('draft', path).then((answer) => {
      if (connection.value.state === 'silent' && slug.value === path) framing.value = answer
    })
  })
  const followRoutes = effect(() => {
    const isAsked = notice.value !== undefined || connection.value.state === 'silent'
    if (isAsked && !site.peek()?.mounted)
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
