import { textForm, useField, type FieldProps, type Form } from './field.ts'
import { Frame } from './frame.tsx'
import { Line } from './text.tsx'

const colorForm: Form<string> = { shown: textForm.shown, stored: (text) => text.trim() || null }

/** A colour by its CSS text, and beside it the colour chooser of the browser. */
export function ColorField(props: FieldProps) {
  const bound = useField(props, colorForm)
  const { value, type, focus } = bound
  const isColor = value === '' || CSS.supports('color', value)
  return (
    <Frame {...props} bound={bound} hint={!isColor && 'This is not a colour. Try #3450c9.'}>
      <div class="beside">
        <input
          type="color"
          aria-label={`Choose ${props.label}`}
          value={hexOf(value)}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          {...focus}
        />
        <Line bound={bound} dir="ltr" />
      </div>
    </Frame>
  )
}

/** The colour as the chooser of the browser reads it; black if it is none. */
function hexOf(color: string): string {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return '#000000'
  context.fillStyle = '#000000'
  context.fillStyle = color
  return typeof context.fillStyle === 'string' && context.fillStyle.startsWith('#')
    ? context.fillStyle
    : '#000000'
}
