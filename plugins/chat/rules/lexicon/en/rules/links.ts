import type { Rule } from '../../lexicon.ts'

const labelled = '[@saying | :]'

const linked = '[,] (and | that | which | , | with a link) [that | which | it] (@goTo | @linking | to)'

/** English sentences that change links and images, in order of precedence. */
export const links: readonly Rule[] = [
  {
    action: 'link',
    forms: [
      '@link field:$Field (to | at | →) to:$Target', '@make field:$Field @goTo to:$Target', 'field:$Field @shouldGo to:$Target',
      '@want field:$Field @goTo to:$Target', '@set field:$Field @goTo to:$Target', '@set field:$Field so that it @goTo to:$Target',
      '@enter to:$Target (as | for) field:$Field', '@enter to:$Target (as | for) @det* @destination (of | for) field:$Field',
      '@link field:$ButtonText (to | at | →) to:$Target', '@make field:$ButtonText @goTo to:$Target', 'field:$ButtonText @shouldGo to:$Target',
      'let people who click field:$Field land on to:$Target', 'field:$Field now @goTo to:$Target', '(add | put) [@det*] link to to:$Target (on | to) field:$Field',
      'add to:$Target as @det* @destination (to | of | for) field:$Field', 'field:$Field @mustHave to:$Target as [@det*] @destination',
      'give field:$Field @det* @destination to:$Target',
    ],
  },
  { action: 'link', detail: 'field', forms: ['@set field:$Field @to to:$Target', 'field:$Field (@should | @colon) to:$Target', '@make field:$Field v:$Address'] },
  {
    action: 'link',
    detail: 'owner',
    forms: [
      '(row:$Row | block:$Block) @shouldGo to:$Target', '@link (row:$Row | block:$Block) (to | at | →) to:$Target',
      '@make (row:$Row | block:$Block) @goTo to:$Target',
    ],
  },
  {
    action: 'setButton',
    forms: [
      `(give) (block:$Block | row:$Row) [@a | the] [@fresh] name:$FieldName ${labelled} v:$Quoted ${linked} to:$Target`,
      `(block:$Block | row:$Row) @mustHave [@a | the] [@fresh] name:$FieldName ${labelled} v:$Quoted ${linked} to:$Target`,
      `(add | put) [@a | the] [@fresh] name:$FieldName ${labelled} v:$Quoted ${linked} to:$Target (to | in | on | into) (block:$Block | row:$Row)`,
      `(add | put) [@a | the] [@fresh] name:$FieldName ${labelled} v:$Quoted to (block:$Block | row:$Row) ${linked} to:$Target`,
    ],
  },
  {
    action: 'setImage',
    forms: [
      '@enter v:$Address (in | on | for | inside | with) (block:$Block | row:$Row)', '(use | take | show) v:$Address as block:$Block',
      '@enter @det* @image v:$Address (in | on | for | to | into) (block:$Block | row:$Row)', '(block:$Block | row:$Row) @mustHave @det* @image v:$Address',
      'add @det* @image v:$Address (to | in | on) (block:$Block | row:$Row)',
    ],
  },
  {
    action: 'setField',
    forms: [
      '(@enter | replace | @changes) v:$Literal @asOrFor field:$Field', 'let field:$Field be v:$Literal', 'replace field:$Field (with | by) v:$Literal',
    ],
  },
]
