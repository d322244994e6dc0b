import { useComputed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { peopleSentence } from '../parts/faces.tsx'
import { TypedNotes } from '../parts/typed-notes.tsx'
import { positionOf } from '../stores/place.ts'
import { typingAt } from '../stores/presence.ts'
import { shownBlock } from '../stores/held.ts'
import { isFieldWanted, select, selected } from '../stores/selection.ts'
import type { Bound, FieldProps } from './field.ts'

interface FrameProps<T> extends FieldProps {
  readonly bound: Pick<Bound<T>, 'id' | 'value' | 'failure' | 'conflict' | 'unsaved' | 'decide'>
  /** A sentence below the field. */
  readonly hint?: ComponentChildren
  /** Whether the field is a group of controls, which its label cannot point to. */
  readonly isGroup?: boolean
  readonly children: ComponentChildren
}

/** A field with its name, and below it its hint and its notes. */
export function Frame<T>({ bound, hint, isGroup = false, children, ...props }: FrameProps<T>) {
  const { field, label } = props
  const { id } = bound
  const isSelected = useIsSelected(props)
  const typing = useTyping(props)
  const element = useRef<HTMLDivElement>(null)
  // The focus stays in the page, where the person may go on to type.
  useEffect(() => void (isSelected && element.current?.scrollIntoView({ block: 'nearest' })), [isSelected])
  const isWanted = isSelected && isFieldWanted.value
  // A rich text has its control only once its editor is loaded.
  useEffect(() => {
    const control = isWanted ? controlIn(element.current) : null
    control?.focus()
    if (control) isFieldWanted.value = false
  })
  const isMissing = field.required && bound.value === ''
  const follow = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || target.closest('.field') !== element.current || isSelected) return
    const { blockId, path: inBlock } = props.place
    const here = pathOf(props)
    // The row that is selected is open for that.
    const row = /^.*\]/.exec(selected.value?.path ?? '')?.[0]
    if (row !== undefined && here.startsWith(row)) return
    // The position of a row may change while the focus stays in it: the block is selected then.
    const path = inBlock.length === 1 ? here : undefined
    if (selected.value?.blockId !== blockId || selected.value.path !== path) select({ blockId, path })
  }
  const Name = isGroup ? 'span' : 'label'
  return (
    <div
      ref={element}
      class="field"
      data-selected={isSelected || undefined}
      onFocusIn={follow}
      {...(isGroup && { role: 'group', 'aria-labelledby': `${id}-name` })}
    >
      <Name id={`${id}-name`} {...(!isGroup && { for: id })}>
        {label}
      </Name>
      {children}
      <small id={`${id}-hint`} class={isMissing ? 'failure' : 'hint'}>
        {isMissing ? 'This field needs a text.' : hint}
      </small>
      {typing !== '' && (
        <small class="typing" role="status">
          {typing}
        </small>
      )}
      <TypedNotes bound={bound} />
    </div>
  )
}

/** What is typed into; the tools of a rich text are before it. */
const controlIn = (field: HTMLElement | null): HTMLElement | null | undefined =>
  field?.querySelector<HTMLElement>('[contenteditable=true]') ??
  field?.querySelector<HTMLElement>('input, textarea, select, button')

const pathOf = ({ place }: FieldProps): string => positionOf(shownBlock.value?.value.props ?? {}, place.path)

const useTyping = (props: FieldProps): string =>
  useComputed(() => {
    const { slug, blockId } = props.place
    return peopleSentence(typingAt(slug, blockId, pathOf(props)), 'typing here')
  }).value

const useIsSelected = (props: FieldProps): boolean =>
  useComputed(() => {
    const { blockId, path } = selected.value ?? {}
    if (blockId !== props.place.blockId || path === undefined) return false
    return path === pathOf(props)
  }).value
