import { useComputed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { positionOf } from '../stores/place.ts'
import { selected, selectedBlock } from '../stores/selection.ts'
import type { Bound, FieldProps } from './field.ts'

interface FrameProps<T> extends FieldProps {
  readonly bound: Pick<Bound<T>, 'id' | 'failure' | 'conflict' | 'decide' | 'value'>
  /** A sentence below the field. */
  readonly hint?: string | false | undefined
  /** Whether the field is a group of controls, which its label cannot point to. */
  readonly isGroup?: boolean
  readonly children: ComponentChildren
}

/** A field with its name, and below it what is to be said about it. */
export function Frame<T>({ bound, hint, isGroup = false, children, ...props }: FrameProps<T>) {
  const { field, label } = props
  const { id, failure, conflict } = bound
  const isSelected = useIsSelected(props)
  const element = useRef<HTMLDivElement>(null)
  // The focus stays in the page, where the person may go on to type.
  useEffect(() => void (isSelected && element.current?.scrollIntoView({ block: 'nearest' })), [isSelected])
  const Name = isGroup ? 'span' : 'label'
  return (
    <div
      ref={element}
      class="field"
      data-selected={isSelected || undefined}
      {...(isGroup && { role: 'group', 'aria-labelledby': `${id}-name` })}
    >
      <Name id={`${id}-name`} {...(!isGroup && { for: id })}>
        {label}
      </Name>
      {children}
      <small id={`${id}-hint`} class="hint">
        {field.required && bound.value === '' ? 'This field needs a text.' : hint}
      </small>
      {failure !== undefined && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
      {conflict && <Conflict {...bound} />}
    </div>
  )
}

const useIsSelected = ({ place }: FieldProps): boolean =>
  useComputed(() => {
    const { blockId, path } = selected.value ?? {}
    if (blockId !== place.blockId || path === undefined) return false
    return path === positionOf(selectedBlock.value?.props ?? {}, place.path)
  }).value

/** Offers the other version beside the own one. */
export function Conflict<T>({ value, conflict, decide }: Pick<Bound<T>, 'value' | 'conflict' | 'decide'>) {
  if (!conflict) return null
  const { theirs } = conflict
  return (
    <div class="conflict" role="alert">
      <p>This was changed elsewhere meanwhile:</p>
      <blockquote dir="auto">{typeof theirs === 'string' ? theirs : JSON.stringify(theirs)}</blockquote>
      <Button onClick={() => decide(value)}>Keep mine</Button>
      <Button onClick={() => decide(theirs)}>Keep theirs</Button>
    </div>
  )
}
