import type { Rule } from '../../lexicon.ts'
import { command, request } from '../verbs.ts'

/** German sentences that change the rows of lists, in order of precedence. */
export const rows: readonly Rule[] = [
  {
    action: 'addRow',
    detail: 'rows',
    forms: [
      ...command(
        'add', '[noch] n:$Number [@new] (noun:$RowNounPlural | noun:$RowNoun) [[@into] block:$Block] [place:$Place]',
        '(place:$Place | [@into] block:$Block) [noch] n:$Number [@new] (noun:$RowNounPlural | noun:$RowNoun)',
      ),
      '@wish [noch] n:$Number [@new] noun:$RowNounPlural [[@into] block:$Block] [place:$Place]',
    ],
  },
  {
    action: 'addRow',
    forms: [
      ...command(
        'add', '[@a | @det*] noun:$RowNoun [[@into] block:$Block] [place:$Place] [details:$Details]',
        '[@a | @det*] noun:$RowNoun details:$Details [[@into] block:$Block] [place:$Place]',
        '[@into] block:$Block [place:$Place] (@a | @det) noun:$RowNoun [details:$Details]',
        'place:$Place [[@into] block:$Block] (@a | @det) noun:$RowNoun [details:$Details]',
      ),
      ...command(
        'add', '[@a | @det*] noun:$RowNoun [[@into] block:$Block]',
        '[@into] block:$Block (@a | @det) noun:$RowNoun').map((form) => `${form} details:$Details`,
      ),
      '@wish @a noun:$RowNoun details:$Details [[@into] block:$Block] [place:$Place]',
      '@wish @a noun:$RowNoun @into block:$Block [place:$Place] [details:$Details]',
    ],
  },
  {
    action: 'addRow',
    detail: 'new',
    forms: ['@another noun:$RowNoun [: | , | mit] details:$Details', '@another noun:$RowNoun [@into block:$Block] (: | , | mit) details:$Details'],
  },
  {
    action: 'removeRow',
    forms: [
      ...request('remove', 'rows:$Rows'),
      ...command(
        'remove', '@det* a:$Ordinal und @det* b:$Ordinal (noun:$RowNoun | noun:$RowNounPlural)', '[die] noun:$RowNounPlural a:$Number und b:$Number',
        'aus block:$Block rows:$Rows',
      ),
      'rows:$Rows @away', 'rows:$Rows raus',
    ],
  },
  {
    action: 'moveRow',
    forms: [
      ...request('move', 'row:$Row', 'place:$Place'), 'row:$Row @shall place:$Place @standLast', '[@want] row:$Row @moveLast place:$Place',
      '(row:$Row gehört | row:$Row @shall) place:$Place', 'row:$Row place:$Far',
    ],
  },
  {
    action: 'swapRows',
    forms: [
      ...command(
        'swap', 'a:$Row (und | mit) b:$Row', '@det* a:$Ordinal (und | mit) @det* b:$Ordinal (noun:$RowNoun | noun:$RowNounPlural)',
        '[die] (noun:$RowNounPlural | noun:$RowNoun) a:$Number und b:$Number', '@det* (plätze | positionen | reihenfolge) von a:$Row und b:$Row',
      ),
    ],
  },
  {
    action: 'addTableRow',
    forms: [
      ...command('add', '[@a] @tableRow [@into block:$Block] [:] list:$Titles', '[@into] block:$Block [@a] @tableRow [:] list:$Titles'),
      ...command('add', '[@a] @tableRow [@into block:$Block]', '[@into] block:$Block [@a] @tableRow').map((form) => `${form} : (list:$Titles | cells:$Cells)`),
    ],
  },
  {
    action: 'removeTableRow',
    forms: [
      ...request('remove', '@det* @tableRow [@called] (name:$Quoted | name:$Words)', '[@from block:$Block]'),
      ...command('remove', '@from block:$Block @det* @tableRow [@called] (name:$Quoted | name:$Words)'),
    ],
  },
  { action: 'copyRow', forms: [...request('copy', 'row:$Row'), '@copyOf row:$Row'] },
]
