import { pagesIn } from '../../content/draft-view.ts'
import type { Page } from '../../content/model.ts'
import { canonicalSlug, home } from '../../content/slugs.ts'
import { isPageNamed } from '../frame/names.ts'
import type { Noun } from '../frame/nouns.ts'
import { type Ask, type Choice, unfit } from '../work/ask.ts'
import { pageInMind, pageOf, type Work } from '../work/work.ts'
import { askAmong, choose, keyOf } from './choose.ts'

/** The page that words mean; asks when there is none, or more than one. */
export function findPage(work: Work, noun: Noun): Page {
  const answered = work.draft.page(work.scene.answers[keyOf(noun)] ?? '')
  if (answered) return answered
  const text = noun.name?.text ?? ''
  if (noun.isAll || noun.count !== undefined || (noun.isBoth && noun.page === 'this')) return unfit('several pages are meant')
  switch (noun.page) {
    case 'this': return noun.isNew || (noun.ord ?? noun.n) !== undefined ? unfit('this page has no number') : pageOf(work, pageInMind(work))
    case 'home': return work.draft.page(home) ?? unfit('the site has no home page')
    case 'route': return work.draft.page(text) ?? work.draft.page(canonicalSlug(text) ?? text) ?? raise(noPage(work, noun, text))
    default: return noun.kind === 'page' || noun.kind === 'name' ? pageNamed(work, noun, text) : unfit('no page is meant')
  }
}

function raise(error: Ask): never {
  throw error
}

function pageNamed(work: Work, noun: Noun, text: string): Page {
  if (noun.isNew || noun.isMany) return unfit('a new page is meant, or several')
  const { draft, scene } = work
  const found = pagesIn(draft).filter((page) => isPageNamed(page, draft.config, text))
  if (found.length === 0) throw noPage(work, noun, text)
  return choose(work, noun, found, { toChoice: toChoice(work), question: (labels) => scene.texts.whichPage(labels) })
}

/** Whether a page is called so, and not only likely meant. */
export const isPage = (work: Work, { kind, name }: Noun): boolean =>
  kind === 'page' || (kind === 'name' && pagesIn(work.draft).some((page) => isPageNamed(page, work.draft.config, name?.text ?? '')))

/** Several pages, each once. */
export const findPages = (work: Work, nouns: readonly Noun[]): readonly Page[] =>
  [...new Map(nouns.map((noun) => findPage(work, noun)).map((page) => [page.slug, page])).values()]

/** The page that the clause before was about, or the one that is talked about; asks where a copy may be meant. */
export const wholePage = (work: Work, noun: Noun | undefined): string =>
  (noun && noun.kind !== 'it' ? findPage(work, noun).slug : ((work.isUnclear ? undefined : work.touchedPage) ?? pageInMind(work)))

const noPage = (work: Work, noun: Noun, name: string): Ask =>
  askAmong(work, noun, pagesIn(work.draft), { toChoice: toChoice(work), question: () => work.scene.texts.noSuchPage(name) })

const toChoice = ({ scene: { language } }: Work) => ({ slug, title }: Page): Choice =>
  ({ id: slug, label: `${title} (${slug})`, words: language.phrases.page(slug) })
