import type { Rule } from '../../lexicon.ts'

/** `The headline says "A", please change it to "B"`. */
const isNow = '(is | says | reads | is called | is titled) [@presently] [called]'

const butNow = '(, | ; | . | and | but | , but | @dash) [@filler] (@rename it [to] | it @should | @set (it | that) @to | make (it | that) [say | read])'

/** English sentences that change texts, in order of precedence. */
export const texts: readonly Rule[] = [
  {
    action: 'replaceText',
    forms: [
      '@replace [@bits] a:$Quoted @by b:$Quoted [scope:$Scope]', '@replace [@bits] a:$Quoted scope:$Scope @by b:$Quoted',
      '@replace [@bits] a:$Number (with | by | to | for | →) b:$Number scope:$Scope', '@replace [@bits] a:$Figure @by b:$Figure [scope:$Scope]',
      '(@enter | say) b:$Figure [,] @instead a:$Figure [scope:$Scope]',
      'scope:$Scope [,] [@filler] @replace [@bits] a:$Quoted @by b:$Quoted', '@replace [@bits] a:$Quoted [scope:$Scope] and replace it with b:$Quoted',
      'find [@bits] a:$Quoted [scope:$Scope] and replace it with b:$Quoted',
      'it @should b:$Quoted [,] @instead a:$Quoted [scope:$Scope]',
      'scope:$Scope [,] it @should b:$Quoted [,] @instead a:$Quoted',
      '(@enter | say) b:$Quoted [,] @instead a:$Quoted [scope:$Scope]', '@instead a:$Quoted [,] [@filler] (@enter | say) b:$Quoted [scope:$Scope]',
      '@bits a:$Quoted [scope:$Scope] @should b:$Quoted',
      '@instead a:$Quoted it @should b:$Quoted [scope:$Scope]', 'scope:$Scope [,] [@bits] a:$Quoted @should b:$Quoted',
      'a:$Quoted [scope:$Scope] should (read | be | say | be changed to | be replaced with | be replaced by) b:$Quoted [scope:$Scope]',
      '@replace [@bits] a:$Quoted @everywhere @by b:$Quoted', 'make it b:$Quoted @instead a:$Quoted [scope:$Scope]',
      'scope:$Scope [,] [@filler] (@enter | say) b:$Quoted @instead a:$Quoted', '(turn | make) [@bits] a:$Quoted [scope:$Scope] (into | to) b:$Quoted',
    ],
  },
  {
    action: 'cutText',
    forms: [
      '@cut [@bits] a:$Quoted (from | in | out of | on | at the end of | at the start of | at the beginning of) (field:$Field | row:$Row | block:$Block | page:$Page)',
      'take [@bits] a:$Quoted (out of | off | away from | from) (field:$Field | row:$Row | block:$Block)', 'scope:$Scope [,] [@filler] @cut [@bits] a:$Quoted',
      'field:$Field @mustLose [@bits] a:$Quoted', '@bits a:$Quoted @mustBe @removed from (field:$Field | row:$Row | block:$Block)',
    ],
  },
  ...Object.entries({ upper: '@upper', lower: '@lower', title: '@titleCase' }).map(([detail, words]): Rule => (
    { action: 'letterCase', detail, forms: [
      `(make | set | change | turn | convert | put | write | show | display | have | switch | type | render) field:$Field [to | in | into | all in | all] ${words}`,
      `field:$Field @mustBe [in | all in] ${words}`, `field:$Field (should | must) (be written | be shown | be set) in ${words}`,
      `use ${words} (for | in) field:$Field`,
    ] }
  )),
  { action: 'letterCase', detail: 'upper', forms: ['(uppercase | upper case) field:$Field'] },
  { action: 'letterCase', detail: 'lower', forms: ['(lowercase | lower case) field:$Field'] },
  { action: 'letterCase', detail: 'title', forms: ['(capitalize | capitalise | title case) [every word (in | of)] field:$Field'] },
  {
    action: 'setField',
    detail: 'checked',
    forms: [
      '@instead a:$Quoted [,] field:$Field @should v:$Quoted', 'field:$Field @should v:$Quoted [,] @instead a:$Quoted',
      '@set field:$Field from a:$Literal @to v:$Literal', '@make field:$Field @says v:$Quoted [,] @instead a:$Quoted',
      '@set field:$Field @to v:$Quoted [,] @instead a:$Quoted',
      `[@presently] field:$Field ${isNow} a:$Quoted ${butNow} v:$Quoted [instead]`,
    ],
  },
  {
    action: 'setField',
    forms: [
      '@set field:$Field @to v:$Value', '@set what field:$Field says @to v:$Quoted',
      '(shorten | simplify | cut | trim | reduce | extend | expand) field:$Field to v:$Quoted',
      'v:$Quoted (should | must) [now] be field:$Field', '(make | let) v:$Quoted [be] field:$Field', '@set field:$Field (for | out for | round to) v:$Quoted',
      '@set field:$Field @to v:$Quoted (@inside block:$Block | @on page:$Page)', '@make field:$Field @says [:] v:$Value',
      '@set field:$Field so that it (says | reads | is) v:$Quoted',
      '(@make | @set | use | take | try | go with | write | put | choose) field:$Field v:$Literal',
      '(give | assign) (block:$Block | row:$Row | block:$BareBlock) [@a | the] [@fresh] name:$FieldName [@colon | @saying | of] v:$Literal',
      '(block:$Block | row:$Row | block:$BareBlock) @mustHave [@a | the | its | as its | as the] [@fresh] name:$FieldName [@colon | @saying | of] v:$Literal',
      '(block:$Block | row:$Row | block:$BareBlock) @mustHave v:$Literal (as | for) [its | the | a] name:$FieldName',
      '(give) (block:$Block | row:$Row) v:$Literal (as | for) [its | the | a] [@fresh] name:$FieldName',
      '(give | assign) v:$Literal as [its | the | a] name:$FieldName to (block:$Block | row:$Row)',
      '(add | put in | write | @enter) @det* name:$FieldName [@saying | :] v:$Literal (to | on | in | into | for) (block:$Block | row:$Row)',
      '(add | @enter) v:$Literal as [its | the | a] name:$FieldName (to | on | in | for) (block:$Block | row:$Row)',
      '@instead a:$Quoted [,] [@filler] @set field:$Field @to v:$Quoted',
      'use v:$Literal (as | for) [its | the | a] name:$FieldName (in | of | on) (block:$Block | row:$Row)',
    ],
  },
  {
    action: 'setField',
    forms: [
      'field:$Field @should [:] v:$Value', '@want field:$Field (@says | to @says) [:] v:$Value', 'field:$Field @colon v:$Value', 'field:$Field @dash v:$Literal',
      'from now on [,] field:$Field (is | says | reads | becomes) v:$Quoted', 'from now on [,] field:$Field @should v:$Quoted',
      '@want v:$Literal (as | for | in) field:$Field', 'field:$Field @should v:$Quoted (@inside block:$Block | @on page:$Page)',
    ],
  },
  { action: 'setField', detail: 'bare', forms: ['field:$Field v:$Quoted'] },
  { action: 'setField', detail: 'new', forms: ['field:$Field (is | reads | says) v:$Quoted'] },
  { action: 'link', detail: 'field', continues: true, forms: ['field:$Field (to | → | is | with) to:$Target'] },
  {
    action: 'setField',
    continues: true,
    forms: [
      'field:$Field (to | as | → | with | by | is | reads | says | for | of) v:$Value', 'field:$Field v:$Quoted',
      '(with | use | have | having) @det* name:$FieldName [of | : | as] v:$Quoted', '[@enter] v:$Literal (as | for | in) field:$Field', 'use field:$Field v:$Quoted',
      '@enter @det* name:$FieldName [of | :] v:$Literal',
    ],
  },
  { action: 'moveBlock', continues: 'move', forms: ['block:$Block [@up | @down] place:$Place', 'block:$BareBlock place:$Place'] },
  { action: 'moveRow', continues: 'move', forms: ['row:$Row place:$Place', 'row:$BareRow place:$Place'] },
  {
    action: 'addBlock',
    continues: 'add',
    forms: [
      '@a [@fresh] type:$BlockType [@unit] [details:$Details] place:$Place', '@a [@fresh] type:$BlockType [@unit] @onto page:$Page [place:$Place]',
    ],
  },
  {
    action: 'addRow',
    continues: 'add',
    forms: [
      '@a [@fresh] noun:$RowNoun details:$Details [@into block:$Block] [place:$Place]',
      '@a [@fresh] noun:$RowNoun @into block:$Block [place:$Place] [details:$Details]',
    ],
  },
  {
    action: 'link',
    detail: 'touched',
    continues: true,
    forms: [
      '(@goTo | @linking | @shouldGo) to:$Target', '(make | let | have) it @goTo to:$Target', 'it @shouldGo to:$Target',
    ],
  },
  { action: 'setNext', continues: true, forms: ['row:$NextRow (to | as | → | @should | is | with) v:$Value', 'row:$NextRow v:$Quoted'] },
  {
    action: 'addRow',
    detail: 'new',
    forms: [
      '@another noun:$RowNoun [@courtesy] details:$Details', '@another noun:$RowNoun [@into block:$Block] place:$Place [details:$Details]',
      '@another noun:$RowNoun @into block:$Block details:$Details', '@another noun:$RowNoun details:$Details (@into block:$Block | place:$Place)',
      '@another noun:$RowNoun for block:$Block details:$Details',
    ],
  },
  { action: 'moveRow', forms: ['row:$Row @mustBe place:$Rank', 'row:$BareRow @mustBe place:$Rank', '@make row:$Row place:$Rank', '@make row:$BareRow place:$Rank'] },
  {
    action: 'moveBlock',
    forms: [
      'block:$Block @mustBe place:$Rank', 'block:$BareBlock @mustBe place:$Rank', '@make block:$Block place:$NthPlace', '@make block:$BareBlock place:$NthPlace',
    ],
  },
  {
    action: 'setRow',
    forms: [
      '@set row:$Row @to v:$Value', '@rename row:$Row v:$Quoted', '@make row:$Row v:$Quoted', 'row:$Row (@should | @colon | is called) v:$Value', '@make row:$Row @says v:$Value',
      '@set row:$Row (for | so that it says | so that it reads) v:$Quoted', '@rename row:$BareRow (to | as | → | into) v:$Quoted', '@rename row:$BareRow v:$Quoted',
      'row:$BareRow @mustBeCalled v:$Quoted', '(@rename | @set) row:$LabelledRow (to | as | → | into) v:$Quoted', 'row:$LabelledRow @mustBeCalled v:$Quoted',
      'row:$Row is called v:$Quoted (now | from now on)', '@set row:$Row from a:$Literal @to v:$Literal',
      '(@enter) v:$Quoted (as | for) row:$Row', 'row:$Row @dash v:$Quoted',
    ],
  },
  {
    action: 'titleBlock',
    forms: [
      '@rename block:$Block (to | as | → | into) v:$Value', '@rename block:$Block v:$Quoted', '@rename block:$QuotedBlock (to | as | → | into) v:$Quoted',
      '@rename block:$QuotedBlock v:$Quoted', 'block:$Block @mustBeCalled v:$Value', 'block:$BareBlock @mustBeCalled v:$Quoted',
      'block:$Block is called v:$Quoted (now | from now on)',
      `[@presently] block:$Block ${isNow} a:$Quoted ${butNow} v:$Quoted [instead]`,
    ],
  },
  {
    action: 'sayBlock',
    forms: [
      '@set block:$Block [@to] v:$Quoted', '(@set | @make) block:$Block [to] (say | read | now say | now read | so that it says | so it says) v:$Value',
      'block:$Block @mustSay v:$Value', 'block:$Block @mustBe v:$Quoted', 'block:$Block @colon v:$Quoted', '@want block:$Block to (say | read) v:$Value',
      '@enter v:$Quoted (in | on | into) block:$Block',
      '(let | have) block:$Block (say | read) v:$Value', '@inside block:$Block [,] [@filler] (put | type | write | enter) v:$Quoted',
    ],
  },
  { action: 'setFocused', forms: ['v:$Quoted'] },
  {
    action: 'setFocused',
    detail: 'asked',
    forms: [
      '@set (to | with | into | →) v:$Quoted', '(write | type | put | enter | use | insert) v:$Quoted here',
      'here [,] (write | type | put | enter | use | insert) v:$Quoted', '(use | write | enter) v:$Quoted instead', '(make | let) it v:$Quoted',
    ],
  },
  {
    action: 'append',
    detail: 'end',
    forms: [
      '(add | append | put | stick | attach | tack | write | insert | place | type) [@bits] v:$Quoted (to | on | at | onto) the [very] end of field:$Field',
      '(add | append | attach | tack) [on] [@bits] v:$Quoted (to | onto) field:$Field',
      '(add | append | put | insert | write | stick) [@bits] v:$Quoted (after | behind) field:$Field',
      'end field:$Field with v:$Quoted', '@make field:$Field (end | finish) with v:$Quoted', 'field:$Field (should | must) (end | finish) with v:$Quoted',
      '(append | add) v:$Quoted at the end of field:$Field',
    ],
  },
  {
    action: 'append',
    detail: 'start',
    forms: [
      'prepend [@bits] v:$Quoted to field:$Field',
      '(add | put | stick | insert | write | place | type) [@bits] v:$Quoted (to | at | on) the [very] (beginning | start | front) of field:$Field',
      '(add | put | stick | insert | write | place) [@bits] v:$Quoted (before | in front of) field:$Field',
      '(start | begin) field:$Field with v:$Quoted', '@make field:$Field (start | begin) with v:$Quoted',
      'field:$Field (should | must) (start | begin) with v:$Quoted', 'prefix field:$Field with v:$Quoted',
    ],
  },
]
