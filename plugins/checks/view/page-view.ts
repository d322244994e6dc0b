import { declaredType } from '../../content/registry.ts'
import { headingLevelOf, rowHeadingLevelOf, type HeadingLevel } from '../../content/fields.ts'
import type { Block, BlockType, AvailableTypes, Page } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { fieldsOf, type Field } from './field.ts'
import type { Place, Write } from './finding.ts'
import { linksIn, type Link } from './links.ts'

export interface BlockView {
  readonly block: Block
  readonly index: number
  readonly at: Place
  /** `undefined` for an undeclared type. */
  readonly type: BlockType | undefined
  readonly isContent: boolean
  readonly fields: readonly Field[]
}

/** A heading in document order. */
interface Heading {
  readonly level: HeadingLevel
  readonly text: string
  readonly at: Place
  /** Set if its level can be changed. */
  readonly setLevel?: Write | undefined
}

/** A page, prepared for rules. */
export interface PageView {
  readonly page: Page
  readonly at: Place
  readonly blocks: readonly BlockView[]
  readonly fields: readonly Field[]
  readonly headings: readonly Heading[]
  readonly links: readonly Link[]
  /** True if the page exceeds the limits and was read only in part. */
  readonly isCut: boolean
}

/** The limits of one page. */
const max = { fields: 10_000, links: 2_000, headings: 2_000 }

/** Reads a page once for all rules: its first 10,000 fields, 2,000 links and 2,000 headings. */
export function viewPage(page: Page, types: AvailableTypes): PageView {
  const at: Place = { slug: page.slug, pageId: page.id }
  const blocks: BlockView[] = []
  const fields: Field[] = []
  for (const [index, block] of page.blocks.entries()) {
    if (fields.length === max.fields) break
    const type = declaredType(block.type, types)
    const place: Place = { ...at, blockId: block.id, blockType: block.type, blockIndex: index }
    const own = fieldsOf(page.slug, block, {
      declared: type?.fields ?? {},
      at: place,
      most: max.fields - fields.length,
    })
    const isContent = type === undefined || (!type.chrome && type.category !== 'navigation')
    blocks.push({ block, index, at: place, type, isContent, fields: own })
    for (const field of own) fields.push(field)
  }
  const links = fields.values().flatMap(linksIn).take(max.links).toArray()
  const headings = blocks
    .values()
    .flatMap((block) => headingsOf(page, block))
    .take(max.headings)
    .toArray()
  const isCut = fields.length === max.fields || links.length === max.links || headings.length === max.headings
  return { page, at, blocks, fields, headings, links, isCut }
}

const headingNames = ['heading', 'title']
const rowHeadingNames = [...headingNames, 'question']

function* headingsOf(page: Page, { block, at, type, fields, isContent }: BlockView): Iterable<Heading> {
  if (!isContent) return
  const own = fields.find(
    (field) =>
      field.owner === block.props &&
      field.meta?.kind === 'text' &&
      headingNames.includes(field.name) &&
      isText(field.value),
  )
  const setLevel =
    type && Object.values(type.fields).some(({ kind }) => kind === 'headingLevel')
      ? (level: unknown): Operation => ({
          op: 'update_props',
          pageSlug: page.slug,
          blockId: block.id,
          patch: { headingLevel: `h${level}` },
        })
      : undefined
  if (own) {
    const { path, stablePath } = own.at
    yield { level: headingLevelOf(block), text: String(own.value), at: { ...at, path, stablePath }, setLevel }
  }
  for (const field of fields) {
    if (field === own || !isText(field.value)) continue
    const isRowHeading =
      field.owner !== block.props && field.meta?.kind === 'text' && rowHeadingNames.includes(field.name)
    if (isRowHeading && isFirstOf(field))
      yield { level: rowHeadingLevelOf(block), text: field.value, at: field.at }
    else if (field.meta?.kind === 'richtext') yield* markdownHeadings(field.value, field.at)
  }
}

const isFirstOf = ({ name, fields }: Field): boolean =>
  rowHeadingNames.find((each) => Object.hasOwn(fields, each)) === name

const levels = [1, 2, 3, 4, 5, 6] as const

function* markdownHeadings(text: string, at: Place): Iterable<Heading> {
  for (const [, marks, heading = ''] of text.matchAll(/^ {0,3}(#{1,6})[^\S\n]+(.*)$/gm)) {
    const level = levels.find((each) => each === marks?.length)
    if (level) yield { level, text: heading.trim(), at }
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
