import {
  blockAround,
  editingClass,
  fieldAround,
  idOf,
  isInline,
  pathOf,
  storedPath,
  textsIn,
  typeOf,
  unmark,
} from '../page.ts'
import { isMultiline, plainTyping, type Typing } from './typing.ts'

interface InlineOptions {
  readonly isOn: () => boolean
  /** The field that a key edits, if any: the selected one, or with Enter the selected block's first text. */
  readonly wanted: (isTyped: boolean) => HTMLElement | undefined
  /** Opens a selected field that is not typed in the page; returns whether it does. */
  readonly openSelected: () => boolean
  /** Called when a text begins to be edited. */
  readonly onBegin: (blockId: string, path: string) => void
  readonly send: (type: string, payload: Readonly<Record<string, unknown>>) => void
  /** Whether the editor is sent each key: it keeps what is typed before the text is left. */
  readonly isFollowed: () => boolean
  /** Called when editing ends; `isSent` if the editor was sent a text, which it has to store first. */
  readonly onEnd: (isSent: boolean) => void
  /** How a field is typed in, if its value is not its text. */
  readonly typingIn?: ((field: HTMLElement) => Typing | undefined) | undefined
  readonly signal: AbortSignal
}

interface InlineEdit {
  readonly block: HTMLElement
  readonly field: HTMLElement
  readonly typing: Typing
  /** Whether the editor was sent what was typed, and has to be informed of what becomes of it. */
  isSent: boolean
}

/**
 * Edits texts in place. A double click begins, and Enter, typing or a click on what is selected; Enter, a
 * click elsewhere and a loss of focus commit, Tab goes on to the next text, Escape restores. Only text is
 * typed and pasted, never markup.
 */
export function createInline(options: InlineOptions) {
  const { isOn, wanted, openSelected, onBegin, send, isFollowed, onEnd, typingIn, signal } = options
  let edit: InlineEdit | undefined

  const begin = (event: MouseEvent): void => {
    if (!isOn() || !(event.target instanceof Element)) return
    const block = blockAround(event.target)
    if (beginIn(block && fieldAround(event.target, block))) event.preventDefault()
    // A click on a link leaves the caret nowhere.
    if (edit && !edit.field.contains(getSelection()?.anchorNode ?? null)) {
      const at = document.caretPositionFromPoint?.(event.clientX, event.clientY)
      if (at && edit.field.contains(at.offsetNode)) getSelection()?.collapse(at.offsetNode, at.offset)
      else putCaretAtEnd(edit.field)
    }
  }

  const beginIn = (field: HTMLElement | undefined): boolean => {
    const block = field && blockAround(field)
    if (!block || !isInline(field) || edit?.field === field) return false
    commit()
    edit = { block, field, typing: typingIn?.(field) ?? plainTyping(field), isSent: false }
    field.contentEditable = 'plaintext-only'
    field.classList.add(editingClass)
    field.focus({ preventScroll: true })
    sayEditing(true)
    onBegin(idOf(block), pathOf(field))
    return true
  }

  /** Unlike a double click, a key leaves the caret nowhere. */
  const beginAtEnd = (field: HTMLElement | undefined): boolean => {
    const isStarted = beginIn(field)
    if (field && isStarted) putCaretAtEnd(field)
    return isStarted
  }

  /** Edits what is selected: by Enter, and for an editor that is sent each key by what is typed. */
  const beginByKey = (event: KeyboardEvent): void => {
    const { key, type, repeat, target } = event
    const isTyped = isFollowed() && startsTyping(event)
    if (!isOn() || type !== 'keydown' || repeat || !(isTyped || key === 'Enter')) return
    const field = wanted(isTyped)
    // A click on the text of a link has left the focus on it.
    const isHere = isFollowed() ? (target as Node).contains(field ?? null) : target === document.body
    if (!field || !isHere) return
    const isStarted = beginAtEnd(field)
    // A key that types nothing must not scroll, nor select the page.
    if (isTyped ? !isStarted : isStarted || openSelected()) event.preventDefault()
  }

  const end = (isRestored: boolean): void => {
    if (!edit) return
    const ended = edit
    const { field, typing } = ended
    edit = undefined
    const value = isRestored ? typing.initial : typing.value()
    field.removeAttribute('contenteditable')
    unmark(field, editingClass)
    field.blur()
    typing.end(isRestored)
    const isChanged = value !== typing.initial || ended.isSent
    if (isChanged) send('inlineTextCommitted', describe(ended, value))
    sayEditing(false)
    onEnd(isChanged)
  }

  /** Tells an editor that follows whether it must leave the page as it is. */
  const sayEditing = (isOn: boolean): void => {
    if (isFollowed()) send('inlineEditing', { isOn })
  }

  const typed = (): void => {
    if (!edit || !isFollowed()) return
    edit.isSent = true
    send('inlineTextTyped', describe(edit, edit.typing.value()))
  }

  const key = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    if (!edit) return beginByKey(event)
    const { field } = edit
    const { key, type, shiftKey } = event
    const pressed = type === 'keydown' && key
    if (pressed === 'Escape') end(true)
    else if (pressed === 'Enter' && !(shiftKey && isMultiline(field))) commit()
    else if (pressed === 'Tab' && isFollowed()) {
      const texts = textsIn(document.body)
      if (!beginAtEnd(texts[texts.indexOf(field) + (shiftKey ? -1 : 1)])) return
    }
    // A space would press a button, and open and close a summary.
    else if (key !== ' ' || !field.closest('button, summary')) return
    else if (pressed) document.execCommand('insertText', false, key)
    event.preventDefault()
    event.stopPropagation()
  }

  const commit = (): void => end(false)
  const isEditing = ({ target }: Event): boolean =>
    target instanceof Node && edit?.field.contains(target) === true
  const leave = (event: Event): void => {
    if (!isEditing(event)) commit()
  }
  const listeners = [
    [document, 'dblclick', begin],
    [document, 'input', typed],
    [document, 'keydown', key],
    [document, 'keyup', key],
    [document, 'pointerdown', leave],
    [document, 'focusout', commit],
    [window, 'blur', commit],
    [window, 'pagehide', commit],
  ] as const
  for (const [target, type, listener] of listeners)
    target.addEventListener(type, listener as EventListener, { capture: true, signal })
  signal.addEventListener('abort', () => end(true))

  return {
    begin,
    beginIn,
    /** The field that is typed in. */
    field: (): HTMLElement | undefined => edit?.field,
    /** Ends typing in a field that the page has removed, of which the editor has each key. */
    lose(): void {
      edit = undefined
      sayEditing(false)
    },
    /** The block whose text is being edited, which stays as it is until then. */
    block: (): HTMLElement | undefined => edit?.block,
    isEditing,
  }
}

/** Whether a key types a character, or selects all characters. */
const startsTyping = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.length === 1 && !altKey && (ctrlKey || metaKey ? key === 'a' && !shiftKey : true)

const putCaretAtEnd = (field: HTMLElement): void =>
  void getSelection()?.collapse(field, field.childNodes.length)

const describe = ({ block, field, typing }: InlineEdit, value: string) => ({
  blockId: idOf(block),
  blockType: typeOf(block),
  editablePath: storedPath(pathOf(field)),
  value,
  initialValue: typing.initial,
  format: 'text',
})

/** Whether a key belongs to an input method that composes a character. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229
