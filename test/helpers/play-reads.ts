/** What reads of a site find: what differs where it is read again at once is volatile. */
import { isMoved } from './tree.ts'

/** What a read of a site shows. */
interface Shown {
  readonly slugs: readonly string[]
  /** That of its signed addresses; `undefined` without one. */
  readonly signature: string | undefined
}
export interface WebsiteRead extends Shown {
  /** The numbers of reads in a row that have shown the same order, and the same signature. */
  readonly equal: readonly [order: number, signature: number]
  /** Whether it differs in what was not volatile: the next one repeats it, and both count as one. */
  readonly isRepeated: boolean
}

/** The number of equal reads in a row that end what is volatile. */
const equalReads = 5

/** Whether a site was found to be volatile by the reads until one. */
export const isVolatile = (read: WebsiteRead | undefined): boolean =>
  read?.equal.some((each) => each < equalReads) === true

/** Whether a read has ended that the pages have no fixed order: they have that of the site from then on. */
export const hasSettled = (read: WebsiteRead | undefined): boolean => read?.equal[0] === equalReads

export function readAfter(before: WebsiteRead | undefined, shown: Shown): WebsiteRead {
  const isSigned = shown.signature !== undefined
  if (!before) return { ...shown, equal: [Infinity, Infinity], isRepeated: isSigned }
  const { equal, isRepeated, signature } = before
  const isTurned = isMoved(before.slugs, shown.slugs)
  const isSignedAnew = isSigned && signature !== undefined && signature !== shown.signature
  const after = (count: number, isOther: boolean): number => {
    if (isRepeated) return isOther ? 0 : count
    return isOther && count < equalReads ? 0 : count + 1
  }
  const isNew = (isTurned && equal[0] >= equalReads) || (isSignedAnew && equal[1] >= equalReads)
  return {
    ...shown,
    equal: [after(equal[0], isTurned), after(equal[1], isSignedAnew)],
    isRepeated: isNew && !isRepeated,
  }
}
