import { withoutGeneratedItemIds } from '../content/items.ts'
import type { Block, Props } from '../content/page.ts'
import { isPlainObject, sameJson } from '../content/plain-object.ts'
import { codeAdded, codeRefused, isUnsafeAddress, templateCode, textCode, usualDelimiters } from './code.ts'
import { detailsOf, partsOf, patchFrontMatter, type Parts } from './front-matter.ts'
import { htmlTokens } from './html-tokens.ts'
import { inForm, type Unit } from './in-form.ts'
import { joined, markupSplices, shownMarkup } from './markup.ts'
import { refusal, type Unreadable, type Unwritable } from './outcome.ts'
import { sliceOf, spliced, type Span, type Splice } from './ranges.ts'
import {
  staleReason,
  withHeldProps,
  withLimits,
  type FileKind,
  type FileOptions,
  type Reading,
} from './reading.ts'
import { spelledString, stringUnits } from './string-literals.ts'

/** The attributes that can be edited. */
const attributes = ['alt', 'title', 'aria-label', 'placeholder', 'href', 'src'] as const
type Attribute = (typeof attributes)[number]
/**
 * What of a template can be edited: texts between tags, also with elements among their words, string literals of its
 * code, and attributes.
 */
export type TextKind = 'text' | 'markup' | 'string' | Attribute

export const isEdited = (attribute: string): attribute is Attribute =>
  attributes.some((each) => each === attribute)

/**
 * A literal text of a template; its span is inside of quotes, and may have blanks around a text between tags.
 */
export interface TemplateText extends Span {
  readonly kind: TextKind
  /** That of a string literal. */
  readonly quote?: string | undefined
}

/** Finds the literal texts of a template, in order, with their places. Expressions and code are none. */
export type TemplateParser = (text: string) => readonly TemplateText[] | Unreadable

/** A row of the prop `texts`. */
interface ShownText {
  readonly kind: TextKind
  readonly text: string
}

interface FoundText extends ShownText, TemplateText {}

/**
 * A template: the block `Details` with its front matter, if it has one, and one block `Texts` with its
 * literal texts and attributes in their order, which are edited in place.
 *
 * None is added, moved or removed. Addresses lead to http(s), mailto, tel, or a path. `hasFront` says whether
 * its language knows front matter.
 */
export function templateFile(
  parser: TemplateParser,
  { hasFront = false, ...options }: FileOptions & { readonly hasFront?: boolean } = {},
): FileKind {
  const find = (text: string): FoundTemplate | Unreadable => {
    const parts: Parts | Unreadable = hasFront ? partsOf(text) : { bodyFrom: 0 }
    if ('unreadable' in parts) return parts
    const found = parser(text)
    return 'unreadable' in found
      ? found
      : { parts, found: joined(text, found).flatMap((each) => shownIn(text, each)) }
  }
  const read = (text: string): Reading | Unreadable => {
    const found = find(text)
    return 'unreadable' in found ? found : readingOf(found)
  }
  return withLimits({
    held: (before, after) => withHeldProps(before, after, heldProps),
    read,
    patch(text, before, after, former = new Set()) {
      const template = find(text)
      if ('unreadable' in template) return refusal('stale', template.unreadable)
      const { parts, found } = template
      const stale = staleReason(readingOf(template), before)
      if (stale) return stale
      const names = [before, after].map(({ blocks }) => blocks.map(({ id, type }) => [id, type]))
      const is = after.blocks.find(({ type }) => type === 'Texts')
      if (!is || !sameJson(names[0], names[1])) return refusal('fixed', oneBlock)
      const front = patchFrontMatter(text, parts, { before, after, options, former })
      if (!('text' in front)) return front
      const texts = textSplices(text, found, wantedIn(is))
      if ('refused' in texts) return { ...texts, block: is.id }
      const patched = spliced(text, [
        ...(parts.front ? [{ ...parts.front, text: front.text }] : []),
        ...texts,
      ])
      const now = read(patched)
      if ('unreadable' in now || staleReason(now, after))
        return refusal('form', 'The template cannot hold this text at this place.', is.id)
      const delimiters = options.delimiters ?? usualDelimiters
      const [code] = codeAdded(templateCode(text, delimiters), templateCode(patched, delimiters))
      return code === undefined ? { text: patched } : refusal('code', codeRefused(code), is.id)
    },
  })
}

interface FoundTemplate {
  readonly parts: Parts
  readonly found: readonly FoundText[]
}

const oneBlock = 'A template has one block of texts, which is not moved, copied or removed.'

function readingOf({ parts, found }: FoundTemplate): Reading {
  const { title, description, block } = detailsOf(parts)
  const span = { from: found[0]?.from ?? parts.bodyFrom, to: found.at(-1)?.to ?? parts.bodyFrom }
  const texts = { type: 'Texts', props: propsOf(found), ...span }
  return { title, description, blocks: [...(block ? [block] : []), texts] }
}

