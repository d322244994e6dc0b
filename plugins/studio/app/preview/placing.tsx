import { Dialog } from '../parts/dialog.tsx'
import { Finder } from '../parts/finder.tsx'
import { displayNameOf } from '../stores/block-types.ts'
import { nameOfPath } from '../stores/words.ts'
import { post } from './channel.ts'
import { placing, type OfferedPlace } from './offered-places.ts'

const label = 'This text is at several places'

const toItem = ({ file, line, blockType, path }: OfferedPlace, at: number) => ({
  id: String(at),
  name: line === undefined ? file : `${file}, line ${line}`,
  detail: `${displayNameOf(blockType)}: ${nameOfPath(blockType, path)}`,
})

/** Chooses which value of the content a text of the page is. */
export function Placing() {
  if (!placing.value) return null
  const { text, places } = placing.value
  const close = (): void => void (placing.value = undefined)
  const choose = (id: string): void => {
    const { slug, blockId, path } = places[Number(id)] ?? {}
    close()
    post('choosePlace', { slug, blockId, path })
  }
  return (
    <Dialog label={label} onClose={close}>
      <div class="fields">
        <h2>{label}</h2>
        <p class="soft" dir="auto">
          Choose the one that “{text}” is on this page.
        </p>
      </div>
      <Finder label="Places" items={places.map(toItem)} onChoose={choose} />
    </Dialog>
  )
}
