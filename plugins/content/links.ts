import { effectiveItemFields, isDeclaredList } from './fields.ts'
import { rewriteHtmlLinks, rewriteLabelledLines, rewriteMarkdownLinks, type Rewrite } from './link-texts.ts'
import type { Block, FieldMeta, Fields, Manifest, Page, Props, Registry } from './model.ts'
import { isPlainObject } from './plain-object.ts'
import { canonicalSlug } from './slugs.ts'

/** A page that gets another slug. */
export interface SlugMove {
  readonly from: string
  readonly to: string
  /** True for the slugs of other pages; links to those stay as they are. */
  readonly isOther: (slug: string) => boolean
}

/**
 * Points the links of a page at the new slug of another page, or of itself.
 *
 * Links are the props and row fields that are links by their kind, keys with `href` in their name, Markdown links,
 * `href` attributes, and the addresses in a footer's lines. Images and plain text are never touched. What does not
 * change comes back itself, the page included.
 */
export function rewriteLinks(
  page: Page,
  move: SlugMove,
  known: { readonly registry: Registry; readonly manifest?: Manifest | undefined },
): Page {
  const rewrite = addressRewriter(move)
  const blocks = mapped(page.blocks, (block): Block => {
    const fields = (known.manifest?.get(block.type) ?? known.registry.get(block.type))?.fields ?? {}
    const props = inObject(block.props, fields, { rewrite, inFooter: block.type === 'Footer' })
    return props === block.props ? block : { ...block, props }
  })
  return blocks === page.blocks ? page : { ...page, blocks }
}

/** A link is the slug itself, or the slug with a path, a query or a fragment behind it. */
function addressRewriter({ from, to, isOther }: SlugMove): Rewrite {
  return (address) => {
    if (!address.startsWith(from) || !/^(?:[/?#]|$)/.test(address.slice(from.length))) return address
    const [path = ''] = address.split(/[?#]/, 1)
    if (path !== from && (isOther(path) || isOther(canonicalSlug(path) ?? path))) return address
    return to + address.slice(from.length)
  }
}

interface Walk {
  readonly rewrite: Rewrite
  /** In a footer a column's links are lines of labels and addresses. */
  readonly inFooter: boolean
}

function inObject(object: Props, fields: Fields, walk: Walk): Props {
  const names = Object.keys(object)
  const values = names.map((name) => object[name])
  const rewritten = mapped(values, (value, index) => {
    const name = names[index] ?? ''
    return inValue(value, name, Object.hasOwn(fields, name) ? fields[name] : undefined, walk)
  })
  return rewritten === values ? object : Object.fromEntries(names.map((name, index) => [name, rewritten[index]]))
}

function inValue(value: unknown, name: string, meta: FieldMeta | undefined, walk: Walk): unknown {
  if (meta && untouched.has(meta.kind)) return value
  const isAddress = name.toLowerCase().includes('href') || meta?.kind === 'url' || meta?.kind === 'link'
  if (typeof value === 'string') return isAddress ? walk.rewrite(value) : inText(value, name, meta, walk)
  if (meta && isDeclaredList(meta) && Array.isArray(value)) {
    const inRow = (row: Props) => inObject(row, effectiveItemFields(meta, row), walk)
    return mapped(value, (row) => (isPlainObject(row) ? inRow(row) : row))
  }
  return meta?.kind === 'text' ? value : inUndeclared(value, walk)
}

/** Objects inside a value that nobody describes: menus below menus, documents, links with a label. */
function inUndeclared(value: unknown, walk: Walk): unknown {
  if (Array.isArray(value)) return mapped(value, (element) => inUndeclared(element, walk))
  return isPlainObject(value) ? inObject(value, {}, walk) : value
}

function inText(text: string, name: string, meta: FieldMeta | undefined, { rewrite, inFooter }: Walk): string {
  if (meta?.kind === 'html') return rewriteHtmlLinks(text, rewrite)
  if (meta?.kind !== 'richtext' && meta?.kind !== 'text' && name !== 'body') return text
  const lines = inFooter && name === 'links' ? rewriteLabelledLines(text, rewrite) : text
  return rewriteMarkdownLinks(lines, rewrite)
}

/** Images lie beside pages and do not move with them; what the CMS points at is its own affair. */
const untouched: ReadonlySet<string> = new Set([
  'image', 'imageList', 'imageAlt', 'reference', 'stringList', 'enum', 'color', 'number', 'headingLevel',
])

function mapped<T>(values: readonly T[], map: (value: T, index: number) => T): readonly T[] {
  const results = values.map(map)
  return results.every((result, index) => result === values[index]) ? values : results
}
