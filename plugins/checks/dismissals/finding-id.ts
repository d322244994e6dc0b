import { createHash } from 'node:crypto'

/** What the id of a finding is made of. Both page ids change when a page is renamed. */
export interface IdParts {
  readonly rule: string
  /** The id of the page; its slug without one, and empty for the site itself. */
  readonly pageId: string
  readonly blockId: string
  /** The path with row ids instead of positions. */
  readonly path: string
  /** Distinguishes findings of one rule at the same place; for some rules the id of another page. */
  readonly of: string
}

/** Returns the id of a finding, without the number that distinguishes findings of equal parts. */
export function findingId({ rule, pageId, blockId, path, of }: IdParts): string {
  const text = [rule, pageId, blockId, path, of].join('\n')
  return `chk_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}
