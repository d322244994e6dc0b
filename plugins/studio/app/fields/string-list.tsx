import { useField, type FieldProps, type Form } from './field.ts'
import { Frame } from './frame.tsx'
import { Lines } from './text.tsx'

const linesForm: Form<string> = {
  shown: (value) => (Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('\n') : ''),
  stored: (text) => text.split('\n').filter((line) => line.trim() !== ''),
}

/** Texts in an order, each on a line of its own. */
export function StringListField(props: FieldProps) {
  const bound = useField(props, linesForm)
  return (
    <Frame {...props} bound={bound} hint="One entry a line.">
      <Lines bound={bound} />
    </Frame>
  )
}
