import type { Rule } from '../../lexicon.ts'

/** English sentences that are understood, and lack something, in order of precedence. */
export const incomplete: readonly Rule[] = [
  { action: 'incomplete', detail: 'value', forms: ['@set @det* (@metaTitle | @metaDescription | page (title | name))'] },
  { action: 'incomplete', detail: 'value', forms: ['@set field:$Field', '@set row:$Row', '@rename block:$Block', '@rename page:$Page'] },
  { action: 'incomplete', detail: 'field', forms: ['@set block:$Block'] },
  { action: 'incomplete', detail: 'place', forms: ['@move block:$Block', '@move row:$Row', '@move page:$Page'] },
  { action: 'incomplete', detail: 'block', forms: ['(@addBlock | @wish) [@a | n:$Number] [@fresh | more] @unit', '@put [@a | n:$Number] [@fresh | more] @unit'] },
  { action: 'incomplete', detail: 'name', forms: ['@create [@a | n:$Number] [@blankPage] (page | pages)'] },
  { action: 'incomplete', detail: 'scope', forms: ['@cut a:$Quoted'] },
  { action: 'incomplete', detail: 'field', forms: ['@anyVerb', '@set page:$Page'] },
]
