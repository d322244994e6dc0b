/** Stores what was typed into a field. */
import { sayChanged } from './undo-line.ts'
import { ApiError } from '../service.ts'
import { failed } from '../stores/connection.ts'
import { apply, page, pageVersion, readPage, version, type Block, type Operation } from '../stores/draft.ts'
import { otherAuthorOf } from '../stores/log.ts'
import { isSame, operationFor, valueAt, type ValuePlace } from '../stores/place.ts'
import { say } from '../stores/toast.ts'
import type { StoreOutcome } from '../stores/typed.ts'

interface TypedValue {
  readonly value: unknown
  /** The value on which it was typed. */
  readonly on: unknown
  /** Returns a stored value in the form in which it is typed. */
  readonly shown: (stored: unknown) => unknown
  /** Returns a typed value in the form in which it is stored. */
  readonly stored: (value: unknown) => unknown
}

/**
 * Stores a typed value, on the version in which its place still had the value on which it was typed. What others have
 * stored there meanwhile is returned instead, and nothing is changed.
 */
export async function storeField(place: ValuePlace, what: string, typed: TypedValue): Promise<StoreOutcome> {
  let unchanged: StoreOutcome | undefined
  try {
    const version = await changeInTurn(place, ({ props, ...block }, since) => {
      const now = typed.shown(valueAt(props, place.path))
      // Compared as it is stored: an empty line more in a list is no change.
      const isNow = (value: unknown): boolean => isSame(typed.stored(now), typed.stored(value))
      unchanged = isNow(typed.value) ? { version: since } : isNow(typed.on) ? undefined : { theirs: now }
      return unchanged ? undefined : operationFor({ ...block, props }, place.path, typed.stored(typed.value))
    })
    if (unchanged) return 'theirs' in unchanged ? { ...unchanged, by: await authorAt(place) } : unchanged
    if (version === undefined) return gone(what)
    sayChanged(`${what} saved`, version)
    return { version }
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? gone(what) : failed(error)
  }
}

/** Who wrote a field, where that can be read. */
const authorAt = ({ slug, blockId, path }: ValuePlace): Promise<string | undefined> =>
  otherAuthorOf(slug, blockId, String(path[0])).catch(() => undefined)

function gone(what: string): StoreOutcome {
  say(`${what} was deleted meanwhile. Your text is kept above.`)
  return { gone: true }
}

/**
 * Applies the operations that `decide` makes of the block as it is now, and returns the version after it; `undefined`
 * if it makes none. Asks again when the draft has moved on. One such change is under way at a time.
 */
export function changeInTurn(
  { slug, blockId }: ValuePlace,
  decide: (block: Block, since: number) => Operation | readonly Operation[] | undefined,
): Promise<number | undefined> {
  return inTurn(async () => {
    for (;;) {
      const { read, since } = await latestPage(slug)
      const block = read.blocks.find(({ id }) => id === blockId)
      const ops = [(block && decide(block, since)) ?? []].flat()
      if (ops.length === 0) return undefined
      const done = await applyOn(
        since,
        ops.map((op) => ({ pageSlug: slug, ...op })),
      )
      if (done !== undefined) return done
    }
  })
}

/** Applies operations to one version, and returns the next; `undefined` when the draft is past it. */
async function applyOn(base: number, ops: readonly Operation[]): Promise<number | undefined> {
  try {
    return (await apply(ops, base)).previewVersion
  } catch (error) {
    if (error instanceof ApiError && error.code === 'version_mismatch') return undefined
    throw error
  }
}

let turn: Promise<unknown> = Promise.resolve()
/** Runs one task after the other, so that each sees what the one before has changed. */
function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const mine = turn.then(task)
  turn = mine.catch(() => undefined)
  return mine
}

/** The shown page if it has all that is known to be stored; else the page is read again. */
async function latestPage(of: string) {
  if (page.value?.slug === of && pageVersion.value >= version.value)
    return { read: page.value, since: pageVersion.value }
  return readPage(of)
}
