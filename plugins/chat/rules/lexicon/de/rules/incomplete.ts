import type { Rule } from '../../lexicon.ts'
import { command } from '../verbs.ts'

/** German sentences that are understood, and lack something, in order of precedence. */
export const incomplete: readonly Rule[] = [
  { action: 'incomplete', detail: 'value', forms: command('set', '@det* (@metaTitle | @metaDescription | @pageTitle)') },
  {
    action: 'incomplete',
    detail: 'value',
    forms: [...command('set', 'field:$Field', 'row:$Row'), ...command('rename', 'field:$Field', 'row:$Row', 'block:$Block', 'page:$Page')],
  },
  { action: 'incomplete', detail: 'field', forms: command('set', 'block:$Block') },
  { action: 'incomplete', detail: 'place', forms: command('move', 'block:$Block', 'row:$Row', 'page:$Page') },
  {
    action: 'incomplete',
    detail: 'block',
    forms: [
      ...command('addBlock', '[@a | n:$Number] @unit', '[@a | n:$Number] @unit place:$Place'), '@wish [@a | n:$Number] @unit',
    ],
  },
  {
    action: 'incomplete',
    detail: 'name',
    forms: [
      ...command('create', '[@a | n:$Number] (@page | @pagesWord)'), '@wish [@a | n:$Number] (@page | @pagesWord)',
    ],
  },
  { action: 'incomplete', detail: 'scope', forms: command('cut', 'a:$Quoted') },
  { action: 'incomplete', detail: 'field', forms: ['@anyVerb', ...command('set', 'page:$Page')] },
]
