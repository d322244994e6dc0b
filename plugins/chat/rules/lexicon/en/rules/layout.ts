import type { Rule } from '../../lexicon.ts'

/** English sentences that arrange the parts of a block, in order of precedence. */
export const layout: readonly Rule[] = [
  {
    action: 'imageSide',
    detail: 'left',
    forms: [
      '@placed [@det*] [block:$BlockHere [\'s]] @image [to be | be] [(on | to) [the]] @left [aligned]',
      '@placed @det* @image @inside block:$Block [be | to be] (on | to) the @left', '@placed @det* @image of block:$Block (on | to) the @left',
      '@placed [@det*] @image [(on | to) [the]] @left @inside block:$Block', '[@det*] [block:$BlockHere [\'s]] @image @mustBe [on | to] [the] @left',
      '@det* @image (in | of) block:$Block @mustBe [on | to] [the] @left',
      '@det* @image [(in | of) block:$Block] @shouldMove (on | to) the @left',
    ],
  },
  {
    action: 'imageSide',
    detail: 'right',
    forms: [
      '@placed [@det*] [block:$BlockHere [\'s]] @image [to be | be] [(on | to) [the]] @right [aligned]',
      '@placed @det* @image @inside block:$Block [be | to be] (on | to) the @right', '@placed @det* @image of block:$Block (on | to) the @right',
      '@placed [@det*] @image [(on | to) [the]] @right @inside block:$Block', '[@det*] [block:$BlockHere [\'s]] @image @mustBe [on | to] [the] @right',
      '@det* @image (in | of) block:$Block @mustBe [on | to] [the] @right',
      '@det* @image [(in | of) block:$Block] @shouldMove (on | to) the @right',
    ],
  },
  {
    action: 'imageSide',
    detail: 'full',
    forms: [
      '@placed [@det*] [block:$BlockHere [\'s]] @image @full', '@placed @det* @image (in | of | on) block:$Block @full',
      '[@det*] [block:$BlockHere [\'s]] @image @mustBe @full',
      '[@det*] [block:$BlockHere [\'s]] @image should @full', '@det* @image (in | of | on) block:$Block should [be] @full',
      'use the full width for @det* [block:$BlockHere [\'s]] @image',
    ],
  },
  {
    action: 'imageSide',
    detail: 'right',
    forms: ['@placed [@det*] [block:$BlockHere [\'s]] @copyText (on | to) [the] @left'],
  },
  {
    action: 'imageSide',
    detail: 'left',
    forms: ['@placed [@det*] [block:$BlockHere [\'s]] @copyText (on | to) [the] @right'],
  },
  {
    action: 'mirror',
    forms: [
      '@mirror [the] @image (and | with) [the] @copyText [@inside block:$Block]', '@mirror [the] @copyText (and | with) [the] @image [@inside block:$Block]',
      '(flip | mirror) block:$Block [layout]', '(flip | mirror) the layout of block:$Block', '@mirror [the] @image (and | with) [the] @copyText of block:$Block',
      'in block:$Block [,] @mirror [the] @image (and | with) [the] @copyText',
      '@mirror [the] @copyText (and | with) [the] @image of block:$Block', '(@placed | @want) @det* [block:$BlockHere [\'s]] @image [to be | be] @otherSide',
      '(@placed | @want) @det* @image (in | of) block:$Block [to be | be] @otherSide',
      '@det* @image (in | of) block:$Block @shouldMove @otherSide', '[@det*] [block:$BlockHere [\'s]] @image @shouldMove @otherSide',
      "@mirror block:$BlockHere 's @image (and | with) [the] @copyText", '@mirror @image and @copyText [@inside block:$Block]',
    ],
  },
  {
    action: 'align',
    detail: 'center',
    forms: [
      '@center [align] @det* [block:$BlockHere [\'s]] @copyText', '@center [align] block:$Block', '@center [align] @det* @copyText (@inside | of) block:$Block',
      '(align | set | make | put | place | position | show | have | move | i want) @det* [block:$BlockHere [\'s]] @copyText [to | in] [the] @center [aligned]',
      '(align | set | make | put | place | position | show | have | move) @det* @copyText (@inside | of) block:$Block [to | in] [the] @center',
      '[@det*] [block:$BlockHere [\'s]] @copyText @mustBe [in] [the] @center [aligned]', '@det* @copyText (in | of) block:$Block @mustBe @center',
      'align @det* @copyText @center @inside block:$Block',
    ],
  },
  {
    action: 'align',
    detail: 'left',
    forms: [
      '@left [align] @det* [block:$BlockHere [\'s]] @copyText', 'align @det* [block:$BlockHere [\'s]] @copyText [to] [the] @left',
      '(make | set) @det* [block:$BlockHere [\'s]] @copyText left [aligned]', '@left align @det* @copyText (@inside | of) block:$Block',
      'align @det* @copyText (@inside | of) block:$Block [to] [the] @left',
      '[@det*] [block:$BlockHere [\'s]] @copyText @mustBe left aligned', '@det* @copyText (in | of) block:$Block @mustBe left aligned',
      '(make | set) @det* @copyText (in | of) block:$Block left aligned',
    ],
  },
  {
    action: 'columns',
    forms: [
      '@show n:$Number @columns (in | for | on | with | to) block:$Block', '@show block:$Block n:$Number @columns [wide]',
      'n:$Number @columns (in | for | on) block:$Block',
      '@show block:$Block (to | use | have | in | into | with | over | across | show | be | to have | to use | to be) n:$Number @columns [wide]',
      'block:$Block @mustHave n:$Number @columns', 'block:$Block @mustBe [in] n:$Number @columns [wide]',
      '@show block:$Block out (in | into | over | across) n:$Number @columns', 'block:$Block : n:$Number @columns',
      '@show n:$Number (noun:$RowNounPlural | noun:$RowNoun) @perRow [@inside block:$Block]',
      '@show (noun:$RowNounPlural) n:$Number @perRow', '(noun:$RowNounPlural) @mustBe n:$Number @perRow', '@show block:$Block in rows of n:$Number',
    ],
  },
  {
    action: 'option',
    forms: [
      '(make | turn | change | set | switch | style | show | mark | have | use | convert | render | display) block:$Block [into | to | as | be | in] [a | an | the] option:$Option [@look]',
      'block:$Block @mustBe [a | an | in] [the] option:$Option [@look]',
      'use [a | an | the] option:$Option @look (for | in | on) block:$Block', 'block:$Block @mustHave [a | an | the] option:$Option @look',
      '(give) block:$Block [a | an | the] option:$Option @look', 'block:$Block @colon option:$Option',
      '(change | switch | turn) block:$Block from [a | an] from:$Option (to | into) [a | an] option:$Option [@look]',
    ],
  },
  {
    action: 'switch',
    detail: 'on',
    forms: [
      '@enable field:$Field', '(turn | switch) field:$Field on', '(turn | switch) @det* name:$FieldName on (for | in) block:$Block',
      '(let | make) block:$Block name:$FieldName', 'field:$Field @mustBe (on | enabled | active | activated)',
    ],
  },
  {
    action: 'switch',
    detail: 'off',
    forms: [
      '@disable field:$Field', '(turn | switch) field:$Field off', '(turn | switch) @det* name:$FieldName off (for | in) block:$Block',
      'block:$Block should not name:$FieldName', 'field:$Field @mustBe (off | disabled | deactivated)',
    ],
  },
]
