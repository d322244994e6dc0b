/** Types in an element of a framework, whose nodes stay the ones that it knows. */
import type { Typing } from '../bridge/typing.ts'
import { textOf } from './collect.ts'
import { changeOf } from './merge-typed.ts'
import { respelled, type SourceText, type TypedChange } from './respell.ts'

/** The nodes in an element, and the children of each element in it. */
type Tree = readonly (readonly [parent: Node, children: readonly Node[]])[]

const treeOf = (node: Node): Tree =>
  node instanceof Element ? [[node, [...node.childNodes]], ...[...node.childNodes].flatMap(treeOf)] : []

/** Puts the nodes of a tree where they were, if typing has removed, added or moved some. */
function putBack(tree: Tree): void {
  for (const [parent, children] of tree) {
    const isSame =
      parent.childNodes.length === children.length &&
      children.every((each, n) => parent.childNodes[n] === each)
    if (!isSame && parent instanceof Element) parent.replaceChildren(...children)
  }
}

/** What is typed in a text of a page. */
export interface PlacedTyping extends Typing {
  /** Whether what was typed last has no spelling, and is left out. */
  readonly isRefused: () => boolean
  /** What each text node has, with what was typed. */
  readonly texts: () => readonly string[]
  /** Moves what was typed beside the text, such as in a link of the theme to a heading, to the node before. */
  readonly gather: () => void
}

/**
 * Begins to type in the nodes of a text. What is typed is written into its source, where each mark stays; in the end
 * the nodes of the page are those from before, with what was typed in them, which `onWritten` receives.
 */
export function typingIn(
  element: HTMLElement,
  nodes: readonly Text[],
  source: SourceText,
  onWritten: (node: Text, before: string) => void,
): PlacedTyping {
  const tree = treeOf(element)
  const before = nodes.map(({ data }) => data)
  const shown = textOf(element, nodes)
  const others = new Map(
    tree
      .flatMap(([, children]) => children)
      .flatMap((each) => (each instanceof Text && !nodes.includes(each) ? [[each, each.data] as const] : [])),
  )

  function gather(): void {
    for (const [other, was] of others) {
      const { text } = changeOf(was, other.data)
      if (other.data !== was) other.data = was
      const isBefore = (node: Text): boolean =>
        (node.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
      const node = nodes.findLast(isBefore) ?? nodes[0]
      if (text === '' || !node) continue
      node.data += text
      getSelection()?.collapse(node, node.length)
    }
  }

  /** Text in new nodes belongs to the node before it, else to the first one. */
  const texts = (): readonly string[] => {
    const now = nodes.map(() => '')
    let last = 0
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      const at = nodes.indexOf(node)
      const isLeftOut = at === -1 && tree.some(([, children]) => children.includes(node))
      if (isLeftOut) continue
      if (at !== -1) last = at
      now[last] += node.data
    }
    return now
  }

  /** What was typed last that can be spelled. */
  let spelled = { value: source.value, texts: before as readonly string[] }
  let isRefused = false

  const value = (): string => {
    let from = 0
    const now = texts()
    const changes = now.flatMap((text, n): readonly TypedChange[] => {
      const was = before[n] ?? ''
      // Breaks between nodes are characters of the shown text.
      const start = shown.indexOf(was, from)
      from = start + was.length
      if (was === text) return []
      const change = changeOf(was, text)
      return [{ ...change, from: start + change.from, to: start + change.to, isBehind: change.from > 0 }]
    })
    const next = changes.length === 0 ? source.value : respelled(source, shown, changes)
    isRefused = next === undefined
    if (next !== undefined) spelled = { value: next, texts: now }
    return spelled.value
  }

  return {
    initial: source.value,
    value,
    texts,
    gather,
    isRefused: () => isRefused,
    end(isRestored) {
      const now = isRestored ? before : isRefused ? spelled.texts : texts()
      putBack(tree)
      for (const [n, node] of nodes.entries()) {
        const [text = '', was = ''] = [now[n], before[n]]
        if (node.data !== text) node.data = text
        if (text !== was) onWritten(node, was)
      }
    },
  }
}
