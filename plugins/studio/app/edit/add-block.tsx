import { IconButton } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Finder } from '../parts/finder.tsx'
import { hasPicture, displayNameOf, names, type BlockType } from '../stores/block-types.ts'
import { blocks } from '../stores/draft.ts'
import { adding } from '../stores/ui.ts'
import { add, addableTypes } from './intents.ts'
import { TypePicture } from './type-picture.tsx'

const close = (): void => void (adding.value = undefined)

/** The palette of block types. */
export function AddBlock() {
  if (!adding.value) return null
  const { after } = adding.value
  const above = blocks.value.find(({ id }) => id === after)
  const items = addableTypes().map((type) => ({
    id: type.type,
    name: displayNameOf(type.type),
    detail: type.description,
    picture: <TypePicture type={type} />,
    words: wordsFor(type),
  }))
  const choose = (type: string): void => {
    close()
    void add(type, after)
  }
  const label = `Add a block ${above ? `below ${displayNameOf(above.type)}` : 'at the top'}`
  return (
    <Dialog label={label} onClose={close}>
      <header>
        <h2 class="grow">{label}</h2>
        <IconButton name="x" label="Cancel" onClick={close} />
      </header>
      <Finder label="Search, for example: picture" items={items} onChoose={choose} />
    </Dialog>
  )
}

/** The names of its fields, and what else people call a picture. */
function wordsFor({ type, fields }: BlockType): string {
  const labels = Object.keys(names.value).filter((path) => path.startsWith(`${type}.`))
  return [...labels.map((path) => names.value[path]), hasPicture(fields) && 'picture image photo'].join(' ')
}
