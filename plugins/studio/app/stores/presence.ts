/** Who else is at the draft, and where; tells them where this person is. */
import { computed, effect, signal } from '@preact/signals'
import { name } from '../person.ts'
import { randomId } from '../random-id.ts'
import { ApiError, call, callLast, type Streamed } from '../service.ts'
import { reconnect } from './connection.ts'
import { page, slug } from './draft.ts'
import { placeOf, positionOf } from './place.ts'
import { selected } from './selection.ts'
import { draftId } from './site.ts'
import { caret } from './typed.ts'

export type Person = Extract<Streamed<'GET /events'>, { readonly type: 'presence' }>['people'][number]

const tabsKey = 'content-orchestrator:tabs'

/** Everyone at the draft, as the service says. */
export const people = signal<readonly Person[]>([])
/** The tabs of this browser, as others see them. */
const tabs = signal(localStorage.getItem(tabsKey) ?? '')
/** Whether the service has stated which one of them this is. */
const isIdentified = signal(false)
export const others = computed(() =>
  isIdentified.value ? people.value.filter(({ client }) => !tabs.value.includes(client)) : [],
)
export const othersIn = (of: string, blockId?: string): readonly Person[] =>
  others.value.filter((each) => each.slug === of && (blockId === undefined || each.blockId === blockId))
/** Who has the caret in a field. */
export const typingAt = (of: string, blockId: string, path: string): readonly Person[] =>
  othersIn(of, blockId).filter((each) => each.path === path)

const client = randomId()
const everyMs = 10_000
const shortestMs = 1_100
/** After which a caret without keys says nothing. */
const silenceMs = 15_000

/** Where this person is: where they type, else what they have selected. */
function here(): Pick<Person, 'slug' | 'blockId' | 'path'> {
  const { name = '[]', at = 0 } = caret.value ?? {}
  const place = Date.now() - at < silenceMs ? placeOf(name) : undefined
  const block = place && page.value?.blocks.find(({ id }) => id === place.blockId)
  if (place && block)
    return { slug: place.slug, blockId: place.blockId, path: positionOf(block.props, place.path) }
  return { slug: slug.value, ...(selected.value && { blockId: selected.value.blockId }) }
}

let last = { text: '', at: 0 }
let timer: number | undefined
let isRefused = false
let isTelling = false

/** Tells it soon, at most once a second. */
function tellSoon(): void {
  timer ??= window.setTimeout(() => void tell(), Math.max(200, last.at + shortestMs - Date.now()))
}
/** Tells it although nothing has changed: the service may have forgotten. */
export function tellAgain(): void {
  last = { ...last, text: '' }
  tellSoon()
}

async function tell(): Promise<void> {
  timer = undefined
  // The service counts from when the last one arrived, which may have been late.
  if (isTelling || Date.now() < last.at + shortestMs) return tellSoon()
  const body = { ...draftId.value, client, name: name.value, ...here() }
  const text = JSON.stringify(body)
  if (isRefused || (text === last.text && Date.now() - last.at < everyMs - 1_000)) return
  last = { text, at: Date.now() }
  isTelling = true
  try {
    const { client } = await call('POST /presence', { body })
    if (!tabs.value.includes(client)) tabs.value = [...tabs.value.split(' ').slice(-20), client].join(' ')
    isIdentified.value = true
    last = { ...last, at: Date.now() }
  } catch (error) {
    if (!(error instanceof ApiError)) return reconnect()
    if (error.status === 429) return tellAgain()
    // A public demo, for example, shows no people.
    isRefused = error.status === 403 || error.status === 404
  } finally {
    isTelling = false
  }
}

/** Tells it until the page is closed. */
export function followPresence(): void {
  effect(() => localStorage.setItem(tabsKey, tabs.value))
  effect(() => {
    if (here() && name.value) tellSoon()
  })
  setInterval(tellSoon, everyMs)
  addEventListener('storage', ({ key, newValue }) => {
    if (key === tabsKey) tabs.value = newValue ?? ''
  })
  addEventListener('pageshow', tellAgain)
  addEventListener('pagehide', () => {
    const body = { ...draftId.value, client, name: name.value, slug: slug.value, left: true }
    void callLast('POST /presence', { body }).catch(() => undefined)
  })
}
