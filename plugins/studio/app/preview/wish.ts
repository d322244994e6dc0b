/** Whose wish it is what a page in the frame asks for: the person's, or only that of a script on the page. */
import { slug } from '../stores/draft.ts'
import { hasFocus, type FrameMessage } from './channel.ts'

/** What changes the draft, or opens something in the studio. The rest selects, scrolls and says what is shown. */
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
  'shortcut',
])

/** The text that the person types: it is left when the focus has gone already. */
let typed: { readonly place: string; readonly values: readonly unknown[] } | undefined

/**
 * Whether the person wishes what a page asks for: on the page that is shown, while the frame has the focus, and right
 * after a click or a key. A page can take the focus by itself, but the browser alone knows of a click.
 */
export function isWished({ type, payload }: FrameMessage): boolean {
  if (!acts.has(type) || payload['name'] === 'escape') return true
  if (payload['slug'] !== slug.value) return false
  const place = JSON.stringify([slug.value, payload['blockId'], payload['editablePath']])
  const { value, initialValue } = payload
  if (type === 'inlineTextCommitted' && typed?.place === place && typed.values.includes(value)) return true
  const isWish = hasFocus() && navigator.userActivation.isActive
  if (isWish && type === 'inlineTextTyped') typed = { place, values: [value, initialValue] }
  return isWish
}
