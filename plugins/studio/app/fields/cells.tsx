import { Button, IconButton } from '../parts/button.tsx'
import { cellsOf, withCell, type Cells } from '../stores/cells.ts'
import { dirOf } from './direction.ts'
import { useField, type FieldProps, type Form } from './field.ts'
import { Frame } from './frame.tsx'

const cellsForm: Form<Cells> = { shown: cellsOf, stored: (cells) => cells }

/** The texts of a table, by rows. */
export function CellsField(props: FieldProps) {
  const bound = useField(props, cellsForm)
  const { value: rows, type, save, focus } = bound
  const headers = Array.isArray(props.siblings['headers']) ? props.siblings['headers'] : []
  const columns = Math.max(headers.length, ...rows.map((row) => row.length), 1)
  const change = (next: Cells): void => {
    type(next)
    save()
  }
  return (
    <Frame {...props} bound={bound} isGroup>
      <div class="cells stack">
        {rows.map((row, at) => (
          // A cell has no identity but its position, and its input holds nothing of its own.
          <div class="cell-row" key={at}>
            {Array.from({ length: columns }, (_, column) => (
              <input
                key={column}
                aria-label={`Row ${at + 1}, ${String(headers[column] ?? `column ${column + 1}`)}`}
                value={row[column] ?? ''}
                dir={dirOf(row[column] ?? '')}
                onInput={({ currentTarget }) => type(withCell(rows, at, column, currentTarget.value))}
                {...focus}
              />
            ))}
            <IconButton
              name="trash-2"
              label={`Delete row ${at + 1}`}
              onClick={() => change(rows.toSpliced(at, 1))}
            />
          </div>
        ))}
      </div>
      <div>
        <Button onClick={() => change([...rows, Array.from({ length: columns }, () => '')])}>
          + Add a row
        </Button>
      </div>
    </Frame>
  )
}
