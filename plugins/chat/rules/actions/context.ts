import { labelOf } from '../../../content/field-meta.ts'
import { Ask, unfit } from '../ask.ts'
import { findBlock } from '../resolve/blocks.ts'
import { findField } from '../resolve/fields.ts'
import type { Lexicon } from '../lexicon/lexicon.ts'
import { findPage } from '../resolve/pages.ts'
import { findRow } from '../resolve/rows.ts'
import type { Node } from '../grammar/node.ts'
import type { Texts } from '../texts/texts.ts'
import { onPage, type Work } from '../work.ts'
import { given, type Action } from './action.ts'

/** `In the hero, …`: what follows is about that block or page. */
export const lead: Action = (work, { block, page, row }, detail) => {
  if (detail === 'colon') refuseTitle(work, block ?? row ?? page)
  if (row) return aboutRow(work, row, block)
  if (page && block) return lead(onPage(work, findPage(work, page).slug), { block }, '')
  if (page) return onPage(work, findPage(work, page).slug)
  const at = findBlock(work, given(block))
  return { ...onPage(work, at.slug), lead: at }
}

/** `In the second card, …`: what follows is about that row. */
function aboutRow(work: Work, row: Node, block: Node | undefined): Work {
  const at = findRow(block ? { ...work, lead: findBlock(work, block) } : work, row)
  return { ...onPage(work, at.slug), lead: { slug: at.slug, id: at.id }, touched: at }
}

/** `Second card: Move on!` may be a new title as well: only quotes or a small letter tell that a request follows. */
function refuseTitle({ scene: { parser: { tokens } } }: Work, node: Node | undefined): void {
  const { text = '' } = tokens[(node?.end ?? 0) + 1] ?? {}
  if (text !== text.toLowerCase() && !tokens.some(({ kind }) => kind === 'quoted')) unfit('this may be a title')
}

/** Something is to stay as it is; whether it does is known at the end. */
export const keep: Action = (work, { field, block }) => {
  const at = field ? findField(work, field) : findBlock(work, given(block))
  return { ...work, kept: [...work.kept, at] }
}

/** What is asked for an action that lacks something, and the words that an answer follows. */
const missing: Readonly<Record<string, { readonly question: (texts: Texts) => string; readonly joint?: keyof Lexicon['joints'] }>> = {
  value: { question: (texts) => texts.missingValue, joint: 'value' },
  field: { question: (texts) => texts.missingField },
  place: { question: (texts) => texts.missingPlace, joint: 'place' },
  block: { question: (texts) => texts.missingBlock },
  name: { question: (texts) => texts.missingName, joint: 'name' },
  scope: { question: (texts) => texts.missingScope, joint: 'scope' },
}

/** The action is understood, and a part of it is missing. What is named has to be there all the same. */
export const incomplete: Action = (work, { block, field }, detail) => {
  if (block) findBlock(work, block)
  const { name, meta } = field ? findField(work, field) : {}
  const { question, joint } = missing[detail] ?? missing['field'] ?? { question: (texts: Texts) => texts.missingField }
  const { texts, lexicon } = work.scene
  const isImage = detail === 'value' && name !== undefined && meta?.kind === 'image'
  throw new Ask({ question: isImage ? texts.wantsImage(labelOf(name, meta)) : question(texts), ...(joint !== undefined && { joint: lexicon.joints[joint] }) })
}
