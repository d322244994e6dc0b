import { signal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { sentenceOf } from '../service.ts'
import { textForm, useField, type FieldProps } from './field.ts'
import { Frame } from './frame.tsx'
import { Lines } from './text.tsx'

/** The editor, which is loaded with the first rich text. */
const editor = signal<typeof import('./rich/rich-editor.tsx') | undefined>(undefined)
const failure = signal<string | undefined>(undefined)
async function load(): Promise<void> {
  try {
    editor.value ??= await import('./rich/rich-editor.tsx')
    failure.value = undefined
  } catch (error) {
    failure.value = sentenceOf(error)
  }
}

/** Text with headings, lists, bold, italic and links; as it is written where it has more than that. */
export function RichTextField(props: FieldProps) {
  const kind = props.field.kind === 'html' ? 'html' : 'richtext'
  const bound = useField(props, textForm)
  const [asWritten, setAsWritten] = useState(false)
  useEffect(() => void load(), [])
  const { RichEditor, canEdit } = editor.value ?? {}
  // Typing decides nothing: the text is looked at when the field opens and when it is switched.
  const isKnown = useMemo(() => canEdit?.(kind, bound.value) === true, [canEdit, asWritten])
  const [isUnknown, setUnknown] = useState(false)
  const isRich = isKnown && !isUnknown && !asWritten
  const isPlain = editor.value !== undefined || failure.value !== undefined
  const why = failure.value ?? (asWritten || isRich ? undefined : 'This has more than the editor can show.')
  return (
    <Frame {...props} bound={bound} hint={isPlain && why} isGroup={isRich}>
      {RichEditor && isRich ? (
        <RichEditor kind={kind} bound={bound} onUnknown={() => setUnknown(true)} />
      ) : isPlain ? (
        <Lines bound={bound} />
      ) : (
        <div class="skeleton rich-skeleton" aria-busy="true" />
      )}
      {kind === 'html' && editor.value && (isRich || asWritten) && (
        <div>
          <Button variant="plain" onClick={() => setAsWritten(!asWritten)}>
            {asWritten ? 'Show the text' : 'Show the markup'}
          </Button>
        </div>
      )}
    </Frame>
  )
}
