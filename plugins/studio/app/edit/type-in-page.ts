import { sentenceOf } from '../service.ts'
import { whyNot } from '../stores/access.ts'
import { blocks, page, pageVersion, readPage, slug, type Block } from '../stores/draft.ts'
import { cellAt, cellsOf, withCell } from '../stores/cells.ts'
import { nameOfPlace, pathAt, valueAt } from '../stores/place.ts'
import { say } from '../stores/toast.ts'
import { flush, isUnsent, type, typedAt, type Store } from '../stores/typed.ts'
import { nameOfPath } from '../stores/words.ts'
import { storeField } from './store-field.ts'

const words = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** How a text of the page is typed into the value of its field: as all of it, or as one cell of a table. */
interface Form {
  readonly path: readonly string[]
  readonly shown: (stored: unknown) => unknown
  readonly textIn: (value: unknown) => string
  readonly withText: (value: unknown, text: string) => unknown
}

const plainText = (stored: unknown): string => (typeof stored === 'string' ? stored : '')

/** The form of what is typed at a position; `undefined` where a row is gone. */
function formAt(props: Block['props'], position: string): Form | undefined {
  const cell = cellAt(position)
  const path = cell ? [cell.name] : pathAt(props, position)
  if (!path) return undefined
  if (!cell) return { path, shown: plainText, textIn: plainText, withText: (_, text) => text }
  const { at, column } = cell
  if (!cellsOf(props[cell.name])[at]) return undefined
  return {
    path,
    shown: cellsOf,
    textIn: (value) => cellsOf(value)[at]?.[column] ?? '',
    withText: (value, text) => withCell(cellsOf(value), at, column, text),
  }
}

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
let current: { readonly name: string; readonly value: unknown } | undefined

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
  blocks.find(({ id, props }) => id === blockId && formAt(props, position))

/** What was typed at a place and is not on the page yet, such as another cell of the table. */
function latestAt(name: string): unknown {
  const typed = typedAt(name).peek()
  const isNewer = typed && (isUnsent(typed) || pageVersion.value < (typed.version ?? 0))
  return isNewer ? typed.value : undefined
}

function take(
  { blockId, position, value, initial, isFinished }: TypedInPage,
  on: string,
  block?: Block,
): void {
  const form = block && formAt(block.props, position)
  const why = form ? whyNot('edit') : `This was deleted meanwhile: ${value}`
  // Said once, not at each key.
  if (why !== undefined && isFinished) say(why)
  if (!block || !form || why !== undefined) return
  const { path, shown, textIn, withText } = form
  const place = { slug: on, blockId, path }
  const name = nameOfPlace(place)
  const now = shown(valueAt(block.props, path))
  // A page shows white space in its own way.
  const first = words(textIn(now)) === words(initial) ? now : withText(now, initial)
  const store: Store = (value, on) =>
    storeField(place, nameOfPath(block.type, position), { value, on, shown, stored: (typed) => typed })
  const before = current?.name === name ? current.value : (latestAt(name) ?? first)
  const next = withText(before, value)
  type(name, next, before, store)
  current = isFinished ? undefined : { name, value: next }
  if (isFinished) void flush(name, store)
}
