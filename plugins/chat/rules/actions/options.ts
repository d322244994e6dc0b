import { labelOf } from '../../../content/field-meta.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { Ask, unfit } from '../ask.ts'
import type { Node, Parts } from '../grammar/node.ts'
import { findBlock, selectedBlock } from '../resolve/blocks.ts'
import { blockField, findField, scalarFields, valueOf } from '../resolve/fields.ts'
import { blockChoice, choose } from '../resolve/references.ts'
import { findList, rowNounOf } from '../resolve/rows.ts'
import { pageInMind, pageOf, type BlockAt, type FieldAt, type Work } from '../work.ts'
import { given, need, type Action } from './action.ts'
import { setText, write } from './set-field.ts'
import { optionFor } from './values.ts'

/** The image of a block to one side, or over the full width. */
export const imageSide: Action = (work, { block }, detail) =>
  setText(work, sideField(work, block, 'imagePosition'), detail)

/** Image and text change sides. */
export const mirror: Action = (work, { block }) => {
  const field = sideField(work, block, 'imagePosition')
  const now = valueOf(work, field) ?? 'right'
  if (now === 'full') throw new Ask({ question: work.scene.texts.fullImage })
  return write(work, field, { [field.name]: now === 'left' ? 'right' : 'left' })
}

export const align: Action = (work, { block }, detail) => setText(work, sideField(work, block, 'textAlign'), detail)

/** The number may be a part of the verb, and then it is the detail. */
export const columns: Action = (work, parts, detail) => {
  const { block, noun } = parts
  const { slug, id } = block ? findBlock(work, block) : findList(work, given(noun), rowNounOf(work, noun), undefined)
  return setText(work, blockField(work, { slug, id }, ['columns']), String(parts['n']?.number ?? detail))
}

/** The only choice of a block that has this option. */
export const option: Action = (work, parts) => {
  const at = findBlock(work, need(parts, 'block'))
  const wanted = need(parts, 'option').names?.[0] ?? ''
  const fields = Object.entries(scalarFields(work, at))
    .filter(([, meta]) => meta.kind === 'enum' && optionFor(work, meta, wanted) !== undefined)
  const [only] = fields
  if (fields.length !== 1 || !only) return unfit('not one choice of the block has this option')
  const [name, meta] = only
  return setText(work, { ...at, name, meta }, wanted)
}

/** What is on or off. */
export const switchField: Action = (work, parts, detail) => {
  const field = switchable(work, parts)
  if (field.meta.kind !== 'enum' || !field.meta.options?.includes('true')) return unfit('this is no switch')
  return setText(work, field, detail)
}

function switchable(work: Work, parts: Parts): FieldAt {
  const { name } = parts
  return name ? blockField(work, findBlock(work, need(parts, 'block')), name.names ?? []) : findField(work, need(parts, 'field'))
}

/** The choice of a named block, or of the only block that has it. */
function sideField(work: Work, block: Node | undefined, name: string): FieldAt {
  if (block) return blockField(work, findBlock(work, block), [name])
  const has = (at: BlockAt | undefined) => at !== undefined && ownValue(scalarFields(work, at), name) !== undefined
  const near = [work.lead, selectedBlock(work)].find(has)
  if (near) return blockField(work, near, [name])
  const found = pageOf(work, pageInMind(work)).blocks.map(({ id }) => ({ slug: work.slug, id })).filter(has)
  const [only] = found
  if (!only) return unfit('no block has sides')
  if (found.length === 1) return blockField(work, only, [name])
  const whole = { slot: 'Side', form: 'side', start: 0, end: 0, parts: {} }
  const at = choose(work, whole, found, {
    toChoice: (candidate) => blockChoice(work, candidate),
    inquiry: (choices) => {
      const what = labelOf(name, scalarFields(work, only)[name])
      return { question: work.scene.texts.whichOne(what, choices.map(({ label }) => label)) }
    },
  })
  return blockField(work, at, [name])
}
