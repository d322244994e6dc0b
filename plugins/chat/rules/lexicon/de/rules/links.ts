import type { Rule } from '../../lexicon.ts'
import { command, request } from '../verbs.ts'
import { setBy } from './phrases.ts'

/** German sentences that change links and images, in order of precedence. */
export const links: readonly Rule[] = [
  {
    action: 'link',
    forms: [
      ...request('link', 'field:$Field', '(mit | auf | zu | zur | zum | nach | →) to:$Target'),
      ...request('link', 'field:$ButtonText', '(mit | auf | zu | zur | zum | nach | →) to:$Target'),
      'field:$ButtonText @shall (auf | zu | zur | zum | nach | mit) to:$Target @leadLast',
      '[@want] field:$Field @linkLast (mit | auf | zu | zur | zum | nach) to:$Target',
      '@let field:$Field (auf | zu | zur | zum | nach) to:$Target @leadLast',
      'field:$Field @shall (auf | zu | zur | zum | nach | mit) to:$Target @leadLast',
      ...command('use', 'to:$Target (als | für) field:$Field'),
      '[@want [,]] dass field:$Field (auf | zu | zur | zum | nach) to:$Target (führt | verlinkt | zeigt | geht)',
      '@give field:$Field den link to:$Target',
    ],
  },
  {
    action: 'link',
    detail: 'field',
    forms: [
      ...setBy('set', 'field:$Field', '@to to:$Target'), 'field:$Field @shall to:$Target @saysLast', 'field:$Field @shall @saysFirst [:] to:$Target',
    ],
  },
  { action: 'setImage', forms: command('use', 'v:$Address (als | für | im | in) block:$Block') },
  {
    action: 'setField',
    forms: [
      ...command('use', 'v:$Literal (als | für) field:$Field'), '@want v:$Quoted als field:$Field [haben]', '@want als field:$Field v:$Quoted',
      ...command('use', 'als field:$Field v:$Address', 'für field:$Field v:$Address'),
    ],
  },
]
