import { isDeclaredList } from '../../../content/fields.ts'
import { isPlainObject } from '../../../content/plain-object.ts'
import type { Block } from '../../../content/model.ts'
import { pagesIn } from '../../../content/draft-view.ts'
import type { Node } from '../grammar/node.ts'
import { findPageOr } from '../resolve/pages.ts'
import { labelOfBlock } from '../resolve/references.ts'
import { rowNounOf } from '../resolve/rows.ts'
import { labelledRows } from '../resolve/titles.ts'
import { fieldsOf, pageOf, typeOf, type Work } from '../work.ts'
import type { Answering } from './index.ts'

export const pageList: Answering = (work) => {
  const { texts } = work.scene
  const findings = pagesIn(work.draft).map(({ slug, title, blocks }) =>
    texts.pageLine(slug, title, blocks.map((block) => typeOf(work, block)?.displayName ?? block.type)))
  return { summary: texts.pages(findings.length), findings }
}

/** Counts and lists what is on a page: sections, headings, buttons, rows. */
export const inventory: Answering = (work, parts) => {
  const { thing, page } = parts
  if (!thing) return undefined
  const findings = pageOf(work, findPageOr(work, page)).blocks.flatMap((block) => found(work, block, thing))
  return { summary: work.scene.texts.found(findings.length), findings }
}

const kinds: Readonly<Record<string, readonly string[]>> = {
  headings: ['heading', 'title'],
  buttons: ['ctaText', 'secondaryCtaText'],
  links: ['ctaHref', 'secondaryCtaHref', 'href', 'url', 'src'],
  images: ['imageUrl', 'src', 'posterUrl', 'logoUrl'],
}

function found(work: Work, block: Block, { form, parts }: Node): readonly string[] {
  if (form === 'blocks') return [labelOfBlock(work, block)]
  if (form === 'type') return parts['type']?.names?.includes(block.type) ? [labelOfBlock(work, block)] : []
  if (form === 'rows') {
    const { lists } = rowNounOf(work, parts['noun'])
    return labelledRows(block).filter(({ listKey }) => lists.some(([type, key]) => type === block.type && key === listKey))
      .map(({ labels }) => `${labelOfBlock(work, block)}: ${labels[0] ?? ''}`)
  }
  const names = kinds[form] ?? []
  const rows = Object.entries(fieldsOf(work, block)).filter(([, meta]) => isDeclaredList(meta)).flatMap(([key]) => {
    const list = block.props[key]
    return Array.isArray(list) ? list.filter(isPlainObject) : []
  })
  return [block.props, ...rows].flatMap((props) => names.map((name) => props[name]))
    .filter((value) => typeof value === 'string').filter((value) => value !== '')
    .map((value) => `${labelOfBlock(work, block)}: ${value}`)
}
