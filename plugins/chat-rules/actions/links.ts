import { labelOf } from '../../content/fields.ts'
import type { Noun } from '../frame/nouns.ts'
import { fieldOf, fieldShowing, findField, findOwner, isLink, linkOf, linkProps, scalarFields, valueOf } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { ask, Ask, tryTo, unfit } from '../work/ask.ts'
import type { FieldAt, Work } from '../work/work.ts'
import { type Action, inside, type Parts, textOf } from './action.ts'
import { isAddress, isFile, setText } from './values.ts'

/** Where a button or a link leads. */
function link(work: Work, parts: Parts, start: Work): Work {
  const target = linkFor(work, parts.object)
  refuseOther(work, target, parts)
  if (isFile(parts.given?.text ?? '') && parts.object.kind !== 'field') return unfit('a link does not lead to a media file')
  if (target.slug !== start.slug && !parts.has('linking', 'to', 'as') && !parts.given) return unfit('the page may be where it leads')
  return setText(work, target, addressIn(start, parts, target))
}

/** `to /about instead of /rentals`: the link has to lead there now. */
function refuseOther(work: Work, target: FieldAt, { first }: Parts): void {
  const old = first('from') ?? first('instead')
  if (!old) return
  const address = old.noun?.kind === 'page' ? findPage(work, old.noun).slug : textOf(old.value)
  if (valueOf(work, target) !== address) unfit('the link leads elsewhere')
}

/** `Link the button to the page`, where both are objects. */
const linkTwo: Action['does'] = (work, parts, start) =>
  (parts.objects.length === 2 ? link(work, parts, start) : unfit('one button leads to one page'))

/** The link that a field, a text alone, or something with one link means. */
function linkFor(work: Work, noun: Noun): FieldAt {
  if (noun.isNew) return unfit('this is not there yet')
  if (noun.kind === 'field') return linkOf(work, findField(work, noun))
  if (noun.kind === 'it') return linkOf(work, work.touchedField ?? unfit('no button was set'))
  if (noun.kind === 'name') return linkOf(work, fieldShowing(work, { ...noun, props: ['ctaText'] }, noun.name?.text ?? ''))
  const at = findOwner(work, noun)
  const links = Object.entries(scalarFields(work, at)).filter(([name, meta]) => isLink(meta) && /href$/i.test(name)).map(([name]) => name)
  return links.length === 1 ? fieldOf(work, at, links) : unfit('this has not one link')
}

function addressIn(work: Work, parts: Parts, { name, meta }: FieldAt): string {
  const page = parts.nouns('linking', 'to', 'as')[0] ?? parts.objects[1]
  if (page) return page.kind === 'page' || page.kind === 'name' ? findPage(work, page).slug : unfit('a link cannot lead there')
  const value = parts.first('linking')?.value ?? parts.given
  const text = textOf(value)
  if (value?.form === 'text') return unfit('an address has no blanks')
  return isAddress(text) ? text : ask(work.scene.texts.wantsLink(labelOf(name, meta)))
}

/** A button that is not there yet, and perhaps where it leads: `add a button "Prices" that links to /about to the banner`. */
function addButton(work: Work, parts: Parts, start: Work): Work {
  const [owner, button] = parts.objects.length === 2 ? parts.objects : [undefined, parts.object]
  const [text, ...others] = (['text', 'called', 'saying', 'labelled'] as const).flatMap((role) => parts.all(role))
  if (button?.kind !== 'field' || !button.isNew || others.length > 0) return unfit('no new button is meant')
  const at = owner ? inside(start, owner) : work
  const field = findField(at, { ...button, isNew: false, isIts: owner !== undefined })
  if (linkProps[field.name] === undefined || valueOf(at, field)) return unfit('not a button, or it exists already')
  const done = setText(at, field, textOf(text?.value))
  if (!parts.has('linking')) return done
  const target = linkOf(done, field)
  return setText(done, target, addressIn(done, { ...parts, nouns: () => parts.nouns('linking'), objects: [] }, target))
}

/** `Set its link to the about us page`: only what is an address itself. */
function setLink(work: Work, parts: Parts, start: Work): Work {
  const field = findField(work, parts.object)
  if (field.meta.kind !== 'url' && field.meta.kind !== 'link') return unfit('a text is set, and no link')
  refuseOther(work, field, parts)
  const done = tryTo(() => setText(work, field, addressIn(start, parts, field)))
  if (!done || (done instanceof Ask && !done.inquiry.key)) return unfit('not a page')
  if (done instanceof Ask) throw done
  return done
}

export const linkActions: readonly Action[] = [
  { verbs: ['add', 'give'], roles: 'object+ text? called? saying? labelled? linking? @in? @to?', does: addButton },
  { verbs: ['link'], roles: 'object given @in? from? instead?', does: link },
  { verbs: ['link'], roles: 'object to @in? from? instead?', does: link },
  { verbs: ['link'], roles: 'object as @in? from? instead?', does: link },
  { verbs: ['link', 'set', 'move', 'be'], roles: 'object linking @in? from? instead?', does: link },
  { verbs: ['link'], roles: 'object+ @in?', does: linkTwo },
  { verbs: ['set', 'replace', 'be', 'none'], roles: 'object to @in? from? instead?', does: setLink },
]
