/** The values of a page of content that a website may show as texts, pictures and links. */
import { isPlainObject, memberPath, picked } from '../content/plain-object.ts'
import type { Block, Page } from '../content/page.ts'
import { renderedText } from '../content/rendered-text.ts'
import { titleFromSlug } from '../content/slugs.ts'
import { fileBlocks, isBuilding } from '../files/port.ts'
import { markupTexts, tagOfText } from './markup.ts'
import { shownTexts, textsInComponent, type ShownText } from './rendered.ts'

/** How the place of a value is edited. */
export type ValueKind = 'text' | 'richtext' | 'code' | 'image' | 'link'

/** The type of the block that has the title and the description of a page, and its id: what holds them is not a block of it. */
export const pageType = 'Page'

/** Whether a block of a type stays as it is: it is not copied, moved or removed. */
export const isFixed = (type: string): boolean => type === pageType || fileBlocks[type]?.meta.chrome === true

/** A value of a page of content, or the part of one that is shown as one text. */
export interface ShownValue extends Partial<Pick<ShownText, 'segments' | 'marks'>> {
  readonly slug: string
  readonly blockId: string
  readonly blockType: string
  /** The editable path of the value. */
  readonly path: string
  readonly kind: ValueKind
  /** The value as it is stored. */
  readonly value: string
  /** As pages show it, normalised; of pictures and links the address. */
  readonly text: string
}

type Found = Omit<ShownValue, 'slug' | 'blockId' | 'blockType'>

/** A block of a page, with its title and description as the first one. */
export const blocksOf = (page: Page): readonly Block[] => {
  const { title, meta } = page
  const heading = page.blocks.find(({ type }) => type === 'Heading')?.props['text']
  const isHeading = typeof heading === 'string' && plainOf(heading) === plainOf(title)
  const isTitled = isDocument(page) && !isHeading && !isUntitled(page)
  const props = {
    ...(isTitled && { title }),
    ...(isDocument(page) && meta?.description !== undefined && { 'meta.description': meta.description }),
  }
  return Object.keys(props).length > 0
    ? [{ id: page.id, type: pageType, props }, ...page.blocks]
    : page.blocks
}

export const kindOf = ({ document }: Page): unknown => isPlainObject(document) && document['kind']
export const fileOf = ({ document, id }: Page): string =>
  isPlainObject(document) && typeof document['path'] === 'string' ? document['path'] : id
export const isDocument = (page: Page): boolean => kindOf(page) === 'document'

/** Whether a page is called after its file, as that has no title. */
export const isUntitled = ({ document, title, slug }: Page): boolean =>
  isPlainObject(document) && document['isUntitled'] === true && title === titleFromSlug(slug)

const plainOf = (markdown: string): string => renderedText(shownTexts(markdown, true)[0]?.text ?? '').text

/** What of a block a website may show, in its order. Markdown is parsed, at about 0.3 ms a paragraph. */
export function valuesOf(page: Page, block: Block): readonly ShownValue[] {
  const of = { slug: page.slug, blockId: block.id, blockType: block.type }
  return foundIn(page, block)
    .filter(({ text }) => text !== '')
    .map((found) => ({ ...of, ...found }))
}

function foundIn(page: Page, { type, props }: Block): readonly Found[] {
  const { text, source, rows, src } = props
  if (type === 'Heading' && typeof text === 'string')
    return markdownFound('text', text, { isLine: true, shown: withoutHeadingId(text) })
  if (['Paragraph', 'List', 'Quote'].includes(type) && typeof text === 'string')
    return markdownFound('text', text, { isLine: type === 'Paragraph', definitions: definitionsOf(page) })
  if (type === 'Code') return typeof text === 'string' ? [found('text', text, 'code')] : []
  if (type === 'Image') return typeof src === 'string' ? [found('src', src, 'image')] : []
  if (type === 'Table') return Array.isArray(rows) ? rows.flatMap(cellsFound) : []
  if (type === 'Texts') return Array.isArray(props['texts']) ? props['texts'].flatMap(templateFound) : []
  if (type === 'Source' || type === 'Divider') return []
  if (type === pageType) return Object.entries(props).flatMap(([name, value]) => dataFound(name, value))
  if (type !== 'Component') return dataFound('', shownOf(type, props))
  const { source: _, name: __, ...attributes } = props
  return [
    ...dataFound('', attributes),
    ...(typeof source === 'string'
      ? shownAs('source', { value: source, kind: 'richtext' }, textsInComponent(source))
      : []),
  ]
}

const found = (path: string, value: string, kind: ValueKind): Found => ({
  path,
  kind,
  value,
  text: kind === 'image' || kind === 'link' ? value : renderedText(value).text,
})

function markdownFound(
  path: string,
  value: string,
  { isLine = false, shown = value, definitions = '' } = {},
): readonly Found[] {
  return shownAs(path, { value, kind: 'richtext' }, shownTexts(shown, isLine, definitions))
}

const shownAs = (
  path: string,
  of: Pick<Found, 'value' | 'kind'>,
  texts: readonly ShownText[],
): readonly Found[] =>
  texts.map(({ text, segments, marks }) => ({ path, ...of, text: renderedText(text).text, segments, marks }))

