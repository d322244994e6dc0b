import type { SiteConfig } from '../../content/model.ts'
import { ownValue } from '../../content/plain-object.ts'
import { sameJson } from '../../content/same-json.ts'
import type { Noun } from '../frame/nouns.ts'
import { selectedBlock } from '../resolve/blocks.ts'
import { fieldIn } from '../resolve/fields.ts'
import { findPage, findPages, isPage, wholePage } from '../resolve/pages.ts'
import { ask, unfit } from '../work/ask.ts'
import { perform } from '../work/perform.ts'
import type { Work } from '../work/work.ts'
import { type Action, type Parts, textOf } from './action.ts'
import { isAddress, isImageAddress } from './values.ts'

const longestName = 80

/** The name of the site, and its logo. */
function siteSetting(work: Work, parts: Parts): Work {
  const noun = parts.nouns('object', 'as')[0] ?? unfit('nothing is named')
  const { given: value } = parts
  const text = textOf(value).trim()
  const isElsewhere = (noun.owner && noun.owner.kind !== 'site') || parts.nouns('in').some(({ kind }) => kind !== 'menu')
  if (isElsewhere) return unfit('not a setting of the site')
  const { texts } = work.scene
  const isImage = isImageAddress(text) && value?.form === 'address'
  if (noun.kind === 'logo') return isImage ? configure(work, { logo: text }) : ask(texts.wantsImage(texts.logo))
  const isName = noun.kind === 'siteName' || (noun.kind === 'site' && parts.verbs.includes('rename'))
  if (!isName || noun.isNew) return unfit('not a setting of the site')
  if (value?.form === 'address') return unfit('a name is not an address')
  if (text === '') ask(work.scene.texts.emptyValue)
  return text.length > longestName ? ask(work.scene.texts.nameTooLong) : configure(work, { name: text })
}

/** What the menu calls a page; the page itself keeps its title. */
function menuLabel(work: Work, parts: Parts): Work {
  const { object, given: value } = parts
  const at = parts.nouns('in')[0] ?? object.owner
  const isEntry = object.kind === 'entry' && object.name !== undefined
  if (!isEntry && !(at?.kind === 'menu' && isPage(work, object))) return unfit('no entry of the menu is meant')
  if (at && at.kind !== 'menu') return unfit('the menu has no such part')
  const label = textOf(value).trim()
  if (label === '') ask(work.scene.texts.emptyValue)
  if (isAddress(label) || value?.form === 'address') return unfit('a label is not an address')
  const page: Noun = isEntry ? { ...object, kind: 'page', page: 'named' } : object
  if (!isPage(work, { ...page, kind: page.page === 'named' ? 'name' : 'page' })) return unfit('no entry of the menu is called so')
  const { slug } = findPage(work, page)
  return ownValue(work.draft.config.navLabels, slug) === label ? work : perform(work, { op: 'update_site_config', patch: { navLabels: { [slug]: label } } })
}

/** Pages under one heading of the menu; they leave the groups they were in. */
function menuGroup(work: Work, parts: Parts): Work {
  if (!parts.frame.hasVerb) return unfit('pages are put into a group')
  const label = textOf(parts.first('group')?.value).trim()
  if (parts.nouns('in').some(({ kind }) => kind !== 'menu')) return unfit('groups are in the menu')
  const nouns = parts.nouns('with', 'object')
  if (!nouns.every((noun) => isPage(work, noun))) return unfit('groups have pages')
  const slugs = findPages(work, nouns).map(({ slug }) => slug)
  if (label === '') ask(work.scene.texts.emptyValue)
  if (slugs.length < 2 && parts.first('group')?.choice !== 'dropdown') return unfit('a group has several pages')
  const others = Object.entries(work.draft.config.navGroups ?? {})
    .map(([name, members]) => [name, members.filter((slug) => !slugs.includes(slug))] as const)
    .filter(([name, members]) => name !== label && members.length > 0)
  return configure(work, { navGroups: Object.fromEntries([...others, [label, slugs]]) })
}

