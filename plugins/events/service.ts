import { type ServerEvent } from '../../kernel/index.ts'
import { homeFirst } from '../content/slugs.ts'
import type { ChangeEvent, Drafts } from '../draft/port.ts'
import type { Person } from '../presence/port.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import { EventQueue } from './queue.ts'
import type { StreamEvent } from './routes.ts'
import { tooManyStreams } from './refusals.ts'

type Frame = ServerEvent<StreamEvent>

interface StreamRequest {
  readonly lastEventId: string | undefined
  /** Whether the reader asks who is at the draft. */
  readonly withPeople: boolean
  /** The caller whose open streams are limited; `undefined` if callers cannot be distinguished. */
  readonly holder: string | undefined
  readonly hasToken: boolean
  readonly signal: AbortSignal
}

const historySources = new Set(['undo', 'redo', 'restore', 'discard'])

/** The readers of one draft. */
type Audience = Set<Listener> & { readonly id: DraftId }

/** Reads the changes after a version. */
type Read = (since: number) => Promise<readonly ChangeEvent[] | undefined>

/** Sends the changes of a draft to all its listeners, each change once and in order. */
export function createStreams({
  drafts,
  followAgain,
  peopleAt,
  limits,
}: {
  readonly drafts: Drafts
  /** Lets a draft follow its site. */
  readonly followAgain: (id: DraftId) => void
  readonly peopleAt: (id: DraftId) => readonly Person[]
  readonly limits: Readonly<Record<'total' | 'perToken' | 'perAddress', number>>
}) {
  const listeners = new Map<string, Audience>()
  const held = new Map<string, number>()
  let open = 0

  const peopleFrame = ({ siteId, session }: DraftId): Frame => ({
    data: { type: 'presence', session, siteId, people: [...peopleAt({ siteId, session })] },
  })

  const addTo = (holder: string | undefined, by: 1 | -1): void => {
    open += by
    if (holder === undefined) return
    const now = (held.get(holder) ?? 0) + by
    if (now === 0) held.delete(holder)
    else held.set(holder, now)
  }

  return {
    /**
     * Opens a stream, which ends when `signal` aborts. `lastEventId` is the version that the reader has seen;
     * only integers count. Refuses with 429 if there are too many streams, in total or for this caller.
     */
    open(
      id: DraftId,
      { lastEventId, withPeople, holder, hasToken, signal }: StreamRequest,
    ): AsyncIterable<ServerEvent<StreamEvent>> {
      if (open >= limits.total) throw tooManyStreams(`There are ${limits.total} open event streams already`)
      const share = hasToken ? limits.perToken : limits.perAddress
      if (holder !== undefined && (held.get(holder) ?? 0) >= share) {
        throw tooManyStreams(`This token or address already has ${share} open event streams`)
      }
      const key = draftKey(id)
      const audience = listeners.get(key) ?? Object.assign(new Set<Listener>(), { id })
      const leave = (): void => listener.queue.end()
      const listener = new Listener(withPeople, () => {
        // The signal of a token lives as long as the token.
        signal.removeEventListener('abort', leave)
        audience.delete(listener)
        if (audience.size === 0) listeners.delete(key)
        addTo(holder, -1)
      })
      listeners.set(key, audience.add(listener))
      addTo(holder, 1)
      // Otherwise, a reader that leaves before it requests the first event would be counted forever.
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave)
      if (withPeople) listener.queue.push(peopleFrame(id))
      void greet(listener, drafts, id, lastEventId).catch(() => listener.queue.end())
      return listener.queue
    },
    /** Sends what other processes have changed without a word: they may end between a change and its event. */
    async poll(): Promise<void> {
      for (const audience of listeners.values()) {
        const { id } = audience
        const { version } = await drafts.head(id)
        for (const listener of audience) listener.see(version, (since) => drafts.changesAfter(id, since))
      }
    },
    /** The number of open streams. */
    count: (): number => open,
    change(event: ChangeEvent): void {
      for (const listener of listeners.get(draftKey(event)) ?? [])
        listener.change(event, (since) => drafts.changesAfter(event, since))
    },
    /** Sends a publish to the readers of its draft; all drafts of the site that have readers follow it. */
    publish(event: Omit<Extract<StreamEvent, { type: 'publish' }>, 'type'>): void {
      const data = { ...event, type: 'publish' } as const
      for (const listener of listeners.get(draftKey(event)) ?? []) listener.queue.push({ data })
      for (const { id } of listeners.values()) if (id.siteId === event.siteId) followAgain(id)
    },
    /** A draft that has waited for a run follows its site. */
    endRun(id: DraftId): void {
      const audience = listeners.get(draftKey(id))
      if (audience) followAgain(audience.id)
    },
    /** Sends who is at a draft to the readers that asked for it. */
    people(id: DraftId): void {
      for (const listener of listeners.get(draftKey(id)) ?? [])
        if (listener.withPeople) listener.queue.push(peopleFrame(id))
    },
  }
}

