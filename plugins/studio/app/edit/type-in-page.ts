import { whyNot } from '../stores/access.ts'
import { blocks, slug } from '../stores/draft.ts'
import { nameOfPlace, pathAt, valueAt } from '../stores/place.ts'
import { say } from '../stores/toast.ts'
import { flush, type, type Store } from '../stores/typed.ts'
import { nameOfPath } from '../stores/words.ts'
import { storeField } from './store-field.ts'

const words = (text: string): string => text.replace(/\s+/g, ' ').trim()
const shown = (stored: unknown): string => (typeof stored === 'string' ? stored : '')

/** Takes a text that was typed in the page itself, like one of a field; `initial` is what the page showed before. */
export function typeInPage(blockId: string, position: string, value: string, initial: string): void {
  const block = blocks.value.find(({ id }) => id === blockId)
  const path = block && pathAt(block.props, position)
  if (!block || !path) return say(`This was deleted meanwhile: ${value}`)
  const why = whyNot('edit')
  if (why !== undefined) return say(why)
  const place = { slug: slug.value, blockId, path }
  const now = shown(valueAt(block.props, place.path))
  const store: Store = (value, on) =>
    storeField(place, nameOfPath(block.type, position), { value, on, shown, stored: (text) => text })
  const name = nameOfPlace(place)
  // A page shows white space in its own way.
  type(name, value, words(now) === words(initial) ? now : initial, store)
  void flush(name, store)
}
