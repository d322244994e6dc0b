import type { SiteConfig } from '../../content/model.ts'
import { ownValue } from '../../content/plain-object.ts'
import { sameJson } from '../../content/same-json.ts'
import type { Noun } from '../frame/noun.ts'
import { selectedBlock } from '../resolve/blocks.ts'
import { fieldIn } from '../resolve/block-fields.ts'
import { findPage, findPages, isPage, pageOrCurrent } from '../resolve/pages.ts'
import { ask, reject } from '../work/ask.ts'
import { applyOperation } from '../work/perform.ts'
import { currentPage, pageOf, type Work } from '../work/work.ts'
import { type Action, type Parts, textOf } from './action.ts'
import { isAddress, isImageAddress } from './values.ts'

const longestName = 80

/** Sets the name of the site, or its logo. */
function siteSetting(work: Work, parts: Parts): Work {
  const noun = parts.nouns('object', 'as')[0] ?? reject('no object')
  const { given: value } = parts
  const text = textOf(value).trim()
  const isElsewhere = (noun.owner && noun.owner.kind !== 'site') || parts.nouns('in').some(({ kind }) => kind !== 'menu')
  if (isElsewhere) return reject('not a setting of the site')
  const { texts } = work.context
  const isImage = isImageAddress(text) && value?.form === 'address'
  if (noun.kind === 'logo') return isImage ? configure(work, { logo: text }) : ask(texts.wantsImage(texts.logo))
  const isName = noun.kind === 'siteName' || (noun.kind === 'site' && parts.verbs.includes('rename'))
  const hasHeader = pageOf(work, currentPage(work)).blocks.some(({ props }) => Object.hasOwn(props, 'siteName'))
  if (isName && parts.has('in') && hasHeader) return reject('may mean a field of the header')
  if (!isName || noun.isNew) return reject('not a setting of the site')
  if (value?.form === 'address') return reject('an address is not a name')
  if (text === '') ask(work.context.texts.emptyValue)
  return text.length > longestName ? ask(work.context.texts.nameTooLong) : configure(work, { name: text })
}

/** Sets the menu label of a page, by its current label or its name; the page keeps its title. */
function menuLabel(work: Work, parts: Parts): Work {
  const { object, object: { owner }, given: value } = parts
  const isLabel = object.kind === 'entry' && object.name === undefined && owner !== undefined && owner.kind !== 'menu'
  const noun = isLabel ? owner : object
  const at = parts.nouns('in')[0] ?? (isLabel ? undefined : owner)
  const isEntry = noun.kind === 'entry' && noun.name !== undefined
  if (!isEntry && !((isLabel || at?.kind === 'menu') && isPage(work, noun))) return reject('not a menu entry')
  if (at && at.kind !== 'menu') return reject('not in the menu')
  const label = textOf(value).trim()
  if (label === '') ask(work.context.texts.emptyValue)
  if (isAddress(label) || value?.form === 'address') return reject('an address is not a label')
  const page: Noun = isEntry ? { ...noun, kind: 'page', page: 'named' } : noun
  if (!isPage(work, { ...page, kind: page.page === 'named' ? 'name' : 'page' })) return reject('no menu entry with this name')
  const { slug } = findPage(work, page)
  return ownValue(work.draft.config.navLabels, slug) === label ? work : applyOperation(work, { op: 'update_site_config', patch: { navLabels: { [slug]: label } } })
}

/** Groups pages in the menu; removes them from their previous groups. */
function menuGroup(work: Work, parts: Parts): Work {
  if (!parts.frame.hasVerb) return reject('no verb')
  const label = textOf(parts.first('group')?.value).trim()
  if (parts.nouns('in').some(({ kind }) => kind !== 'menu')) return reject('not in the menu')
  const nouns = parts.nouns('with', 'object')
  if (!nouns.every((noun) => isPage(work, noun))) return reject('not a page')
  const slugs = findPages(work, nouns).map(({ slug }) => slug)
  if (label === '') ask(work.context.texts.emptyValue)
  if (slugs.length < 2 && parts.first('group')?.choice !== 'dropdown') return reject('a group needs several pages')
  const others = Object.entries(work.draft.config.navGroups ?? {})
    .map(([name, members]) => [name, members.filter((slug) => !slugs.includes(slug))] as const)
    .filter(([name, members]) => name !== label && members.length > 0)
  return configure(work, { navGroups: Object.fromEntries([...others, [label, slugs]]) })
}

