/** A text in which a person typed, until its field is on the page again. */
import { fieldsOf, findBlock, pathOf, storedPath } from '../page.ts'
import { heldKeys, holdKeys, releaseKeys } from './held-keys.ts'
import { type Caret, isReloaded, recall, remember } from './memory.ts'
import type { PlacedPage } from './placed-page.ts'

/** How long after a rendering typing goes on by itself. */
const resumeWithinMs = 5000
/** How long a reload waits for that: a document without elements hears no key, and some pages need the reload. */
const reloadAfterMs = 1500

/** `left` is called with a text that is not there in time, with the keys that were pressed meanwhile. */
export function createLostText(left: (at: Caret, text: string) => void) {
  let lost:
    | { readonly caret: Caret; readonly timer: ReturnType<typeof setTimeout>; readonly since: number }
    | undefined

  /** Waits for the field of a text, and holds the keys that belong to it. */
  const wait = (caret: Caret, ms = resumeWithinMs): void => {
    clearTimeout(lost?.timer)
    lost = { caret, timer: setTimeout(giveUp, ms), since: performance.now() }
    holdKeys()
  }
  const found = (): readonly string[] => {
    clearTimeout(lost?.timer)
    lost = undefined
    remember({ caret: undefined })
    return releaseKeys()
  }
  function giveUp(): void {
    const { caret } = lost ?? {}
    const keys = found()
    if (caret && keys.length > 0) left(caret, textWith(caret, keys))
  }
  const before = isReloaded() ? recall().caret : undefined
  if (before) wait(before, 2 * resumeWithinMs)

  return {
    wait,
    caret: (): Caret | undefined => lost?.caret,
    /** Whether the field may come without a reload. */
    isAwaited: (): boolean => lost !== undefined && performance.now() - lost.since < reloadAfterMs,
    /** Stops waiting; returns the held keys. */
    found,
    /** Stops waiting, because the person types in another text. */
    giveUp,
    /** Stops waiting; with held keys only once the text is there and has them. */
    leave(): void {
      const { keys = [] } = heldKeys()
      if (keys.length > 0) heldKeys().keys?.push('Enter')
      else if (lost) found()
    },
  }
}

/** Where a caret is in the text of all nodes. */
export const placeOf = ({ texts, node, offset }: Caret): number =>
  texts.slice(0, node).join('').length + offset

/** The text of a caret with what keys would have typed there. */
function textWith(caret: Caret, keys: readonly string[]): string {
  const [text, at] = [caret.texts.join(''), placeOf(caret)]
  return text.slice(0, at) + keys.filter((key) => key.length === 1).join('') + text.slice(at)
}

const nameOf = (path: string): string => path.replace(/[[#].*/, '')

/**
 * Returns the field in which to go on typing: the one that shows one of the texts of the caret, as another one may have
 * its place by now, else the one in its place.
 */
export function fieldFor(
  { blockId, path, line, seen }: Caret,
  { nodesOf, lineOf }: Pick<PlacedPage, 'nodesOf' | 'lineOf'>,
): HTMLElement | undefined {
  const block = findBlock(blockId)
  const fields = (block ? fieldsOf(block) : []).filter(
    (field) => field.matches('[data-editable-marked]') && nameOf(pathOf(field)) === nameOf(path),
  )
  const isInPlace = (field: HTMLElement): boolean =>
    storedPath(pathOf(field)) === storedPath(path) && lineOf(field) === line
  const shows = fields.filter((field) =>
    seen.includes((nodesOf(field) ?? []).map(({ data }) => data).join('')),
  )
  return shows.find(isInPlace) ?? shows[0] ?? fields.find(isInPlace)
}
