import { IconButton, MoveButtons } from '../parts/button.tsx'

interface RowHeadProps {
  readonly name: string
  readonly rowKey: string
  readonly index: number
  readonly last: number
  /** What can be done with a row that may go. */
  readonly actions?:
    | { readonly onMove: (by: -1 | 1) => void; readonly onCopy: () => void; readonly onDelete: () => void }
    | undefined
}

/** The name of a row, which opens it, and what can be done with it: by buttons, and by Alt with an arrow. */
export function RowHead({ name, rowKey, index, last, actions }: RowHeadProps) {
  const key = (event: KeyboardEvent): void => {
    if (!actions || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation()
    actions.onMove(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <summary onKeyDown={key} data-row={rowKey}>
      <span class="grow cut" dir="auto">
        {name}
      </span>
      {actions && (
        <>
          <MoveButtons what={name} at={index} last={last} onMove={actions.onMove} />
          <IconButton name="copy" label={`Copy ${name}`} onClick={actions.onCopy} />
          <IconButton name="trash-2" label={`Delete ${name}`} onClick={actions.onDelete} />
        </>
      )}
    </summary>
  )
}
