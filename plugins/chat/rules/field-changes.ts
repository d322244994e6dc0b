/** What the forms do to fields: the operations for fields and values that were read. */
import { isText, labelOf } from '../../content/fields.ts'
import { ownValue, sameJson } from '../../content/plain-object.ts'
import { inTexts, isTexts, wholeWords } from '../../content/replace-text.ts'
import type { Slots } from './match.ts'
import { operationsOn } from './item-changes.ts'
import { freeTitle, labelled } from './page-changes.ts'
import { isTitled, one } from './references.ts'
import { texts } from './texts.ts'
import type { Token } from './tokens.ts'
import { type Value, valueFor } from './values.ts'
import {
  ask,
  blocksOn,
  type FormChange,
  type ItemField,
  fieldNamed,
  filledFields,
  type Item,
  mainFields,
  itemsOf,
  targetOf,
  textsOf,
  type PlanState,
} from './work.ts'

/** Sets a field to a value in words. */
export function assign(work: PlanState, field: ItemField | undefined, value: Value): FormChange {
  const wanted = field && valueFor(work, field, value)
  return field && wanted !== undefined ? setField(work, field, wanted) : undefined
}

type SettingSlots = Pick<Slots, 'FIELD' | 'VALUE'>

export function set(work: PlanState, { FIELD, VALUE }: SettingSlots): FormChange {
  const field = one(work, FIELD)
  return onSide(work, field, VALUE) ?? assign(work, field, VALUE)
}

/** Puts an image on a side: `to the right`. */
export const putOnSide = (work: PlanState, { FIELD, VALUE }: SettingSlots): FormChange =>
  FIELD.candidates.every(({ meta }) => meta.kind === 'image')
    ? onSide(work, one(work, FIELD), VALUE)
    : undefined

/** Sets the place of an image in its block, if a value names one and the block has a field for it. */
function onSide(work: PlanState, { item, name, meta }: ItemField, { text }: Value): FormChange {
  if (meta.kind !== 'image') return undefined
  const [, side = ''] = /^(?:(?:to|on|at) )?(?:the )?(\w+?)(?:-?hand)?(?: side)?$/i.exec(text.trim()) ?? []
  const place = fieldNamed(item, `${name.replace(/Url$/, '')}Position`)
  const option = place?.meta.options?.find((each) => each === side.toLowerCase())
  return place && option !== undefined ? setField(work, place, option) : undefined
}

/** What the fields of a page and of the site are called in operations. */
const settings: Readonly<Record<string, string>> = {
  metaTitle: 'title',
  metaDescription: 'description',
  socialImage: 'ogImage',
  site: 'name',
}

function setField(work: PlanState, { item, name }: ItemField, value: unknown): FormChange {
  const { kind } = item
  const target = targetOf(item)
  const key = kind === 'page' || kind === 'site' ? (settings[name] ?? name) : name
  if (kind === 'page' && key === 'pageSlug')
    return [{ op: 'rename_page', ...target, newPageSlug: value, newTitle: item.name }]
  if (kind === 'page' && key === 'pageTitle')
    return [{ op: 'rename_page', ...target, newTitle: freeTitle(work, String(value), item) }]
  if (key === 'menuLabel') return labelled(item, String(value))
  return [{ op: operationsOn[kind].set, ...target, patch: { [key]: value } }]
}

export function clear(work: PlanState, { FIELD }: Pick<Slots, 'FIELD'>): FormChange {
  const field = one(work, FIELD)
  if (field.meta.required)
    ask(texts.mustNotBeEmpty(labelOf(field.name, field.meta)), { opening: `Change ${FIELD.words} to ` })
  return setField(work, field, '')
}

