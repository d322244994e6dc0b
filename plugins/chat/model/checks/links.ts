import { effectiveItemFields, isDeclaredList } from '../../../content/list-fields.ts'
import type { FieldMeta, Fields, Page, Props } from '../../../content/model.ts'
import type { Operation } from '../../../content/operations/index.ts'
import { isPlainObject, ownValue } from '../../../content/plain-object.ts'
import { resolveBlock } from '../../../content/resolve-block.ts'
import { canonicalSlug } from '../../../content/slugs.ts'
import type { PlanningInput } from '../../planner.ts'
import { blockTypeOf } from '../context/pack.ts'
import type { Violation } from './check.ts'

const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:'])
const isButton = (name: string): boolean => name.toLowerCase().endsWith('ctahref')

/** The links that a plan writes and that no page may have: of another scheme, or from a button to its own page. */
export function badLinks(ops: readonly Operation[], input: PlanningInput): readonly Violation[] {
  return ops.flatMap((op, at) => writtenIn(op, input).flatMap(({ path, props, type, slug, list, isNew }) => {
    const blockType = blockTypeOf(input, type)
    const meta = list === undefined ? undefined : ownValue(blockType?.fields, list)
    const fields = list === undefined ? (blockType?.fields ?? {}) : meta ? effectiveItemFields(meta, props) : {}
    // A new block begins with links of its type, which point home wherever it stands.
    const starter = (isNew && blockType?.starter()) || {}
    return linksIn(props, fields, `ops[${at}].${path}`).flatMap(({ at: place, name, href }) => {
      const problem = problemWith(href) ?? (isButton(name) && isOwnPage(href, slug) && starter[name] !== href ? ownPage : undefined)
      return problem === undefined ? [] : [{ path: place, kind: 'string constraint' as const, message: problem }]
    })
  }))
}

const ownPage = 'a button must not link to the page that it stands on'
const wanted = 'a link begins with http:, https:, mailto:, tel:, / or #'

/** What is wrong with the address of a link, read by the rules of browsers, which skip tabs and line breaks. */
function problemWith(href: string): string | undefined {
  const address = href.trim()
  if (address === '' || address.startsWith('#') || /^\/(?![/\\])/.test(address)) return undefined
  return schemes.has(URL.parse(address)?.protocol ?? '') ? undefined : wanted
}

function isOwnPage(href: string, slug: string): boolean {
  const [path = ''] = href.split('?', 1)
  return path.startsWith('/') && !href.includes('#') && canonicalSlug(path) === canonicalSlug(slug)
}

interface Written {
  readonly path: string
  readonly props: Props
  readonly type: string
  readonly slug: string
  /** The list whose row this is. */
  readonly list?: string
  readonly isNew?: true
}

/** The props that an operation writes. */
function writtenIn(op: Operation, input: PlanningInput): readonly Written[] {
  if (op.op === 'add_block') return [{ path: 'block.props', props: op.block.props, type: op.block.type, slug: op.pageSlug, isNew: true }]
  if (op.op === 'create_page') {
    return (op.page.blocks ?? []).map(({ props, type }, at) => ({ path: `page.blocks[${at}].props`, props, type, slug: op.page.slug, isNew: true }))
  }
  if (op.op !== 'update_props' && op.op !== 'add_item' && op.op !== 'update_item') return []
  const page: Page | undefined = input.draft.pages.find(({ slug }) => slug === op.pageSlug)
  const type = page && resolveBlock(page.blocks, op.blockId, { byType: true })?.block.type
  if (type === undefined) return []
  const at = { type, slug: op.pageSlug }
  if (op.op === 'add_item') return [{ ...at, path: 'item', props: op.item, list: op.listKey }]
  return [{ ...at, path: 'patch', props: op.patch, ...(op.op === 'update_item' && { list: op.listKey }) }]
}

interface Link {
  readonly at: string
  readonly name: string
  readonly href: string
}

function linksIn(props: Props, fields: Fields, path: string): readonly Link[] {
  return Object.entries(props).flatMap(([name, value]): readonly Link[] => {
    const meta = ownValue(fields, name)
    const at = `${path}.${name}`
    if (isDeclaredList(meta) && Array.isArray(value)) return value.flatMap((row: unknown, n) => linksInRow(row, meta, `${at}[${n}]`))
    const isLink = meta?.kind === 'url' || meta?.kind === 'link' || (name.toLowerCase().includes('href') && meta?.kind !== 'text')
    if (!isLink) return []
    const href = isPlainObject(value) ? value['href'] : value
    return typeof href === 'string' ? [{ at, name, href }] : []
  })
}

function linksInRow(row: unknown, meta: FieldMeta | undefined, at: string): readonly Link[] {
  return isPlainObject(row) && meta ? linksIn(row, effectiveItemFields(meta, row), at) : []
}
