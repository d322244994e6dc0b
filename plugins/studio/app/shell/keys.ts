import { move, takeStep } from '../edit/intents.ts'
import { isComposing } from '../parts/composing.ts'
import { select, selected } from '../stores/selection.ts'
import { palette } from '../stores/ui.ts'

const isTyped = ({ target }: Event): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Keys that work everywhere but in texts. */
export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (isComposing(event)) return
    const isCommand = event.ctrlKey || event.metaKey
    if (isCommand && event.key.toLowerCase() === 'k') palette.value = true
    else if (isTyped(event)) return
    else if (isCommand && event.key.toLowerCase() === 'z') void takeStep(event.shiftKey ? 'redo' : 'undo')
    else if (event.altKey && event.key === 'ArrowUp') moveSelected(-1)
    else if (event.altKey && event.key === 'ArrowDown') moveSelected(1)
    else if (event.key === '/' && !isCommand) document.querySelector<HTMLTextAreaElement>('#message')?.focus()
    else if (event.key === 'Escape') return select(undefined)
    else return
    event.preventDefault()
  })
}

function moveSelected(by: -1 | 1): void {
  if (selected.value) void move(selected.value.blockId, by)
}
