import { canonicalSlug, home } from '../../../content/slugs.ts'
import type { Ask, Choice } from '../ask.ts'
import { pagesIn } from '../../../content/draft-view.ts'
import type { Node } from '../grammar/node.ts'
import { isNamed } from '../grammar/site-names.ts'
import type { Page } from '../../../content/model.ts'
import { pageInMind, type Work } from '../work.ts'
import { askAmong, choose, keyOf } from './references.ts'

/** The page that words mean; asks when there is none, or more than one. */
export function findPage(work: Work, node: Node): Page {
  const { page, at, name } = node.parts
  const answered = work.draft.page(work.scene.answers[keyOf(node)] ?? '')
  if (answered) return answered
  if (page) return findPage(work, page)
  switch (node.form) {
    case 'this': return pageAt(work, node, pageInMind(work))
    case 'home': return pageAt(work, node, home)
    case 'route': return pageAt(work, node, at?.text ?? '')
    case 'named': return namedPage(work, node, name)
    default: throw noPage(work, node, name?.text ?? '')
  }
}

/** The page that words mean, or the one that is talked about. */
export function findPageOr(work: Work, node: Node | undefined): string {
  return node ? findPage(work, node).slug : pageInMind(work)
}

/** The page that words mean, the one that the clause before was about, or the one that is talked about. */
export function findWholePage(work: Work, node: Node | undefined): string {
  return node ? findPage(work, node).slug : (work.touchedPage ?? pageInMind(work))
}

/** Several pages, each once. */
export function findPages(work: Work, nodes: readonly Node[]): readonly Page[] {
  return [...new Map(nodes.map((node) => findPage(work, node)).map((page) => [page.slug, page])).values()]
}

function pageAt(work: Work, node: Node, slug: string): Page {
  const page = work.draft.page(slug) ?? work.draft.page(canonicalSlug(slug) ?? slug)
  if (!page) throw noPage(work, node, slug)
  return page
}

function namedPage(work: Work, node: Node, name: Node | undefined): Page {
  const text = name?.text ?? ''
  const { draft, scene } = work
  const found = pagesIn(draft).filter((page) => isNamed(page, draft.config, text))
  if (found.length === 0) throw noPage(work, node, text)
  return choose(work, node, found, {
    toChoice: toChoice(work),
    inquiry: (choices) => ({ question: scene.texts.whichPage(choices.map(({ label }) => label)) }),
  })
}

function noPage(work: Work, node: Node, name: string): Ask {
  return askAmong(work, node, pagesIn(work.draft), { toChoice: toChoice(work), inquiry: () => ({ question: work.scene.texts.noSuchPage(name) }) })
}

const toChoice = ({ scene: { lexicon } }: Work) => ({ slug, title }: Page): Choice => ({ id: slug, label: `${title} (${slug})`, words: lexicon.phrases.page(slug) })
