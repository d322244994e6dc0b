import type { Rule } from '../../lexicon.ts'
import { itGoes } from './phrases.ts'

/** New rows: of verbs that move things as well, `which` has to say that they are new. */
const addRowForms = (verb: string, which: string, plainly: string): readonly string[] => [
  `${verb} ${which} noun:$RowNoun [@into block:$Block] [place:$Place] [@courtesy] [details:$Details]`,
  `${verb} ${which} noun:$RowNoun details:$Details [[and] @into block:$Block] [place:$Place [rest:$Details]]`,
  `${verb} ${which} noun:$RowNoun details:$Details @into block:$Block (: | ,) rest:$Details`,
  `${verb} ${which} noun:$RowNoun place:$Place (of | in | on) block:$Block [details:$Details]`,
  `${verb} ${which} noun:$RowNoun details:$Details place:$Place (of | in | on) block:$Block`,
  `${verb} n:$Number [@fresh | more | other] (noun:$RowNounPlural | noun:$RowNoun) [@into block:$Block] [place:$Place]`,
  `${verb} (another | an additional) n:$Number [@fresh | more] noun:$RowNounPlural [@into block:$Block] [place:$Place]`,
  `${plainly} [n:$Number] [@fresh | more] noun:$RowNounPlural [@called | : | ,] titles:$Titles [@into block:$Block] [place:$Place]`,
  `${plainly} [n:$Number] [@fresh | more] noun:$RowNounPlural @into block:$Block : titles:$Titles`,
  `@into block:$Block [,] [@filler] ${verb} [@a] [@fresh | more] noun:$RowNoun [details:$Details]`,
]

/** English sentences that change the rows of lists, in order of precedence. */
export const rows: readonly Rule[] = [
  {
    action: 'addRow',
    forms: [
      ...addRowForms('@add', '[@a] [@fresh | more]', '@addBlock [the]'), ...addRowForms('@put', '@a [@fresh | more]', '@put'),
      '@addBlock the [@fresh] noun:$RowNoun details:$Details [[and] @into block:$Block] [place:$Place [rest:$Details]]',
      '@addBlock the [@fresh] noun:$RowNoun (@into block:$Block | place:$Place) details:$Details',
    ],
  },
  {
    action: 'removeRow',
    forms: [
      '@remove [@both] rows:$Rows [@anymore]', '@remove @det* a:$Ordinal and [the] b:$Ordinal (noun:$RowNoun | noun:$RowNounPlural)',
      'take rows:$Rows @away [@of block:$Block]', 'take rows:$Rows (out of | off) (block:$Block)',
      '@remove @det* places:$Ordinals (noun:$RowNounPlural | noun:$RowNoun)', '@remove @det* noun:$RowNounPlural places:$Numbers',
      '@remove @det* some:$Ordinal n:$Number noun:$RowNounPlural', 'rows:$Rows @mustBe @removed [from block:$Block]', 'rows:$Rows (can | must | has to) go',
      `@notNeeded row:$Row [@anymore] ${itGoes}`, '@remove rows:$BareRows (from | out of | in) block:$Block', '@remove @det* noun:$RowNounPlural rows:$BareRows',
      '@remove rows:$BareRows',
    ],
  },
  {
    action: 'moveRow',
    forms: [
      '@move row:$Row place:$Place', 'row:$Row @shouldMove place:$Place', '@want row:$Row place:$Place', '@move row:$LabelledRow place:$Place',
      '@takes row:$Row and @put it place:$Place', '@showAt row:$Row place:$Place', '@move row:$Row so that it @standing place:$Place',
      '@move row:$Row [all the way] place:$Place (of | in) block:$Block', 'row:$LabelledRow @shouldMove place:$Place',
    ],
  },
  {
    action: 'swapRows',
    forms: [
      '@swap [@order of] a:$Row (and | with) b:$Row [@around]', '@swap [@order of] @det* a:$Ordinal (and | with) [the] b:$Ordinal noun:$RowNounPlural [@around]',
      '@swap [@order of] @det* a:$Ordinal (and | with) [the] b:$Ordinal noun:$RowNoun [@around]',
      '@swap [@order of] a:$LabelledRow (and | with) b:$LabelledRow [@around]',
      '@swap [@order of] @det* some:$Ordinal n:$Number noun:$RowNounPlural [@around]',
      '@swap [@order of] @det* noun:$RowNounPlural a:$Number (and | with) b:$Number [@around]', '@swap @det* noun:$RowNounPlural a:$BareRow (and | with) b:$BareRow',
    ],
  },
  {
    action: 'addTableRow',
    forms: [
      '@add [@a] [@fresh] @tableRow [@into block:$Block] [:] list:$Titles', '@add [@a] [@fresh] @tableRow [@into block:$Block] : cells:$Cells',
    ],
  },
  {
    action: 'removeTableRow',
    forms: [
      '@remove @det* @tableRow [@called] (name:$Quoted | name:$Words) [(from | of | in) block:$Block]',
      '@remove @det* (name:$Quoted | name:$Words) @tableRow [(from | of | in) block:$Block]',
    ],
  },
  { action: 'copyRow', forms: ['@copy row:$Row'] },
]
