import { authorityOf } from '../../content/authority.ts'
import { pagesIn } from '../../content/draft-view.ts'
import type { Block } from '../../content/model.ts'
import { canonicalSlug, home, seedFromWords, titleFromSlug } from '../../content/slugs.ts'
import { isWord } from '../frame/ground.ts'
import { isPageNamed } from '../frame/names.ts'
import type { Noun } from '../frame/nouns.ts'
import type { Place } from '../frame/places.ts'
import type { Value } from '../frame/values.ts'
import { findPage, findPages, isPage, wholePage } from '../resolve/pages.ts'
import { ask, unfit } from '../work/ask.ts'
import { perform } from '../work/perform.ts'
import { pageOf, type Work } from '../work/work.ts'
import { type Action, type Parts, textOf } from './action.ts'
import { wanted, type Wanted } from './blocks.ts'
import { newBlock } from './content.ts'

const isNewPage = ({ kind, page, isNew = false, isThis, isThe, owner }: Noun, isAnnounced: boolean) => kind === 'page' && !owner && !isThis && !isThe
  && (page === 'free' || page === 'named' || (page === 'route' && isNew) || (page === 'this' && (isNew || isAnnounced)))

/** A page by its name, its address, or what it is for; with a hero, and the sections that are listed. */
function createPage(work: Work, parts: Parts): Work {
  const { texts, language: { joints, verbLast } } = work.scene
  const [page, ...others] = parts.objects
  const isAnnounced = parts.verbs.includes('announce')
  if (!page || !isNewPage(page, isAnnounced)) return unfit('no new page is meant')
  const own = page.name?.text
  if (page.page === 'free' && verbLast && own === own?.toLowerCase()) return unfit('this may say what the page is like')
  const [called, ...more] = parts.all('called', 'value', 'text')
  if (more.length > 0 || (called && called.start < page.start)) return unfit('a page has one name')
  const about = parts.first('about')
  const isRoute = page.page === 'route'
  const names = [isRoute || page.page === 'this' ? undefined : own, called?.value && nameFrom(called.value), about && aboutFrom(work, about.start, about.value)]
  const name = onlyOf(names)
  const address = onlyOf([isRoute ? own : undefined, parts.first('at')?.value?.text])
  if (address !== undefined && !address.startsWith('/')) return unfit('this is not the address of a page')
  if (name === undefined && address === undefined) return ask(texts.missingName, { joint: joints.name })
  if (name?.trim() === '') return ask(texts.missingName)
  if (isAnnounced && called?.value?.form !== 'quoted' && name !== undefined && name === name.toLowerCase()) return unfit('a name has a capital')
  if (others.length > 0 && !parts.has('with')) return unfit('one page is made')
  const isThere = ({ isThe, isThis, start, name: own }: Noun) => isThe || isThis || own !== undefined || isWord(work.scene.ground, start - 1, 'the')
  const kinds = [...parts.nouns('with'), ...others].map((noun) => (isThere(noun) ? unfit('what is there already is meant') : wanted(work, noun)))
  return create(work, address ?? `/${seedFromWords(name ?? '')}`, name === undefined ? titleFromSlug(address ?? '') : titleFrom(name), kinds)
}

function onlyOf(texts: readonly (string | undefined)[]): string | undefined {
  const [only, ...others] = texts.filter((text) => text !== undefined)
  return others.length === 0 ? only : unfit('a page has one name and one address')
}

