import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { useFiles } from '../parts/files.tsx'
import { isDocument, noUploads } from '../stores/documents.ts'
import { slug } from '../stores/draft.ts'
import { say } from '../stores/toast.ts'
import { type PictureUse, upload, uploadFor, uploads } from '../stores/uploads.ts'

interface ChooseProps {
  readonly label: string
  readonly isMany?: boolean
  readonly onOpen: () => void
  /** The field of a document that it is for. */
  readonly use?: PictureUse | undefined
  /** The field gets a picture once the service has it. */
  readonly onUploaded: (url: string) => void
  readonly children?: ComponentChildren
}

/** Opens the pictures; one that is dropped or pasted here is uploaded at once. */
export function ChoosePicture({ label, isMany = false, use, onOpen, onUploaded, children }: ChooseProps) {
  const [ids, setIds] = useState<readonly number[]>([])
  const take = (all: readonly File[]): void => {
    if (!use && isDocument(slug.value)) return say(noUploads)
    const files = all.slice(0, isMany ? undefined : 1)
    for (const file of files) {
      const sent = use ? uploadFor(file, use) : upload(file).then((done) => done?.url)
      void sent.then((url) => url !== undefined && onUploaded(url))
    }
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
