import { sentenceOf } from '../service.ts'
import { whyNot } from '../stores/access.ts'
import { blocks, page, readPage, slug, type Block } from '../stores/draft.ts'
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

/** What was typed in blocks and rows that the studio does not know, by place: their page is read for it. */
const unknown = new Map<string, TypedInPage>()

/** Takes a text that is typed in the page itself, like one of a field. */
export function typeInPage(typed: TypedInPage): void {
  const on = slug.value
  const place = JSON.stringify([on, typed.blockId, typed.position])
  const block = page.value?.slug === on && blockIn(blocks.value, typed)
  const before = unknown.get(place)
  const latest = before ? { ...typed, initial: before.initial } : typed
  if (block) {
    unknown.delete(place)
    return take(latest, on, block)
  }
  unknown.set(place, latest)
  if (before) return
  void readPage(on)
    .then(({ read }) => {
      const last = unknown.get(place)
      if (last) take(last, on, blockIn(read.blocks, last))
    })
    .catch((error: unknown) => say(sentenceOf(error)))
    .finally(() => unknown.delete(place))
}

/** Returns the block that has the place where something was typed, if it is known. */
const blockIn = (blocks: readonly Block[], { blockId, position }: TypedInPage): Block | undefined =>
  blocks.find(({ id, props }) => id === blockId && pathAt(props, position))

function take(
  { blockId, position, value, initial, isFinished }: TypedInPage,
  on: string,
  block?: Block,
): void {
  const path = block && pathAt(block.props, position)
  const why = path ? whyNot('edit') : `This was deleted meanwhile: ${value}`
  // Said once, not at each key.
  if (why !== undefined && isFinished) say(why)
  if (!block || !path || why !== undefined) return
  const place = { slug: on, blockId, path }
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
