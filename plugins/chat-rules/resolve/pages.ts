import { pagesIn } from '../../content/draft-view.ts'
import type { Page } from '../../content/model.ts'
import { canonicalSlug, home } from '../../content/slugs.ts'
import { isPageNamed } from '../frame/names.ts'
import { isHere, type Noun } from '../frame/noun.ts'
import { type Choice, reject } from '../work/ask.ts'
import { currentPage, pageOf, type Work } from '../work/work.ts'
import { askAmong, choose, keyOf } from './choose.ts'

/** Resolves a noun to a page; asks when there is none, or more than one. */
export function findPage(work: Work, noun: Noun): Page {
  const answered = work.draft.page(work.context.answers[keyOf(noun)] ?? '')
  if (answered) return answered
  const text = noun.name?.text ?? ''
  const isOnScreen = work.slug === work.context.input.selection.slug
  if (isHere(noun) && !isOnScreen) return reject('may mean the page on the screen')
  if (noun.isAll || noun.count !== undefined || (noun.isBoth && noun.page === 'this')) return reject('several pages')
  switch (noun.page) {
    case 'this': return noun.isNew || (noun.ord ?? noun.n) !== undefined ? reject('`this page` with `new` or a number') : pageOf(work, currentPage(work))
    case 'home': return work.draft.page(home) ?? reject('the site has no home page')
    case 'route': return work.draft.page(text) ?? work.draft.page(canonicalSlug(text) ?? text) ?? askPage(work, noun, text)
    default: return noun.kind === 'page' || noun.kind === 'name' ? pageNamed(work, noun, text) : reject('not a page')
  }
}

function pageNamed(work: Work, noun: Noun, text: string): Page {
  if (noun.isNew || noun.isMany) return reject('a new page, or several')
  const { draft, context } = work
  const found = pagesIn(draft).filter((page) => isPageNamed(page, draft.config, text))
  if (found.length === 0) askPage(work, noun, text)
  return choose(work, noun, found, { toChoice: toChoice(work), question: (labels) => context.texts.whichPage(labels) })
}

/** Whether a noun is a page, or a name that a page has. */
export const isPage = (work: Work, { kind, name }: Noun): boolean =>
  kind === 'page' || (kind === 'name' && pagesIn(work.draft).some((page) => isPageNamed(page, work.draft.config, name?.text ?? '')))

/** Rejects `the pricing cards` if another page is called Pricing. */
export function refusePageName({ draft }: Work, { text }: Noun, slug: string): void {
  const [first = '', ...rest] = text.split(' ')
  const isNamed = (page: Page) => page.slug !== slug && isPageNamed(page, draft.config, first)
  if (rest.length > 0 && pagesIn(draft).some(isNamed)) reject('may be on the page of this name')
}

/** Resolves several nouns, without duplicates. */
export const findPages = (work: Work, nouns: readonly Noun[]): readonly Page[] =>
  [...new Map(nouns.map((noun) => findPage(work, noun)).map((page) => [page.slug, page])).values()]

/** The slug of the page that a noun names, else of the previous clause, else the current one. */
export const pageOrCurrent = (work: Work, noun: Noun | undefined): string =>
  (noun && noun.kind !== 'it' ? findPage(work, noun).slug : ((work.isUnclear ? undefined : work.touchedPage) ?? currentPage(work)))

const askPage = (work: Work, noun: Noun, name: string): never =>
  askAmong(work, noun, pagesIn(work.draft), { toChoice: toChoice(work), question: () => work.context.texts.noSuchPage(name) })

const toChoice = ({ context: { language } }: Work) => ({ slug, title }: Page): Choice =>
  ({ id: slug, label: `${title} (${slug})`, words: language.phrases.page(slug) })