/** Between tags white space of any length is one blank, and there is none around a text. */
const held = (kind: unknown, text: string): string =>
  kind === 'text' || kind === 'markup' ? text.trim().replaceAll(/[ \t\r\n\f]+/g, ' ') : text.trim()

function heldProps({ type, props }: Block, before: Props | undefined): Props {
  const [is, was] = [props['texts'], before?.['texts']]
  if (type !== 'Texts' || !Array.isArray(is)) return props
  const texts = is.map((row: unknown, n) => {
    const isSame = Array.isArray(was) && sameJson(was[n], row)
    if (isSame || !isPlainObject(row) || typeof row['text'] !== 'string') return row
    return { ...row, text: held(row['kind'], row['text']) }
  })
  return { ...props, texts }
}

const propsOf = (found: readonly ShownText[]): Props => ({
  texts: found.map(({ kind, text }) => ({ kind, text })),
})

function wantedIn(block: Block): readonly unknown[] {
  const texts = withoutGeneratedItemIds(block.props['texts'])
  return Array.isArray(texts) ? texts : []
}

/** Without blanks around it; a text without a letter or digit is none. */
function shownIn(text: string, { kind, from, to, quote }: TemplateText): readonly FoundText[] {
  const raw = text.slice(from, to)
  const start = from + raw.length - raw.trimStart().length
  const span = { from: start, to: start + raw.trim().length }
  const own = sliceOf(text, span)
  const units = kind === 'markup' ? [] : unitsOf(own, kind)
  const shown = kind === 'markup' ? shownMarkup(own, wordsOf) : units.map(({ value }) => value).join('')
  return /[\p{L}\p{N}]/u.test(shown) ? [{ kind, text: shown, quote, ...span }] : []
}

const wordsOf = (raw: string): readonly Unit[] => unitsOf(raw, 'text')

function unitsOf(raw: string, kind: TextKind): readonly Unit[] {
  if (kind === 'string') return stringUnits(raw)
  const units = raw.match(/[ \t\r\n\f]+|&#?\w+;?|[^]/gu) ?? []
  return units.map((each) => {
    if (kind === 'text' && /^[ \t\r\n\f]/.test(each)) return { raw: each, value: ' ' }
    return { raw: each, value: each.startsWith('&') ? decoded(each) : each }
  })
}

function decoded(entity: string): string {
  const [token] = htmlTokens(entity)
  return token?.kind === 'text' ? token.value : entity
}

/** What has a meaning in any language of templates. */
const marks: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
  '}': '&#125;',
}

function spelled(part: string, { kind, quote = '"' }: FoundText): string {
  if (kind === 'string') return spelledString(part, quote)
  const pattern = kind === 'text' || kind === 'markup' ? /[<>{}]/g : /[<>{}"']/g
  return part.replaceAll(/&(?=#?\w)/g, '&amp;').replaceAll(pattern, (mark) => marks[mark] ?? mark)
}

function textSplices(
  text: string,
  found: readonly FoundText[],
  wanted: readonly unknown[],
): readonly Splice[] | Unwritable {
  if (wanted.length !== found.length)
    return refusal('fixed', 'Texts of a template are not added, moved or removed.')
  const splices: Splice[] = []
  for (const [n, each] of found.entries()) {
    const row = wanted[n]
    const now = isPlainObject(row) ? row['text'] : undefined
    if (!isPlainObject(row) || row['kind'] !== each.kind || typeof now !== 'string')
      return refusal('fixed', 'Texts of a template are not added, moved or removed.')
    if (now === each.text) continue
    const unsafe = addressReason(each, now) ?? codeReason(each, now)
    if (unsafe) return unsafe
    const { from, to, kind } = each
    const raw = text.slice(from, to)
    const spell = (part: string): string => spelled(part, each)
    const parts =
      kind === 'markup'
        ? markupSplices({ raw, from, now }, wordsOf, spell)
        : [{ from, to, text: inForm(unitsOf(raw, kind), now, spell) }]
    if (!parts) return refusal('fixed', 'Elements in a text of a template are not added, moved or removed.')
    splices.push(...parts)
  }
  return splices
}

function addressReason({ kind }: ShownText, now: string): Unwritable | undefined {
  if (kind !== 'href' && kind !== 'src') return undefined
  const scheme = /^[^/?#]*?:/.exec(now.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, '').toLowerCase())?.[0]
  const isAllowed = scheme === undefined || ['http:', 'https:', 'mailto:', 'tel:'].includes(scheme)
  if (isAllowed && !isUnsafeAddress(now)) return undefined
  return refusal('code', 'An address leads to http(s), mailto, tel, or a path.')
}

/** What code does with a string is not known: it may show it as markup, or lead to it. */
function codeReason({ kind, text }: ShownText, now: string): Unwritable | undefined {
  const [code] = kind === 'string' ? codeAdded(textCode(text, []), textCode(now, [])) : []
  return code === undefined ? undefined : refusal('code', codeRefused(code))
}
