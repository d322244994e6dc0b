import { Ask, unfit } from '../ask.ts'
import type { Node } from '../grammar/node.ts'
import { findField, linkProps, scalarFields } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import type { FieldAt, Work } from '../work.ts'
import { need, textOf, type Action } from './action.ts'
import { setText } from './set-field.ts'
import { isAddress } from './values.ts'

/** Where a button or a link leads. With `field`, only what is an address itself. */
export const link: Action = (work, parts, detail) => {
  const field = findField(work, need(parts, 'field'))
  const target = linkField(work, field)
  if (detail === 'field' && target !== field) return unfit('a text is set, and no link')
  if (!target) return unfit('neither a button nor a link')
  return setText(work, target, addressIn(work, need(parts, 'to')))
}

function linkField(work: Work, field: FieldAt): FieldAt | undefined {
  if (field.meta.kind === 'url' || field.meta.kind === 'link') return field
  const name = linkProps[field.name]
  const fields = scalarFields(work, field.row ? { ...field, ...field.row } : field)
  const meta = name === undefined ? undefined : fields[name]
  return name !== undefined && meta ? { ...field, name, meta } : undefined
}

function addressIn(work: Work, to: Node): string {
  const { page, v } = to.parts
  if (page) return findPage(work, page).slug
  const text = textOf(v)
  if (!isAddress(text)) throw new Ask({ question: work.scene.texts.wantsLink('') })
  return text
}
