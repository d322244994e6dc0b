/** Why a page in the frame does not answer: the service asks the website itself. */
import { effect, signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { slug } from '../stores/draft.ts'
import { draftId } from '../stores/site.ts'
import { connection } from './channel.ts'

export type Framing = Answer<'GET /sites/framing'>
/** `undefined` until the service knows it. */
export const framing = signal<Framing | undefined>(undefined)
/** Whether this page was loaded before the site was registered: what it may frame is fixed then. */
export const isOutdated = signal(false)

/** Asks whenever a page keeps silent. */
export function followFraming(): () => void {
  const outdated = ({ effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective === 'frame-src') isOutdated.value = true
  }
  document.addEventListener('securitypolicyviolation', outdated)
  const stop = effect(() => {
    framing.value = undefined
    if (connection.value.state === 'silent') void ask(slug.peek())
  })
  return () => {
    document.removeEventListener('securitypolicyviolation', outdated)
    stop()
  }
}

async function ask(page: string): Promise<void> {
  const query = { ...draftId.peek(), slug: page, editorOrigin: location.origin }
  const answer = await call('GET /sites/framing', { query }).catch(() => undefined)
  if (connection.value.state === 'silent' && slug.value === page) framing.value = answer
}
