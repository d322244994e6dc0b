import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button, Choice } from '../parts/button.tsx'
import { FileInput, useFiles } from '../parts/files.tsx'
import { whyNot } from '../stores/access.ts'
import {
  available,
  choosePlace,
  failure,
  followMedia,
  found,
  loadPictures,
  source,
  words,
} from './media-store.ts'
import { ofFile, sources, type Picture, type SourceName } from './pictures.ts'
import { hasDocuments } from '../stores/draft.ts'
import { say } from '../stores/toast.ts'
import { accepted, type PictureUse } from '../stores/uploads.ts'
import { Grid } from './grid.tsx'
import { uploadAll } from './intents.ts'
import { Uploading } from './uploading.tsx'

interface ShelfProps {
  readonly onUploaded: (picture: Picture) => void
  readonly onOpen?: ((picture: Picture) => void) | undefined
  /** The field of a document: the pictures are those of its website. */
  readonly use?: PictureUse | undefined
}

/** The pictures of one source: searched, and the own ones added by choosing or dropping files. */
export function Shelf({ onUploaded, onOpen, use }: ShelfProps) {
  const isOfWebsite = use !== undefined
  useLayoutEffect(() => {
    const before = source.peek()
    if (isOfWebsite) choosePlace('cms')
    const end = followMedia()
    return () => {
      end()
      if (isOfWebsite) choosePlace(before)
    }
  }, [isOfWebsite])
  const input = useRef<HTMLInputElement>(null)
  const add = (files: readonly File[]): void => {
    const why = whyNot('edit')
    if (why !== undefined) return say(why)
    const [file] = files
    if (file && use) onUploaded(ofFile(file, use))
    else if (file) void uploadAll(files, onUploaded)
  }
  const options = available.value.map((value) => {
    const text = value === 'cms' && hasDocuments.value ? 'Website' : sources[value].text
    return { value, title: text, text }
  })
  return (
    <section class="shelf" aria-label="Pictures" {...useFiles(add)}>
      <div class="shelf-tools">
        {options.length > 1 && !isOfWebsite && (
          <Choice<SourceName> label="Source" options={options} value={source.value} onChoose={choosePlace} />
        )}
        <input
          type="text"
          class="grow"
          aria-label="Search pictures"
          placeholder="Search"
          value={words.value}
          onInput={({ currentTarget }) => (words.value = currentTarget.value)}
        />
        <Button variant="main" needs="edit" onClick={() => input.current?.click()}>
          Upload
        </Button>
        <FileInput input={input} label="Files to upload" accept={accepted} onFiles={add} />
      </div>
      <Uploading />
      <Body onOpen={onOpen} />
    </section>
  )
}

/** The pictures with their states: they load, cannot be read, are none, are there. */
function Body({ onOpen }: Pick<ShelfProps, 'onOpen'>) {
  const list = found.value
  return (
    <>
      {failure.value !== undefined && (
        <p class="failure" role="alert">
          {failure.value} <Button onClick={() => void loadPictures()}>Try again</Button>
        </p>
      )}
      {list?.note !== undefined && <p class="soft">{list.note}</p>}
      {!list && failure.value === undefined && <div class="skeleton" aria-busy="true" />}
      {list && list.pictures.length > 0 && <Grid pictures={list.pictures} onOpen={onOpen} />}
      {list?.pictures.length === 0 && list.note === undefined && (
        <p class="empty-shelf soft" role="status">
          {words.value.trim() !== ''
            ? 'No picture has such a name.'
            : source.value === 'uploads'
              ? 'Nothing uploaded yet. Drop files here, or choose Upload.'
              : 'This source has no pictures.'}
        </p>
      )}
      {list?.next !== undefined && <Button onClick={() => void loadPictures(list)}>Show more</Button>}
    </>
  )
}