/** Definitions of links and footnotes may be anywhere in their document. */
const definitionsOf = ({ blocks }: Page): string =>
  blocks
    .flatMap(({ type, props: { text } }) => (type === 'Source' && typeof text === 'string' ? [text] : []))
    .filter((text) => /^ {0,3}\[[^\]]+\]:/m.test(text))
    .join('\n\n')

const cellsFound = (row: unknown, n: number): readonly Found[] =>
  Array.isArray(row)
    ? row.flatMap((cell: unknown, m) =>
        typeof cell === 'string' ? markdownFound(`rows[${n}][${m}]`, cell, { isLine: true }) : [],
      )
    : []

function templateFound(row: unknown, n: number): readonly Found[] {
  const { kind, text } = isPlainObject(row) ? row : {}
  if (typeof text !== 'string') return []
  const kinds: Readonly<Record<string, ValueKind>> = {
    text: 'text',
    string: 'text',
    href: 'link',
    src: 'image',
  }
  const as = kinds[String(kind)]
  if (kind === 'markup') return shownAs(`texts[${n}].text`, { value: text, kind: 'text' }, markupTexts(text))
  return as ? [found(`texts[${n}].text`, text, as)] : []
}

/** What decides how a page is built is not a text of it. */
const shownOf = (type: string, props: Block['props']): Block['props'] =>
  type === 'Details' || type === 'Data'
    ? picked(props, (_, name) => !isBuilding(name, type === 'Details' ? 'front' : 'data'))
    : props

const isPicture = (text: string): boolean => /^\S+\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(text)
const isAddress = (text: string): boolean => /^(?:https?:|mailto:|tel:|\.{0,2}\/|#)\S*$/.test(text)
const hasMarks = /[*_`[\]<>\\~&]/

/** The texts in a value of front matter or data, which a template may render as Markdown. */
function dataFound(path: string, value: unknown, depth = 0): readonly Found[] {
  if (depth > 20) return []
  if (Array.isArray(value)) return value.flatMap((each, n) => dataFound(`${path}[${n}]`, each, depth + 1))
  if (isPlainObject(value))
    return Object.entries(value).flatMap(([name, each]) =>
      name.startsWith('_') ? [] : dataFound(memberPath(path, name), each, depth + 1),
    )
  if (typeof value !== 'string') return []
  if (isPicture(value)) return [found(path, value, 'image')]
  if (isAddress(value)) return [found(path, value, 'link')]
  const plain = found(path, value, 'text')
  const rendered = hasMarks.test(value) || value.includes('\n\n') ? markdownFound(path, value) : []
  return [plain, ...rendered.filter(({ text }) => text !== plain.text)]
}

/** Returns a heading without what some frameworks read as its id. */
function withoutHeadingId(text: string): string {
  const shown = text.trimEnd()
  const at = shown.lastIndexOf('{#')
  return at !== -1 && /^\{#[\w-]+\}$/.test(shown.slice(at)) ? shown.slice(0, at).trimEnd() : text
}

const keyLength = 24

/** What equal texts have in common, at little cost: their first letters and digits. */
export const keyOf = (text: string): string => {
  const [start = ''] = /^(?:[^\p{L}\p{N}]*[\p{L}\p{N}]){1,24}/u.exec(text) ?? []
  return start.replaceAll(/[^\p{L}\p{N}]+/gu, '').slice(0, keyLength)
}

/** The keys of the values of a block, without parsing it: of texts, of pictures and of links. */
export function keysOf({ type, props }: Block): ReadonlySet<string> {
  const keys = stringsIn(props).flatMap((text) => {
    if (isPicture(text)) return [pictureKey(text)]
    if (isAddress(text)) return [linkKey(text)]
    const parts = type === 'Texts' ? [text, ...text.split(tagOfText)] : text.split(between)
    return parts.map((part) => keyOf(withoutMarkup(part)))
  })
  return new Set(keys.filter((key) => key !== ''))
}

/** The first word of the name of a picture, to which builds add theirs. */
export function pictureKey(address: string): string {
  const name = address.split(/[?#]/, 1)[0]?.split(/[/\\]/).at(-1) ?? ''
  return `picture ${name.split(/[.\-_]/, 1).join('')}`
}

export function linkKey(address: string): string {
  let end = address.length
  while (end > 1 && address[end - 1] === '/') end -= 1
  return `link ${address.slice(0, end)}`
}

export const isText = ({ kind }: Pick<ShownValue, 'kind'>): boolean => kind !== 'image' && kind !== 'link'

/** Where a text of its own begins: behind an empty line, and at the mark of a list item, a heading, a quote or an element. */
const between = /\n[ \t]*(?:\r?\n|(?=[-*+][ \t]|[<>|]|#{1,6}[ \t]|\d+[.)][ \t]))/

const withoutMarkup = (text: string): string =>
  withoutHeadingId(text)
    .replace(/^\s*(?:(?:[-*+>#]+|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)+/, '')
    .replaceAll(
      /\\[!-/:-@[-`{-~]|(`[^`]{1,300}`)|!\[[^\]]{0,300}\]\([^)]{0,300}\)|\]\([^)]{0,300}\)|\]\[[^\]]{0,300}\]|\[\^[^\]]{1,300}\]|<[^<>]*>|&#?\w+;/g,
      // In code tags and entities are words.
      '$1',
    )

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return isPlainObject(value) ? Object.values(value).flatMap(stringsIn) : []
}
