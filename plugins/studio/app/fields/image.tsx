import { useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { call, sentenceOf } from '../service.ts'
import { textForm, useField, type FieldProps, type Form } from './field.ts'
import { Frame } from './frame.tsx'
import { Picture } from './picture.tsx'
import { Line } from './text.tsx'

const imageForm: Form<string> = { shown: textForm.shown, stored: (text) => text.trim() }

/** A picture: from a file, or by its address. Its description is a field of its own, beside it. */
export function ImageField(props: FieldProps) {
  const bound = useField(props, imageForm)
  const { imageSpec } = props.field
  const size = imageSpec && `Best at ${imageSpec.width} × ${imageSpec.height} pixels.`
  return (
    <Frame {...props} bound={bound} hint={size}>
      <Picture value={bound.value} />
      <Line bound={bound} dir="ltr" />
      <UploadPicture
        label={props.label}
        onPicture={(url) => {
          bound.type(url)
          bound.save()
        }}
      />
    </Frame>
  )
}

interface UploadProps {
  readonly label: string
  readonly onPicture: (url: string) => void
}

/** Takes a picture from a file. The field gets it once the service has it. */
export function UploadPicture({ label, onPicture }: UploadProps) {
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure?: string }>({
    isBusy: false,
  })
  const upload = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setState({ isBusy: true })
    try {
      const form = new FormData()
      form.set('image', file)
      const { url } = await call('POST /image/upload', { form })
      setState({ isBusy: false })
      onPicture(url)
    } catch (error) {
      setState({ isBusy: false, failure: sentenceOf(error) })
    }
  }
  return (
    <div
      class="upload"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void upload(event.dataTransfer?.files[0])
      }}
    >
      <Button disabled={state.isBusy} onClick={() => input.current?.click()}>
        {state.isBusy ? 'Uploading…' : 'Upload a picture'}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label={`Upload ${label}`}
        onChange={({ currentTarget }) => void upload(currentTarget.files?.[0])}
      />
      {state.failure !== undefined && (
        <p class="failure" role="alert">
          {state.failure}
        </p>
      )}
    </div>
  )
}
