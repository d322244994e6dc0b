/** The messages of an editor to the page in its frame, as data. */
import type { DraftEvent } from '../draft-stream.ts'

export const protocol = 'site-editor/v1'

const maxCharacters = 20_000
const maxBytes = 256 * 1024

/** Whether a value is of a kind. Written by hand: a schema library would be a sixth of what pages load. */
type Is<T> = (value: unknown) => value is T
type MessageFields = Readonly<Record<string, unknown>>

const text = (value: unknown): value is string => typeof value === 'string' && value.length <= maxCharacters
const number = (value: unknown): value is number => Number.isFinite(value)
const flag = (value: unknown): value is boolean => typeof value === 'boolean'
const fields = (value: unknown): value is MessageFields => typeof value === 'object' && value !== null
const texts = (value: unknown): value is Readonly<Record<string, string>> =>
  fields(value) && Object.entries(value).flat().every(text)
const lines = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(text)
const anything = (_value: unknown): _value is unknown => true
const optional =
  <T>(is: Is<T>): Is<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || is(value)
const id = optional((value: unknown): value is string | null => value === null || text(value))

const draftEvent = (value: unknown): value is DraftEvent =>
  fields(value) &&
  text(value['type']) &&
  [value['slugs'], value['removedSlugs']].every(optional(lines)) &&
  optional(flag)(value['configChanged'])

const payloads = {
  hello: { nonce: text, version: optional(text), sendsChanges: optional(flag) },
  setSelectionMode: { enabled: flag },
  setCapabilities: { structural: flag },
  setNames: { names: texts },
  setScale: { factor: number },
  setNestedLabelsVisibility: { visible: flag },
  markPlanned: { blockIds: texts },
  highlightBlock: { blockId: id, editablePath: id, scrollIntoView: optional(flag) },
  scrollToBlock: { blockId: text, behavior: anything, block: anything },
  scrollPage: { top: number, blockId: id, offset: optional(number) },
  draftChanged: { event: draftEvent },
  draftUpdated: { focusBlockId: id, navigateTo: optional(text) },
  applyPatch: { focusBlockId: id, txId: text },
  resetToServer: { focusBlockId: id },
  navigate: { href: text },
  renew: { secret: text },
  liveDraft: { blockId: text, active: flag, commit: optional(flag), fields: optional(texts) },
  showSkeleton: { afterBlockId: id, blockType: text },
  removeSkeleton: {},
  choosePlace: { slug: text, blockId: text, path: text },
  aiFieldLoading: { blockId: id, active: flag },
}

type Payloads = typeof payloads
type PayloadOf<Kinds> = { readonly [Name in keyof Kinds]: Kinds[Name] extends Is<infer T> ? T : never }
export type Message = {
  [T in keyof Payloads]: { readonly type: T; readonly payload: PayloadOf<Payloads[T]> }
}[keyof Payloads]

/** A place that the person has chosen for a text. */
export type ChosenPlace = PayloadOf<Payloads['choosePlace']>

/** What each type of message does. */
export type Handlers = { readonly [T in keyof Payloads]: (payload: PayloadOf<Payloads[T]>) => void }

/**
 * Reads the data of a window message; `undefined` if it is not a message of the protocol within the limits.
 */
export function readMessage(data: unknown): { message: Message; nonce: string | undefined } | undefined {
  if (!fits(data)) return undefined
  const { protocol: named, source, type, nonce, ...rest } = data
  // The second form has its fields beside the type.
  const payload = named === protocol ? rest['payload'] : source === protocol && rest
  if (!text(type) || !optional(text)(nonce) || !fields(payload)) return undefined
  if (!Object.hasOwn(payloads, type)) return undefined
  const kinds: Readonly<Record<string, Is<unknown>>> = payloads[type as keyof Payloads]
  const isRight = Object.entries(kinds).every(([name, is]) => is(payload[name]))
  return isRight ? { message: { type, payload } as Message, nonce } : undefined
}

/** Whether data is plain JSON of at most 256 KiB. */
export function fits(data: unknown): data is MessageFields {
  try {
    return fields(data) && JSON.stringify(data).length <= maxBytes
  } catch {
    return false
  }
}
