import { IconButton, MoveButtons } from '../parts/button.tsx'

interface RowHeadProps {
  readonly name: string
  readonly rowKey: string
  readonly index: number
  readonly last: number
  readonly onMove: (by: -1 | 1) => void
  readonly onCopy: () => void
  readonly onDelete: () => void
}

/** The name of a row, which opens it, and what can be done with it: by buttons, and by Alt with an arrow. */
export function RowHead({ name, rowKey, index, last, onMove, onCopy, onDelete }: RowHeadProps) {
  const key = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation()
    onMove(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <summary onKeyDown={key} data-row={rowKey}>
      <span class="grow cut" dir="auto">
        {name}
      </span>
      <MoveButtons what={name} at={index} last={last} onMove={onMove} />
      <IconButton name="copy" label={`Copy ${name}`} onClick={onCopy} />
      <IconButton name="trash-2" label={`Delete ${name}`} onClick={onDelete} />
    </summary>
  )
}