function nameFrom({ form, text }: Value): string {
  if (form !== 'quoted' && (/(?:^|\s)\//.test(text) || form !== 'text')) return unfit('a name holds no address')
  return text
}

/** `for school groups` is a name with its first word, `about prices` without it. */
function aboutFrom(work: Work, at: number, value: Value | undefined): string {
  const word = work.scene.ground.tokens[at]?.word ?? ''
  const text = textOf(value)
  const same = pagesIn(work.draft).find((page) => isPageNamed(page, work.draft.config, `${word} ${text}`))
  if (same) ask(work.scene.texts.slugTaken(same.slug, same.title))
  if (word === 'für') return `Für ${text}`
  return word === 'for' ? `${word} ${text}` : text
}

/** Several pages: `pages "Jobs" and "Press"`. */
function createPages(work: Work, parts: Parts): Work {
  const { kind, count, isThe, isThis } = parts.object
  const names = parts.all('text').map(({ value }) => textOf(value))
  if (kind !== 'pages' || isThe || isThis) return unfit('no new pages are meant')
  if (names.length < 2 || (count ?? names.length) !== names.length) return unfit('there are as many names as pages')
  return names.reduce((after, name) => create(after, `/${seedFromWords(name)}`, titleFrom(name), []), work)
}

/** A name with a capital is a title as it is; else each word gets one. */
const titleFrom = (name: string): string =>
  (name === name.toLowerCase() ? name.replace(/(^|\s)(\S)/g, (_, before: string, letter: string) => before + letter.toUpperCase()) : name)

function create(work: Work, address: string, title: string, kinds: readonly Wanted[]): Work {
  const slug = freeSlug(work, address)
  const same = pagesIn(work.draft).find((page) => seedFromWords(page.title) === seedFromWords(title))
  if (same) ask(work.scene.texts.slugTaken(same.slug, same.title))
  const hasHero = kinds.some(({ type }) => type === 'Hero') || !authorityOf('Hero', work.scene.input).ok
  const types = [...(hasHero ? [] : ['Hero']), ...kinds.flatMap(({ type, count }) => Array.from({ length: count }, () => type))]
  const blocks = types.reduce<readonly Block[]>((made, type) => {
    const block = newBlock(work, type, undefined, made.map(({ id }) => id))
    return [...made, block.type === 'Hero' ? { ...block, props: { ...block.props, heading: title } } : block]
  }, [])
  return { ...perform(work, { op: 'create_page', page: { slug, title, blocks } }), touched: undefined, touchedPage: slug, isPageUnclear: true }
}

/** The form in which a page has its slug; asks when it has none, or when there is such a page. */
function freeSlug(work: Work, address: string, except?: string): string {
  const { texts } = work.scene
  const slug = address === '/' && except === undefined ? undefined : canonicalSlug(address)
  if (slug === undefined || slug === home) return ask(texts.badSlug, { isFinal: true })
  const taken = slug === except ? undefined : work.draft.page(slug)
  return taken ? ask(texts.slugTaken(slug, taken.title), { isFinal: true }) : slug
}

const onlyPages = (nouns: readonly Noun[]) =>
  (nouns.every(({ kind, page, isNew }) => kind === 'page' && page !== 'bare' && !isNew) ? nouns : unfit('no page is meant'))

function removePages(work: Work, parts: Parts): Work {
  const [from] = parts.nouns('from')
  if (from?.kind === 'menu') return ask(work.scene.texts.staysInMenu(findPage(work, parts.object).title), { isFinal: true })
  if (from && from.kind !== 'site') return unfit('pages are not part of that')
  if (parts.objects.some(({ page, end, start }) => page === 'this' && end - start === 1)) return unfit('which page is open')
  return findPages(work, onlyPages(parts.objects)).reduce((after, { slug }) => {
    refuseHome(work, slug)
    if (after.draft.order.length === 1) ask(work.scene.texts.lastPageStays)
    const gone = perform({ ...after, touched: undefined }, { op: 'remove_page', pageSlug: slug })
    return gone.slug === slug ? { ...gone, isPageUnclear: true, lead: undefined } : gone
  }, work)
}

function copyPage(work: Work, parts: Parts): Work {
  const [page] = onlyPages(parts.objects)
  if (!page) return unfit('no page is meant')
  const { slug: pageSlug } = findPage(work, page)
  const { value } = parts
  const isTitle = value?.form === 'quoted' && !value.text.startsWith('/')
  const newTitle = onlyOf([isTitle ? value.text : undefined, parts.first('called')?.value?.text])?.trim()
  const address = onlyOf([isTitle ? undefined : value?.text, parts.first('at')?.value?.text])
  if (address !== undefined && !address.startsWith('/')) return unfit('not the address of a page')
  const to = address ?? (newTitle === undefined ? undefined : `/${seedFromWords(newTitle)}`)
  const newPageSlug = to === undefined ? undefined : freeSlug(work, to)
  const done = perform({ ...work, touched: undefined }, { op: 'duplicate_page', pageSlug, newPageSlug, newTitle, afterPageSlug: undefined })
  return { ...done, touchedPage: done.draft.order.find((slug) => !work.draft.page(slug)), isUnclear: true, isPageUnclear: true }
}

/** A name changes slug and title, an address the slug alone; home keeps its slug. */
function renamePage(work: Work, parts: Parts): Work {
  const { given: value, verbs } = parts
  const [noun] = parts.object.kind === 'it' ? [] : onlyPages(parts.objects)
  if (noun?.page === 'this' && noun.end - noun.start === 1) return unfit('which page is open')
  const at = pageOf(work, noun ? findPage(work, noun).slug : (work.touchedPage ?? unfit('no page is talked about')))
  const text = textOf(value).trim()
  if (text === '') ask(work.scene.texts.emptyValue)
  if (value?.form === 'address') return text.startsWith('/') ? rename(work, at.slug, text, undefined) : unfit('not the address of a page')
  return rename(work, at.slug, at.slug === home || !verbs.includes('rename') ? undefined : `/${seedFromWords(text)}`, text)
}

/** The title alone, or the address alone; the operation repeats the title, which would change with the address. */
function renamePart(work: Work, parts: Parts): Work {
  const { object, given: value } = parts
  if (object.isNew || !['slug', 'pageTitle', 'field'].includes(object.kind)) return unfit('no part of a page is meant')
  const owner = object.owner ?? parts.nouns('in')[0]
  if (parts.nouns('in').some(({ kind, page, text }) => kind === 'menu' || (page === 'this' && text === '' && work.scene.input.selection.blockId !== undefined))) return unfit('something else has that title')
  const isOfPage = owner?.kind === 'page' || (object.isIts === true && work.touchedPage !== undefined)
  const isTitle = object.props?.[0] === 'title' && object.name === undefined && isOfPage
  if (object.kind === 'field' && !isTitle) return unfit('no page is meant')
  if (owner && owner.kind !== 'page' && owner.kind !== 'it') return unfit('only a page has that')
  const at = pageOf(work, wholePage(work, owner))
  const text = textOf(value).trim()
  if (text === '') ask(work.scene.texts.emptyValue)
  if (object.kind !== 'slug') return rename(work, at.slug, undefined, text)
  return text.startsWith('/') && value?.form === 'address' ? rename(work, at.slug, text, at.title) : unfit('not the address of a page')
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

function movePage(work: Work, parts: Parts): Work {
  const [noun] = parts.objects
  const isInMenu = parts.frame.chunks.some((chunk) => chunk.noun?.kind === 'menu' || chunk.place?.anchor?.owner?.kind === 'menu')
  if (!noun || noun.isNew || !isPage(work, noun) || ((noun.kind !== 'page' || noun.page === 'bare') && !isInMenu)) return unfit('no page is meant')
  const [at] = parts.nouns('in')
  if (at && at.kind !== 'menu' && at.kind !== 'site') return unfit('pages are not part of that')
  const { slug: pageSlug } = findPage(work, noun)
  refuseHome(work, pageSlug)
  const others = work.draft.order.filter((slug) => slug !== home && slug !== pageSlug)
  const index = pageIndex(work, parts.place ?? unfit('no place is said'), pageSlug, others)
  const now = work.draft.order.filter((slug) => slug !== home).indexOf(pageSlug)
  return index === now ? work : perform({ ...work, touched: undefined }, { op: 'move_page', pageSlug, afterPageSlug: others[index - 1] })
}

/** Home comes first: before it and at the front both mean right after it. */
function pageIndex(work: Work, { form, anchor, n }: Place, moved: string, others: readonly string[]): number {
  if (form === 'front' || (form === 'nth' && n === 1)) return 0
  if (form === 'end' || (form === 'nth' && n === -1)) return others.length
  if ((form !== 'before' && form !== 'after') || !anchor) return unfit('not a place in the menu')
  const { slug } = findPage(work, anchor)
  if (slug === moved) ask(work.scene.texts.besideItself)
  return slug === home ? 0 : others.indexOf(slug) + (form === 'after' ? 1 : 0)
}

function refuseHome({ scene }: Work, slug: string): void {
  if (slug === home) ask(scene.texts.homeStays, { isFinal: true })
}

const pageActionsByVerb: readonly Omit<Action, 'isOfPages'>[] = [
  { verbs: ['create', 'want'], roles: 'object+ called? value? text? about? at? with?', does: createPage },
  { verbs: ['create', 'want'], roles: 'object text+', does: createPages },
  { verbs: ['remove'], roles: 'object+ from?', does: removePages },
  { verbs: ['copy'], roles: 'object called? at? value?', does: copyPage },
  { verbs: ['rename', 'set', 'replace'], roles: 'object value', does: renamePage },
  { verbs: ['rename'], roles: 'object text', does: renamePage },
  { verbs: ['rename', 'set'], roles: 'object at', does: renamePage },
  { verbs: ['set', 'rename', 'replace', 'say', 'none'], roles: 'object given in?', does: renamePart },
  { verbs: ['move', 'put', 'set', 'be', 'show'], roles: 'object place in?', does: movePage },
]

export const pageActions: readonly Action[] = pageActionsByVerb.map((action) => ({ ...action, isOfPages: true }))
