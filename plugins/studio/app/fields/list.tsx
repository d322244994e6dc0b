import type { ComponentType } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { GoneNotice } from '../edit/gone-notice.tsx'
import type { RowAction } from '../edit/rows-after.ts'
import { storeRows } from '../edit/store-rows.ts'
import { Button } from '../parts/button.tsx'
import { useHeld } from '../parts/use-held.ts'
import { fieldsOf, kindsOf, newRow } from '../stores/block-types.ts'
import { textIn } from '../stores/label.ts'
import { copyOf, inside, isRow, keyOf, positionOf, type Row } from '../stores/place.ts'
import { isTypedIn, shownBlock } from '../stores/held.ts'
import { selected } from '../stores/selection.ts'
import type { FieldProps } from './field.ts'
import { RowHead } from './row-head.tsx'

interface ListFieldProps extends FieldProps {
  /** Shows a field of a row. */
  readonly Inner: ComponentType<FieldProps & { readonly name: string }>
}

/**
 * The rows of a list, which open to their fields. What is open hangs on the key of a row, never on its
 * position.
 */
export function ListField({ place, field, schema, value, label, Inner }: ListFieldProps) {
  const rows = Array.isArray(value) ? value.filter(isRow) : []
  const { shown, release } = useHeld(rows, keyOf, (row) => isTypedIn(inside(place, keyOf(row))))
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const element = useRef<HTMLFieldSetElement>(null)
  const focus = useRestoredFocus(element)
  const last = rows.length - 1
  const kinds = kindsOf(field)
  const openNext = useAdded(rows, element, (key) => setOpen((before) => new Set([...before, key])))
  const act = (action: RowAction, sentence: string): void => void storeRows(place, action, sentence)
  const add = (kind?: string): void => {
    openNext()
    act({ do: 'add', row: newRow(field, kind) }, `Added to ${label}`)
  }
  const move = (key: string, name: string, to: number, by: -1 | 1): void => {
    if (to < 0 || to > last) return
    focus(key, by)
    act({ do: 'move', key, to }, `${name} is now ${to + 1} of ${rows.length}`)
  }
  const toggle = (key: string, isOpen: boolean): void => {
    if (open.has(key) === isOpen) return
    const others = new Set([...open].filter((each) => each !== key))
    setOpen(isOpen ? others.add(key) : others)
  }
  return (
    <fieldset class="list stack" ref={element}>
      <legend>
        {label} <small>{rows.length}</small>
      </legend>
      {shown.map(({ value: row, isGone }) => {
        const [key, index] = [keyOf(row), rows.indexOf(row)]
        const fields = fieldsOf(field, row)
        const name = textIn(row, fields) || (isGone ? label : `${label} ${index + 1}`)
        const at = inside(place, key)
        const isOpen = isGone || open.has(key) || isSelectedIn(at)
        return (
          <details key={key} open={isOpen} onToggle={({ currentTarget }) => toggle(key, currentTarget.open)}>
            {isGone ? (
              <summary>{name}</summary>
            ) : (
              <RowHead
                name={name}
                index={index}
                last={last}
                rowKey={key}
                actions={
                  field.fixedRows
                    ? undefined
                    : {
                        onMove: (by) => move(key, name, index + by, by),
                        onCopy: () => act({ do: 'add', row: copyOf(row), after: key }, `${name} copied`),
                        onDelete: () => act({ do: 'remove', key }, `${name} deleted`),
                      }
                }
              />
            )}
            {isOpen && (
              <div class="row-fields">
                {isGone && <GoneNotice place={inside(at, '')} what="row" onLeave={() => release(key)} />}
                {Object.entries(fields).map(([name, each]) => (
                  <Inner
                    key={name}
                    name={name}
                    place={inside(at, name)}
                    field={each}
                    schema={schema.items().property(name)}
                    label={each.label ?? name}
                    value={row[name]}
                    siblings={row}
                  />
                ))}
              </div>
            )}
          </details>
        )
      })}
      {!field.fixedRows && (
        <div>
          {kinds.length > 1 ? (
            kinds.map((kind) => (
              <Button key={kind} onClick={() => add(kind)}>
                + {kind}
              </Button>
            ))
          ) : (
            <Button onClick={() => add()}>+ Add</Button>
          )}
        </div>
      )}
    </fieldset>
  )
}

/** Whether what is selected in the page is in this row. */
function isSelectedIn({ blockId, path }: FieldProps['place']): boolean {
  const { path: wanted, blockId: of } = selected.value ?? {}
  if (wanted === undefined || of !== blockId) return false
  const here = positionOf(shownBlock.value?.value.props ?? {}, path)
  return wanted === here || wanted.startsWith(`${here}.`)
}

/**
 * Opens the row that is added next, with the caret in its first field. Returns the function to call before.
 */
function useAdded(
  rows: readonly Row[],
  list: { readonly current: HTMLElement | null },
  open: (key: string) => void,
) {
  const before = useRef<ReadonlySet<string> | undefined>(undefined)
  useLayoutEffect(() => {
    const key = rows.map(keyOf).find((each) => before.current?.has(each) === false)
    if (key === undefined) return
    before.current = undefined
    open(key)
    setTimeout(() => {
      const head = list.current?.querySelector(`[data-row="${CSS.escape(key)}"]`)
      head?.parentElement?.querySelector<HTMLElement>('input, textarea, select, [contenteditable]')?.focus()
    })
  })
  return () => void (before.current = new Set(rows.map(keyOf)))
}

/** Gives the focus back to the head of a row that was moved: a browser drops it when an element moves. */
function useRestoredFocus(list: { readonly current: HTMLElement | null }) {
  const wanted = useRef<{ readonly key: string; readonly button: number } | undefined>(undefined)
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body || document.activeElement?.matches(':disabled')
    if (!wanted.current || !isLost) return
    const { key, button } = wanted.current
    const heads = [...(list.current?.querySelectorAll<HTMLElement>('summary') ?? [])]
    const head = heads.find(({ dataset }) => dataset['row'] === key)
    const buttons = [...(head?.querySelectorAll('button') ?? [])]
    const enabled = [buttons[button], buttons[1 - button]].find((each) => each && !each.disabled)
    ;(button === -1 ? head : enabled)?.focus()
  })
  return (key: string, by: number): void => {
    const isButton = document.activeElement instanceof HTMLButtonElement
    wanted.current = { key, button: isButton ? Number(by === 1) : -1 }
  }
}
