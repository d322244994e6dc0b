import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { filesIn, upload, uploads } from '../stores/uploads.ts'

interface ChooseProps {
  readonly label: string
  readonly isMany?: boolean
  readonly onOpen: () => void
  /** The field gets a picture once the service has it. */
  readonly onUploaded: (url: string) => void
  readonly children?: ComponentChildren
}

/** Opens the pictures; one that is dropped or pasted here is uploaded at once. */
export function ChoosePicture({ label, isMany = false, onOpen, onUploaded, children }: ChooseProps) {
  const [ids, setIds] = useState<readonly number[]>([])
  const take = (event: Event, data: DataTransfer | null): void => {
    const files = filesIn(data).slice(0, isMany ? undefined : 1)
    if (files.length === 0) return
    event.preventDefault()
    for (const file of files) void upload(file).then((done) => done && onUploaded(done.url))
    setIds(uploads.value.slice(-files.length).map(({ id }) => id))
  }
  const own = uploads.value.filter(({ id }) => ids.includes(id))
  return (
    <div
      class="choose-picture"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => take(event, event.dataTransfer)}
      onPaste={(event) => take(event, event.clipboardData)}
    >
      {children}
      <Button title={`Choose ${label}`} needs="edit" onClick={onOpen}>
        Choose a picture
      </Button>
      {own.map(({ id, part, refusal }) => (
        <p key={id} class={refusal === undefined ? 'soft' : 'failure'} role="status">
          {refusal ?? `Uploading, ${Math.round(part * 100)} %`}
        </p>
      ))}
    </div>
  )
}
