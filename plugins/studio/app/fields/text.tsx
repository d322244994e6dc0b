import { isComposing } from '../parts/composing.ts'
import { dirOf } from './direction.ts'
import { textForm, useField, type Bound, type FieldProps, type Form } from './field.ts'
import { Frame } from './frame.tsx'

const linesForm: Form<string> = {
  shown: (value) => (Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('\n') : ''),
  stored: (text) => text.split('\n').filter((line) => line.trim() !== ''),
}

interface ControlProps {
  readonly bound: Bound<string>
  /** The id of the values that are proposed. */
  readonly list?: string | undefined
  readonly dir?: 'ltr'
}

export const Line = ({ bound: { id, value, type, save, focus }, dir, list }: ControlProps) => (
  <input
    id={id}
    list={list}
    autocomplete={list && 'off'}
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

/** Makes a field of one control, below which `hint` says something of its text. */
const fieldOf =
  (form: Form<string>, Control: typeof Line, hint: (props: FieldProps, text: string) => string | undefined) =>
  (props: FieldProps) => {
    const bound = useField(props, form)
    return (
      <Frame {...props} bound={bound} hint={hint(props, bound.value)}>
        <Control bound={bound} />
      </Frame>
    )
  }

/** One line of text. Enter stores it. */
export const TextField = fieldOf(textForm, Line, hintOf)
/** Text of several lines. */
export const LongTextField = fieldOf(textForm, Lines, hintOf)
/** Texts in an order, each on a line of its own. */
export const StringListField = fieldOf(linesForm, Lines, () => 'One entry a line.')
