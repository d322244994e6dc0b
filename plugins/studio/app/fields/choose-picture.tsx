import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { useFiles } from '../parts/files.tsx'
import { isDocument, noUploads } from '../stores/documents.ts'
import { slug } from '../stores/draft.ts'
import { say } from '../stores/toast.ts'
import { upload, uploads } from '../stores/uploads.ts'

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
  const take = (all: readonly File[]): void => {
    if (isDocument(slug.value)) return say(noUploads)
    const files = all.slice(0, isMany ? undefined : 1)
    for (const file of files) void upload(file).then((done) => done && onUploaded(done.url))
    setIds(uploads.value.slice(-files.length).map(({ id }) => id))
  }
  const own = uploads.value.filter(({ id }) => ids.includes(id))
  return (
    <div class="choose-picture stack" {...useFiles(take)}>
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
