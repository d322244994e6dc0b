import type { Rule } from '../../lexicon.ts'
import { command, request } from '../verbs.ts'

/** German sentences that change blocks, in order of precedence. */
export const blocks: readonly Rule[] = [
  {
    action: 'addBlock',
    forms: [
      ...command(
        'addBlock', 'blocks:$NewBlocks [[@onto] page:$Page] [place:$Place] [details:$Details]', 'blocks:$NewBlocks place:$Place [@onto] page:$Page',
        '[@onto] page:$Page [place:$Place] blocks:$WishedBlocks', 'place:$Place [@onto page:$Page] blocks:$WishedBlocks [details:$Details]',
        'place:$Edge blocks:$NewBlocks',
      ),
      ...command(
        'addBlock', 'blocks:$NewBlocks [[@onto] page:$Page] [place:$Place]',
        '[[@onto] page:$Page] [place:$Place] blocks:$WishedBlocks').map((form) => `${form} details:$Details`,
      ),
      '@wish blocks:$WishedBlocks [@onto page:$Page] [place:$Place] [details:$Details]',
      '@wish (place:$Place | @onto page:$Page) blocks:$WishedBlocks [details:$Details]', '@wish blocks:$WishedBlocks place:$Place [@onto page:$Page]',
      ...command(
        'put', '(@a | n:$Number) type:$BlockType [@unit] [@onto page:$Page] place:$Place [@onto page:$Page] [details:$Details]',
        'place:$Place (@a | n:$Number) type:$BlockType [@unit]',
      ),
      'place:$Place [@onto page:$Page] @shall blocks:$WishedBlocks @addBlockPassive',
      '@a type:$BlockType [@unit] @shall place:$Place @addBlockPassive', 'es @shall blocks:$WishedBlocks [place:$Place] @addBlockPassive',
    ],
  },
  {
    action: 'removeEvery',
    detail: 'except',
    forms: [
      ...command('remove', '@everything [@on page:$Page] @except blocks:$Blocks', '@on page:$Page @everything @except blocks:$Blocks'),
      ...command('remove', '@everything [@on page:$Page]').map((form) => `${form} @except blocks:$Blocks`),
      '(behalte | lass | lasse) nur blocks:$Blocks [stehen | übrig]',
      'nur blocks:$Blocks behalten',
    ],
  },
  { action: 'removeEvery', detail: 'all', forms: [...request('remove', '@everything [@on page:$Page]'), ...command('remove', '@on page:$Page @everything')] },
  {
    action: 'removeEvery',
    detail: 'type',
    forms: [
      ...request('remove', '@all type:$BlockType [@unit] [@on page:$Page]'), ...command('remove', '@on page:$Page @all type:$BlockType [@unit]'),
    ],
  },
  { action: 'removeEvery', detail: 'both', forms: request('remove', '@both type:$BlockType [@unit] [@on page:$Page]') },
  {
    action: 'removeBlock',
    forms: [
      ...request('remove', 'blocks:$Blocks'), ...command('remove', '(aus | von | auf) page:$Page block:$Block'), 'blocks:$Blocks @away',
      'weg mit blocks:$Blocks',
    ],
  },
  {
    action: 'moveBlock',
    forms: [
      ...request('move', 'block:$Block', 'place:$Place [@on page:$Page]'), ...request('move', 'block:$BareBlock', 'place:$Place'),
      'block:$Block @shall place:$Place @standLast', '(block:$Block gehört | block:$Block @shall) place:$Place',
      '[@want] block:$Block @moveLast place:$Place', 'block:$Block place:$Far', '@want block:$Block place:$Place [haben | sehen]',
    ],
  },
  { action: 'swapBlocks', forms: command('swap', 'a:$Block (und | mit) b:$Block', '@det* (plätze | positionen | reihenfolge) von a:$Block und b:$Block') },
  { action: 'copyBlock', forms: [
      ...request('copy', 'block:$BlockHere', '(auf die | auf diese | in die | in diese | zur | zu | nach) page:$LoosePage'),
      ...request('copy', 'block:$Block', '[place:$Place]'), '@copyOf block:$Block [place:$Place]',
    ] },
]
