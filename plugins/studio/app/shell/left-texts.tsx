import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { clockOf } from '../parts/typed-notes.tsx'
import { page } from '../stores/draft.ts'
import { go } from '../stores/go.ts'
import { discard, offered, type Kept } from '../stores/kept.ts'
import { placeOf, positionOf, type Place } from '../stores/place.ts'
import { select } from '../stores/selection.ts'
import { wordsOf } from '../stores/words.ts'

/** Offers what was typed and not saved, by an earlier page load or for a field that is gone. */
export const LeftTexts = () => (offered.value.length === 0 ? null : <Line texts={offered.value} />)

function Line({ texts }: { readonly texts: readonly Kept[] }) {
  const [isOpen, setOpen] = useState(false)
  const discardAll = (): void => texts.forEach(({ key }) => discard(key))
  return (
    <>
      <div class="left-texts" role="status">
        {texts.length === 1 ? '1 unsaved text' : `${texts.length} unsaved texts`} from{' '}
        {clockOf(texts[0]?.at ?? '')}
        <Button onClick={() => setOpen(true)}>Show</Button>
        <Button onClick={discardAll}>Discard</Button>
      </div>
      {isOpen && (
        <Dialog label="Unsaved texts" onClose={() => setOpen(false)}>
          <div class="pad left-list">
            {texts.map((kept) => (
              <LeftText key={kept.key} kept={kept} onGo={() => setOpen(false)} />
            ))}
          </div>
        </Dialog>
      )}
    </>
  )
}

/** One text, to be copied from here where its field is gone. */
function LeftText({ kept, onGo }: { readonly kept: Kept; readonly onGo: () => void }) {
  const { key, name, value, at } = kept
  const place = placeOf(name)
  const show = (): void => {
    onGo()
    if (place) void goTo(place)
  }
  return (
    <section>
      <small>
        {clockOf(at)} {place?.slug}
      </small>
      <blockquote dir="auto">{wordsOf(value)}</blockquote>
      {place && <Button onClick={show}>Go to its field</Button>}
      <Button onClick={() => discard(key)}>Discard</Button>
    </section>
  )
}

async function goTo({ slug, blockId, path }: Place): Promise<void> {
  await go({ slug, blockId })
  const block = page.value?.blocks.find(({ id }) => id === blockId)
  select({ blockId, path: block && positionOf(block.props, path) })
}
