import { useComputed } from '@preact/signals'
import { MoveButtons } from '../parts/button.tsx'
import { startDrag } from '../parts/drag.ts'
import { Faces, peopleSentence } from '../parts/faces.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import {
  changedBlocks,
  focused,
  hasFocus,
  opened,
  pointed,
  setOpen,
  tabStop,
  type OutlineNode,
} from '../stores/outline.ts'
import { nameOfKey } from '../parts/key-names.ts'
import { slug, takesBlocks } from '../stores/draft.ts'
import { othersIn } from '../stores/presence.ts'
import { select, selected } from '../stores/selection.ts'
import { adding, moving } from '../stores/ui.ts'
import { isTouched } from '../stores/widths.ts'
import { moveTo } from './order.ts'
import { actions, askToErase, focusRow, pathOf } from './outline-keys.ts'

interface RowProps {
  readonly node: OutlineNode
}

/** A block, or a row of a list of one. Its tools are there while it has the pointer or the focus, or is selected by a finger. */
export function OutlineRow({ node }: RowProps) {
  const { id, block, row, name, text, place, count, rows } = node
  const path = pathOf(node)
  const isSelected = useComputed(
    () =>
      selected.value?.blockId === block.id &&
      (row === undefined || selected.value.path?.startsWith(path ?? '')),
  )
  const isReached = useComputed(() => tabStop.value === id)
  const hasTools = useComputed(() =>
    isTouched.value ? isSelected.value : pointed.value === id || (hasFocus.value && focused.value === id),
  )
  const isChanged = useComputed(() => row === undefined && changedBlocks.value.has(block.id))
  const here = useComputed(() => (row === undefined ? othersIn(slug.value, block.id) : []))
  const isOpen = row === undefined && opened.value.has(block.id)
  const label = [
    name,
    text,
    rows > 0 && `${rows} rows`,
    isChanged.value && 'changed',
    peopleSentence(here.value, 'here'),
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <li
      class="row"
      role="treeitem"
      data-node={id}
      aria-label={label}
      aria-level={row ? 2 : 1}
      aria-posinset={place}
      aria-setsize={count}
      aria-expanded={rows > 0 ? isOpen : undefined}
      aria-selected={isSelected.value === true}
      tabIndex={isReached.value ? 0 : -1}
      onClick={() => select({ blockId: block.id, path })}
      onDblClick={() => actions.edit(node)}
      onPointerEnter={() => (pointed.value = id)}
      onPointerDown={(event) => drag(event, node)}
    >
      {rows > 0 && (
        <button
          type="button"
          class="twist"
          tabIndex={-1}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation()
            setOpen(block.id, !isOpen)
          }}
        >
          <Icon name="chevron-right" />
        </button>
      )}
      <span class="grow cut">
        {name} <small dir="auto">{text}</small>
      </span>{' '}
      {hasTools.value && <Tools node={node} />}
      {rows > 0 && !hasTools.value && <small>{rows}</small>}
      <Faces people={here.value} />
      {isChanged.value && <span class="dot" title="Changed, not published" />}
    </li>
  )
}

/** A block that cannot be read: it is at its place with the reason, and can only be deleted. */
export function LockedRow({ node }: RowProps) {
  const { id, name, place, count, locked } = node
  const isReached = useComputed(() => tabStop.value === id)
  return (
    <li
      class="row unreadable"
      role="treeitem"
      data-node={id}
      aria-label={`${name}, cannot be read: ${locked}`}
      aria-level={1}
      aria-posinset={place}
      aria-setsize={count}
      tabIndex={isReached.value ? 0 : -1}
    >
      <span class="grow">
        {name} <small>Cannot be read: {locked}</small>
      </span>
      <Menu
        label="More for this block"
        items={[{ text: 'Delete…', hint: nameOfKey('Backspace'), run: () => askToErase(node) }]}
      />
    </li>
  )
}

function Tools({ node }: RowProps) {
  const { block, row, isPinned, place, count } = node
  const name = row ? 'this row' : 'this block'
  const further = [
    { text: 'Edit', hint: 'Enter', run: () => actions.edit(node) },
    row === undefined &&
      takesBlocks.value && { text: 'Add a block below…', run: () => (adding.value = { after: block.id }) },
    row === undefined && !isPinned && { text: 'Move to…', run: () => (moving.value = block.id) },
    !isPinned && { text: 'Copy', hint: nameOfKey('Mod+D'), run: () => actions.duplicate(node) },
    !isPinned && { text: 'Delete', hint: nameOfKey('Backspace'), run: () => actions.erase(node) },
  ].filter((each) => each !== false)
  return (
    <span
      class="tools"
      onClick={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
    >
      {!isPinned && (
        <MoveButtons
          at={place - 1}
          last={count - 1}
          needs="edit"
          onMove={(by) => actions[by === 1 ? 'down' : 'up'](node)}
        />
      )}
      <Menu label={`More for ${name}`} items={further} />
    </span>
  )
}

/** Drags a block among the blocks of the page. Their rows fold while it moves. */
function drag(event: PointerEvent, { block, row, isPinned }: OutlineNode): void {
  const { currentTarget: element, target, button, pointerType } = event
  const isTool = target instanceof Element && target.closest('button, [popover]') !== null
  if (row || isPinned || isTool || button !== 0 || pointerType === 'touch') return
  if (!(element instanceof HTMLElement)) return
  const tree = element.closest('ul')
  startDrag({
    event,
    element,
    siblings: () => [...(tree?.querySelectorAll<HTMLElement>('[aria-level="1"]') ?? [])],
    onStart: () => tree?.setAttribute('data-sorting', ''),
    onEnd(position) {
      tree?.removeAttribute('data-sorting')
      if (position !== undefined) moveTo(block.id, position)
      focusRow(block.id)
    },
  })
}
