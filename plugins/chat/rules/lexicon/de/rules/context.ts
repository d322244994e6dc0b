import type { Rule } from '../../lexicon.ts'
import { command } from '../verbs.ts'

/** German sentences that name a context for what follows, in order of precedence. */
export const context: readonly Rule[] = [
  {
    action: 'lead',
    leads: true,
    forms: ['@inside (block:$Block | page:$Page) [, | :] [@filler]', ...command('set', 'block:$Block').map((form) => `${form} : [@filler]`)],
  },
  { action: 'lead', detail: 'colon', leads: true, forms: ['(block:$NamedBlock | row:$Row) : [@filler]'] },
]
