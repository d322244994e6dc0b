/** What the forms do to pages: their titles, addresses and labels in the menu, and new ones. */
import { isFileSlug, slugOfNewPage, seedFromWords, titleFromSlug } from '../../content/slugs.ts'
import type { Slots } from './match.ts'
import { newBlock } from './new-content.ts'
import { one, pagesNamed } from './references.ts'
import { texts } from './texts.ts'
import { phraseOf } from './tokens.ts'
import { literal } from './values.ts'
import { ask, type FormChange, isPinned, type Item, pagesOf, targetOf, type PlanState } from './work.ts'

/** A title, which no other page may have. */
export function freeTitle(work: PlanState, title: string, except?: Item): string {
  const isSame = (page: Item) => page.id !== except?.id && page.name.toLowerCase() === title.toLowerCase()
  const same = pagesOf(work).find(isSame)
  return same ? ask(texts.titleTaken(same.slug)) : title
}

/** Sets what the menu calls a page. */
export const labelled = ({ slug }: Item, label: string): FormChange => [
  { op: 'update_site_config', patch: { navLabels: { [slug]: label } } },
]

/** Makes a page with a name, an address or both. In front of a route a name needs no quotes. */
export function createPage(
  work: PlanState,
  { TITLE, ROUTE }: Partial<Pick<Slots, 'TITLE' | 'ROUTE'>>,
): FormChange {
  if (!TITLE && !ROUTE)
    return ask(texts.missingName, { opening: `${work.message.slice(0, work.end)} called ` })
  // The address belongs to the page, not to its name.
  if (!ROUTE && TITLE?.tokens.some(({ kind }) => kind === 'route')) return undefined
  const text = TITLE && literal(work, { ...TITLE, isLast: TITLE.isLast || ROUTE !== undefined })?.trim()
  if (TITLE && text === undefined) return undefined
  const title = freeTitle(work, text ?? titleFromSlug(ROUTE?.text ?? ''))
  const slugs = pagesOf(work).map((page) => page.slug)
  const slug = ROUTE?.text ?? slugOfNewPage(seedFromWords(title), work.slug, slugs)
  const { manifest } = work.input
  const hasHero = !manifest || manifest.get('Hero') !== undefined
  const blocks = hasHero ? [newBlock(work, 'Hero', { heading: title })] : []
  return [{ op: 'create_page', page: { slug, title, blocks } }]
}

/** A name changes title and address, an address only the address; the home page and files keep their own. */
export function renamePage(work: PlanState, { PAGE, VALUE }: Pick<Slots, 'PAGE' | 'VALUE'>): FormChange {
  const page = one(work, PAGE)
  if (VALUE.tokens.length === 1 && VALUE.tokens[0]?.kind === 'route')
    return [{ op: 'rename_page', ...targetOf(page), newPageSlug: VALUE.text, newTitle: page.name }]
  const title = literal(work, VALUE)
  if (title === undefined) return undefined
  const newTitle = freeTitle(work, title, page)
  const newPageSlug = isPinned(page) || isFileSlug(page.slug) ? undefined : `/${seedFromWords(newTitle)}`
  return [{ op: 'rename_page', ...targetOf(page), newTitle, newPageSlug }]
}

/** Sets the label of a page in the menu. */
export function relabel(work: PlanState, { NAME, VALUE }: Pick<Slots, 'NAME' | 'VALUE'>): FormChange {
  const [words, label] = [phraseOf(NAME), literal(work, VALUE)?.trim()]
  const candidates = pagesNamed(work, words)
  if (label === undefined || candidates.length === 0) return undefined
  return labelled(one(work, { words, candidates }), label)
}
