import { IconButton, MoveButtons } from '../parts/button.tsx'

/** A row moves by one place. */
export interface RowMove {
  readonly from: number
  readonly by: -1 | 1
}

interface RowHeadProps {
  readonly name: string
  readonly rowKey: string
  readonly index: number
  readonly last: number
  readonly onMove: (move: RowMove) => void
  readonly onCopy: () => void
  readonly onDelete: () => void
}

/** The name of a row, which opens it, and what can be done with it: by buttons, and by Alt with an arrow. */
export function RowHead({ name, rowKey, index, last, onMove, onCopy, onDelete }: RowHeadProps) {
  const move = (by: -1 | 1): void => onMove({ from: index, by })
  const key = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation()
    move(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <summary onKeyDown={key} data-row={rowKey}>
      <span class="grow" dir="auto">
        {name}
      </span>
      <MoveButtons what={name} at={index} last={last} onMove={move} />
      <IconButton name="copy" label={`Copy ${name}`} onClick={onCopy} />
      <IconButton name="trash-2" label={`Delete ${name}`} onClick={onDelete} />
    </summary>
  )
}
