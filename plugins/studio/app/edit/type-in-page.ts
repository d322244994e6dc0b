import { sentenceOf } from '../service.ts'
import { whyNot } from '../stores/access.ts'
import { blocks, lastShown, page, pageVersion, readPage, slug, type Block } from '../stores/draft.ts'
import { cellAt, cellsOf, isTable, withCell } from '../stores/cells.ts'
import { whoDeleted } from '../stores/gone.ts'
import { nameOfPlace, pathAt, placeOf, valueAt } from '../stores/place.ts'
import { say } from '../stores/toast.ts'
import { isUnsent, leave, show, type, typedAt, type Store } from '../stores/typed.ts'
import { offer } from '../stores/unsaved.ts'
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
  const found = cellAt(position)
  const cell = found && isTable(props[found.name]) ? found : undefined
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

/** The text that has the caret. Its row keeps its place here, whatever is before it since. */
let current:
  | {
      /** The shown page. */
      readonly key: number
      readonly blockId: string
      readonly position: string
      readonly form: Form
      /** What it is called. */
      readonly what: string
      /** As the key before has left it. */
      readonly value: unknown
      readonly leave: () => void
    }
  | undefined

/** What was typed in blocks and rows that the studio does not know, by place: their page is read for it. */
const unknown = new Map<string, TypedInPage>()

/** Takes a text that is typed in the page itself, like one of a field. */
export function typeInPage(typed: TypedInPage): void {
  const on = slug.value
  if (isCurrent(typed)) return take(typed, on)
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

const isCurrent = ({ blockId, position }: TypedInPage): boolean =>
  current?.key === lastShown.value.key && current.blockId === blockId && current.position === position

function take(typed: TypedInPage, on: string, block?: Block): void {
  const { blockId, position, value, initial, isFinished } = typed
  const before = isCurrent(typed) ? current : undefined
  const form = before?.form ?? (block && formAt(block.props, position))
  const why = whyNot('edit')
  // Shown once, not at each key.
  if (why !== undefined) return isFinished ? say(why) : undefined
  if (!form) return isFinished ? void offerLost(typed, on) : undefined
  const { path, shown, textIn, withText } = form
  const place = { slug: on, blockId, path }
  const name = nameOfPlace(place)
  const what = before?.what ?? nameOfPath(block?.type ?? '', position)
  const store: Store = (value, on, name) =>
    storeField(placeOf(name) ?? place, what, { value, on, shown, stored: (typed) => typed })
  const first = (): unknown => {
    const now = shown(valueAt(block?.props, path))
    // A page shows white space in its own way.
    return words(textIn(now)) === words(initial) ? now : withText(now, initial)
  }
  const last = before ? before.value : (latestAt(name) ?? first())
  const next = withText(last, value)
  type(name, next, last, store)
  if (!before) current?.leave()
  const stays = before?.leave ?? show(name, store)
  current = { key: lastShown.value.key, blockId, position, form, what, value: next, leave: stays }
  if (!isFinished) return
  stays()
  current = undefined
  leave(name, store)
}

/** Offers a text whose place was deleted before the studio knew it. */
async function offerLost({ blockId, position, value, initial }: TypedInPage, slug: string): Promise<void> {
  const place = { slug, blockId, path: [position] }
  const gone = await whoDeleted(place, 'block').catch(() => ({ what: 'block', by: undefined }) as const)
  offer(nameOfPlace(place), { value, on: initial, gone })
}

/** Offers a text that the page has lost while it was loaded again. */
export function offerTyped(blockId: string, position: string, value: string): void {
  offer(nameOfPlace({ slug: slug.value, blockId, path: [position] }), { value, on: '' })
  say('The page has not shown the text again in which you typed. Your text is kept above.')
}