function configure(work: Work, patch: Pick<SiteConfig, 'name' | 'logo' | 'navGroups'>): Work {
  const isSo = Object.entries(patch).every(([key, value]) => sameJson(work.draft.config[key], value))
  return isSo ? work : perform(work, { op: 'update_site_config', patch })
}

type MetaName = 'title' | 'description' | 'ogImage'

const isMetaName = (name: string | undefined): name is MetaName => name === 'title' || name === 'description' || name === 'ogImage'

/** The page whose metadata is meant: the one that the noun or the rest of the sentence names, else the one that is talked about. */
function pageFor(work: Work, { owner }: Noun, parts: Parts): string {
  const [page, other] = [...(owner ? [owner] : []), ...parts.nouns('in', 'to', 'from')]
  if (other || (page && page.kind !== 'page' && page.kind !== 'it')) return unfit('no page is meant, or two')
  return wholePage(work, page)
}

const metaNameOf = ({ kind, props: [name] = [] }: Noun): MetaName => (kind === 'meta' && isMetaName(name) ? name : unfit('no metadata is meant'))

/** What search engines and link previews read of a page. */
function setMeta(work: Work, parts: Parts): Work {
  const noun = parts.nouns('as')[0] ?? parts.object
  const name = metaNameOf(noun)
  const selected = selectedBlock(work)
  if (name === 'ogImage' && selected && fieldIn(work, selected, ['posterUrl'])) return unfit('the picture of the video may be meant')
  return withMeta(work, pageFor(work, noun, parts), { [name]: checked(work, name, textOf(parts.given)) })
}

/** `Give this page the meta title "…"`. */
function giveMeta(work: Work, parts: Parts): Work {
  const [owner, object] = parts.objects
  return owner && object && !object.owner && parts.objects.length === 2 ? setMeta(work, { ...parts, object: { ...object, owner } }) : unfit('no metadata is given')
}

const clearMeta = (work: Work, parts: Parts): Work => withMeta(work, pageFor(work, parts.object, parts), { [metaNameOf(parts.object)]: '' })

/** `metadata with the title "…" and description "…"`. */
function setMetas(work: Work, parts: Parts): Work {
  const { object } = parts
  if (object.kind !== 'metadata') return unfit('no metadata is meant')
  const page = pageFor(work, object, parts)
  const title = parts.first('called')?.value
  const entries = parts.all('detail').map(({ options = [], value }) => {
    const name = options.includes('imageUrl') ? 'ogImage' : options.find(isMetaName)
    return isMetaName(name) ? [name, checked(work, name, textOf(value))] as const : unfit('metadata has no such part')
  })
  return withMeta(work, page, { ...(title && { title: checked(work, 'title', textOf(title)) }), ...Object.fromEntries(entries) })
}

function checked({ scene: { texts } }: Work, name: MetaName, text: string): string {
  if (text.trim() === '') ask(texts.emptyValue)
  return name === 'ogImage' && !isImageAddress(text) ? ask(texts.wantsImage(texts.previewImage)) : text
}

const withMeta = (work: Work, pageSlug: string, patch: Partial<Record<MetaName, string>>): Work =>
  ({ ...perform({ ...work, touched: undefined }, { op: 'update_page_meta', pageSlug, patch }), touchedPage: pageSlug })

export const siteActions: readonly Action[] = [
  { verbs: ['set', 'replace', 'rename', 'say', 'none'], roles: 'object given in?', does: siteSetting },
  { verbs: ['use', 'set'], roles: 'text as', does: siteSetting },
  { verbs: ['set', 'rename', 'replace', 'say', 'show', 'none'], roles: 'object given in?', does: menuLabel },
  { verbs: ['group', 'move'], roles: 'object+ group in?', does: menuGroup },
  { verbs: ['group'], roles: 'object* group in? with', does: menuGroup },
  { verbs: ['set', 'replace', 'rename', 'none', 'add', 'use'], roles: 'object given in? to?', does: setMeta },
  { verbs: ['use', 'set'], roles: 'text as in?', does: setMeta },
  { verbs: ['give'], roles: 'object+ text', does: giveMeta },
  { verbs: ['clear'], roles: 'object in? from?', does: clearMeta },
  { verbs: ['add', 'set'], roles: 'object detail* called? to? in?', does: setMetas },
]
