import { isInternal } from '../../../content/field-meta.ts'
import type { Block, BlockType, Page, Props } from '../../../content/model.ts'
import { navigationOf } from '../../../content/navigation.ts'
import { ownValue } from '../../../content/plain-object.ts'
import type { Attachment, PlanningInput } from '../../types/planner.ts'
import { blockTypeAt } from '../normalise/place.ts'
import type { Piece } from './pieces.ts'

/** Props that say best what a block is about. */
const leading = ['heading', 'title', 'sectionTitle', 'label', 'text', 'body']
const longestBeginning = 120
const longestText = 10_000
const mostEdits = 3

/** A block with its props; its mark has the beginning of a text. */
export function blockPiece(block: Block, input: Pick<PlanningInput, 'manifest' | 'registry'>): Piece {
  const { id, type } = block
  const props = shownProps(block.props, blockTypeAt({ input }, type))
  const text = leading.map((name) => ownValue(props, name)).find((value) => typeof value === 'string' && value !== '')
  return { of: block, mark: { id, type, cut: true, ...(typeof text === 'string' && { beginning: beginningOf(text) }) }, whole: { id, type, props } }
}

/** Props without those that are kept from people. */
export function shownProps(props: Props, blockType: BlockType | undefined): Props {
  return Object.fromEntries(Object.entries(props).filter(([name]) => !isInternal(name, ownValue(blockType?.fields, name))))
}

/** A page that is only mentioned. */
export const outlinePiece = (page: Page): Piece => ({ of: page, mark: { slug: page.slug, title: page.title, blockTypes: [...new Set(page.blocks.map(({ type }) => type))] } })

/** A page beside its blocks. */
export const pagePiece = (page: Page): Piece => ({ ...outlinePiece(page), whole: { slug: page.slug, title: page.title, meta: page.meta ?? null } })

export function editsPiece({ recentEdits = [] }: PlanningInput, page: Page): Piece {
  const edits = recentEdits.filter(({ slug }) => slug === page.slug).slice(-mostEdits)
  return { of: edits, mark: [], whole: edits.map(({ at, summary, opTypes }) => ({ time: at, summary, ops: opTypes })) }
}

export function configPiece({ draft: { config, pages }, siteId }: PlanningInput): Piece {
  const { name, logo, navLabels, navGroups } = config
  const shown = navigationOf({ slugs: pages.map(({ slug }) => slug), config, siteId }).items.flatMap((item) => ('children' in item ? item.children : [item]))
  const derived = shown.filter(({ slug }) => !navLabels?.[slug]).map(({ slug, label }) => [slug, label])
  return { of: config, mark: { name, cut: true }, whole: { name, logo, navLabels, navGroups, derivedLabels: Object.fromEntries(derived) } }
}

/** What somebody attached; of a long text its beginning, marked as cut. */
export function attachmentPiece(attachment: Attachment): Piece {
  const { name, mimeType, url, text } = attachment
  const isLong = text !== undefined && text.length > longestText
  return { of: attachment, mark: { name, mimeType, url, cut: true }, whole: { name, mimeType, url, text: text?.slice(0, longestText), ...(isLong && { cut: true }) } }
}

/** At most 120 characters, never half of one. */
function beginningOf(text: string): string {
  const characters = Array.from(text.slice(0, 2 * longestBeginning + 2))
  return characters.length > longestBeginning ? `${characters.slice(0, longestBeginning).join('')}…` : text
}
