import { changeRows } from '../edit/intents.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { labelOf, newRow, type Field } from '../stores/block-types.ts'
import { selected } from '../stores/selection.ts'
import { FieldInput, type OneFieldProps } from './field.tsx'

/** A field by its kind: a list with its rows, or one value. */
export function OneField(props: OneFieldProps) {
  const { path, field } = props
  const label = labelOf(path.split('.').at(-1) ?? path, field)
  const isSelected = selected.value?.path === path
  if (field.kind === 'list' || field.kind === 'imageList') return <ListField {...props} label={label} />
  return <FieldInput {...props} label={label} isSelected={isSelected} />
}

interface ListFieldProps extends OneFieldProps {
  readonly label: string
}

/** The rows of a list, each with its fields, which open one at a time. */
export function ListField({ blockId, path, field, value, label }: ListFieldProps) {
  const rows = Array.isArray(value) ? value.filter((row) => typeof row === 'object' && row !== null) : []
  const last = rows.length - 1
  const move = (index: number, to: number): void =>
    void changeRows(blockId, path, { op: 'move_item', index, ...(to > 0 && { afterIndex: to - 1 }) })
  return (
    <fieldset class="list">
      <legend>
        {label} <small>{rows.length}</small>
      </legend>
      {rows.map((row: Readonly<Record<string, unknown>>, index) => (
        <details key={String(row['_key'] ?? row['id'] ?? index)} name={`${blockId}-${path}`}>
          <summary>
            <span class="grow">{nameOfRow(row) || `${label} ${index + 1}`}</span>
            <IconButton
              name="arrow-up"
              label="Move up"
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            />
            <IconButton
              name="arrow-down"
              label="Move down"
              disabled={index === last}
              onClick={() => move(index, index + 1)}
            />
            <IconButton
              name="trash-2"
              label="Delete"
              onClick={() => void changeRows(blockId, path, { op: 'remove_item', index })}
            />
          </summary>
          {Object.entries(fieldsOf(field, row)).map(([name, each]) => (
            <OneField
              key={name}
              blockId={blockId}
              path={`${path}[${index}].${name}`}
              field={each}
              value={row[name]}
            />
          ))}
        </details>
      ))}
      <Button onClick={() => void changeRows(blockId, path, { op: 'add_item', item: newRow(field) })}>
        + Add
      </Button>
    </fieldset>
  )
}

/** The fields of a row: those of all rows, and those of its kind. */
function fieldsOf(field: Field, row: Readonly<Record<string, unknown>>): Readonly<Record<string, Field>> {
  const kind = field.discriminator === undefined ? undefined : row[field.discriminator]
  const own = typeof kind === 'string' ? field.itemFieldsByType?.[kind] : undefined
  return { ...field.itemFields, ...own } as Readonly<Record<string, Field>>
}

function nameOfRow(row: Readonly<Record<string, unknown>>): string {
  const text = ['title', 'label', 'q', 'heading', 'text', 'author', 'name', 'alt']
    .map((name) => row[name])
    .find(Boolean)
  return typeof text === 'string' ? text : ''
}
