import { useField, type FieldProps, type Form } from './field.ts'
import { Frame } from './frame.tsx'

const choiceForm: Form<string> = {
  shown: (value) => (typeof value === 'string' ? value : ''),
  stored: (text) => (text === '' ? null : text),
}

const levels = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const words: Readonly<Record<string, string>> = Object.fromEntries(
  levels.map((level, index) => [level, `Heading ${index + 1}`]),
)

/** A value as people write it: `full-width` is “Full width”. */
const optionName = (option: string): string =>
  /^[a-z][a-z-]*$/.test(option)
    ? option.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())
    : option

/** One of several values. */
export function ChoiceField(props: FieldProps) {
  const { field } = props
  const bound = useField(props, choiceForm)
  const { id, value, type, save, focus } = bound
  const options = field.options ?? levels
  // A value that the site no longer offers stays until another one is chosen.
  const all = value === '' || options.includes(value) ? options : [...options, value]
  return (
    <Frame {...props} bound={bound}>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => {
          type(currentTarget.value)
          save()
        }}
        {...focus}
      >
        {(value === '' || field.required !== true) && <option value="">Default</option>}
        {all.map((option) => (
          <option key={option} value={option}>
            {words[option] ?? optionName(option)}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** Yes or no, stored as a boolean, or as one of the texts `true` and `false`. */
export function BooleanField(props: FieldProps) {
  const isText = props.field.kind === 'enum'
  const bound = useField<boolean>(props, {
    shown: (value) => value === true || value === 'true',
    stored: (isOn) => (isText ? String(isOn) : isOn),
  })
  const { id, value, type, save } = bound
  return (
    <Frame {...props} bound={bound}>
      <label class="tick">
        <input
          id={id}
          type="checkbox"
          checked={value}
          onChange={({ currentTarget }) => {
            type(currentTarget.checked)
            save()
          }}
        />
      </label>
    </Frame>
  )
}
