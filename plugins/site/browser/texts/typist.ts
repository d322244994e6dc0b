/** The text that a person types in, which outlives renderings and reloads of the page. */
import type { OpenBridge } from '../bridge/open.ts'
import { blockAround, editingClass, idOf, pathOf } from '../page.ts'
import { press } from './held-keys.ts'
import { createLostText, fieldFor, placeOf } from './lost-text.ts'
import { remember, type Caret } from './memory.ts'
import { mergeTyped, spread } from './merge-typed.ts'
import type { PlacedPage } from './placed-page.ts'
import type { PlacedTyping } from './typing.ts'

interface Session {
  readonly field: HTMLElement
  readonly nodes: readonly Text[]
  readonly typing: PlacedTyping
  readonly blockId: string
  readonly path: string
  readonly line: number
}

/** Of the texts while a person types, the last ones are known. */
const mostSeen = 60

interface TypistOptions {
  readonly tools: () => OpenBridge | undefined
  readonly page: Pick<PlacedPage, 'nodesOf' | 'lineOf'>
  /** Called with a text that cannot be typed on with the keys that were pressed meanwhile. */
  readonly left: (at: Caret, text: string) => void
  readonly signal: AbortSignal
}

export function createTypist({ tools, page, left, signal }: TypistOptions) {
  let session: Session | undefined
  let caret: Caret | undefined
  /** What goes on once its field is there again. */
  const lost = createLostText(left)
  /** Whether what a person does to leave a text is handled now. */
  let isLeaving = false

  const note = (): void => {
    if (session) caret = caretIn(session, caret)
  }

  const lose = (): void => {
    if (caret) lost.wait(caret)
    session = undefined
    tools()?.inline.lose()
  }

  const leave = ({ type, key, target }: Partial<KeyboardEvent>): void => {
    if (type === 'keydown' && key !== 'Enter' && key !== 'Escape' && key !== 'Tab') return
    // A rendering takes the focus from an element only.
    if (type === 'blur' && target !== window) return
    isLeaving = true
    setTimeout(() => (isLeaving = false))
    lost.leave()
  }
  for (const type of ['pointerdown', 'keydown'] as const)
    document.addEventListener(type, leave, { capture: true, signal })
  /** A rendering that makes the element as the server has it takes the focus, which comes back at once. */
  const stay = (event: Event): void => {
    if (event.target === session?.field && !session.field.isContentEditable) event.stopImmediatePropagation()
  }
  for (const type of ['blur', 'focusout']) window.addEventListener(type, stay, { capture: true, signal })
  window.addEventListener('blur', leave, { capture: true, signal })
  const remain = (): void => remember({ caret: session ? caret : lost.caret() })
  window.addEventListener('pagehide', remain, { capture: true, signal })
  document.addEventListener('selectionchange', note, { signal })

  return {
    /** Called when typing begins in a text. */
    started(field: HTMLElement, nodes: readonly Text[], typing: PlacedTyping): void {
      const block = blockAround(field)
      lost.giveUp()
      const [blockId, path, line] = [block ? idOf(block) : '', pathOf(field), page.lineOf(field)]
      session = { field, nodes, typing, blockId, path, line }
      caret = undefined
      note()
    },
    /** Called when typing ends; a rendering that takes the focus away ends it too. */
    ended(): void {
      if (!isLeaving && document.hasFocus() && caret) lost.wait(caret)
      session = undefined
    },
    note,
    /** Whether a text is typed in that is on the page as it was. */
    isTyping: (): boolean => session !== undefined,
    /** Whether the page has to stay: a text is typed in, or about to be again. */
    isHeld: (): boolean => session !== undefined || lost.isAwaited(),
    /** Undoes what a rendering has done to the field under the caret. */
    rendered(records: readonly MutationRecord[]): void {
      const { field, nodes } = session ?? {}
      if (!session || !field || !nodes || !caret) return
      const inside = records.filter(({ target }) => field.contains(target))
      const isGone =
        inside.some(({ type }) => type === 'childList') && !nodes.every((node) => field.contains(node))
      if (!field.isConnected || isGone) return lose()
      const isOpen = field.isContentEditable
      if (!isOpen) {
        field.contentEditable = 'plaintext-only'
        field.classList.add(editingClass)
        field.focus({ preventScroll: true })
      }
      if (!isOpen || inside.some(({ type }) => type === 'characterData')) put(session, caret)
    },
    /** Goes on typing where a rendering or a reload has ended it. */
    resume(): void {
      const { inline, selection } = tools() ?? {}
      const wanted = lost.caret()
      if (!wanted || !inline || !selection?.isOn() || inline.field()) return
      const field = fieldFor(wanted, page)
      const nodes = field && page.nodesOf(field)
      if (!nodes) return
      const keys = lost.found()
      if (!inline.beginIn(field)) return
      const shown = nodes.map(({ data }) => data)
      const merged = mergedInto(shown, wanted)
      put({ nodes }, merged)
      caret = merged
      note()
      if (merged.texts.join('') !== shown.join(''))
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      press(keys, field)
    },
  }
}

/** Where the caret is, and what is there; without a selection in the nodes it is where it was. */
function caretIn({ blockId, path, line, nodes, typing, field }: Session, before: Caret | undefined): Caret {
  const { anchorNode, anchorOffset = 0 } = getSelection() ?? {}
  const texts = typing.texts()
  const [text, seen] = [texts.join(''), before?.seen ?? []]
  const at = nodes.indexOf(anchorNode as Text)
  const isAtEnd = anchorNode === field && anchorOffset === field.childNodes.length
  const { node = 0, offset = 0 } = isAtEnd
    ? { node: nodes.length - 1, offset: texts.at(-1)?.length }
    : at === -1
      ? (before ?? {})
      : { node: at, offset: anchorOffset }
  const all = seen.at(-1) === text ? seen : [...seen, text].slice(-mostSeen)
  return { blockId, path, line, seen: all, texts, node, offset }
}

/** What is typed, in nodes that show another text. */
function mergedInto(shown: readonly string[], wanted: Caret): Caret {
  const { seen, texts } = wanted
  const { text, caret } = mergeTyped(shown.join(''), seen, placeOf(wanted))
  if (texts.length === shown.length && text === texts.join('')) return wanted
  const next = spread(shown, text)
  let [at, rest] = [0, caret]
  while (at < next.length - 1 && rest > (next[at]?.length ?? 0)) rest -= next[at++]?.length ?? 0
  return { ...wanted, texts: next, node: at, offset: rest }
}

/** Puts texts and the caret of before into the nodes of a field. */
function put({ nodes }: Pick<Session, 'nodes'>, { texts, node, offset }: Caret): void {
  if (nodes.length === texts.length)
    for (const [n, each] of nodes.entries()) if (each.data !== texts[n]) each.data = texts[n] ?? ''
  const at = nodes[Math.min(node, nodes.length - 1)]
  if (at) getSelection()?.collapse(at, Math.min(offset, at.length))
}

export type Typist = ReturnType<typeof createTypist>
