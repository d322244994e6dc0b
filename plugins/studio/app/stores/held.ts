/**
 * What the fields show: also what another person has deleted while somebody types in it, until that is left.
 */
import { computed, signal, type ReadonlySignal } from '@preact/signals'
import { lastShown, page, slug } from './draft.ts'
import { nameAfter, placeOf, type ValuePlace } from './place.ts'
import { select, selected, selectedBlock } from './selection.ts'
import { caret, unsent } from './typed.ts'

export interface Held<T> {
  readonly value: T
  /** Names the page that has it, also when that moves. */
  readonly key: number
  readonly isGone: boolean
}

const names = (): readonly string[] => [...unsent.peek(), ...(caret.peek() ? [caret.peek()?.name ?? ''] : [])]

/** Whether somebody types at a place, or inside it: the caret is there, or a text that is not stored. */
export const isTypedIn = ({ blockId, path }: Pick<ValuePlace, 'blockId' | 'path'>): boolean =>
  names().some((name) => {
    const place = placeOf(name)
    return (
      place?.slug === slug.peek() &&
      place.blockId === blockId &&
      path.every((step, at) => place.path[at] === step)
    )
  })

/** Whether somebody types at one of some places. */
export const isTypedAt = (places: readonly string[]): boolean => names().some((name) => places.includes(name))

/** Whether somebody types something of a page, also a setting. */
const isTypedOn = (of: string): boolean =>
  names().some((name) => nameAfter(name, [{ from: of, to: '' }]) !== name)

const released = signal(0)

function held<T>(
  now: () => T | undefined,
  isWanted: (value: T) => boolean,
  isTyped: (value: T) => boolean,
): ReadonlySignal<Held<T> | undefined> {
  let last: Held<T> | undefined
  let turn = 0
  return computed(() => {
    const value = now()
    const { key, slug: of } = lastShown.value
    const isReleased = released.value !== turn
    turn = released.value
    if (value !== undefined) return (last = { value, key, isGone: false })
    const isOver = isReleased || of !== slug.value || last?.key !== key
    const isHeld = last && !isOver && isWanted(last.value) && (last.isGone || isTyped(last.value))
    return (last = last && isHeld ? { ...last, isGone: true } : undefined)
  })
}

/** The block whose fields are shown. */
export const shownBlock = held(
  () => selectedBlock.value,
  ({ id }) => selected.value?.blockId === id,
  ({ id }) => isTypedIn({ blockId: id, path: [] }),
)
/** The page whose settings are shown. */
export const shownPage = held(
  () => page.value,
  () => true,
  (shown) => isTypedOn(shown.slug),
)

/** Leaves what was deleted; what was typed there is offered. */
export function release(): void {
  released.value += 1
  select(undefined)
}
