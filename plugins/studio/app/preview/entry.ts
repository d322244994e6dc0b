/**
 * How the frame is let in to a draft: by the cookie that the draft route of the website sets, and where the browser
 * keeps cookies from frames, by a signed secret in the address.
 */
import { computed, effect, signal } from '@preact/signals'
import { call, holder } from '../service.ts'
import { draftId, site } from '../stores/site.ts'
import { connection, expectPage, post } from './channel.ts'

interface DraftEntry {
  readonly way: 'cookie' | 'address'
  /** Valid for an hour; `undefined` where the service cannot sign one, and the website decides alone. */
  readonly secret?: string | undefined
  /** Whether the website knows its addresses with a slash at the end only. */
  readonly trailingSlash?: boolean | undefined
  /** What it was asked for, as `entered` has it. */
  readonly of: string
  /** When the service signed it, in milliseconds since 1970. */
  readonly since: number
}

/** The draft that is shown, and the address of its site. */
export const entered = computed(() => JSON.stringify([draftId.value, site.value?.previewUrl]))

/** `undefined` until it is known. */
export const entry = signal<DraftEntry | undefined>(undefined)

const renewAfterMs = 45 * 60_000
const renewCheckMs = 60_000

async function enter(way: DraftEntry['way']): Promise<void> {
  const of = entered.peek()
  const since = Date.now()
  const answer = await call('POST /preview/entry', { body: draftId.peek() }).catch(() => undefined)
  if (of === entered.peek()) entry.value = { way, ...answer, of, since }
}

/** Whether the draft can still be entered by its address, where the cookie did not let this browser in. */
export const hasOtherWay = (): boolean => entry.peek()?.way === 'cookie' && entry.peek()?.secret !== undefined

let isRenewing = false

/** Renews an entry some time before its end. One that cannot be renewed now is valid until then, and tried again. */
async function renew(): Promise<void> {
  const now = entry.peek()
  const since = Date.now()
  if (isRenewing || !now?.secret || since - now.since < renewAfterMs) return
  isRenewing = true
  const answer = await call('POST /preview/entry', { body: draftId.peek() }).catch(() => undefined)
  isRenewing = false
  if (answer && now === entry.peek()) entry.value = { ...now, ...answer, since }
}

/**
 * Enters the draft, and tries the other way once the first one did not let this browser in. A draft that was left
 * elsewhere, such as in another tab, is entered again.
 */
export function followEntry(): () => void {
  const enterDraft = effect(() => {
    // An entry ends with the token that asked for it.
    void holder.value
    const { way = 'cookie', of } = entry.peek() ?? {}
    if (entered.value && draftId.peek().siteId !== '') void enter(of === entered.value ? way : 'cookie')
  })
  /** Whether the draft was shown since it was entered last. */
  let wasShown = false
  const followRefusals = effect(() => {
    const now = connection.value
    if (now.state === 'connected') wasShown = true
    if (now.state === 'published' && wasShown) {
      wasShown = false
      expectPage()
      return void enter(entry.peek()?.way ?? 'cookie')
    }
    const isRefused = now.state === 'silent' || (now.state === 'published' && now.reason === 'not_let_in')
    if (!isRefused || !hasOtherWay()) return
    expectPage()
    void enter('address')
  })
  const refresh = (): void => {
    if (!document.hidden && connection.peek().state === 'connected') post('resetToServer', {})
  }
  document.addEventListener('visibilitychange', refresh)
  const timer = setInterval(() => void renew(), renewCheckMs)
  return () => {
    enterDraft()
    followRefusals()
    document.removeEventListener('visibilitychange', refresh)
    clearInterval(timer)
  }
}
