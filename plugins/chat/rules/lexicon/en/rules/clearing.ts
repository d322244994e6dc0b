import type { Rule } from '../../lexicon.ts'
import { itGoes } from './phrases.ts'

/** English sentences that empty fields and keep things as they are, in order of precedence. */
export const clearing: readonly Rule[] = [
  {
    action: 'clearField',
    forms: [
      '@clear field:$Field [text] [@anymore]', '@clear field:$Field (and | & | , | as well as) also:$Field', '@clear field:$Field from block:$Block',
      'take field:$Field @away', 'field:$Field @mustBe (empty | blank | @removed)', '(leave | make | set) field:$Field [to] (empty | blank | nothing)',
      'field:$Field (can | must | has to) go', `(block:$Block | row:$Row) @needsNo @det* name:$FieldName [@anymore] ${itGoes}`,
      `@notNeeded field:$Field [@anymore] ${itGoes}`, 'set field:$Field to (an empty text | an empty string)',
    ],
  },
  {
    action: 'keep',
    forms: [
      '@keep (field:$Field | block:$Block) [exactly | just] [@unchanged]',
      "(don't touch | do not touch | don't change | do not change) (field:$Field | block:$Block)",
    ],
  },
]
