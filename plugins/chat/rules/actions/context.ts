import { Ask } from '../ask.ts'
import { findBlock } from '../resolve/blocks.ts'
import { findField } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import type { Texts } from '../texts/texts.ts'
import { onPage } from '../work.ts'
import { given, type Action } from './action.ts'

/** `In the hero, …`: what follows is about that block or page. */
export const lead: Action = (work, { block, page }) => {
  if (page) return onPage(work, findPage(work, page).slug)
  const at = findBlock(work, given(block))
  return { ...onPage(work, at.slug), lead: at }
}

/** Something is to stay as it is; whether it does is known at the end. */
export const keep: Action = (work, { field, block }) => {
  const at = field ? findField(work, field) : findBlock(work, given(block))
  return { ...work, kept: [...work.kept, at] }
}

/** What is asked for an action that lacks something, and the words that an answer follows. */
const missing: Readonly<Record<string, { readonly question: (texts: Texts) => string; readonly joint?: string }>> = {
  value: { question: (texts) => texts.missingValue, joint: 'to' },
  field: { question: (texts) => texts.missingField },
  place: { question: (texts) => texts.missingPlace, joint: '' },
  block: { question: (texts) => texts.missingBlock },
  name: { question: (texts) => texts.missingName, joint: 'called' },
  scope: { question: (texts) => texts.missingScope, joint: 'from' },
}

/** The action is understood, and a part of it is missing. What is named has to be there all the same. */
export const incomplete: Action = (work, { block, field }, detail) => {
  if (block) findBlock(work, block)
  if (field) findField(work, field)
  const { question, joint } = missing[detail] ?? missing['field'] ?? { question: (texts: Texts) => texts.missingField }
  throw new Ask({ question: question(work.scene.texts), ...(joint !== undefined && { joint }) })
}
