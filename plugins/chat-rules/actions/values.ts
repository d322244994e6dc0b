import { violations } from '../../content/check-props.ts'
import { pagesIn } from '../../content/draft-view.ts'
import { labelOf } from '../../content/fields.ts'
import type { FieldMeta } from '../../content/model.ts'
import { readsAsInstruction } from '../../content/words.ts'
import { ownValue } from '../../content/plain-object.ts'
import { itemSchemaOf } from '../../content/props-schema.ts'
import { sameJson } from '../../content/same-json.ts'
import { isPageNamed } from '../frame/names.ts'
import type { Value } from '../frame/values.ts'
import { scalarFields, valueOf } from '../resolve/block-fields.ts'
import { linkProps } from '../resolve/fields.ts'
import { ask, type Doubts, reject, rejectDoubtful } from '../work/ask.ts'
import { applyOperation } from '../work/perform.ts'
import { blockOf, type FieldAt, typeOf, type Work } from '../work/work.ts'

/** Writes values into fields of one block or row, skipping unchanged ones. */
export function write(work: Work, at: FieldAt, values: Readonly<Record<string, unknown>>): Work {
  const { slug: pageSlug, id: blockId, row } = at
  const changed = Object.entries(values).filter(([name, value]) => !sameJson(valueOf(work, { ...at, name }), value))
  const touched = row ? { slug: pageSlug, id: blockId, ...row } : { slug: pageSlug, id: blockId }
  if (changed.length === 0) return { ...work, touched, touchedField: at }
  const patch = Object.fromEntries(changed)
  const after = row
    ? applyOperation(work, { op: 'update_item', pageSlug, blockId, ...row, patch }, touched)
    : applyOperation(work, { op: 'update_props', pageSlug, blockId, patch }, touched)
  return { ...after, touchedField: at }
}

/** Sets a field to the value that a text converts to. */
export const setText = (work: Work, at: FieldAt, text: string): Work => write(work, at, { [at.name]: toValue(work, at, text, valueOf(work, at)) })

export const textKinds: ReadonlySet<string> = new Set(['text', 'html', 'richtext', 'imageAlt'])

/** `H2`, `Heading 2`: a level of a heading, unless it is quoted. */
export const isHeadingLevel = ({ form, text }: Value): boolean =>
  form !== 'quoted' && /^(?:h|(?:heading|überschrift) ?)[1-6]$/i.test(text)

/** Asks whether an unquoted text is a text; suggests the request with quotes. */
export function askForQuotes({ context: { parser: { message, tokens }, texts } }: Work, { text, end }: Value): never {
  // The same letters may occur earlier: `change the button to on`.
  const at = message.lastIndexOf(text, tokens[end - 1]?.start)
  const suggestions = at < 0 ? [] : [`${message.slice(0, at)}"${text}"${message.slice(at + text.length)}`]
  return ask(texts.wantsQuotes(text), { suggestions })
}

/** Checked before an unquoted value becomes a text. */
const textDoubts: Doubts<{ readonly at: FieldAt; readonly value: Value }> = [
  ['may be a remark', ({ value: { form } }) => form === 'option'],
  ['an address or a color is not a text', ({ at, value: { form, text } }) =>
    form === 'address' && (linkProps[at.name] === undefined || !isAddress(text) || isFile(text))],
  ['a size is not a text', ({ value: { text } }) => /^\d+ ?(?:px|pt|em|rem)$/i.test(text)],
  ['a heading level is not a text', ({ value }) => isHeadingLevel(value)],
  ['a word is not an icon', ({ at, value: { text } }) => at.name === 'icon' && /\p{L}/u.test(text)],
]

/** Sets a field to a parsed value; rejects what may only describe the text. */
export function setValue(work: Work, at: FieldAt, value: Value): Work {
  const { text, form } = value
  const isTextKind = textKinds.has(at.meta.kind)
  if (isTextKind && form !== 'quoted') rejectDoubtful(textDoubts, { at, value })
  if (isTextKind && form === 'remark') askForQuotes(work, value)
  const isChoice = () => Object.values(scalarFields(work, { slug: at.slug, id: at.id })).some(({ options }) => options?.includes(text))
  const isColor = ownValue(work.context.language.colors, text.toLowerCase()) !== undefined
  if (isTextKind && form === 'text' && (isColor || isChoice())) return reject('an option of another field')
  const isButton = linkProps[at.name] !== undefined
  if (isTextKind && form === 'address' && isButton && isAddress(text)) ask(work.context.texts.textOrLink(text), { choices: [{ id: 'text', label: text }] })
  const isStopped = form === 'text' && [value.end - 1, value.end].some((place) => work.context.parser.tokens[place]?.word === '.')
  return setText(work, at, isStopped && String(valueOf(work, at)).endsWith('.') ? `${text}.` : text)
}

