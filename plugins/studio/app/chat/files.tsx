import { useRef } from 'preact/hooks'
import { IconButton } from '../parts/button.tsx'
import { FileInput } from '../parts/files.tsx'
import { attach, files } from './chat-files.ts'
import type { Sending } from '../stores/sending.ts'
import { accepted } from '../stores/uploads.ts'

/** The files that go with the next message. */
export const Files = () =>
  files.value.length === 0 ? null : (
    <ul class="files" aria-label="Files for this message">
      {files.value.map((file) => (
        <OneFile key={file.id} file={file} />
      ))}
    </ul>
  )

const OneFile = ({ file: { name, part, answer, refusal, stop } }: { readonly file: Sending<unknown> }) => (
  <li>
    <span class="grow">
      <bdi>{name}</bdi>
      {!answer && refusal === undefined && <progress value={part} aria-label={`Sending ${name}`} />}
      {refusal !== undefined && (
        <span class="failure" role="alert">
          {refusal}
        </span>
      )}
    </span>
    <IconButton name="x" label={`Remove ${name}`} onClick={stop} />
  </li>
)

export function AttachButton() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton name="paperclip" label="Attach pictures or PDFs" onClick={() => input.current?.click()} />
      <FileInput
        input={input}
        label="Files for this message"
        accept={`${accepted},application/pdf,text/plain,text/csv,.md,.markdown`}
        onFiles={attach}
      />
    </>
  )
}