/** One reader. Changes that arrive during the replay are delayed: each is sent once and in order. */
class Listener {
  readonly queue: EventQueue
  readonly withPeople: boolean
  #held: ChangeEvent[] | undefined = []
  #sent = 0

  constructor(withPeople: boolean, onEnd: () => void) {
    this.withPeople = withPeople
    this.queue = new EventQueue(onEnd)
  }

  /** Sends a change; `read` returns those after a version, for what other processes have changed in between. */
  change(event: ChangeEvent, read: Read): void {
    if (this.#held) this.#held.push(event)
    else if (event.previewVersion <= this.#sent + 1) this.#send(event)
    else this.#catchUp([event], read)
  }

  /** Sends the changes up to a version, unless they were sent. */
  see(version: number, read: Read): void {
    if (!this.#held && version > this.#sent) this.#catchUp([], read)
  }

  /** Sends the greeting and the changes since a version, then the delayed ones, and continues live. */
  start(greeting: readonly Frame[], since: number, missed: readonly ChangeEvent[] = []): void {
    this.queue.begin(framesOf(greeting, missed))
    this.#sent = missed.at(-1)?.previewVersion ?? since
    const held = this.#held ?? []
    this.#held = undefined
    for (const event of held) this.#send(event)
  }

  #catchUp(held: ChangeEvent[], read: Read): void {
    this.#held = held
    read(this.#sent).then(
      (missed = []) => {
        this.#held = undefined
        for (const event of [...missed, ...held]) this.#send(event)
      },
      () => this.queue.end(),
    )
  }

  #send(event: ChangeEvent): void {
    if (event.previewVersion <= this.#sent) return
    this.#sent = event.previewVersion
    this.queue.push(toFrame(event))
  }
}

function* framesOf(greeting: readonly Frame[], missed: readonly ChangeEvent[]): Generator<Frame> {
  yield* greeting
  for (const event of missed) yield toFrame(event)
}

async function greet(
  listener: Listener,
  drafts: Drafts,
  id: DraftId,
  lastEventId: string | undefined,
): Promise<void> {
  const { version } = await drafts.head(id)
  const seen = lastEventId !== undefined && /^\d+$/.test(lastEventId) ? Number(lastEventId) : undefined
  const hello: Frame = {
    ...(seen === undefined && { id: String(version) }),
    data: { type: 'hello', previewVersion: version },
  }
  if (seen === undefined) return listener.start([hello], version)
  const missed = await drafts.changesAfter(id, seen)
  if (missed) return listener.start([hello], seen, missed)
  listener.start([hello, { id: String(version), data: { type: 'reset', previewVersion: version } }], version)
}

function toFrame({ at: _at, slugs, ...event }: ChangeEvent): Frame {
  const type = historySources.has(event.source) ? 'history' : 'draft'
  return { id: String(event.previewVersion), data: { ...event, type, slugs: [...homeFirst(slugs)] } }
}
