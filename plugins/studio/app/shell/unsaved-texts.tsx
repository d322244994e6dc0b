import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { recentOf } from '../stores/formats.ts'
import { page } from '../stores/draft.ts'
import { go } from '../stores/go.ts'
import { discard, offered, type Unsaved } from '../stores/unsaved.ts'
import { placeOf, positionOf, type ValuePlace } from '../stores/place.ts'
import { select } from '../stores/selection.ts'
import { wordsOf } from '../stores/words.ts'

/** Offers what was typed and not saved, by an earlier page load or for a field that is gone. */
export const UnsavedTexts = () => (offered.value.length === 0 ? null : <Line texts={offered.value} />)

function Line({ texts }: { readonly texts: readonly Unsaved[] }) {
  const [isOpen, setOpen] = useState(false)
  const discardAll = (): void => texts.forEach(({ key }) => discard(key))
  return (
    <>
      <div class="left-texts" role="status">
        {texts.length === 1 ? '1 unsaved text' : `${texts.length} unsaved texts`} from{' '}
        {recentOf(texts[0]?.at ?? '')}
        <span class="cut">{texts.at(-1)?.why}</span>
        <Button onClick={() => setOpen(true)}>Show</Button>
        <Button onClick={discardAll}>Discard</Button>
      </div>
      {isOpen && (
        <Dialog label="Unsaved texts" onClose={() => setOpen(false)}>
          <div class="pad left-list">
            {texts.map((unsaved) => (
              <UnsavedText key={unsaved.key} unsaved={unsaved} onGo={() => setOpen(false)} />
            ))}
          </div>
        </Dialog>
      )}
    </>
  )
}

/** One text, to be copied from here where its field is gone. */
function UnsavedText({ unsaved, onGo }: { readonly unsaved: Unsaved; readonly onGo: () => void }) {
  const { key, name, value, at, why } = unsaved
  const place = placeOf(name)
  const show = (): void => {
    onGo()
    if (place) void goTo(place)
  }
  return (
    <section>
      <small>
        {recentOf(at)} {place?.slug} {why}
      </small>
      <blockquote dir="auto">{wordsOf(value)}</blockquote>
      {place && <Button onClick={show}>Go to its field</Button>}
      <Button onClick={() => discard(key)}>Discard</Button>
    </section>
  )
}

async function goTo({ slug, blockId, path }: ValuePlace): Promise<void> {
  await go({ slug, blockId })
  const block = page.value?.blocks.find(({ id }) => id === blockId)
  select({ blockId, path: block && positionOf(block.props, path) })
}
