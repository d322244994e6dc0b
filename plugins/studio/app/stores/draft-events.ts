/**
 * The changes of the draft, as the service streams them. Of the tabs that show a draft with the same token,
 * one that is seen reads the stream and passes each event on. The stream of a draft that no tab shows rests.
 * A tab that is closed, hidden or crashes leaves the lock to the next one, which goes on after the last event
 * that it has taken itself.
 */
import { effect, signal, untracked } from '@preact/signals'
import { nameFor, withLock } from '../../../site/browser/locks.ts'
import { ApiError, basePath, holder, stream, type Streamed } from '../service.ts'
import {
  connect,
  followNetwork,
  isConnecting,
  isNeeded,
  isOnline,
  onReconnect,
  reconnect,
  rest,
} from './connection.ts'
import { loadPages } from './draft.ts'
import { draftId } from './site.ts'

export type DraftEvent = Streamed<'GET /events'>

/** An event as one tab passes it on to the others. */
interface PassedEvent {
  readonly id: string | undefined
  /** The id of the event before it. */
  readonly after: string | undefined
  readonly data: DraftEvent
  /** Whether events that are not sent again, such as a publish, may have been missed. */
  readonly isLate: boolean
}

/** What tabs say to each other. */
type TabMessage =
  | { readonly event: PassedEvent }
  | { readonly broken: true }
  | { readonly ask: 'state' | 'reconnect' }
  | {
      readonly state: {
        readonly id: string
        readonly isOnline: boolean
        readonly people: DraftEvent | undefined
      }
    }

/** Takes an event, and shows what it has changed. A failure has it sent again. */
export type TakeEvent = (event: Pick<PassedEvent, 'id' | 'data' | 'isLate'>) => Promise<void>

const shortestMs = 1000
const longestMs = 15_000

let take: TakeEvent = () => Promise.resolve()
/** The id of the last event that was taken. */
let lastEventId: string | undefined
/** The id of the event that this tab has read for all, and may not have taken yet. */
let readId: string | undefined
/** The event that came last, for the page in the frame. */
export const latest = signal<DraftEvent | undefined>(undefined)
let lastPeople: DraftEvent | undefined
let isReading = false
/** The other tabs. */
let others: BroadcastChannel | undefined
const tellOthers = (message: TabMessage): void => others?.postMessage(message)

/** Follows the draft until the page is closed. */
export function followEvents(taker: TakeEvent): void {
  take = taker
  followNetwork()
  onReconnect(() => !isReading && tellOthers({ ask: 'reconnect' }))
  effect(() => {
    const ending = new AbortController()
    void share(holder.value, ending.signal)
    return () => ending.abort()
  })
}

/** Hears of the events, and reads them when it is the turn of this tab, until another token is taken. */
async function share(token: string | undefined, signal: AbortSignal): Promise<void> {
  const name = await nameOf(token)
  if (signal.aborted) return
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }) => hear(data))
  others = channel
  const stop = effect(() => {
    if (!isNeeded.value) return undefined
    const stopping = new AbortController()
    tellOthers({ ask: 'state' })
    void untracked(() => readAlone(name, stopping.signal))
    return () => stopping.abort()
  })
  signal.addEventListener('abort', () => {
    stop()
    channel.close()
  })
}

/** The name that tabs of one draft and token share. */
function nameOf(token = ''): Promise<string> {
  const { siteId, session } = draftId.peek()
  return nameFor('events', JSON.stringify([basePath, siteId, session, token]))
}

/** Reads the stream once no other tab does. */
async function readAlone(name: string, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) await withLock(name, signal, (lost) => read(AbortSignal.any([signal, lost])))
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Reads the stream, by connections after each other. */
async function read(signal: AbortSignal): Promise<void> {
  isReading = true
  readId = undefined
  await taking
  for (let pause = shortestMs; !signal.aborted; pause = Math.min(2 * pause, longestMs)) {
    try {
      const query = { ...draftId.value, presence: '1' } as const
      const connected = AbortSignal.any([signal, connect()])
      const events = stream('GET /events', { query, lastEventId, resume: false, signal: connected })
      let isLate = true
      for await (const { id, data } of events) {
        pause = shortestMs
        isOnline.value = true
        const event = { id, after: lastEventId, data, isLate }
        readId = id ?? readId
        tellOthers({ event })
        await receive(event)
        isLate = false
      }
    } catch (error) {
      // The request asks for the password, and waits for it.
      if (error instanceof ApiError && error.status === 401) await loadPages().catch(() => undefined)
    }
    if (signal.aborted) break
    isOnline.value = false
    tellOthers({ broken: true })
    await rest(pause * (1 + Math.random()), signal)
  }
  isReading = false
}

/** Whether an event was taken. */
const isPast = (id: string): boolean => lastEventId !== undefined && Number(id) <= Number(lastEventId)

/** Takes an event in its turn; where one before it is missing, everything is read again. */
async function receive({ id, after, data, isLate }: PassedEvent): Promise<void> {
  const isStart = data.type === 'hello' || data.type === 'reset'
  if (id !== undefined && (isStart ? id === lastEventId : isPast(id))) return
  const isGap = id !== undefined && !isStart && after !== lastEventId
  const event = isGap ? resetTo(id) : data
  latest.value = event
  await take({ id, isLate, data: event })
  if (data.type === 'presence') lastPeople = data
  lastEventId = id ?? lastEventId
}

const resetTo = (id: string): DraftEvent => ({ type: 'reset', previewVersion: Number(id) })

/** The events that other tabs have passed on, one after the other. */
let taking: Promise<unknown> = Promise.resolve()
function takeNext(work: () => Promise<void>): void {
  taking = taking.then(work).catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, shortestMs))
    tellOthers({ ask: 'state' })
  })
}

function hear(message: TabMessage): void {
  if ('ask' in message) return answer(message.ask)
  // What another tab read before it handed over.
  if (isReading) return
  if ('broken' in message) return void (isOnline.value = false)
  if ('event' in message) {
    isOnline.value = true
    return takeNext(() => receive(message.event))
  }
  const { id, people } = message.state
  isOnline.value = message.state.isOnline
  takeNext(async () => {
    if (people) await take({ id: undefined, isLate: false, data: people })
    if (!isPast(id)) await receive({ id, after: undefined, isLate: false, data: resetTo(id) })
  })
}

function answer(ask: 'state' | 'reconnect'): void {
  if (!isReading) return
  // Every tab asks: each time, a connection that is slow to come would begin anew.
  if (ask === 'reconnect') return isConnecting() ? undefined : reconnect()
  const id = readId ?? lastEventId
  if (id !== undefined) tellOthers({ state: { id, isOnline: isOnline.value, people: lastPeople } })
}
