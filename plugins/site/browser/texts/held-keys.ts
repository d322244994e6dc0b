/** The keys that a person presses while the text under the caret is made again, by a rendering or a reload. */
import { recall, remember } from './memory.ts'

interface HeldKeys {
  /** Those that were pressed since; `undefined` while none are held. */
  keys: string[] | undefined
}

/** The script at the start of a page and the one that is loaded later share it. */
const name = Symbol.for('editor:held-keys')

/** Keys that write or move the caret, by what they do. */
const edits: Readonly<Record<string, () => unknown>> = {
  Backspace: () => document.execCommand('delete'),
  Delete: () => document.execCommand('forwardDelete'),
  ArrowLeft: () => getSelection()?.modify('move', 'left', 'character'),
  ArrowRight: () => getSelection()?.modify('move', 'right', 'character'),
}
const leaves = new Set(['Enter', 'Escape', 'Tab'])

const isHeld = ({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean =>
  !isComposing &&
  (key.length === 1
    ? !(ctrlKey || metaKey) || (ctrlKey && altKey)
    : Object.hasOwn(edits, key) || leaves.has(key))

export function heldKeys(): HeldKeys {
  const own = window as { [name]?: HeldKeys }
  return (own[name] ??= listen({ keys: undefined }))
}

function listen(held: HeldKeys): HeldKeys {
  const hold = (event: KeyboardEvent): void => {
    const isText = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    if (!held.keys || isText || !isHeld(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    // What follows the end of a text is none of it.
    if (!leaves.has(held.keys.at(-1) ?? '')) held.keys.push(event.key)
  }
  window.addEventListener('keydown', hold, true)
  // Another reload may come before the text is there.
  window.addEventListener('pagehide', () => held.keys && remember({ keys: held.keys }), true)
  return held
}

/** Holds keys from now on, with those of before a reload. */
export const holdKeys = (): void => void (heldKeys().keys ??= [...(recall().keys ?? [])])

/** Stops holding keys; returns those that were held. */
export function releaseKeys(): readonly string[] {
  const held = heldKeys()
  const { keys = [] } = held
  held.keys = undefined
  remember({ keys: undefined })
  return keys
}

/** Does in a text, where the caret is, what the keys would have done. */
export function press(keys: readonly string[], field: HTMLElement): void {
  for (const key of keys) {
    const edit = edits[key]
    if (edit) edit()
    else if (leaves.has(key))
      field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    else document.execCommand('insertText', false, key)
  }
}
