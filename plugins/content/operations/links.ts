import { authorityOf } from '../registry.ts'
import { effectiveItemFields, hasMarkup } from '../fields.ts'
import { type LinkPlace, mapLinks } from '../links.ts'
import type { BlockType, Fields, Props } from '../model.ts'
import { ownValue } from '../plain-object.ts'
import { canonicalSlug, home } from '../slugs.ts'
import { shortened } from '../words.ts'
import { blocksIn, blockTypesFor, type TypeFacts } from './block-types.ts'
import type { Operation } from './index.ts'

/** A link that an operation writes. */
type Link = Pick<LinkPlace, 'at' | 'isField'> & { readonly address: string }

const allowed =
  'use a path such as /about, a part such as #prices, or an address with https:, http:, mailto: or tel:'

/** A forbidden link, at a path such as `ops[0].cards[1].ctaHref`. */
type BadLink = Readonly<Record<'path' | 'problem', string>>

/**
 * Lists the forbidden links in operations: an address that could run code or is not valid, or a button that
 * links to its own page.
 */
export function badLinks(ops: readonly Operation[], facts: TypeFacts): readonly BadLink[] {
  const blockTypeOf = blockTypesFor(ops, facts)
  return ops.flatMap((op, index) => {
    const blockType = blockTypeOf(op)
    return linksOf(op, blockType, facts).flatMap((link) => {
      const problem = isAllowed(link.address) ? ownPage(op, link, blockType) : notAllowed(link.address)
      return problem === undefined ? [] : [{ path: `ops[${index}].${link.at}`, problem }]
    })
  })
}

function notAllowed(address: string): string {
  return `'${shortened(address, 60)}' is not an address that may be linked to; ${allowed}`
}

/** Two leading slashes name another host, not a path on the site. */
const isAllowed = (address: string): boolean => /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\])|$)/i.test(address)

/** New blocks have `/` as a placeholder for a link. */
function ownPage(
  op: Operation,
  { address, isField }: Link,
  blockType: BlockType | undefined,
): string | undefined {
  const slug = op.op === 'create_page' ? op.page.slug : 'pageSlug' in op ? op.pageSlug : undefined
  if (!isField || blockType?.chrome || slug === undefined) return undefined
  const isNew = op.op === 'add_block' || op.op === 'add_item' || op.op === 'create_page'
  if (isNew && address === home) return undefined
  const [path = ''] = address.split('?', 1)
  if (!path.startsWith('/') || canonicalSlug(path) !== canonicalSlug(slug)) return undefined
  const remedy = `name another page, or a part such as ${slug}#prices`
  return `a link of this page must not lead to the page itself, ${slug}; ${remedy}`
}

function linksOf(op: Operation, blockType: BlockType | undefined, facts: TypeFacts): readonly Link[] {
  const fields = blockType?.fields ?? {}
  if (op.op === 'update_props') return linksIn(op.patch, fields)
  if (op.op === 'update_item' || op.op === 'add_item') {
    const row = op.op === 'add_item' ? op.item : op.patch
    const list = ownValue(fields, op.listKey)
    return linksIn(row, list ? effectiveItemFields(list, row) : {})
  }
  return blocksIn(op).flatMap(({ type, props }) => {
    const authority = authorityOf(type, facts)
    return linksIn(props, authority.ok ? authority.blockType.fields : {})
  })
}

function linksIn(object: Props, fields: Fields): readonly Link[] {
  const links: Link[] = []
  mapLinks(object, fields, {
    visit: (address, { at, isField, meta }) => {
      if (isField || hasMarkup(meta)) links.push({ at, isField, address: address.trim() })
      return address
    },
  })
  return links
}
