import type { Rule } from '../../lexicon.ts'
import { command, request } from '../verbs.ts'

/** German sentences that empty fields and keep things as they are, in order of precedence. */
export const clearing: readonly Rule[] = [
  { action: 'clearField', forms: [...request('clear', 'field:$Field'), 'field:$Field @away'] },
  {
    action: 'keep',
    forms: [
      ...command('keep', '(field:$Field | block:$Block) @unchanged'), '(field:$Field | block:$Block) @shall @unchanged (bleiben | sein)',
      '(field:$Field | block:$Block) bleibt @unchanged',
    ],
  },
]
