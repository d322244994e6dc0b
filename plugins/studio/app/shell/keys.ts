/** All keys of the studio: what `?` shows, and what is listened to. */
import { effect, signal } from '@preact/signals'
import { move } from '../edit/order.ts'
import { takeStep } from '../edit/undo-line.ts'
import { isComposing } from '../parts/composing.ts'
import { isMac } from '../parts/key-names.ts'
import { select, selected } from '../stores/selection.ts'
import { fold, help, openSide, palette, view } from '../stores/ui.ts'

interface Key {
  /** Such as `Mod+Shift+Z`; `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
  readonly keys: string
  readonly text: string
  /** Keys of other places are listened to there. */
  readonly run?: () => void
  /** Whether it also works while a text has the caret. */
  readonly isGlobal?: true
}

/** The groups in the order of the list of keys. */
export const keys: Readonly<Record<string, readonly Key[]>> = {
  Everywhere: [
    {
      keys: 'Mod+K',
      text: 'Go to a page, block or command',
      run: () => (palette.value = true),
      isGlobal: true,
    },
    { keys: 'Mod+Z', text: 'Undo; in a text, its own undo', run: () => void takeStep('undo') },
    { keys: 'Mod+Shift+Z', text: 'Redo', run: () => void takeStep('redo') },
    { keys: 'Alt+ArrowUp', text: 'Move the block up', run: () => moveSelected(-1) },
    { keys: 'Alt+ArrowDown', text: 'Move the block down', run: () => moveSelected(1) },
    { keys: 'Mod+B', text: 'Fold or show blocks and pages', run: () => fold('left') },
    { keys: 'Mod+Shift+B', text: 'Fold or show chat and fields', run: () => fold('right') },
    { keys: '/', text: 'Say what should change', run: askChat },
    { keys: '?', text: 'Show all keys', run: () => (help.value = true) },
    { keys: 'Escape', text: 'Select nothing', run: () => select(undefined) },
  ],
  'On the list of blocks': [
    { keys: 'ArrowUp', text: 'To the block above' },
    { keys: 'ArrowDown', text: 'To the block below' },
    { keys: 'ArrowRight', text: 'Show the rows of a block' },
    { keys: 'ArrowLeft', text: 'Hide the rows of a block' },
    { keys: 'Enter', text: 'Edit' },
    { keys: 'Mod+D', text: 'Copy' },
    { keys: 'Backspace', text: 'Delete' },
  ],
  'On the page': [
    { keys: 'Enter', text: 'Edit the selected text, and save it' },
    { keys: 'Escape', text: 'Cancel the edit' },
  ],
  'In the chat': [
    { keys: 'Enter', text: 'Send' },
    { keys: 'Shift+Enter', text: 'Begin a line' },
    { keys: 'Mod+Enter', text: 'Apply the plan' },
    { keys: 'Mod+Backspace', text: 'Discard the plan' },
  ],
}

const stored = 'content-orchestrator:single-keys'
/** Whether keys of one character work; speech input and some tools need them off. */
export const singleKeys = signal(localStorage.getItem(stored) !== 'off')
effect(() => localStorage.setItem(stored, singleKeys.value ? 'on' : 'off'))
export const isSingle = ({ keys }: Key): boolean => /^[^\w]$/.test(keys)

const isTyped = ({ target }: Event): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

function fits({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent, each: Key): boolean {
  const parts = each.keys.split('+')
  const [name = ''] = parts.slice(-1)
  const mod = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey
  const isModRight = parts.includes('Mod') ? mod : !ctrlKey && !metaKey
  // The character itself says whether Shift is needed: `/` and `?` lie elsewhere on other keyboards.
  const isShiftRight = isSingle(each) || shiftKey === parts.includes('Shift')
  return (
    key.toLowerCase() === name.toLowerCase() && isModRight && isShiftRight && altKey === parts.includes('Alt')
  )
}

/** Listens to the keys that work everywhere. A dialog has its own. */
export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isComposing(event) || document.querySelector('dialog:modal')) return
    const key = keys['Everywhere']?.find((each) => fits(event, each))
    if (!key?.run || (isTyped(event) && !key.isGlobal)) return
    if (isSingle(key) && !singleKeys.value) return
    if (key.keys !== 'Escape') event.preventDefault()
    key.run()
  })
}

function moveSelected(by: -1 | 1): void {
  if (selected.value) move(selected.value.blockId, by)
}

/** Puts the caret into the message of the chat, wherever the person is. */
export function askChat(): void {
  view.value = 'edit'
  openSide('chat')
  // Once it is shown, and before the next key.
  queueMicrotask(() => document.querySelector<HTMLTextAreaElement>('#message')?.focus())
}
