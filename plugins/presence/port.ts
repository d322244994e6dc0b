import * as v from 'valibot'
import { service } from '../../kernel/index.ts'
import { defineEvent } from '../bus/port.ts'
import type { DraftId } from '../scope/port.ts'

/** A person at a draft, as others see them. */
export const Person = v.object({
  /** Identifies the client to others; it grants nothing. */
  client: v.string(),
  name: v.string(),
  slug: v.string(),
  blockId: v.optional(v.string()),
  path: v.optional(v.string()),
})
export type Person = v.InferOutput<typeof Person>

/** A client has reported where it is, or that it has left; passed between processes. */
export const personSeen = defineEvent(
  'presence.seen',
  v.object({ siteId: v.string(), session: v.string(), person: Person, left: v.boolean() }),
)

/** The people who are at a draft now. */
export interface Presence {
  /** In the order in which they came. */
  at(id: DraftId): readonly Person[]
  /** Calls the listener with a draft whose people or their places have changed. */
  onChange(listener: (id: DraftId) => void, options: { readonly signal: AbortSignal }): void
}

/** The people who are at a draft now. */
export const presence = service<Presence>('presence')
