import { isComposing } from './inline.ts'

interface KeysOptions {
  readonly moveSelected: (by: -1 | 1) => void
  readonly send: (type: string, payload: Readonly<Record<string, unknown>>) => void
  readonly signal: AbortSignal
}

/** Passes the keys of an editor on while the focus is in the page; never those that are typed into a text. */
export function passKeysOn({ moveSelected, send, signal }: KeysOptions): void {
  const key = (event: KeyboardEvent): void => {
    if (isComposing(event) || isTyped(event)) return
    const move = event.altKey && !event.ctrlKey && !event.metaKey ? moves[event.key] : undefined
    const name = move ? undefined : shortcutOf(event)
    if (move) moveSelected(move)
    if (name) send('shortcut', { name })
    if (move || (name && name !== 'escape')) event.preventDefault()
  }
  document.addEventListener('keydown', key, { signal })
}

const moves: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 }

const shortcuts: Readonly<Record<string, string>> = { k: 'palette', y: 'redo', z: 'undo' }

function shortcutOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string | undefined {
  if (key === 'Escape') return 'escape'
  if (!ctrlKey && !metaKey) return undefined
  const name = key.toLowerCase()
  return name === 'z' && shiftKey ? 'redo' : shortcuts[name]
}

const isTyped = ({ target }: Event): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
