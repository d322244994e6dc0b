import type { Rule } from '../../lexicon.ts'
import { itGoes } from './phrases.ts'

/** English sentences that change blocks, in order of precedence. */
export const blocks: readonly Rule[] = [
  {
    action: 'addBlock',
    forms: [
      '@addBlock blocks:$NewBlocks [@onto page:$Page] [place:$Place] [@courtesy] [details:$Details]',
      '@addBlock blocks:$NewBlocks place:$Place [@onto page:$Page] [@courtesy] [details:$Details]',
      '@wish blocks:$WishedBlocks [@onto page:$Page] [place:$Place] [@courtesy] [details:$Details]',
      '@wish blocks:$WishedBlocks place:$Place [@onto page:$Page] [@courtesy] [details:$Details]',
      '@put (@a | n:$Number) [@fresh] type:$BlockType [@unit] [in] [@onto page:$Page] [place:$Place] [@onto page:$Page] [details:$Details]',
      '@put @a [@fresh] type:$BlockType [@unit] details:$Details [in] [@onto page:$Page] [place:$Place]',
      '(make | start | show | have | display | use) @a [@fresh] type:$BlockType [@unit] [details:$Details] place:$Place [details:$Details]',
      '@onto page:$Page [,] [@filler] @addBlock blocks:$NewBlocks [place:$Place] [details:$Details]',
      '@onto page:$Page [,] [@filler] @wish blocks:$WishedBlocks [place:$Place] [details:$Details]',
      'place:$Place [,] [@filler] (@addBlock | @wish) blocks:$WishedBlocks [details:$Details]',
      'place:$Place [,] [@filler] @addBlock blocks:$NewBlocks [details:$Details]',
      '@another type:$BlockType [@unit] [@onto page:$Page] place:$Place [@courtesy] [details:$Details]',
      '@another type:$BlockType [@unit] [@courtesy] details:$Details [place:$Place]',
      '@another type:$BlockType [@unit] @onto page:$Page (place:$Place | details:$Details)',
      '@another @unit place:$Place [:] [@a] type:$BlockType [@unit] [details:$Details]',
      '(add | insert | create | put) [@a] [@fresh] @unit place:$Place [:] [@a] type:$BlockType [@unit] [details:$Details]',
      '(@addBlock | @put | @wish) [@a] [@fresh] type:$BlockType [@unit] (in | to) place:$Place',
      '@addBlock [@a] [@fresh] type:$BlockType [@unit] @onto place:$Place [details:$Details]',
      'place:$Place [,] (there (should | must) be | comes | goes) @a [@fresh] type:$BlockType [@unit] [details:$Details]',
      'n:$Number [@fresh] type:$BlockType [@unit] place:$Place', '@a type:$BlockType [@unit] (should | must) (go | come | be added | be placed | be) place:$Place',
    ],
  },
  {
    action: 'addBlock',
    detail: 'front',
    forms: [
      '(start | begin | open) page:$Page with @a [@fresh] type:$BlockType [@unit] [details:$Details]',
      '(let | have) page:$Page (start | begin | open) with @a [@fresh] type:$BlockType [@unit] [details:$Details]',
      'page:$Page should (start | begin | open) with @a [@fresh] type:$BlockType [@unit] [details:$Details]',
    ],
  },
  {
    action: 'addBlock',
    detail: 'end',
    forms: [
      '(end | finish | close | conclude) page:$Page with @a [@fresh] type:$BlockType [@unit] [details:$Details]',
      '(let | have) page:$Page (end | finish | close) with @a [@fresh] type:$BlockType [@unit] [details:$Details]',
      'page:$Page should (end | finish | close) with @a [@fresh] type:$BlockType [@unit] [details:$Details]',
    ],
  },
  {
    action: 'removeEvery',
    detail: 'except',
    forms: [
      '@remove @everything [@on page:$Page] @except blocks:$Blocks', 'keep only blocks:$Blocks', 'only keep blocks:$Blocks',
      '@remove @everything @except blocks:$Blocks @on page:$Page', '@remove all @except blocks:$Blocks',
    ],
  },
  { action: 'removeEvery', detail: 'all', forms: ['@remove @everything [@on page:$Page]'] },
  { action: 'removeEvery', detail: 'type', forms: ['@remove @all type:$BlockType [@unit] [@on page:$Page]'] },
  { action: 'removeEvery', detail: 'both', forms: ['@remove @both type:$BlockType [@unit] [@on page:$Page]'] },
  {
    action: 'removeBlock',
    forms: [
      '@remove [@both] blocks:$Blocks [@anymore]', 'take blocks:$Blocks @away [(of | from) page:$Page]', '(get | take) block:$Block off [page:$Page]',
      'blocks:$Blocks @mustBe @removed [from page:$Page]', 'blocks:$Blocks (can | must | has to) go', '@remove @det* @unit places:$Numbers',
      '@remove @det* some:$Ordinal n:$Number @unit',
      '@remove @det* places:$Ordinals @unit', `@notNeeded block:$Block [@anymore] ${itGoes}`, '@remove blocks:$QuotedBlocks', 'take block:$QuotedBlock @away',
      'block:$QuotedBlock @mustBe @removed', 'block:$Block is no longer needed [anymore] (, | ; | . | and | so) [@filler] @remove it',
    ],
  },
  {
    action: 'moveBlock',
    forms: [
      '@move block:$Block place:$Place [@on page:$Page]', 'block:$Block @shouldMove place:$Place [@on page:$Page]',
      '@want block:$Block [to (be | come | go | move | appear | sit)] place:$Place', '@move block:$BareBlock place:$Place', '@move place:$Place block:$Block',
      'block:$BareBlock @shouldMove place:$Place', '@showAt block:$Block [be | come | go | sit] place:$Place [@on page:$Page]',
      '@move block:$Block [@up | @down] so that it @standing place:$Place', '(@takes | @move) block:$Block and (@put | move) it place:$Place',
      '@move block:$Block [@up | @down] [all the way] [so that it] [@standing] [just | right] place:$Place [@on page:$Page]',
      'place:$Place [,] (put | show | place) block:$Block', '@want block:$BareBlock place:$Place',
      '@move block:$BareBlock so that it @standing place:$Place',
    ],
  },
  {
    action: 'moveBlock',
    detail: 'front',
    forms: [
      '(start | begin | open) page:$Page with block:$BlockHere', '(let | have | make) page:$Page (start | begin | open) with block:$BlockHere',
      'page:$Page should (start | begin | open) with block:$BlockHere',
    ],
  },
  {
    action: 'moveBlock',
    detail: 'end',
    forms: [
      '(end | finish | close | conclude) page:$Page with block:$BlockHere', '(let | have | make) page:$Page (end | finish | close) with block:$BlockHere',
      'page:$Page should (end | finish | close) with block:$BlockHere',
    ],
  },
  {
    action: 'swapBlocks',
    forms: [
      '@swap [@order of] a:$Block (and | with) b:$Block [@around]', '@swap [@order of] a:$BareBlock (and | with) b:$BareBlock [@around]',
      '@swap [@order of] a:$Block (and | with) b:$BareBlock [@around]', '@swap [@order of] a:$BareBlock (and | with) b:$Block [@around]',
      '@swap [@order of] @det* a:$Ordinal (and | with) [the] b:$Ordinal @unit [@around]', '@swap [@order of] @det* @unit a:$Number (and | with) b:$Number [@around]',
      '@swap [@order of] @det* some:$Ordinal n:$Number @unit [@around]', '(put | move) a:$Block where b:$Block is and vice versa',
      '(let | have | make) a:$Block and b:$Block (swap | trade | switch) places',
    ],
  },
  {
    action: 'copyBlock',
    forms: [
      '@copy block:$Block (and | , | ; | , and) [@filler] (@put | @move | add | insert) @theCopy place:$Place',
      '@copy block:$Block (and | , | ; | , and) [@filler] (@put | @move | add | insert) @theCopy (on | onto | to) page:$LoosePage',
      '@copy block:$Block [place:$Place]', '@copy block:$Block (to | onto | on | for) page:$LoosePage [place:$Place]', '@copy block:$QuotedBlock [place:$Place]',
    ],
  },
]
