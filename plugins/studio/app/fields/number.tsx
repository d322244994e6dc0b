import { useRef } from 'preact/hooks'
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
  /** Whether the input has a part of a number, such as a sign, which nothing else may write over. */
  const isPart = useRef(false)
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
        value={isPart.current ? undefined : value}
        onInput={({ currentTarget }) => {
          isPart.current = currentTarget.validity.badInput
          if (!isPart.current) type(currentTarget.value)
        }}
        onFocus={focus.onFocus}
        onBlur={() => {
          isPart.current = false
          focus.onBlur()
        }}
      />
    </Frame>
  )
}
