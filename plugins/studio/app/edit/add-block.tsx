import { Dialog } from '../parts/dialog.tsx'
import { Finder } from '../parts/finder.tsx'
import { adding } from '../stores/ui.ts'
import { add, addableTypes } from './intents.ts'

/** The palette of block types. */
export function AddBlock() {
  if (!adding.value) return null
  const { after } = adding.value
  const items = addableTypes().map(({ type, displayName, description }) => ({
    id: type,
    name: displayName ?? type,
    detail: description,
  }))
  const choose = (type: string): void => {
    adding.value = undefined
    void add(type, after)
  }
  return (
    <Dialog label="Add a block" onClose={() => (adding.value = undefined)}>
      <Finder label="Type of block" items={items} onChoose={choose} />
    </Dialog>
  )
}
