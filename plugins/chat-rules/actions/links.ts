import { labelOf } from '../../content/fields.ts'
import type { Noun } from '../frame/noun.ts'
import { fieldOf, isLink, scalarFields, valueOf } from '../resolve/block-fields.ts'
import { fieldWithText, findField, findOwner, linkOf, linkProps } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { ask, Ask, tryTo, reject } from '../work/ask.ts'
import type { FieldAt, Work } from '../work/work.ts'
import { type Action, type Parts, scopedTo, textOf } from './action.ts'
import { isAddress, isColorCode, isFile, setText } from './values.ts'

/** Sets the target of a button or link. */
function link(work: Work, parts: Parts, start: Work): Work {
  const target = linkFor(work, parts.object)
  refuseLabel(work, parts)
  requireCurrentAddress(work, target, parts)
  if (isFile(parts.given?.text ?? '') && parts.object.kind !== 'field') return reject('a media file is not a link target')
  if (target.slug !== start.slug && !parts.has('linking', 'to', 'as') && !parts.given) return reject('the page may be the link target')
  return setText(work, target, addressIn(start, parts, target))
}

/** `Change Read more to Rentals`: the page may be the new label; the text of a button is not its link. */
function refuseLabel({ context: { texts } }: Work, { object, objects, nouns, verbs }: Parts): void {
  if (!verbs.includes('set')) return
  const page = nouns('to', 'as')[0] ?? objects[1]
  if (/(?:text|label|copy|caption|wording|beschriftung|aufschrift)$/i.test(object.text)) reject('its label')
  const isBare = page?.kind === 'name' || page?.page === 'bare'
  if (object.kind === 'name' && isBare && page.name) ask(texts.textOrLink(page.name.text))
}

/** `to /about instead of /rentals`: rejects if the current target differs. */
function requireCurrentAddress(work: Work, target: FieldAt, { first }: Parts): void {
  const old = first('from') ?? first('instead')
  if (!old) return
  const address = old.noun?.kind === 'page' ? findPage(work, old.noun).slug : textOf(old.value)
  if (valueOf(work, target) !== address) reject('the current target differs')
}

/** `Link the button to the page`, with both as objects. */
const linkTwo: Action['run'] = (work, parts, start) =>
  (parts.objects.length === 2 ? link(work, parts, start) : reject('needs one button and one page'))

/** Resolves a field, a bare name, or something with a single link to a link field. */
function linkFor(work: Work, noun: Noun): FieldAt {
  if (noun.isNew) return reject('does not exist yet')
  if (noun.kind === 'field') return linkOf(work, findField(work, noun))
  if (noun.kind === 'it') return linkOf(work, work.touchedField ?? reject('no button was set'))
  if (noun.kind === 'name') return linkOf(work, fieldWithText(work, { ...noun, props: ['ctaText'] }, noun.name?.text ?? ''))
  const at = findOwner(work, noun)
  const links = Object.entries(scalarFields(work, at)).filter(([name, meta]) => isLink(meta) && /href$/i.test(name)).map(([name]) => name)
  return links.length === 1 ? fieldOf(work, at, links) : reject('needs exactly one link')
}

function addressIn(work: Work, parts: Parts, { name, meta }: FieldAt): string {
  const page = parts.nouns('linking', 'to', 'as')[0] ?? parts.objects[1]
  if (page) return page.kind === 'page' || page.kind === 'name' ? findPage(work, page).slug : reject('not a link target')
  const value = parts.first('linking')?.value ?? parts.given
  const text = textOf(value)
  if (value?.form === 'text' || isColorCode(text)) return reject('neither an address nor a page')
  return isAddress(text) ? text : ask(work.context.texts.wantsLink(labelOf(name, meta)))
}

/** Adds a button, optionally with its link: `add a button "Prices" that links to /about to the banner`. */
function addButton(work: Work, parts: Parts, start: Work): Work {
  const [owner, button] = parts.objects.length === 2 ? parts.objects : [undefined, parts.object]
  const [text, ...others] = (['text', 'called', 'saying', 'labelled'] as const).flatMap((role) => parts.all(role))
  if (button?.kind !== 'field' || !button.isNew || others.length > 0) return reject('not a new button')
  const at = owner ? scopedTo(start, owner) : work
  const field = findField(at, { ...button, isNew: false, isIts: owner !== undefined })
  if (linkProps[field.name] === undefined || valueOf(at, field)) return reject('not a button, or it exists already')
  const done = setText(at, field, textOf(text?.value))
  if (!parts.has('linking')) return done
  const target = linkOf(done, field)
  return setText(done, target, addressIn(done, { ...parts, nouns: () => parts.nouns('linking'), objects: [] }, target))
}

/** `Set its link to the about us page`: only for fields that are links. */
function setLink(work: Work, parts: Parts, start: Work): Work {
  const field = findField(work, parts.object)
  if (field.meta.kind !== 'url' && field.meta.kind !== 'link') return reject('not a link field')
  requireCurrentAddress(work, field, parts)
  const done = tryTo(() => setText(work, field, addressIn(start, parts, field)))
  if (!done || (done instanceof Ask && !done.inquiry.key)) return reject('not a page')
  if (done instanceof Ask) throw done
  return done
}

export const linkActions: readonly Action[] = [
  { verbs: ['add', 'give'], roles: 'object+ text? called? saying? labelled? linking? @in? @to?', run: addButton },
  { verbs: ['link'], roles: 'object given @in? from? instead?', run: link },
  { verbs: ['link'], roles: 'object to @in? from? instead?', run: link },
  { verbs: ['link'], roles: 'object as @in? from? instead?', run: link },
  { verbs: ['link', 'set', 'move', 'be'], roles: 'object linking @in? from? instead?', run: link },
  { verbs: ['link'], roles: 'object+ @in?', run: linkTwo },
  { verbs: ['set', 'replace', 'be', 'none'], roles: 'object to @in? from? instead?', run: setLink },
]
