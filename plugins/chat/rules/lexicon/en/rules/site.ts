import type { Rule } from '../../lexicon.ts'

/** English sentences that change the site and its menu, in order of precedence. */
export const site: readonly Rule[] = [
  {
    action: 'siteName',
    forms: [
      '@rename @det* @site to v:$Value', '@changes @det* @site (name | title) @to v:$Value', '@changes the name of @det* @site @to v:$Value',
      '@rename @det* @site v:$Quoted', '@det* @site (name | title) (@should | @colon) v:$Value', '@det* @site (name | title) @dash v:$Quoted',
      '@det* name of @det* @site (@should | @colon) v:$Value', '@det* @site @mustBeCalled v:$Quoted',
      '(give) @det* @site the name v:$Quoted', '@enter v:$Quoted @asOrFor @det* (@site (name | title) | (name | title) of @det* @site)',
      '(make | have) @det* @site name v:$Quoted', '@changes @det* @site (name | title) v:$Quoted', '@changes @det* title of @det* @site @to v:$Value',
      '@det* company name (@should | @colon) v:$Value', '(let | have) @det* @site be called v:$Quoted', '@det* @site is called v:$Quoted (now | from now on)',
    ],
  },
  { action: 'siteName', detail: 'bare', forms: ['@rename @det* @site v:$Value', '@det* @site @mustBeCalled v:$Value'] },
  {
    action: 'logo',
    forms: [
      '@changes @det* [@site] @logo @to v:$Value', '(@enter | @changes) v:$Literal @asOrFor @det* [@site] @logo',
      '@det* [@site] @logo (@should | @colon) v:$Literal', '@det* [@site] @logo @dash v:$Literal', '@changes @det* @logo of @det* @site @to v:$Literal',
      '@det* @logo of @det* @site (@should | @colon) v:$Literal', '(add | insert | use) @det* @logo v:$Literal', '@set @det* @logo v:$Literal',
    ],
  },
  { action: 'siteName', continues: 'page', forms: ['@det* [@site] name (to | as | with) v:$Value'] },
  { action: 'logo', continues: 'page', forms: ['@det* [@site] @logo (to | as | with) v:$Literal'] },
  {
    action: 'menuLabel',
    forms: [
      '@renames @det* name:$PageName [page] @menuEntry [in the @menu] @to v:$Value',
      '@renames @det* (name:$PageName | name:$Quoted) [page] in the @menu @to v:$Value',
      '@renames @det* name:$Quoted @menuEntry [in the @menu] @to v:$Value',
      '(call | label | name | title) @det* (name:$PageName | name:$Quoted) [page] v:$Quoted in the @menu',
      '(@rename | change) @det* (name:$PageName | name:$Quoted) [page] @to (v:$Quoted | v:$Words) in the @menu',
      '@renames @det* @menuEntry [(for | of | to)] @det* (name:$PageName | name:$Quoted) [page] [in the @menu] @to v:$Value',
      '@det* @menuEntry [(for | of | to)] @det* (name:$PageName | name:$Quoted) [page] [in the @menu] (@should | @colon) v:$Value',
      '@det* (name:$PageName | name:$Quoted) [page] @menuEntry [in the @menu] (@should | @colon) v:$Value',
      '(show | display | list | label | have) @det* name:$PageName [page] as v:$Quoted in the @menu',
      'in the @menu [,] [@filler] (call | label | name | show | rename | change | display) @det* (name:$PageName | name:$Quoted) [page] [as | to] v:$Quoted',
      'in the @menu [,] @det* (name:$PageName | name:$Quoted) [page] @should v:$Value',
      '@det* (name:$PageName | name:$Quoted) [page] @should v:$Quoted in the @menu', '(give) @det* (name:$PageName | name:$Quoted) [page] the @menuEntry v:$Quoted',
    ],
  },
  {
    action: 'leaveMenu',
    forms: [
      '@removePage page:$LoosePage from [the] @menu', 'take page:$LoosePage (out of | off) [the] @menu', 'hide page:$LoosePage (in | from) [the] @menu',
      '@removePage @det* @menuEntry (for | of) page:$LoosePage',
    ],
  },
  {
    action: 'menuGroup',
    detail: 'dropdown',
    forms: [
      '@group pages:$LoosePages (under | into | in | inside) [a | the | one] [new] [menu] @dropdown @called v:$Quoted [in the @menu]',
      '@group pages:$LoosePages (under | into | in | inside) [a | the] [new] v:$Quoted @dropdown [in the @menu]',
    ],
  },
  {
    action: 'menuGroup',
    forms: [
      '@group pages:$LoosePages (under | into | in | inside) [a | the] [new] v:$Quoted [@dropdown] [in the @menu]',
      '@group pages:$LoosePages [together] in the @menu (under | as) v:$Value', '@group pages:$LoosePages together (under | as | in) [a | the] [menu] v:$Value',
      '@create [@a] [@fresh] [menu] @dropdown @called v:$Quoted [in the @menu] (with | for | containing | from | of | that contains | holding) pages:$LoosePages',
      '@create [@a] [@fresh] [menu] @dropdown v:$Quoted [in the @menu] (with | for | containing | from | of | that contains | holding) pages:$LoosePages',
      '@create [@a] [@fresh] v:$Quoted @dropdown [in the @menu] (with | for | containing | from | of | that contains | holding) pages:$LoosePages',
      'in the @menu [,] [@filler] @group pages:$LoosePages [together] (under | into | in) [a | the] v:$Quoted [@dropdown]',
      'group pages:$LoosePages (under | as) [a | the] [menu] v:$Value', '@group pages:$LoosePages under [a] v:$Words (@dropdown | in the @menu)',
    ],
  },
]
