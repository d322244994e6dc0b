import { authorityOf } from '../../content/authority.ts'
import { pagesIn } from '../../content/draft-view.ts'
import type { Block } from '../../content/model.ts'
import { canonicalSlug, home, seedFromWords, titleFromSlug } from '../../content/slugs.ts'
import { isWord } from '../frame/parser.ts'
import { isPageNamed } from '../frame/names.ts'
import { isHere, type Noun } from '../frame/noun.ts'
import type { Place } from '../frame/places.ts'
import type { Value } from '../frame/values.ts'
import { findPage, findPages, isPage, pageOrCurrent } from '../resolve/pages.ts'
import { ask, reject } from '../work/ask.ts'
import { applyOperation } from '../work/perform.ts'
import { pageOf, type Work } from '../work/work.ts'
import { type Action, type Parts, textOf } from './action.ts'
import { newBlock } from './content.ts'
import { blockRequest, type BlockRequest } from './new-blocks.ts'

const isNewPage = ({ kind, page, isNew = false, isThis, isThe, owner }: Noun, isAnnounced: boolean) => kind === 'page' && !owner && !isThis && !isThe
  && (page === 'free' || page === 'named' || (page === 'route' && isNew) || (page === 'this' && (isNew || isAnnounced)))

/** Creates a page by name, address or topic; with a hero and the listed sections. */
function createPage(work: Work, parts: Parts): Work {
  const { texts, language: { joints, verbLast, words, languageNames } } = work.context
  const [page, ...others] = parts.objects
  const isAnnounced = parts.verbs.includes('announce')
  if (!page || !isNewPage(page, isAnnounced)) return reject('not a new page')
  const own = page.name?.text
  if (page.page === 'free' && verbLast && own === own?.toLowerCase()) return reject('may describe the page')
  const kindWords = [...words.vague, ...words.vagueAfterArticle, ...languageNames]
  const isKind = (name: string) => name.toLowerCase().split(' ').some((word) => kindWords.includes(word))
  if (page.page === 'free' && isKind(own ?? '')) return ask(texts.missingName)
  const [called, ...more] = parts.all('called', 'value', 'text')
  if (more.length > 0 || (called && called.start < page.start)) return reject('several names')
  const about = parts.first('about')
  const isRoute = page.page === 'route'
  const names = [isRoute || page.page === 'this' ? undefined : own, called?.value && nameFrom(called.value), about && aboutFrom(work, about.start, about.value)]
  const name = atMostOne(names)
  const address = atMostOne([isRoute ? own : undefined, parts.first('at')?.value?.text])
  if (address !== undefined && !address.startsWith('/')) return reject('not the address of a page')
  if (name === undefined && address === undefined) return ask(texts.missingName, { joint: joints.name })
  if (name?.trim() === '') return ask(texts.missingName)
  if (isAnnounced && called?.value?.form !== 'quoted' && name !== undefined && name === name.toLowerCase()) return reject('the name is not capitalized')
  const isList = parts.all('object').slice(1).every(({ isJoined }) => isJoined)
  if (others.length > 0 && !(isList && parts.has('with'))) return reject('several pages, or one kind of section')
  const isExisting = ({ isThe, isThis, start, name: own }: Noun) => isThe || isThis || own !== undefined || isWord(work.context.parser, start - 1, 'the')
  const kinds = [...parts.nouns('with'), ...others].map((noun) => (isExisting(noun) ? reject('the block already exists') : blockRequest(work, noun)))
  return addPage(work, address ?? `/${seedFromWords(name ?? '')}`, name === undefined ? titleFromSlug(address ?? '') : titleFrom(name), kinds)
}

function atMostOne(texts: readonly (string | undefined)[]): string | undefined {
  const [only, ...others] = texts.filter((text) => text !== undefined)
  return others.length === 0 ? only : reject('several names or addresses')
}