/** Asks for the text of a section that its title stands for: the title first if it is written like it. */
function oneText(work: PlanState, item: Item, words: string): ItemField {
  const all = filledFields(item).flatMap(([name, meta]) =>
    isText(meta) ? (fieldNamed(item, name) ?? []) : [],
  )
  if (item.kind !== 'block' || all.length < 2) return ask(texts.twoReadings)
  const isTitle = ({ name }: ItemField) => mainFields.some((each) => each === name)
  const isWritten = textsOf(item).some((text) => work.message.includes(text))
  const [first, others] = [
    all.filter((each) => isTitle(each) === isWritten),
    all.filter((each) => isTitle(each) !== isWritten),
  ]
  return one(work, { words: `text of ${words}`, candidates: [...first, ...others] })
}

/** Sets the main field of a block or row. */
export function setMain(work: PlanState, { ITEM, VALUE }: Pick<Slots, 'ITEM' | 'VALUE'>): FormChange {
  const item = one(work, ITEM)
  const isRenamed = work.message.toLowerCase().startsWith('rename')
  // `Set the first stat to 17` means its value, and not its label.
  const hasValue = Object.hasOwn(item.fields, 'value') && !isRenamed
  const isValue = hasValue && /\d/.test(VALUE.text) && !ITEM.isQuoted
  // `Change the opening hours` may mean what is under that title.
  if (isTitled(item, ITEM.words) && !isRenamed && !isValue)
    return ITEM.isQuoted ? undefined : assign(work, oneText(work, item, ITEM.words), VALUE)
  if (hasValue && !isValue) ask(texts.twoReadings)
  const name = hasValue ? 'value' : mainFields.find((each) => Object.hasOwn(item.fields, each))
  return assign(work, fieldNamed(item, name), VALUE)
}

/** Sets a link, or the link of a button. */
export function link(work: PlanState, { FIELD, VALUE }: SettingSlots): FormChange {
  const target = linkOf(one(work, FIELD))
  return target && assign(work, target, VALUE)
}

/** The link that a field is, or that belongs to a button. */
export function linkOf(field: ItemField): ItemField | undefined {
  const isLink = ({ meta: { kind } }: ItemField) => kind === 'url' || kind === 'link'
  const target = isLink(field) ? field : fieldNamed(field.item, field.name.replace(/Text$/, 'Href'))
  return target && isLink(target) ? target : undefined
}

/** Bounds the time for one message, in characters that are read and written. */
const mostCharacters = 1_000_000

/** Replaces whole words in the text fields of some blocks and rows, but not in the addresses of links. */
export function replace(
  items: readonly Item[],
  { text: wanted }: Token,
  { text: by, isQuoted }: Value,
): FormChange {
  if (!isQuoted) return undefined
  if (wanted.trim() === '') ask(texts.emptyValue)
  const words = wholeWords(wanted)
  let length = 0
  const ops = items.flatMap((item) => {
    const patch: Record<string, unknown> = {}
    for (const [name, meta] of filledFields(item)) {
      const value = ownValue(item.props, name)
      if (!isText(meta) && !isTexts(value, meta)) continue
      const replaced = inTexts(value, (text) => {
        if (!text.includes(wanted)) return text
        length += text.length + (text.split(wanted).length - 1) * by.length
        if (length > mostCharacters) ask(texts.tooLong)
        return text.replace(words, (found) => (found.startsWith('](') ? found : by))
      })
      const isEmptied = typeof replaced === 'string' && replaced.trim() === '' && replaced !== value
      if (isEmptied && meta.required)
        ask(texts.mustNotBeEmpty(labelOf(name, meta)), { opening: `Change "${wanted}" to ` })
      if (!sameJson(replaced, value)) patch[name] = replaced
    }
    return Object.keys(patch).length > 0
      ? [{ op: operationsOn[item.kind].set, ...targetOf(item), patch }]
      : []
  })
  return ops.length > 0 ? ops : ask(texts.textNotFound(wanted))
}

/** The blocks and rows in an item. */
export function withRows(work: PlanState, item: Item): readonly Item[] {
  if (item.kind === 'row') return [item]
  const blocks = item.kind === 'block' ? [item] : blocksOn(work, item.slug)
  return blocks.flatMap((block) => [block, ...itemsOf(block)])
}
