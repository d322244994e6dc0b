/** Stores what was typed into a field. */
import { sayChanged } from './undo-line.ts'
import { ApiError } from '../service.ts'
import { failed } from '../stores/connection.ts'
import { apply, page, pageVersion, readPage, version, type Block, type Operation } from '../stores/draft.ts'
import { writerOf } from '../stores/log.ts'
import { movedTo, whoDeleted, type Gone } from '../stores/gone.ts'
import { isSame, operationFor, valueAt, type ValuePlace } from '../stores/place.ts'
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
 * Stores a typed value, on the version in which its place still had the value on which it was typed. What
 * others have stored there meanwhile is returned instead, and nothing is changed.
 */
export const storeField = (place: ValuePlace, what: string, typed: TypedValue): Promise<StoreOutcome> =>
  storeAt(place, what, typed).catch(failed)

async function storeAt(place: ValuePlace, what: string, typed: TypedValue): Promise<StoreOutcome> {
  let unchanged: StoreOutcome | undefined
  let missing: Gone['what'] = 'page'
  // Its page may have moved.
  let at = place
  const stored = await changeInTurn(place, (block, since, slug) => {
    at = { ...place, slug }
    missing = block ? 'row' : 'block'
    if (!block) return undefined
    const now = typed.shown(valueAt(block.props, place.path))
    // Values are compared as they are stored: an additional empty line in a list changes nothing.
    const isNow = (value: unknown): boolean => isSame(typed.stored(now), typed.stored(value))
    const operation = operationFor(block, place.path, typed.stored(typed.value))
    if (!operation) return undefined
    unchanged = isNow(typed.value) ? { version: since } : isNow(typed.on) ? undefined : { theirs: now }
    return unchanged ? undefined : operation
  })
  if (unchanged) return 'theirs' in unchanged ? { ...unchanged, by: await authorAt(at) } : unchanged
  if (!stored) return { gone: await whoDeleted(at, missing) }
  sayChanged(`${what} saved`, stored)
  return { version: stored }
}

/** Who wrote a field, where that can be read. */
const authorAt = ({ slug, blockId, path }: ValuePlace): Promise<string | undefined> =>
  writerOf(slug, blockId, String(path[0])).catch(() => undefined)

/**
 * Applies the operations that `decide` makes of the block as it is now, and returns the version after it;
 * `undefined` if it makes none, or the page was deleted. Asks again when the draft has moved on, or the page.
 * One such change is under way at a time.
 */
export function changeInTurn(
  { slug, blockId }: ValuePlace,
  decide: (
    block: Block | undefined,
    since: number,
    pageSlug: string,
  ) => Operation | readonly Operation[] | undefined,
): Promise<number | undefined> {
  return inTurn(async () => {
    for (let pageSlug: string | undefined = slug; pageSlug !== undefined;) {
      const latest = await latestPage(pageSlug)
      if (!latest) {
        pageSlug = await movedTo(pageSlug)
        continue
      }
      const { read, since } = latest
      const ops = [
        decide(
          read.blocks.find(({ id }) => id === blockId),
          since,
          pageSlug,
        ) ?? [],
      ].flat()
      if (ops.length === 0) return undefined
      const at = { pageSlug }
      const done = await applyOn(
        since,
        ops.map((op) => ({ ...at, ...op })),
      )
      if (done) return done.previewVersion
    }
    return undefined
  })
}

/** Applies the operations that are made of what a version has; they are made again when the draft has moved on. */
export async function applyRead(opsFor: () => Promise<readonly Operation[]>) {
  for (;;) {
    const since = version.value
    const applied = await applyOn(since, await opsFor())
    if (applied) return applied
  }
}

/** Applies operations to one version; `undefined` when the draft is past it. */
export async function applyOn(base: number, ops: readonly Operation[]) {
  try {
    return await apply(ops, base)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'version_mismatch') return undefined
    throw error
  }
}

let turn: Promise<unknown> = Promise.resolve()
/** Runs one task after the other, so that each sees what the one before has changed. */
export function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const mine = turn.then(task)
  turn = mine.catch(() => undefined)
  return mine
}

/**
 * The shown page if it has all that is known to be stored; else the page is read again, `undefined` if it is
 * not there.
 */
export async function latestPage(of: string) {
  if (page.value?.slug === of && pageVersion.value >= version.value)
    return { read: page.value, since: pageVersion.value }
  return readPage(of).catch(unlessMissing)
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
}