function nameFrom({ form, text }: Value): string {
  if (form !== 'quoted' && (/(?:^|\s)\//.test(text) || form !== 'text')) return reject('an address is not a name')
  return text
}

/** The name for a topic: `about prices`; asks after `for`, which tells who or what the page is for. */
function aboutFrom(work: Work, at: number, value: Value | undefined): string {
  const { texts, language, parser } = work.context
  const word = parser.tokens[at]?.word ?? ''
  const text = value?.text ?? reject('no topic')
  const same = pagesIn(work.draft).find((page) => isPageNamed(page, work.draft.config, `${word} ${text}`))
  if (same) ask(texts.slugTaken(same.slug, same.title))
  return word === 'for' || word === 'für' ? ask(texts.missingName, { joint: language.joints.name }) : text
}

/** Creates several pages: `pages "Jobs" and "Press"`, `Jobs and Press pages`. */
function createPages(work: Work, parts: Parts): Work {
  const { kind, count, isThe, isThis, names: listed = [] } = parts.object
  const names = [...listed, ...parts.all('text').map(({ value }) => textOf(value))]
  if (kind !== 'pages' || isThe || isThis) return reject('not new pages')
  if (names.length < 2 || (listed.length > 0 && listed.length < names.length) || (count ?? names.length) !== names.length) return reject('names and pages differ in number')
  return names.reduce((after, name) => addPage(after, `/${seedFromWords(name)}`, titleFrom(name), []), work)
}

/** Capitalizes each word of a lower case name. */
const titleFrom = (name: string): string =>
  (name === name.toLowerCase() ? name.replace(/(^|\s)(\S)/g, (_, before: string, letter: string) => before + letter.toUpperCase()) : name)

function addPage(work: Work, address: string, title: string, kinds: readonly BlockRequest[]): Work {
  const slug = freeSlug(work, address)
  const same = pagesIn(work.draft).find((page) => seedFromWords(page.title) === seedFromWords(title))
  if (same) ask(work.context.texts.slugTaken(same.slug, same.title))
  const hasHero = kinds.some(({ type }) => type === 'Hero') || !authorityOf('Hero', work.context.input).ok
  const types = [...(hasHero ? [] : ['Hero']), ...kinds.flatMap(({ type, count }) => Array.from({ length: count }, () => type))]
  const blocks = types.reduce<readonly Block[]>((made, type) => {
    const block = newBlock(work, type, undefined, made.map(({ id }) => id))
    return [...made, block.type === 'Hero' ? { ...block, props: { ...block.props, heading: title } } : block]
  }, [])
  return { ...applyOperation(work, { op: 'create_page', page: { slug, title, blocks } }), touched: undefined, touchedPage: slug, isPageUnclear: true }
}

/** The canonical slug of an address; asks if it is invalid or taken. */
function freeSlug(work: Work, address: string, except?: string): string {
  const { texts } = work.context
  const slug = address === '/' && except === undefined ? undefined : canonicalSlug(address)
  if (slug === undefined || slug === home) return ask(texts.badSlug, { isFinal: true })
  const taken = slug === except ? undefined : work.draft.page(slug)
  return taken ? ask(texts.slugTaken(slug, taken.title), { isFinal: true }) : slug
}

const onlyPages = (nouns: readonly Noun[]) =>
  (nouns.every(({ kind, page, isNew }) => kind === 'page' && page !== 'bare' && !isNew) ? nouns : reject('not a page'))

function removePages(work: Work, parts: Parts): Work {
  const [from] = parts.nouns('from')
  if (from?.kind === 'menu') return ask(work.context.texts.staysInMenu(findPage(work, parts.object).title), { isFinal: true })
  if (from && from.kind !== 'site') return reject('not a place for pages')
  if (parts.objects.some(({ page, end, start }) => page === 'this' && end - start === 1)) return reject('ambiguous page')
  return findPages(work, onlyPages(parts.objects)).reduce((after, { slug }) => {
    refuseHome(work, slug)
    if (after.draft.order.length === 1) ask(work.context.texts.lastPageStays)
    const gone = applyOperation({ ...after, touched: undefined }, { op: 'remove_page', pageSlug: slug })
    return gone.slug === slug ? { ...gone, isPageUnclear: true, lead: undefined } : gone
  }, work)
}

function copyPage(work: Work, parts: Parts): Work {
  const [page] = onlyPages(parts.objects)
  if (!page) return reject('not a page')
  const { slug: pageSlug } = findPage(work, page)
  const { value } = parts
  const isTitle = value?.form === 'quoted' && !value.text.startsWith('/')
  const newTitle = atMostOne([isTitle ? value.text : undefined, parts.first('called')?.value?.text])?.trim()
  const address = atMostOne([isTitle ? undefined : value?.text, parts.first('at')?.value?.text])
  if (address !== undefined && !address.startsWith('/')) return reject('not the address of a page')
  const to = address ?? (newTitle === undefined ? undefined : `/${seedFromWords(newTitle)}`)
  const newPageSlug = to === undefined ? undefined : freeSlug(work, to)
  const done = applyOperation({ ...work, touched: undefined }, { op: 'duplicate_page', pageSlug, newPageSlug, newTitle, afterPageSlug: undefined })
  return { ...done, touchedPage: done.draft.order.find((slug) => !work.draft.page(slug)), isUnclear: true, isPageUnclear: true }
}

/** A name changes slug and title, an address only the slug; the home page keeps its slug. */
function renamePage(work: Work, parts: Parts): Work {
  const { given: value, verbs } = parts
  const [noun] = parts.object.kind === 'it' ? [] : onlyPages(parts.objects)
  if (noun?.page === 'this' && noun.end - noun.start === 1) return reject('ambiguous page')
  const at = pageOf(work, noun ? findPage(work, noun).slug : (work.touchedPage ?? reject('no current page')))
  const text = textOf(value).trim()
  if (text === '') ask(work.context.texts.emptyValue)
  if (value?.form === 'address') return text.startsWith('/') ? rename(work, at.slug, text, undefined) : reject('not the address of a page')
  return rename(work, at.slug, at.slug === home || !verbs.includes('rename') ? undefined : `/${seedFromWords(text)}`, text)
}

/** Changes only the title or only the address; the operation then repeats the title, which would change with the address. */
function renamePart(work: Work, parts: Parts): Work {
  const { object, given: value } = parts
  if (object.isNew || !['slug', 'pageTitle', 'field'].includes(object.kind)) return reject('not a part of a page')
  const owner = object.owner ?? parts.nouns('in')[0]
  if (parts.nouns('in').some((noun) => noun.kind === 'menu' || (isHere(noun) && work.context.input.selection.blockId !== undefined))) return reject('the title of something else')
  if (object.owner && parts.has('in')) return reject('two scopes')
  const isOfPage = owner?.kind === 'page' || (object.isIts === true && work.touchedPage !== undefined)
  const isTitle = object.props?.[0] === 'title' && object.name === undefined && isOfPage
  if (object.kind === 'field' && !isTitle) return reject('not a page')
  if (owner && owner.kind !== 'page' && owner.kind !== 'it') return reject('the owner is not a page')
  const at = pageOf(work, pageOrCurrent(work, owner))
  if (object.kind === 'slug') return rename(work, at.slug, slugIn(value), at.title)
  const text = textOf(value).trim()
  return rename(work, at.slug, undefined, text === '' ? ask(work.context.texts.emptyValue) : text)
}

/** `/hire`, or words with hyphens such as `hire-a-boat`. */
function slugIn({ form, text }: Partial<Value> = {}): string {
  if (form === 'address' && text?.startsWith('/')) return text
  return text !== undefined && /^[a-z\d]+(?:-[a-z\d]+)+$/.test(text) ? `/${text}` : reject('not the address of a page')
}

function rename(work: Work, pageSlug: string, address: string | undefined, title: string | undefined): Work {
  if (address !== undefined) refuseHome(work, pageSlug)
  const slug = address === undefined ? undefined : freeSlug(work, address, pageSlug)
  const newPageSlug = slug === pageSlug ? undefined : slug
  const newTitle = title === pageOf(work, pageSlug).title && newPageSlug === undefined ? undefined : title
  if (newPageSlug === undefined && newTitle === undefined) return { ...work, touchedPage: pageSlug }
  const renamed = applyOperation({ ...work, touched: undefined }, { op: 'rename_page', pageSlug, newPageSlug, newTitle })
  const touchedPage = newPageSlug ?? pageSlug
  return { ...renamed, touchedPage, ...(renamed.slug === pageSlug && { slug: touchedPage }) }
}

function movePage(work: Work, parts: Parts): Work {
  const [noun] = parts.objects
  const isInMenu = parts.frame.chunks.some((chunk) => chunk.noun?.kind === 'menu' || chunk.place?.anchor?.owner?.kind === 'menu')
  if (!noun || noun.isNew || !isPage(work, noun) || ((noun.kind !== 'page' || noun.page === 'bare') && !isInMenu)) return reject('not a page')
  const [at] = parts.nouns('in')
  if (at && at.kind !== 'menu' && at.kind !== 'site') return reject('not a place for pages')
  const { slug: pageSlug } = findPage(work, noun)
  refuseHome(work, pageSlug)
  const others = work.draft.order.filter((slug) => slug !== home && slug !== pageSlug)
  const index = pageIndex(work, parts.place ?? reject('no place'), pageSlug, others)
  const now = work.draft.order.filter((slug) => slug !== home).indexOf(pageSlug)
  return index === now ? work : applyOperation({ ...work, touched: undefined }, { op: 'move_page', pageSlug, afterPageSlug: others[index - 1] })
}

/** The home page stays first: before it and at the front both mean directly after it. */
function pageIndex(work: Work, { form, anchor, n }: Place, moved: string, others: readonly string[]): number {
  if (form === 'front' || (form === 'nth' && n === 1)) return 0
  if (form === 'end' || (form === 'nth' && n === -1)) return others.length
  if ((form !== 'before' && form !== 'after') || !anchor) return reject('not a place in the menu')
  const { slug } = findPage(work, anchor)
  if (slug === moved) ask(work.context.texts.besideItself)
  return slug === home ? 0 : others.indexOf(slug) + (form === 'after' ? 1 : 0)
}

function refuseHome({ context }: Work, slug: string): void {
  if (slug === home) ask(context.texts.homeStays, { isFinal: true })
}

const pageActionsByVerb: readonly Omit<Action, 'mayChangePage'>[] = [
  { verbs: ['create', 'want'], roles: 'object+ called? value? text? about? at? with?', run: createPage },
  { verbs: ['create', 'want'], roles: 'object text*', run: createPages },
  { verbs: ['remove'], roles: 'object+ from?', run: removePages },
  { verbs: ['copy'], roles: 'object called? at? value?', run: copyPage },
  { verbs: ['rename', 'set', 'replace'], roles: 'object value', run: renamePage },
  { verbs: ['rename'], roles: 'object text', run: renamePage },
  { verbs: ['rename', 'set'], roles: 'object at', run: renamePage },
  { verbs: ['set', 'rename', 'replace', 'say', 'none'], roles: 'object given in?', run: renamePart },
  { verbs: ['move', 'put', 'set', 'be', 'show'], roles: 'object place in?', run: movePage },
]

export const pageActions: readonly Action[] = pageActionsByVerb.map((action) => ({ ...action, mayChangePage: true }))
