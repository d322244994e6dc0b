/** What was reverted since the review was opened: it keeps its place, so that no other button comes under the pointer. */
import { signal } from '@preact/signals'

interface Reverted {
  /** The page; nothing for a setting of the site. */
  readonly slug?: string
  /** A block, a field, a text of the page, or a setting; nothing for a whole page. */
  readonly part?: string | undefined
}

const reverted = signal<readonly Reverted[]>([])

export const revertedWords = 'Back to what is published'

/** The path of the address of a page among its texts; that of its title is empty. */
export const addressPath = '/'
/** The title of a page, its address, or one of its texts for search engines. */
export const textAt = (path: string): string => `text ${path}`
export const fieldOf = (blockId: string, name: string): string => `${blockId} ${name}`

export const note = (each: Reverted): void => void (reverted.value = [...reverted.value, each])
export const forget = (): void => void (reverted.value = [])

export const isReverted = (slug: string): boolean => reverted.value.some((each) => each.slug === slug)
/** The reverted blocks of a page, or the reverted settings of the site. */
export const revertedParts = (slug?: string): ReadonlySet<string | undefined> =>
  new Set(reverted.value.filter((each) => each.slug === slug).map(({ part }) => part))
