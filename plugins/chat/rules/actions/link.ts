import { Ask, unfit } from '../ask.ts'
import type { Node, Parts } from '../grammar/node.ts'
import { findBlock } from '../resolve/blocks.ts'
import { fieldOf, findField, linkProps, scalarFields } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { findRow } from '../resolve/rows.ts'
import type { FieldAt, Work } from '../work.ts'
import { given, need, textOf, type Action } from './action.ts'
import { setText } from './set-field.ts'
import { isAddress } from './values.ts'

/** Where a button or a link leads. With `field`, only what is an address itself. */
export const link: Action = (work, parts, detail) => {
  if (detail === 'owner') return setText(work, onlyLink(work, parts), addressIn(work, need(parts, 'to')))
  const field = detail === 'touched' ? (work.touchedField ?? unfit('no button was set')) : findField(work, need(parts, 'field'))
  const target = linkField(work, field)
  if (detail === 'field' && target !== field) return unfit('a text is set, and no link')
  if (!target) return unfit('neither a button nor a link')
  return setText(work, target, addressIn(work, parts['to'] ?? need(parts, 'v')))
}

/** A button with its text and where it leads. */
export const setButton: Action = (work, parts) => {
  const { block, row, name } = parts
  const owner = row ? findRow(work, row) : findBlock(work, given(block))
  const field = fieldOf(work, owner, name?.names ?? [])
  const target = linkField(work, field)
  if (!target || target === field) return unfit('this is no button')
  return setText(setText(work, field, textOf(need(parts, 'v'))), target, addressIn(work, need(parts, 'to')))
}

/** The link of something that has no other one. */
function onlyLink(work: Work, { block, row }: Parts): FieldAt {
  const owner = row ? findRow(work, row) : findBlock(work, given(block))
  const links = Object.entries(scalarFields(work, owner)).filter(([, { kind }]) => kind === 'url' || kind === 'link')
  const [only] = links
  return only && links.length === 1 ? fieldOf(work, owner, [only[0]]) : unfit('this has not one link')
}

/** A picture of something that has no other one, or the film of a video. */
export const setImage: Action = (work, parts) => {
  const { block, row } = parts
  const owner = row ? findRow(work, row) : findBlock(work, given(block))
  const address = textOf(need(parts, 'v'))
  const film = isFilm.test(address) ? fieldOf(work, owner, ['src']) : undefined
  if (film) return setText(work, film, address)
  const images = Object.entries(scalarFields(work, owner)).filter(([, { kind }]) => kind === 'image')
  const [only] = images
  if (!only || images.length !== 1 || !isPicture.test(address)) return unfit('this is no picture, or has no place for one')
  return setText(work, fieldOf(work, owner, [only[0]]), address)
}

const isFilm = /\.(?:mp4|webm|ogv|mov|m4v)(?:\?\S*)?$/i
const isPicture = /\.(?:jpe?g|png|gif|webp|avif|svg)(?:\?\S*)?$/i

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
  const text = textOf(v ?? to)
  if (!isAddress(text)) throw new Ask({ question: work.scene.texts.wantsLink('') })
  return text
}
