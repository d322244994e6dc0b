import { textForm, useField, type FieldProps, type Form } from './field.ts'
import { Frame } from './frame.tsx'

const numberForm: Form<string> = {
  shown: textForm.shown,
  stored: (text) => (text === '' ? null : Number(text)),
}

export function NumberField(props: FieldProps) {
  const { minimum, maximum } = props.schema
  const bound = useField(props, numberForm)
  const { id, value, type, focus } = bound
  const number = Number(value)
  const hint =
    minimum !== undefined && number < minimum
      ? `This is at least ${minimum}.`
      : maximum !== undefined && number > maximum && `This is at most ${maximum}.`
  return (
    <Frame {...props} bound={bound} hint={value !== '' && hint}>
      <input
        id={id}
        type="number"
        step="any"
        min={minimum}
        max={maximum}
        aria-describedby={`${id}-hint`}
        value={value}
        onInput={({ currentTarget }) => {
          // A sign alone is not a number yet.
          if (!currentTarget.validity.badInput) type(currentTarget.value)
        }}
        {...focus}
      />
    </Frame>
  )
}
