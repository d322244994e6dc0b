import { isDeepStrictEqual } from 'node:util'
import { type DraftId, draftKey } from '../scope/port.ts'
import type { Person, Presence } from './port.ts'

interface PresentPerson {
  readonly person: Person
  readonly expiry: NodeJS.Timeout
}

interface RosterLimits {
  /** How long a person stays without another sign of life. */
  readonly lifetimeMs: number
  readonly maxPeoplePerDraft: number
  readonly maxPeople: number
}

/** Keeps who is at each draft, in memory, until they leave or their time is over. */
export function createRoster({ lifetimeMs, maxPeoplePerDraft, maxPeople }: RosterLimits) {
  const drafts = new Map<string, Map<string, PresentPerson>>()
  const listeners = new Set<(id: DraftId) => void>()
  let count = 0

  const tell = (id: DraftId): void => {
    for (const listener of listeners) listener(id)
  }
  const hasRoom = (id: DraftId, client: string): boolean => {
    const there = drafts.get(draftKey(id))
    return there?.has(client) === true || (count < maxPeople && (there?.size ?? 0) < maxPeoplePerDraft)
  }

  function remove(id: DraftId, client: string): void {
    const there = drafts.get(draftKey(id))
    const entry = there?.get(client)
    if (!there || !entry) return
    clearTimeout(entry.expiry)
    there.delete(client)
    count -= 1
    if (there.size === 0) drafts.delete(draftKey(id))
    tell(id)
  }

  const roster: Presence = {
    at: (id) => [...(drafts.get(draftKey(id))?.values() ?? [])].map(({ person }) => person),
    onChange(listener, { signal }) {
      listeners.add(listener)
      signal.addEventListener('abort', () => listeners.delete(listener), { once: true })
    },
  }
  return {
    ...roster,
    hasRoom,
    remove,
    /** Adds a person, or prolongs their stay; beyond the limits they are not added. */
    see(id: DraftId, person: Person): void {
      if (!hasRoom(id, person.client)) return
      const there = drafts.get(draftKey(id)) ?? new Map<string, PresentPerson>()
      const before = there.get(person.client)
      clearTimeout(before?.expiry)
      const expiry = setTimeout(() => remove(id, person.client), lifetimeMs).unref()
      drafts.set(draftKey(id), there.set(person.client, { person, expiry }))
      if (!before) count += 1
      if (!isDeepStrictEqual(before?.person, person)) tell(id)
    },
  }
}
