/** Whose wish it is what a page in the frame asks for: the person's, or only that of a script on the page. */
import { slug } from '../stores/draft.ts'
import { movesInFrame } from '../stores/moves-of-pages.ts'
import { slugAfter } from '../stores/place.ts'
import { isOfOthers, lastChangeOf } from '../stores/log.ts'
import { byWhom } from '../stores/by-whom.ts'
import { removal } from '../stores/ui.ts'
import { hasFocus, type FrameMessage } from './channel.ts'

/**
 * What changes the draft, or opens something in the studio. The rest selects, scrolls and says what is shown.
 */
const acts = new Set([
  'blockReordered',
  'blockDeleteRequested',
  'blockAddRequested',
  'editBlockRequested',
  'inlineTextTyped',
  'inlineTextCommitted',
  'listItemAddRequested',
  'listItemRemoveRequested',
  'listItemMoveRequested',
  'openImagePicker',
  'placesOffered',
  'shortcut',
  'textLeft',
])

/**
 * Whether the person has just clicked, or pressed a key, in the frame. Without the word of the browser the
 * focus counts.
 */
export function isPersonInFrame(): boolean {
  const { userActivation }: Partial<Navigator> = navigator
  return hasFocus() && userActivation?.isActive !== false
}

/** The text that the person types: it is left when the focus has gone already. */
let typed: { readonly place: string; readonly values: readonly unknown[] } | undefined

/**
 * Whether the person wishes what a page asks for: on the page that is shown, while the frame has the focus,
 * and right after a click or a key. A page can take the focus by itself, but the browser alone knows of a
 * click.
 */
export function isWished({ type, payload }: FrameMessage): boolean {
  if (!acts.has(type) || payload['name'] === 'escape') return true
  if (slugAfter(String(payload['slug']), movesInFrame.value) !== slug.value) return false
  const place = JSON.stringify([payload['slug'], payload['blockId'], payload['editablePath']])
  const { value, initialValue } = payload
  if (type === 'inlineTextCommitted' && typed?.place === place && typed.values.includes(value)) return true
  const isWish = isPersonInFrame()
  if (isWish && type === 'inlineTextTyped') typed = { place, values: [value, initialValue] }
  return isWish
}

const soonMs = 10_000
let removedAt = -soonMs

/**
 * Removes what a page asks for: a block, or a part of it. The person is asked first within ten seconds of
 * another removal, and where somebody else has changed the block last; what a page asks for meanwhile is
 * dropped.
 */
export async function removeOnWish(what: string, blockId: string, remove: () => void): Promise<void> {
  if (removal.peek()) return
  const on = slug.value
  const run = (): void => void (slug.value === on && remove())
  const isSoon = performance.now() - removedAt < soonMs
  removedAt = performance.now()
  if (isSoon) return void (removal.value = { what, run, why: 'It is another deletion within ten seconds.' })
  const why = await lastChangeOf(on, blockId).then(
    (last) => last && isOfOthers(last) && `Changed last by ${byWhom(last)}.`,
    () => 'The service does not answer who changed it last.',
  )
  if (why) removal.value = { what, run, why }
  else run()
}
