import { readsAsInstruction } from '../../../content/operations/instruction.ts'
import { labelOf } from '../../../content/field-meta.ts'
import type { FieldMeta } from '../../../content/model.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { canonicalSlug } from '../../../content/slugs.ts'
import { Ask } from '../ask.ts'
import { pagesIn } from '../../../content/draft-view.ts'
import { isNamed } from '../grammar/site-names.ts'
import { valueOf } from '../resolve/fields.ts'
import type { FieldAt, Work } from '../work.ts'

/** The value that a text is for a field; asks where it cannot be one. */
export function toValue(work: Work, field: FieldAt, text: string): unknown {
  return toValueOf(work, field, text, valueOf(work, field))
}

/** The same for a field of something new. */
export function toValueOf(
  work: Work, { name, meta }: Pick<FieldAt, 'name' | 'meta'>, text: string, current?: unknown,
): unknown {
  const { texts } = work.scene
  const label = labelOf(name, meta)
  if (text.trim() === '') throw new Ask({ question: texts.emptyValue })
  if (typeof current === 'object' && current !== null && meta.kind !== 'link') throw new Ask({ question: texts.notInOneSentence })
  switch (meta.kind) {
    case 'text':
    case 'html':
    case 'richtext': return text
    case 'imageAlt': {
      if (readsAsInstruction(text)) throw new Ask({ question: texts.readsAsRequest(label) })
      return text
    }
    case 'enum': return optionFor(work, meta, text) ?? askOption(work, meta, label)
    case 'number': return /^\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : ask(texts.wantsNumber(label))
    case 'color': return colorFor(work, text.trim()) ?? ask(texts.wantsColor(label))
    case 'link':
    case 'url': return withAddress(current, addressFor(work, text.trim()) ?? ask(texts.wantsLink(label)))
    case 'image': return isImageAddress(text.trim()) ? text.trim() : ask(texts.wantsImage(label))
    case 'reference': return ask(texts.managedElsewhere)
    default: return ask(texts.notInOneSentence)
  }
}

function ask(question: string): never {
  throw new Ask({ question })
}

/** The option of an enum that a text means; case, hyphens and the spelling of numbers do not matter. */
export function optionFor({ scene: { lexicon } }: Work, { options = [] }: FieldMeta, text: string): string | undefined {
  const plain = (word: string) => word.toLowerCase().replace(/[-_\s]+/g, ' ').trim()
  const wanted = plain(text)
  const named = [lexicon.numbers, lexicon.switches, lexicon.optionWords].map((names) => ownValue<string | number>(names, wanted))
  const meanings = [wanted, ...named.filter((name) => name !== undefined).map(String)]
  return options.find((option) => meanings.includes(plain(option)))
}

function askOption(work: Work, { options = [] }: FieldMeta, label: string): never {
  return ask(work.scene.texts.options(label, options))
}

/** An address, or the slug of the one page that is called so. */
function addressFor({ draft }: Work, text: string): string | undefined {
  if (isAddress(text)) return text
  const pages = pagesIn(draft).filter((page) => isNamed(page, draft.config, text))
  return pages.length === 1 ? pages[0]?.slug : undefined
}

/** Addresses that a visitor may be sent to: no scheme that runs code, none that leaves the site unnoticed. */
export function isAddress(text: string): boolean {
  return /^(?:https?:\/\/[^\s/]+\S*|mailto:[^\s@]+@\S+|tel:[+\d][\d().\s-]*|\/(?![/\\])\S*|#\S+)$/i.test(text) && !/[<>"\\]/.test(text)
}

const isImageAddress = (text: string) => isAddress(text) && /^(?:https?:|\/)/i.test(text) && canonicalSlug(text) !== '/'

function colorFor({ scene: { lexicon } }: Work, text: string): string | undefined {
  const name = text.toLowerCase()
  const isCode = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text) || /^(?:rgb|hsl)a?\([\d\s.,%/-]{1,40}\)$/i.test(text)
  return isCode || lexicon.colors.includes(name) ? text : ownValue(lexicon.colorWords, name)
}

/** A link that holds more than an address keeps the rest. */
function withAddress(current: unknown, href: string): unknown {
  return typeof current === 'object' && current !== null ? { ...current, href } : href
}
