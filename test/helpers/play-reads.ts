/** What reads of a site find: what differs between two of them although the site has not changed is volatile. */
import { sameJson } from '../../plugins/content/plain-object.ts'
import type { Content } from './play-edits.ts'
import { isMoved } from './tree.ts'

/** What a read of a site shows. */
interface Shown {
  readonly content: Content
  readonly slugs: readonly string[]
  /** That of its signed addresses; `undefined` without one. */
  readonly signature: string | undefined
}
export interface WebsiteRead extends Shown {
  /** The numbers of reads in a row that have shown the same order, and the same signature. */
  readonly equal: readonly [order: number, signature: number]
}

/** The number of equal reads in a row that end what is volatile. */
const equalReads = 5

/** Whether a site was found to be volatile by the reads until one. */
export const isVolatile = (read: WebsiteRead | undefined): boolean =>
  read?.equal.some((each) => each < equalReads) === true

/** Whether a read has ended that the pages have no fixed order: they have that of the site from then on. */
export const hasSettled = (read: WebsiteRead | undefined): boolean => read?.equal[0] === equalReads

export function readAfter(before: WebsiteRead | undefined, shown: Shown): WebsiteRead {
  if (!before) return { ...shown, equal: [Infinity, Infinity] }
  const after = (equal: number, isOther: boolean): number =>
    isOther && (equal < equalReads || sameJson(before.content, shown.content)) ? 0 : equal + 1
  const isSigned = ![before.signature, shown.signature].includes(undefined)
  const [order, signature] = before.equal
  return {
    ...shown,
    equal: [
      after(order, isMoved(before.slugs, shown.slugs)),
      after(signature, isSigned && before.signature !== shown.signature),
    ],
  }
}
