import { isComposing } from '../parts/composing.ts'
import { dirOf } from './direction.ts'
import { textForm, useField, type Bound, type FieldProps } from './field.ts'
import { Frame } from './frame.tsx'

/** One line of text. Enter stores it. */
export function TextField(props: FieldProps) {
  const bound = useField(props, textForm)
  return (
    <Frame {...props} bound={bound} hint={hintOf(props, bound.value)}>
      <Line bound={bound} />
    </Frame>
  )
}

/** Text of several lines. */
export function LongTextField(props: FieldProps) {
  const bound = useField(props, textForm)
  return (
    <Frame {...props} bound={bound} hint={hintOf(props, bound.value)}>
      <Lines bound={bound} />
    </Frame>
  )
}

interface ControlProps {
  readonly bound: Bound<string>
  readonly dir?: 'ltr'
}

export const Line = ({ bound: { id, value, type, save, focus }, dir }: ControlProps) => (
  <input
    id={id}
    aria-describedby={`${id}-hint`}
    value={value}
    dir={dir ?? dirOf(value)}
    onInput={({ currentTarget }) => type(currentTarget.value)}
    onKeyDown={(event) => {
      if (event.key === 'Enter' && !isComposing(event)) save()
    }}
    {...focus}
  />
)

export const Lines = ({ bound: { id, value, type, focus }, dir }: ControlProps) => (
  <textarea
    id={id}
    aria-describedby={`${id}-hint`}
    value={value}
    dir={dir ?? dirOf(value)}
    rows={Math.min(14, 2 + value.split('\n').length)}
    onInput={({ currentTarget }) => type(currentTarget.value)}
    {...focus}
  />
)

/** What the site asks of a text, once it matters. */
function hintOf({ field, schema: { minLength, maxLength } }: FieldProps, text: string): string | undefined {
  const length = [...text].length
  if (length > maxLength) return `${length} of ${maxLength} characters: this is too long.`
  if (length > 0.8 * maxLength) return `${length} of ${maxLength} characters`
  if (length > 0 && length < minLength) return `This needs at least ${minLength} characters.`
  return field.kind === 'imageAlt' ? 'Says what the picture shows.' : undefined
}
