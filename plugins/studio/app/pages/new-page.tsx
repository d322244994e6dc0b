import { useState } from 'preact/hooks'
import { slugOfNewPage } from '../../../content/slugs.ts'
import { addableTypes } from '../edit/intents.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { displayNameOf } from '../stores/block-types.ts'
import { hasDocuments, pages, slug } from '../stores/draft.ts'
import { createPage, type Start } from './intents.ts'
import { problemWith, slugFrom } from './tree.ts'

/** Adds a page: empty, with one block, or like another page. */
export function NewPage({ onClose }: { readonly onClose: () => void }) {
  const [title, setTitle] = useState('')
  const [typedAddress, setAddress] = useState<string | undefined>(undefined)
  const [start, setStart] = useState('')
  const [isBusy, setBusy] = useState(false)
  const slugs = pages.value.map((page) => page.slug)
  const isFirst = !hasDocuments.value && !slugs.includes('/')
  const usual = isFirst ? '/' : slugOfNewPage(slugFrom(title).slice(1), slug.value, slugs)
  const what = hasDocuments.value ? 'document' : 'page'
  const shownAddress = typedAddress ?? usual
  const address = shownAddress.trim()
  const problem = title === '' && typedAddress === undefined ? undefined : problemWith(address, pages.value)
  const isReady = title.trim() !== '' && problem === undefined && !isBusy
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (!isReady) return
    setBusy(true)
    if (await createPage(title.trim(), address, startOf(start))) onClose()
    else setBusy(false)
  }
  return (
    <Dialog label={`New ${what}`} onClose={onClose}>
      <form class="fields" onSubmit={(event) => void send(event)}>
        <h2>New {what}</h2>
        <div class="field">
          <label for="new-title">Title</label>
          <input
            id="new-title"
            dir="auto"
            autocomplete="off"
            value={title}
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="new-address">{hasDocuments.value ? 'File' : 'Address'}</label>
          <input
            id="new-address"
            dir="ltr"
            autocomplete="off"
            value={shownAddress}
            aria-describedby="new-address-hint"
            aria-invalid={problem !== undefined}
            onInput={({ currentTarget }) => setAddress(currentTarget.value)}
          />
          <small id="new-address-hint" class="failure">
            {problem}
          </small>
        </div>
        <div class="field">
          <label for="new-start">Begin with</label>
          <select
            id="new-start"
            value={start}
            onChange={({ currentTarget }) => setStart(currentTarget.value)}
          >
            <option value="">An empty {what}</option>
            <optgroup label="One block">
              {addableTypes().map(({ type }) => (
                <option key={type} value={`type ${type}`}>
                  {displayNameOf(type)}
                </option>
              ))}
            </optgroup>
            <optgroup label="A copy of">
              {pages.value.map(({ slug, title }) => (
                <option key={slug} value={`copy ${slug}`}>
                  {title} {slug}
                </option>
              ))}
            </optgroup>
          </select>
        </div>
        {!hasDocuments.value && (
          <p class="soft">It is added at the end of the menu. Change its name there in its settings.</p>
        )}
        <div class="with-button">
          <Button type="submit" variant="main" disabled={!isReady}>
            {isBusy ? 'Adding…' : `Add ${what}`}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}

function startOf(chosen: string): Start {
  if (chosen === '') return undefined
  const [kind] = chosen.split(' ', 1)
  const of = chosen.slice(5)
  return kind === 'copy' ? { copyOf: of } : { type: of }
}
