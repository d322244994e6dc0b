import { whyNot } from '../stores/access.ts'
import { blocks, slug } from '../stores/draft.ts'
import { nameOfPlace, pathAt, valueAt } from '../stores/place.ts'
import { say } from '../stores/toast.ts'
import { flush, type, type Store } from '../stores/typed.ts'
import { nameOfPath } from '../stores/words.ts'
import { storeField } from './store-field.ts'

const words = (text: string): string => text.replace(/\s+/g, ' ').trim()
const shown = (stored: unknown): string => (typeof stored === 'string' ? stored : '')

interface TypedInPage {
  readonly blockId: string
  /** The path of the field by its positions. */
  readonly position: string
  readonly value: string
  /** What the page showed before. */
  readonly initial: string
  /** Whether the text was left: until then it is stored at a pause. */
  readonly isFinished: boolean
}

/** The text that has the caret, as the key before has left it. */
let current: { readonly name: string; readonly value: string } | undefined

/** Takes a text that is typed in the page itself, like one of a field. */
export function typeInPage({ blockId, position, value, initial, isFinished }: TypedInPage): void {
  const block = blocks.value.find(({ id }) => id === blockId)
  const path = block && pathAt(block.props, position)
  const why = path ? whyNot('edit') : `This was deleted meanwhile: ${value}`
  // Said once, not at each key.
  if (why !== undefined && isFinished) say(why)
  if (!block || !path || why !== undefined) return
  const place = { slug: slug.value, blockId, path }
  const name = nameOfPlace(place)
  const now = shown(valueAt(block.props, path))
  // A page shows white space in its own way.
  const first = words(now) === words(initial) ? now : initial
  const store: Store = (value, on) =>
    storeField(place, nameOfPath(block.type, position), { value, on, shown, stored: (text) => text })
  type(name, value, current?.name === name ? current.value : first, store)
  current = isFinished ? undefined : { name, value }
  if (isFinished) void flush(name, store)
}
