import type { Conflict } from '../../content/merge/index.ts'
import { home, titleFromSlug } from '../../content/slugs.ts'

const mostNamed = 3

/** Says what draft and site have both changed, and what helps. */
export function conflictSentence(conflicts: readonly Conflict[]): string {
  const named = conflicts.slice(0, mostNamed).map(sentenceOf)
  const more = conflicts.length - named.length
  const others = more > 0 ? [`${more} more ${more === 1 ? 'value was' : 'values were'} changed as well.`] : []
  return [...named, ...others, 'Decide which one to keep, or publish with overwrite.'].join(' ')
}

function sentenceOf({ slug, path, kind, blockId, theirs }: Conflict): string {
  const page = slug === '' ? 'Site settings' : slug === home ? 'Home' : titleFromSlug(slug)
  const place = path === undefined ? page : `${page}: ${path}`
  const what = blockId !== undefined && path === undefined ? `a block of ${page}` : place
  if (kind === 'removed_on_site') return `${what} was removed on the site, and changed in the draft.`
  if (kind === 'removed_here') return `${what} was removed in the draft, and changed on the site.`
  const shown = typeof theirs === 'string' ? ` to "${shortened(theirs)}"` : ''
  return `${what} was changed on the site${shown}.`
}

const longest = 80
const shortened = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`
