import { pagesIn } from '../../content/draft-view.ts'
import { isDeclaredList } from '../../content/fields.ts'
import type { Block } from '../../content/model.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { labelledRows } from '../frame/names.ts'
import { labelOfBlock } from '../resolve/choose.ts'
import { fieldsOf, pageOf, typeOf, type Work } from '../work/work.ts'
import { type Asked, type Said, slugOf } from './question.ts'

export function pageList(work: Work): Said {
  const { texts } = work.scene
  const findings = pagesIn(work.draft).map(({ slug, title, blocks }) => texts.pageLine(slug, title, blocks.map((block) => typeOf(work, block)?.displayName ?? block.type)))
  return { summary: texts.pages(findings.length), findings }
}

const kinds: readonly (readonly [words: RegExp, props: readonly string[]])[] = [
  [/^(?:headings|headlines|titles|überschriften|titel)$/, ['heading', 'title']],
  [/^(?:buttons|ctas|knöpfe|schaltflächen)$/, ['ctaText', 'secondaryCtaText']],
  [/^(?:links|verlinkungen)$/, ['ctaHref', 'secondaryCtaHref', 'href', 'url', 'src']],
  [/^(?:images|photos|pictures|bilder|fotos)$/, ['imageUrl', 'src', 'posterUrl', 'logoUrl']],
]

/** Counts and lists what is on a page: sections, headings, buttons, rows. */
export function inventory(work: Work, asked: Asked): Said | undefined {
  const { thing = '', things, where } = asked
  if (where && where.kind !== 'page') return undefined
  const props = kinds.find(([words]) => words.test(thing))?.[1]
  const found = props ? (block: Block) => valuesIn(work, block, props) : listed(work, asked)
  if (!found || (!props && things.every(({ isMany, kind }) => !isMany && kind !== 'section' && !thing.endsWith('s')))) return undefined
  const findings = pageOf(work, slugOf(work, asked)).blocks.flatMap(found)
  return { summary: work.scene.texts.found(findings.length), findings }
}

function listed(work: Work, { things }: Asked): ((block: Block) => readonly string[]) | undefined {
  const label = (block: Block) => labelOfBlock(work, block)
  if (things.some(({ kind }) => kind === 'section')) return (block) => [label(block)]
  const row = things.find(({ kind, isMany }) => kind === 'row' && isMany)?.row
  if (row && row.lists.length > 0) {
    return (block) => labelledRows(block).filter(({ listKey }) => row.lists.some(([type, key]) => type === block.type && key === listKey)).map(({ labels }) => `${label(block)}: ${labels[0] ?? ''}`)
  }
  const types = things.find(({ kind }) => kind === 'block')?.types
  return types && ((block) => (types.includes(block.type) ? [label(block)] : []))
}

function valuesIn(work: Work, block: Block, names: readonly string[]): readonly string[] {
  const rows = Object.entries(fieldsOf(work, block)).filter(([, meta]) => isDeclaredList(meta)).flatMap(([key]) => {
    const list = block.props[key]
    return Array.isArray(list) ? list.filter(isPlainObject) : []
  })
  return [block.props, ...rows].flatMap((props) => names.map((name) => props[name])).filter((value) => typeof value === 'string').filter((value) => value !== '')
    .map((value) => `${labelOfBlock(work, block)}: ${value}`)
}
