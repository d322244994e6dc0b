import { IconButton, Button } from '../parts/button.tsx'
import { blocks, type Block } from '../stores/draft.ts'
import { nameOf, typeOf } from '../stores/block-types.ts'
import { select, selected } from '../stores/selection.ts'
import { adding } from '../stores/ui.ts'
import { copy, move, remove } from './intents.ts'

/** The blocks of the page as a list that has every action, also by keyboard. */
export function Outline() {
  return (
    <section aria-label="Blocks on this page">
      <h2>Blocks on this page</h2>
      {blocks.value.length === 0 && <p class="soft pad">This page is empty. Add a block to begin.</p>}
      <ol class="outline">
        {blocks.value.map((block) => (
          <Row key={block.id} block={block} />
        ))}
      </ol>
      <div class="pad">
        <Button onClick={() => (adding.value = { after: blocks.value.at(-1)?.id })}>+ Add a block</Button>
      </div>
    </section>
  )
}

/** A text of the block, by which a person knows it again. */
function firstText({ props }: Block): string {
  const text = ['heading', 'title', 'text', 'quote', 'siteName'].map((name) => props[name]).find(Boolean)
  return typeof text === 'string' ? text : ''
}

function Row({ block }: { readonly block: Block }) {
  const { id, type } = block
  const isSelected = selected.value?.blockId === id
  const isPinned = typeOf.value(type)?.chrome === true
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' || event.key === 'Delete') void (!isPinned && remove(id))
    else if (event.altKey && event.key === 'ArrowUp') void move(id, -1)
    else if (event.altKey && event.key === 'ArrowDown') void move(id, 1)
    else if (event.key === 'ArrowUp') focusBeside(event, 'previousElementSibling')
    else if (event.key === 'ArrowDown') focusBeside(event, 'nextElementSibling')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <li class="row" aria-current={isSelected ? 'true' : undefined}>
      <button type="button" class="grow" onClick={() => select({ blockId: id })} onKeyDown={key}>
        <span>{nameOf(type)}</span> <small>{firstText(block)}</small>
      </button>
      {isSelected && !isPinned && (
        <>
          <IconButton name="arrow-up" label="Move up" onClick={() => void move(id, -1)} />
          <IconButton name="arrow-down" label="Move down" onClick={() => void move(id, 1)} />
          <IconButton name="copy" label="Copy" onClick={() => void copy(id)} />
          <IconButton name="trash-2" label="Delete" onClick={() => void remove(id)} />
        </>
      )}
    </li>
  )
}

function focusBeside(event: KeyboardEvent, side: 'previousElementSibling' | 'nextElementSibling'): void {
  const row = event.target instanceof Element ? event.target.closest('li') : null
  row?.[side]?.querySelector('button')?.focus()
}
