import type { Rule } from '../../lexicon.ts'
import { command, request } from '../verbs.ts'
import { literal, setTo, renameTo } from './phrases.ts'

/** German sentences that change the site and its menu, in order of precedence. */
export const site: readonly Rule[] = [
  {
    action: 'siteName',
    forms: [
      ...renameTo('@det* @site'), ...setTo('@det* (name | namen) [von | der] @det* @site'), ...setTo('@det* @site (name | namen | titel)'),
      '@rename @det* @site v:$Quoted', '@det* @site v:$Quoted @renameLast',
      `@det* @site @shall [:] ${literal} heißen`, '@det* @site @shall v:$Value heißen', `@det* (name | namen) @det* @site @shall ${literal} (lauten | sein)`,
    ],
  },
  { action: 'siteName', detail: 'bare', forms: ['@rename @det* @site v:$Value'] },
  {
    action: 'logo',
    forms: [
      ...setTo('@det* logo [der @site]'), ...command('use', 'v:$Literal (als | für) @det* logo [der @site]'), '@det* logo @shall v:$Literal sein',
    ],
  },
  {
    action: 'menuLabel',
    forms: [
      ...['@det* @menuEntry (name:$PageName | name:$Quoted) [@inMenu]', '@det* (name:$PageName | name:$Quoted) @inMenu', '@det* (name:$PageName | name:$Quoted [-]) @menuEntry [@inMenu]', '@inMenu @det* [@menuEntry] (name:$PageName | name:$Quoted)'].flatMap((what) => [...renameTo(what), ...setTo(what)]),
      '@rename @det* (name:$PageName | name:$Quoted) @inMenu v:$Quoted',
      '@rename @det* @menuEntry (name:$PageName | name:$Quoted) [@inMenu] v:$Quoted',
      '@det* @menuEntry (name:$PageName | name:$Quoted) [@inMenu] @shall v:$Value (heißen | lauten)',
      '@det* [@page] (name:$PageName | name:$Quoted) @shall @inMenu v:$Value heißen',
      '@det* [@page] (name:$PageName | name:$Quoted) @shall @inMenu als v:$Quoted (erscheinen | stehen | angezeigt werden)',
      '@inMenu @shall @det* [@page] (name:$PageName | name:$Quoted) v:$Quoted heißen', '@inMenu @shall @det* [@page] (name:$PageName | name:$Quoted) heißen [:] v:$Quoted',
    ],
  },
  {
    action: 'leaveMenu',
    forms: [
      ...request('remove', 'page:$LoosePage', 'aus (dem | der) @menu'), '(nimm | nehmen sie) page:$LoosePage aus (dem | der) @menu',
      ...request('remove', '@det* @menuEntry page:$LoosePage'),
    ],
  },
  {
    action: 'menuGroup',
    forms: [
      ...command(
        'group', 'pages:$LoosePages [@inMenu] (unter | in | als | zu) @det* v:$Quoted [@dropdown] [@inMenu]',
        '[@inMenu] pages:$LoosePages (unter | in | als | zu) @det* v:$Quoted [@dropdown]',
      ),
      ...command(
        'move', 'pages:$LoosePages (unter | in) @det* [@dropdown] v:$Quoted @inMenu',
        'pages:$LoosePages @inMenu (unter | in) @det* [@dropdown] v:$Quoted', 'pages:$LoosePages (unter | in) @det* v:$Quoted [-] @dropdown',
        'pages:$LoosePages (unter | in) @det* @dropdown v:$Quoted',
      ),
    ],
  },
]
