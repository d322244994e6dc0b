import { useRef } from 'preact/hooks'
import { IconButton } from '../parts/button.tsx'
import { attach, detach, files, type Attached } from '../stores/chat-files.ts'

/** The files that go with the next message. */
export const Files = () =>
  files.value.length === 0 ? null : (
    <ul class="files" aria-label="Files for this message">
      {files.value.map((file) => (
        <OneFile key={file.id} file={file} />
      ))}
    </ul>
  )

const OneFile = ({ file: { id, name, part, sent, refusal } }: { readonly file: Attached }) => (
  <li>
    <span class="grow">
      <bdi>{name}</bdi>
      {!sent && refusal === undefined && <progress value={part} aria-label={`Sending ${name}`} />}
      {refusal !== undefined && (
        <span class="failure" role="alert">
          {refusal}
        </span>
      )}
    </span>
    <IconButton name="x" label={`Remove ${name}`} onClick={() => detach(id)} />
  </li>
)

export function AttachButton() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton name="paperclip" label="Attach pictures or PDFs" onClick={() => input.current?.click()} />
      <input
        ref={input}
        hidden
        multiple
        type="file"
        aria-label="Files for this message"
        accept="image/png,image/jpeg,image/webp,image/gif,application/pdf,text/plain,text/markdown,text/csv"
        onChange={({ currentTarget }) => {
          attach(currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
