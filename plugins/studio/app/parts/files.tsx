import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'

type Take = (files: readonly File[]) => void

/** Lets files be dropped and pasted on an element; returns its properties. */
export function useFiles(take: Take) {
  const [isOver, setOver] = useState(false)
  const receive = (event: Event, data: DataTransfer | null): void => {
    setOver(false)
    const files = [...(data?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    take(files)
  }
  return {
    'data-over': isOver || undefined,
    onDragOver(event: DragEvent) {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => receive(event, event.dataTransfer),
    onPaste: (event: ClipboardEvent) => receive(event, event.clipboardData),
  }
}

interface FileInputProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly label: string
  readonly accept: string
  readonly onFiles: Take
}

/** Opens the files of this machine; a button clicks it. */
export const FileInput = ({ input, label, accept, onFiles }: FileInputProps) => (
  <input
    ref={input}
    hidden
    multiple
    type="file"
    aria-label={label}
    accept={accept}
    onChange={({ currentTarget }) => {
      onFiles([...(currentTarget.files ?? [])])
      currentTarget.value = ''
    }}
  />
)
