/** The editor of rich text: what keys do in it, and what its buttons do. */
import { baseKeymap, chainCommands, exitCode, setBlockType, toggleMark } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { EditorState, type Command } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { withoutExtras } from './pasted.ts'
import { schema, type Mark, type Node } from './schema.ts'

export type { Command, EditorView }

const { nodes, marks } = schema

const breakLine: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView())
  return true
})

export const commands = {
  strong: toggleMark(marks.strong),
  em: toggleMark(marks.em),
  bullets: toggleList(nodes.bullet_list),
  numbers: toggleList(nodes.ordered_list),
  undo,
  redo,
} as const satisfies Readonly<Record<string, Command>>

/** Makes a list of paragraphs, or paragraphs of a list. */
function toggleList(type: typeof nodes.bullet_list): Command {
  return (state, dispatch) =>
    listAround(state) === type
      ? liftListItem(nodes.list_item)(state, dispatch)
      : wrapInList(type)(state, dispatch)
}

/** The kind of the innermost list around the selection. */
function listAround({ selection: { $from } }: EditorState): typeof nodes.bullet_list | undefined {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const { type } = $from.node(depth)
    if (type === nodes.bullet_list || type === nodes.ordered_list) return type
  }
  return undefined
}

/** Makes headings of a level, or paragraphs, of the selected blocks. */
export const setLevel = (level: number): Command =>
  level === 0 ? setBlockType(nodes.paragraph) : setBlockType(nodes.heading, { level })

/** Sets or removes the link of the selected words. */
export function setLink(href: string | undefined): Command {
  return ({ selection: { from, to }, tr }, dispatch) => {
    const cleared = tr.removeMark(from, to, marks.link)
    dispatch?.(href === undefined ? cleared : cleared.addMark(from, to, marks.link.create({ href })))
    return true
  }
}

/** What the buttons show of the selection. */
export interface Status {
  readonly strong: boolean
  readonly em: boolean
  readonly bullets: boolean
  readonly numbers: boolean
  /** 0 for a paragraph. */
  readonly level: number
  readonly hasWords: boolean
  readonly href: string | undefined
}

function statusOf(state: EditorState): Status {
  const { selection, storedMarks, doc } = state
  const { $from, from, to, empty } = selection
  const has = (mark: typeof marks.em): boolean =>
    empty ? mark.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, mark)
  let link: Mark | undefined
  doc.nodesBetween(from, to, (node) => void (link ??= marks.link.isInSet(node.marks)))
  const { type, attrs } = $from.parent
  return {
    strong: has(marks.strong),
    em: has(marks.em),
    bullets: listAround(state) === nodes.bullet_list,
    numbers: listAround(state) === nodes.ordered_list,
    level: type === nodes.heading ? Number(attrs['level']) : 0,
    hasWords: !empty,
    href: link && String(link.attrs['href']),
  }
}

interface EditorOptions {
  readonly doc: Node
  readonly attributes: Readonly<Record<string, string>>
  readonly onChange: (doc: Node) => void
  readonly onStatus: (status: Status) => void
  /** Called for the keys of a link; returns whether they were for it. */
  readonly onLink: () => boolean
  readonly onFocus: () => void
  readonly onBlur: () => void
}

export function newState(doc: Node, onLink: () => boolean): EditorState {
  const rules = inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, ([, signs = '']) => ({ level: signs.length })),
      wrappingInputRule(/^[-*]\s$/, nodes.bullet_list),
      wrappingInputRule(/^(\d{1,9})[.)]\s$/, nodes.ordered_list, ([, order]) => ({ order: Number(order) })),
    ],
  })
  const item = nodes.list_item
  const keys = keymap({
    'Mod-b': commands.strong,
    'Mod-i': commands.em,
    'Mod-k': onLink,
    'Mod-z': undo,
    'Shift-Mod-z': redo,
    'Mod-y': redo,
    'Shift-Enter': breakLine,
    Enter: splitListItem(item),
    'Mod-]': sinkListItem(item),
    'Mod-[': liftListItem(item),
  })
  return EditorState.create({ doc, plugins: [rules, keys, keymap(baseKeymap), history()] })
}

/** Opens an editor in an element. */
export function openEditor(element: HTMLElement, options: EditorOptions): EditorView {
  const { doc, attributes, onChange, onStatus, onLink, onFocus, onBlur } = options
  const view = new EditorView(
    { mount: element },
    {
      state: newState(doc, onLink),
      attributes,
      transformPastedHTML: withoutExtras,
      dispatchTransaction(transaction) {
        view.updateState(view.state.apply(transaction))
        if (transaction.docChanged) onChange(view.state.doc)
        onStatus(statusOf(view.state))
      },
      handleDOMEvents: {
        focus: () => onFocus(),
        blur: () => onBlur(),
        // The keys of the page are for the rest of the page.
        keydown: (_view, event) => {
          if (onLinkKeys(event) && !view.state.selection.empty) event.stopPropagation()
        },
      },
    },
  )
  return view
}

const onLinkKeys = ({ key, metaKey, ctrlKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (metaKey || ctrlKey)