/** Converts a text to the value of a field; asks if it is not valid. */
export function toValue(work: Work, { name, meta }: Pick<FieldAt, 'name' | 'meta'>, text: string, current?: unknown): unknown {
  const { texts } = work.context
  const label = labelOf(name, meta)
  if (text.trim() === '') ask(texts.emptyValue)
  if (typeof current === 'object' && current !== null && meta.kind !== 'link') ask(texts.notInOneSentence)
  switch (meta.kind) {
    case 'text': case 'html': case 'richtext': return text
    case 'imageAlt': return readsAsInstruction(text) ? ask(texts.readsAsRequest(label)) : text
    case 'enum': return optionFor(work, meta, text) ?? ask(texts.options(label, meta.options ?? []))
    case 'number': return numberFor(label, text) ?? ask(texts[isTime(label) ? 'wantsTime' : 'wantsNumber'](label))
    case 'color': return colorFor(work, text.trim()) ?? ask(texts.wantsColor(label))
    case 'link': case 'url': return withAddress(current, addressFor(work, name, text.trim()) ?? ask(texts.wantsLink(label)))
    case 'image': return isImageAddress(text.trim()) ? text.trim() : ask(texts.wantsImage(label))
    case 'reference': return ask(texts.managedElsewhere)
    default: return ask(texts.notInOneSentence)
  }
}

const isTime = (label: string): boolean => /^milli/i.test(label)
const fewestMilliseconds = 100

/** A whole number; of milliseconds not an implausible one, and also from seconds with their unit. */
function numberFor(label: string, text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,12})(?: ?(ms|s|sec|seconds?|sekunden?))?$/i.exec(text.trim()) ?? []
  if (digits === undefined || (unit !== undefined && !isTime(label))) return undefined
  const number = Number(digits) * (/^s/i.test(unit ?? '') ? 1000 : 1)
  return isTime(label) && number < fewestMilliseconds ? undefined : number
}

export const isVideo = (text: string): boolean => /\.(?:mp4|webm|ogv|mov|m4v)(?:\?\S*)?$/i.test(text)
export const isPicture = (text: string): boolean => /\.(?:jpe?g|png|gif|webp|avif|svg)(?:\?\S*)?$/i.test(text)
export const isFile = (text: string): boolean => isPicture(text) || isVideo(text)

/** The option that a text matches, ignoring case, hyphens and the spelling of numbers. */
export function optionFor({ context: { language } }: Work, { options = [] }: FieldMeta, text: string): string | undefined {
  const plain = (word: string) => word.toLowerCase().replace(/[-_\s]+/g, ' ').trim()
  const wanted = plain(text)
  const meanings = [wanted, String(ownValue(language.numbers, wanted)), ownValue(language.options, wanted)]
  return options.find((option) => meanings.includes(plain(option)))
}

/** An address, or the slug of the only page with that name; for media a video, or a page of another site. */
function addressFor({ draft }: Work, name: string, text: string): string | undefined {
  if (name === 'src' || name === 'url') {
    const isMedia = /^https?:/i.test(text) ? !isPicture(text) : name === 'src' && isVideo(text)
    return isMedia && isAddress(text) ? text : undefined
  }
  if (isAddress(text)) return text
  const pages = pagesIn(draft).filter((page) => isPageNamed(page, draft.config, text))
  return pages.length === 1 ? pages[0]?.slug : undefined
}

export const isColorCode = (text: string): boolean => /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)

/** Whether an address is safe to link to: no script schemes, no protocol-relative URLs; `#fff` is a color. */
export const isAddress = (text: string): boolean =>
  /^(?:https?:\/\/[^\s/]+\S*|mailto:[^\s@]+@\S+|tel:[+\d][\d().\s-]*|\/(?![/\\])\S*|#\S+)$/i.test(text)
  && !/[<>"\\]/.test(text) && !isColorCode(text)

/** Hosts whose addresses are pages, not files. */
const pageHosts = /^https?:\/\/(?:(?:www|drive)\.)?(?:unsplash|pexels|pixabay|google|youtube|vimeo)\.\w+\//i
const otherFiles = /\.(?:mp4|webm|ogv|mov|m4v|mp3|pdf|html?|docx?|zip)(?:[?#]\S*)?$/i

/** Whether an address can be a picture; on other sites, also without the ending of a picture. */
export const isImageAddress = (text: string): boolean => isAddress(text) && (isPicture(text)
  || (/^https?:\/\/[^/]+\/./i.test(text) && !pageHosts.test(text) && !otherFiles.test(text)))

function colorFor({ context: { language } }: Work, text: string): string | undefined {
  const isCode = isColorCode(text) || /^(?:rgb|hsl)a?\([\d\s.,%/-]{1,40}\)$/i.test(text)
  return isCode ? text : ownValue(language.colors, text.toLowerCase())
}

/** Sets the address of a link; a link object keeps its other props. */
const withAddress = (current: unknown, href: string): unknown => (typeof current === 'object' && current !== null ? { ...current, href } : href)

/** Whether a field must not be empty. */
export function isRequired(work: Work, { slug, id, row, name, meta }: FieldAt): boolean {
  const schema = typeOf(work, blockOf(work, { slug, id }))?.propsSchema
  const owner = row ? itemSchemaOf(schema?.properties?.[row.listKey]) : schema
  const own = owner?.properties?.[name]
  return meta.required === true || (own !== undefined && violations(own, '', name).length > 0)
}