function configure(work: Work, patch: Pick<SiteConfig, 'name' | 'logo' | 'navGroups'>): Work {
  const isAlreadySet = Object.entries(patch).every(([key, value]) => sameJson(work.draft.config[key], value))
  return isAlreadySet ? work : applyOperation(work, { op: 'update_site_config', patch })
}

type MetaName = 'title' | 'description' | 'ogImage'

const isMetaName = (name: string | undefined): name is MetaName => name === 'title' || name === 'description' || name === 'ogImage'

/** The page whose metadata is set: the one that the noun or the clause names, else the current one. */
function pageFor(work: Work, { owner }: Noun, parts: Parts): string {
  const [page, other] = [...(owner ? [owner] : []), ...parts.nouns('in', 'to', 'from')]
  if (other || (page && page.kind !== 'page' && page.kind !== 'it')) return reject('not one page')
  return pageOrCurrent(work, page)
}

const metaNameOf = ({ kind, props: [name] = [] }: Noun): MetaName => (kind === 'meta' && isMetaName(name) ? name : reject('not metadata'))

/** Sets a metadata field of a page. */
function setMeta(work: Work, parts: Parts): Work {
  const noun = parts.nouns('as')[0] ?? parts.object
  const name = metaNameOf(noun)
  const selected = selectedBlock(work)
  if (name !== 'ogImage' && parts.given?.form === 'address') return reject('an address is not a text')
  if (name === 'ogImage' && selected && fieldIn(work, selected, ['posterUrl'])) return reject('may mean the poster of the video')
  return withMeta(work, pageFor(work, noun, parts), { [name]: checkedMeta(work, name, textOf(parts.given)) })
}

/** `Give this page the meta title "…"`. */
function giveMeta(work: Work, parts: Parts): Work {
  const [owner, object] = parts.objects
  return owner && object && !object.owner && parts.objects.length === 2 ? setMeta(work, { ...parts, object: { ...object, owner } }) : reject('needs one page and one metadata field')
}

const clearMeta = (work: Work, parts: Parts): Work => withMeta(work, pageFor(work, parts.object, parts), { [metaNameOf(parts.object)]: '' })

/** `metadata with the title "…" and description "…"`. */
function setMetas(work: Work, parts: Parts): Work {
  const { object } = parts
  if (object.kind !== 'metadata') return reject('not metadata')
  const page = pageFor(work, object, parts)
  const title = parts.first('called')?.value
  const entries = parts.all('detail').map(({ options = [], value }) => {
    const name = options.includes('imageUrl') ? 'ogImage' : options.find(isMetaName)
    return isMetaName(name) ? [name, checkedMeta(work, name, textOf(value))] as const : reject('no such metadata field')
  })
  const patch = { ...(title && { title: checkedMeta(work, 'title', textOf(title)) }), ...Object.fromEntries(entries) }
  return withMeta(work, page, patch)
}

function checkedMeta({ context: { texts } }: Work, name: MetaName, text: string): string {
  if (text.trim() === '') ask(texts.emptyValue)
  return name === 'ogImage' && !isImageAddress(text) ? ask(texts.wantsImage(texts.previewImage)) : text
}

const withMeta = (work: Work, pageSlug: string, patch: Partial<Record<MetaName, string>>): Work =>
  ({ ...applyOperation({ ...work, touched: undefined }, { op: 'update_page_meta', pageSlug, patch }), touchedPage: pageSlug })

export const siteActions: readonly Action[] = [
  { verbs: ['set', 'replace', 'rename', 'say', 'none'], roles: 'object given in?', run: siteSetting },
  { verbs: ['use', 'set'], roles: 'text as', run: siteSetting },
  { verbs: ['set', 'rename', 'replace', 'say', 'show', 'none'], roles: 'object given in?', run: menuLabel },
  { verbs: ['group', 'move'], roles: 'object+ group in?', run: menuGroup },
  { verbs: ['group'], roles: 'object* group in? with', run: menuGroup },
  { verbs: ['set', 'replace', 'rename', 'none', 'add', 'use'], roles: 'object given in? to?', run: setMeta },
  { verbs: ['use', 'set'], roles: 'text as in?', run: setMeta },
  { verbs: ['give'], roles: 'object+ text', run: giveMeta },
  { verbs: ['clear'], roles: 'object in? from?', run: clearMeta },
  { verbs: ['add', 'set'], roles: 'object detail* called? to? in?', run: setMetas },
]
