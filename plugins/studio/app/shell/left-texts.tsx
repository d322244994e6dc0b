import { signal } from '@preact/signals'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { clockOf } from '../parts/typed-notes.tsx'
import { page } from '../stores/draft.ts'
import { go } from '../stores/go.ts'
import { discard, offered, type Kept } from '../stores/kept.ts'
import { placeOf, positionOf } from '../stores/place.ts'
import { select } from '../stores/selection.ts'
import { openSide } from '../stores/ui.ts'
import { wordsOf } from '../stores/words.ts'

const isOpen = signal(false)

/** Offers what an earlier page load has left unsaved. */
export function LeftTexts() {
  const texts = offered.value
  const [first] = texts
  if (!first) return null
  const discardAll = (): void => texts.forEach(({ key }) => discard(key))
  return (
    <div class="left-texts" role="status">
      {texts.length === 1 ? '1 unsaved text' : `${texts.length} unsaved texts`} from {clockOf(first.at)}
      <Button onClick={() => (isOpen.value = true)}>Show</Button>
      <Button onClick={discardAll}>Discard</Button>
      {isOpen.value && (
        <Dialog label="Unsaved texts" onClose={() => (isOpen.value = false)}>
          <div class="pad left-list">
            {texts.map((kept) => (
              <LeftText key={kept.key} kept={kept} />
            ))}
          </div>
        </Dialog>
      )}
    </div>
  )
}

/** One text, to be copied from here where its field is gone. */
function LeftText({ kept: { key, name, value, at } }: { readonly kept: Kept }) {
  const place = placeOf(name)
  const show = async (): Promise<void> => {
    if (!place) return
    isOpen.value = false
    const { slug, blockId, path } = place
    await go({ slug, blockId })
    const block = page.value?.blocks.find(({ id }) => id === blockId)
    select({ blockId, path: block && positionOf(block.props, path) })
    openSide('fields')
  }
  return (
    <section>
      <small>
        {clockOf(at)} {place?.slug}
      </small>
      <blockquote dir="auto">{wordsOf(value)}</blockquote>
      {place && <Button onClick={() => void show()}>Go to its field</Button>}
      <Button onClick={() => discard(key)}>Discard</Button>
    </section>
  )
}
