import { authorityOf } from '../../../content/authority.ts'
import { canonicalSlug, home, seedFromWords, titleFromSlug } from '../../../content/slugs.ts'
import { Ask, unfit } from '../ask.ts'
import { pagesIn } from '../../../content/draft-view.ts'
import { listOf, type Node } from '../grammar/node.ts'
import { findPage, findPages, findWholePage } from '../resolve/pages.ts'
import { pageOf, perform, type Work } from '../work.ts'
import { need, textOf, type Action } from './action.ts'
import { newBlock, newBlocks } from './new-block.ts'

/** The detail is a word that stands before the name and belongs to it, as in `a page for …`. */
export const createPage: Action = (work, parts, detail) => {
  const { name, slug, blocks } = parts
  const words = textOf(name).trim()
  if (detail === 'bare' && name?.form !== 'quoted' && words === words.toLowerCase()) return unfit('a name has a capital')
  const forWhom = detail === 'bare' ? words : `${detail} ${words}`.trim()
  if (name?.slot === 'Value' && name.form !== 'quoted' && /(?:^|\s)\//.test(words)) return unfit('a name holds no address')
  if (name?.slot === 'Words' && isCompound(work, name)) return unfit('nobody knows which hyphens belong to the name')
  if (name && words === '') throw new Ask({ question: work.scene.texts.missingName })
  const address = slug ? textOf(slug) : `/${seedFromWords(forWhom)}`
  return create(work, address, name ? titleFrom(forWhom) : titleFromSlug(textOf(slug)), blocks)
}

/** `Boat-care-page`: a name with hyphens, and one behind it. */
const isCompound = ({ scene: { parser: { message, tokens } } }: Work, name: Node) =>
  textOf(name).includes('-') && message[tokens[name.end - 1]?.end ?? 0] === '-'

export const createPages: Action = (work, parts) => {
  const names = listOf(parts['names']).map(textOf)
  const count = parts['n']?.number
  if (count !== undefined && count !== names.length) return unfit('there are as many names as pages')
  return names.reduce((after, name) => create(after, `/${seedFromWords(name)}`, titleFrom(name), undefined), work)
}

/** A name with a capital is a title as it is; else each word gets one. */
function titleFrom(name: string): string {
  return name === name.toLowerCase() ? name.replace(/(^|\s)(\S)/g, (_, before: string, letter: string) => before + letter.toUpperCase()) : name
}

function create(work: Work, address: string, title: string, list: Node | undefined): Work {
  const slug = freeSlug(work, address)
  const same = pagesIn(work.draft).find((page) => seedFromWords(page.title) === seedFromWords(title))
  if (same) throw new Ask({ question: work.scene.texts.slugTaken(same.slug, same.title) })
  const wanted = list ? newBlocks(work, list) : []
  const hasHero = wanted.some(({ block }) => block.type === 'Hero') || !authorityOf('Hero', work.scene.input).ok
  const first = hasHero ? [] : [newBlock(work, 'Hero', [])]
  const used = new Set<string>()
  const blocks = [...first, ...wanted].map(({ block, isTitled }) => {
    const props = block.type === 'Hero' && !isTitled ? { ...block.props, heading: title } : block.props
    const id = used.has(block.id) ? `${block.id}_${used.size}` : block.id
    used.add(id)
    return { ...block, id, props }
  })
  return { ...perform(work, { op: 'create_page', page: { slug, title, blocks } }), touched: undefined, touchedPage: slug, isPageUnclear: true }
}

/** The form in which a page has its slug; asks when it has none, or when there is such a page. */
function freeSlug(work: Work, address: string, except?: string): string {
  const { texts } = work.scene
  const slug = address === '/' && except === undefined ? undefined : canonicalSlug(address)
  if (slug === undefined || slug === home) throw new Ask({ question: texts.badSlug, isFinal: true })
  const taken = slug === except ? undefined : work.draft.page(slug)
  if (taken) throw new Ask({ question: texts.slugTaken(slug, taken.title), isFinal: true })
  return slug
}

export const removePage: Action = (work, parts) => findPages(work, listOf(parts['pages'])).reduce((after, { slug }) => {
  refuseHome(work, slug)
  if (after.draft.order.length === 1) throw new Ask({ question: work.scene.texts.lastPageStays })
  const gone = perform({ ...after, touched: undefined }, { op: 'remove_page', pageSlug: slug })
  return gone.slug === slug ? { ...gone, isPageUnclear: true, lead: undefined } : gone
}, work)

export const duplicatePage: Action = (work, parts) => {
  const { slug: pageSlug } = findPage(work, need(parts, 'page'))
  const newTitle = textOf(parts['name']).trim()
  const wanted = parts['slug'] ? textOf(parts['slug']) : newTitle === '' ? undefined : `/${seedFromWords(newTitle)}`
  const newPageSlug = wanted === undefined ? undefined : freeSlug(work, wanted)
  const copied = perform({ ...work, touched: undefined }, {
    op: 'duplicate_page', pageSlug, newPageSlug, newTitle: newTitle === '' ? undefined : newTitle, afterPageSlug: undefined,
  })
  return { ...copied, isPageUnclear: true }
}

/** A name changes slug and title, an address given as a name makes a title of itself; home keeps its slug. */
export const renamePage: Action = (work, parts) => {
  const { page, slug, v } = parts
  const at = pageOf(work, findWholePage(work, page))
  const text = textOf(v).trim()
  if (v && text === '') throw new Ask({ question: work.scene.texts.emptyValue })
  if (slug) return rename(work, at.slug, textOf(slug), text)
  if (v?.form === 'text' && text.startsWith('/')) return rename(work, at.slug, text, undefined)
  if (!page && work.scene.input.selection.blockId !== undefined) return unfit('a block is selected')
  return rename(work, at.slug, at.slug === home ? undefined : `/${seedFromWords(text)}`, text)
}

export const retitlePage: Action = (work, parts) => {
  const at = pageOf(work, findWholePage(work, parts['page']))
  const text = textOf(need(parts, 'v')).trim()
  if (text === '') throw new Ask({ question: work.scene.texts.emptyValue })
  return rename(work, at.slug, undefined, text)
}

/** The address only: its title is told, so that it stays. */
export const movePageAddress: Action = (work, parts) => {
  const at = pageOf(work, findWholePage(work, parts['page']))
  return rename(work, at.slug, textOf(need(parts, 'slug')), at.title)
}

function rename(work: Work, pageSlug: string, address: string | undefined, title: string | undefined): Work {
  if (address !== undefined) refuseHome(work, pageSlug)
  const slug = address === undefined ? undefined : freeSlug(work, address, pageSlug)
  const newPageSlug = slug === pageSlug ? undefined : slug
  const newTitle = title === pageOf(work, pageSlug).title && newPageSlug === undefined ? undefined : title
  if (newPageSlug === undefined && newTitle === undefined) return { ...work, touchedPage: pageSlug }
  const renamed = perform({ ...work, touched: undefined }, { op: 'rename_page', pageSlug, newPageSlug, newTitle })
  const touchedPage = newPageSlug ?? pageSlug
  return { ...renamed, touchedPage, ...(renamed.slug === pageSlug && { slug: touchedPage }) }
}

export const movePage: Action = (work, parts) => {
  const { slug: pageSlug } = findPage(work, need(parts, 'page'))
  refuseHome(work, pageSlug)
  const others = work.draft.order.filter((slug) => slug !== home && slug !== pageSlug)
  const place = pagePlace(work, need(parts, 'place'), pageSlug, others)
  const now = work.draft.order.filter((slug) => slug !== home).indexOf(pageSlug)
  if (place === now) return work
  return perform({ ...work, touched: undefined }, { op: 'move_page', pageSlug, afterPageSlug: others[place - 1] })
}

/** Home comes first: before it and at the front both mean right after it. */
function pagePlace(work: Work, { form, parts }: Node, moved: string, others: readonly string[]): number {
  if (form === 'front') return 0
  if (form === 'end') return others.length
  const { slug: anchor } = findPage(work, need(parts, 'page'))
  if (anchor === moved) throw new Ask({ question: work.scene.texts.besideItself })
  if (anchor === home) return 0
  return others.indexOf(anchor) + (form === 'after' ? 1 : 0)
}

function refuseHome({ scene }: Work, slug: string): void {
  if (slug === home) throw new Ask({ question: scene.texts.homeStays, isFinal: true })
}
