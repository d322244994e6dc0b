import type { Rule } from '../../lexicon.ts'
import { command, request } from '../verbs.ts'
import { literal, setTo, renameTo, shouldBe } from './phrases.ts'

const cases = { upper: '@upper', lower: '@lower' }

/** German sentences that change texts, in order of precedence. */
export const texts: readonly Rule[] = [
  {
    action: 'replaceText',
    forms: [
      '(mach | mache) aus a:$Quoted b:$Quoted', '[@bits] a:$Quoted [scope:$Scope] @shall b:$Quoted (heißen | lauten | sein)', '(statt | anstatt | anstelle von) a:$Quoted [,] b:$Quoted [scope:$Scope]',
      '(statt | anstatt | anstelle von) a:$Quoted @shall [scope:$Scope] b:$Quoted stehen', 'scope:$Scope @shall (statt | anstatt | anstelle von) a:$Quoted b:$Quoted stehen',
      ...command(
        'replace', '[@bits] a:$Quoted @by b:$Quoted [scope:$Scope]', '[@bits] a:$Quoted scope:$Scope @by b:$Quoted',
        'scope:$Scope [@bits] a:$Quoted @by b:$Quoted', '[@bits] a:$Figure @by b:$Figure [scope:$Scope]', '[@bits] a:$Figure scope:$Scope @by b:$Figure',
        'scope:$Scope [@bits] a:$Figure @by b:$Figure',
      ),
    ],
  },
  {
    action: 'cutText',
    forms: [
      ...request('cut', '[@bits] a:$Quoted', '@from (field:$Field | block:$Block | page:$Page)'),
      ...command('cut', '@from (field:$Field | block:$Block | page:$Page) [@bits] a:$Quoted'),
    ],
  },
  ...Object.entries(cases).map(([detail, word]): Rule => ({
    action: 'letterCase', detail, forms: [...request('set', 'field:$Field', word), ...request('write', 'field:$Field', word), `field:$Field @shall ${word} (sein | stehen | geschrieben werden)`],
  })),
  {
    action: 'setField',
    forms: [
      ...setTo('field:$Field'), ...renameTo('field:$Field'), ...command('set', 'field:$Field @to v:$Quoted (@inside block:$Block | @on page:$Page)'),
      ...command('rename', 'field:$Field [mit] v:$Quoted'), '@make field:$Field v:$Literal',
      ...command('set', 'field:$Field : v:$Value', 'field:$Field v:$Quoted'), '@give (block:$Block | row:$Row) @det* name:$FieldName v:$Literal',
      '@give (block:$Block | row:$Row) als name:$FieldName v:$Quoted',
      ...command(
        'write', '@det* name:$FieldName v:$Quoted [@into] (block:$Block | row:$Row)',
        '[@into] (block:$Block | row:$Row) @det* name:$FieldName v:$Quoted', 'v:$Quoted als name:$FieldName [@into] (block:$Block | row:$Row)',
        '(in | auf | als) field:$Field [:] v:$Quoted', 'v:$Quoted (in | auf | als) field:$Field',
      ),
      ...command('use', '@inside block:$Block v:$Quoted als name:$FieldName', 'als field:$Field v:$Quoted', 'für field:$Field v:$Quoted'),
      'mach aus field:$Field v:$Quoted',
    ],
  },
  {
    action: 'setField',
    forms: [
      ...shouldBe('field:$Field'), 'field:$Field (: | = | →) v:$Value', '(auf | in | im) field:$Field @shall v:$Quoted stehen',
      '@let field:$Field v:$Quoted (heißen | lauten | sagen)', '@inside block:$Block @shall als name:$FieldName v:$Quoted stehen',
      'als field:$Field (hätte ich | hätten wir | möchte ich | will ich) [gern | gerne] v:$Quoted',
      `field:$Field auf ${literal}`, '@setAus field:$Field gegen v:$Literal aus',
    ],
  },
  { action: 'link', detail: 'field', continues: true, forms: ['field:$Field (auf | zu | zur | zum | mit | in | →) to:$Target', 'field:$Field to:$Target'] },
  { action: 'setNext', continues: true, forms: ['row:$NextRow [in | zu | auf | durch | →] v:$Quoted [heißen | lauten | nennen]', 'row:$NextRow @shall v:$Quoted (heißen | lauten)'] },
  { action: 'setField', continues: true, forms: ['field:$Field (in | zu | auf | durch | als | mit | →) v:$Value', 'field:$Field v:$Quoted'] },
  {
    action: 'setRow',
    forms: [
      ...renameTo('row:$BareRow'), ...command('rename', 'row:$BareRow v:$Quoted'),
      ...setTo('row:$Row'), ...renameTo('row:$Row'), ...command('rename', 'row:$Row v:$Quoted'), ...shouldBe('row:$Row'), 'row:$Row : v:$Value',
      ...command('set', 'row:$Row : v:$Value'),
    ],
  },
  {
    action: 'titleBlock',
    forms: [
      ...renameTo('(block:$Block | block:$BareBlock)'), ...command('rename', '(block:$Block | block:$BareBlock) [@to] v:$Quoted'),
      'block:$Block @shall [jetzt | künftig | nun] v:$Value heißen', 'block:$Block @shall heißen [:] v:$Value',
    ],
  },
  {
    action: 'sayBlock',
    forms: [
      ...command('set', 'block:$Block [@to] v:$Quoted'), 'block:$Block @shall [:] v:$Value (lauten | sagen | anzeigen)',
      'block:$Block @shall (lauten | sagen) [:] v:$Value',
      ...command('write', 'v:$Quoted (in | auf) block:$Block', '(in | auf) block:$Block [:] v:$Quoted', '(in | auf) block:$Block : v:$Value'),
      '(im | in | auf) block:$Block @shall v:$Quoted stehen',
    ],
  },
  { action: 'setFocused', forms: ['v:$Quoted'] },
  {
    action: 'append',
    detail: 'end',
    forms: [
      ...command(
        'append', 'v:$Quoted ([ganz] am ende | [ganz] ans ende | hinten) (@det* | @of | an) field:$Field',
        'v:$Quoted (an | nach | hinter) field:$Field', 'am ende field:$Field v:$Quoted', 'field:$Field v:$Quoted',
        '(ans ende | am ende | an) field:$Field v:$Quoted', 'zu field:$Field v:$Quoted',
      ),
    ],
  },
  {
    action: 'append',
    detail: 'start',
    forms: [
      ...command(
        'append', 'v:$Quoted ([ganz] am anfang | [ganz] an den anfang | vorne) (@det* | @of | an) field:$Field', 'v:$Quoted vor field:$Field',
        '(am anfang | an den anfang | vor) field:$Field v:$Quoted',
      ),
      ...command('prepend', 'v:$Quoted field:$Field', 'field:$Field v:$Quoted'),
    ],
  },
]
