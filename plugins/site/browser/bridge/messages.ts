/** The messages of an editor to the page in its frame, as data. */
import * as v from 'valibot'

export const protocol = 'site-editor/v1'

const maxCharacters = 20_000
const maxBytes = 256 * 1024

const text = v.pipe(v.string(), v.maxLength(maxCharacters))
const id = v.optional(v.nullable(text))
const focused = v.object({ focusBlockId: id })

const payloads = {
  hello: v.object({ nonce: text, version: v.optional(text) }),
  setSelectionMode: v.object({ enabled: v.boolean() }),
  setCapabilities: v.object({ structural: v.boolean() }),
  setNames: v.object({ names: v.record(text, text) }),
  setNestedLabelsVisibility: v.object({ visible: v.boolean() }),
  highlightBlock: v.object({ blockId: id, editablePath: id, scrollIntoView: v.optional(v.boolean()) }),
  scrollToBlock: v.object({
    blockId: text,
    behavior: v.fallback(v.picklist(['smooth', 'auto']), 'auto'),
    block: v.fallback(v.picklist(['start', 'center', 'end', 'nearest']), 'center'),
  }),
  scrollPage: v.object({ top: v.number(), blockId: id, offset: v.optional(v.number()) }),
  draftUpdated: v.object({ ...focused.entries, navigateTo: v.optional(text) }),
  applyPatch: v.object({ ...focused.entries, txId: text }),
  resetToServer: focused,
  navigate: v.object({ href: text }),
  liveDraft: v.object({
    blockId: text,
    active: v.boolean(),
    commit: v.optional(v.boolean()),
    fields: v.optional(v.record(text, text)),
  }),
  showSkeleton: v.object({ afterBlockId: id, blockType: text }),
  removeSkeleton: v.object({}),
  aiFieldLoading: v.object({ blockId: id, active: v.boolean() }),
}

type Payloads = typeof payloads
export type Message = {
  [T in keyof Payloads]: { readonly type: T; readonly payload: Readonly<v.InferOutput<Payloads[T]>> }
}[keyof Payloads]

/** What each type of message does. */
export type Handlers = {
  readonly [T in keyof Payloads]: (payload: Readonly<v.InferOutput<Payloads[T]>>) => void
}

const Envelope = v.union([
  v.object({
    protocol: v.literal(protocol),
    type: v.string(),
    payload: v.record(v.string(), v.unknown()),
    nonce: v.optional(v.string()),
  }),
  // The second form has its fields beside the type.
  v.pipe(
    v.looseObject({ source: v.literal(protocol), type: v.string(), nonce: v.optional(v.string()) }),
    v.transform(({ type, nonce, ...payload }) => ({ type, nonce, payload })),
  ),
])

/** Reads the data of a window message; `undefined` if it is not a message of the protocol within the limits. */
export function readMessage(data: unknown): { message: Message; nonce: string | undefined } | undefined {
  if (!fits(data)) return undefined
  const envelope = v.safeParse(Envelope, data)
  if (!envelope.success || !Object.hasOwn(payloads, envelope.output.type)) return undefined
  const { type, payload, nonce } = envelope.output
  const read = v.safeParse(payloads[type as keyof Payloads], payload)
  return read.success ? { message: { type, payload: read.output } as Message, nonce } : undefined
}

/** Whether data is plain JSON of at most 256 KiB. */
export function fits(data: unknown): boolean {
  try {
    return typeof data === 'object' && data !== null && JSON.stringify(data).length <= maxBytes
  } catch {
    return false
  }
}
