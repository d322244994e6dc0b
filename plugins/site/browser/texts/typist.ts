/** The text that a person types in, which outlives renderings and reloads of the page. */
import type { OpenBridge } from '../bridge/open.ts'
import { blockAround, editingClass, findBlock, findField, idOf, pathOf } from '../page.ts'
import { recall, remember, type Caret } from './memory.ts'
import { isReloaded } from './restore.ts'
import type { PlacedTyping } from './typing.ts'

interface Session {
  readonly field: HTMLElement
  readonly nodes: readonly Text[]
  readonly typing: PlacedTyping
  readonly blockId: string
  readonly path: string
}

/** How long after a rendering typing goes on by itself. */
const resumeWithinMs = 5000

export function createTypist(tools: () => OpenBridge | undefined, signal: AbortSignal) {
  let session: Session | undefined
  let caret: Caret | undefined
  /** What goes on once its field is there again. */
  let lost: { readonly caret: Caret; readonly until: number } | undefined
  /** Whether what a person does to leave a text is handled now. */
  let isLeaving = false

  const before = isReloaded() ? recall().caret : undefined
  if (before) lost = { caret: before, until: performance.now() + 2 * resumeWithinMs }

  const note = (): void => {
    if (!session) return
    const { anchorNode, anchorOffset } = getSelection() ?? {}
    const { blockId, path, nodes, typing } = session
    const node = nodes.indexOf(anchorNode as Text)
    const at =
      node === -1
        ? { node: caret?.node ?? 0, offset: caret?.offset ?? 0 }
        : { node, offset: anchorOffset ?? 0 }
    caret = { blockId, path, texts: typing.texts(), ...at }
  }

  const lose = (): void => {
    if (caret) lost = { caret, until: performance.now() + resumeWithinMs }
    session = undefined
    tools()?.inline.lose()
  }

  const leave = ({ type, key, target }: Partial<KeyboardEvent>): void => {
    if (type === 'keydown' && key !== 'Enter' && key !== 'Escape' && key !== 'Tab') return
    // A rendering takes the focus from an element only.
    if (type === 'blur' && target !== window) return
    isLeaving = true
    setTimeout(() => (isLeaving = false))
    lost = undefined
  }
  for (const type of ['pointerdown', 'keydown'] as const)
    document.addEventListener(type, leave, { capture: true, signal })
  /** A rendering that makes the element as the server has it takes the focus, which comes back at once. */
  const stay = (event: Event): void => {
    if (event.target === session?.field && !session.field.isContentEditable) event.stopImmediatePropagation()
  }
  for (const type of ['blur', 'focusout']) window.addEventListener(type, stay, { capture: true, signal })
  window.addEventListener('blur', leave, { capture: true, signal })
  window.addEventListener('pagehide', () => remember({ caret: session && caret }), { capture: true, signal })
  document.addEventListener('selectionchange', note, { signal })

  return {
    /** Called when typing begins in a text. */
    begun(field: HTMLElement, nodes: readonly Text[], typing: PlacedTyping): void {
      const block = blockAround(field)
      session = { field, nodes, typing, blockId: block ? idOf(block) : '', path: pathOf(field) }
      caret = undefined
      note()
    },
    /** Called when typing ends; a rendering that takes the focus away ends it too. */
    ended(): void {
      const isLost = !isLeaving && document.hasFocus()
      if (isLost && caret) lost = { caret, until: performance.now() + resumeWithinMs }
      session = undefined
    },
    note,
    /** Whether a text is typed in that is on the page as it was. */
    isTyping: (): boolean => session !== undefined,
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
    resume(nodesOf: (field: HTMLElement) => readonly Text[] | undefined): void {
      const { inline, selection } = tools() ?? {}
      if (!lost || !inline || !selection?.isOn() || inline.field()) return
      const { caret: wanted, until } = lost
      if (performance.now() > until) return void (lost = undefined)
      const field = findField(findBlock(wanted.blockId), wanted.path)
      const nodes = field && nodesOf(field)
      if (!field?.matches('[data-editable-marked]') || !nodes) return
      lost = undefined
      remember({ caret: undefined })
      if (!inline.beginIn(field)) return
      const isOlder =
        nodes.length === wanted.texts.length && nodes.some(({ data }, n) => data !== wanted.texts[n])
      put({ nodes }, wanted)
      if (isOlder) field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    },
  }
}

/** Puts texts and the caret of before into the nodes of a field. */
function put({ nodes }: Pick<Session, 'nodes'>, { texts, node, offset }: Caret): void {
  if (nodes.length === texts.length)
    for (const [n, each] of nodes.entries()) if (each.data !== texts[n]) each.data = texts[n] ?? ''
  const at = nodes[Math.min(node, nodes.length - 1)]
  if (at) getSelection()?.collapse(at, Math.min(offset, at.length))
}

export type Typist = ReturnType<typeof createTypist>
