import type { Rule } from '../../lexicon.ts'

/** English sentences that name a context for what follows, in order of precedence. */
export const context: readonly Rule[] = [
  {
    action: 'lead',
    leads: true,
    forms: [
      '@inside (block:$Block | page:$Page) [, | : | @dash] [@filler]', '@inside row:$Row [, | : | @dash] [@filler]', '@inside block:$BareBlock [, | :] [@filler]',
      '@inside row:$BareRow (, | :) [@filler]',
      '@edit (block:$Block | row:$Row | page:$Page | block:$BareBlock) (: | . | , | @dash) [@filler]',
      '[@inside] block:$BlockHere , row:$RowHere (: | , | @dash) [@filler]', '@inside page:$Page , [@inside] block:$BlockHere (: | , | @dash) [@filler]',
    ],
  },
  { action: 'lead', detail: 'colon', leads: true, forms: ['(block:$Block | row:$Row | block:$BareBlock | row:$BareRow | page:$Page) (: | @dash) [@filler]'] },
]
