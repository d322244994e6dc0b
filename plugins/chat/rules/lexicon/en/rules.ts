import type { Rule } from '../lexicon.ts'

const fieldWords = { title: '@metaTitle', description: '@metaDescription', ogImage: '@metaImage' }

const metaRules: readonly Rule[] = Object.entries(fieldWords).flatMap(([detail, noun]): readonly Rule[] => [
  {
    action: 'setMeta',
    detail,
    forms: [
      `@set @det* ${noun} [@on page:$Page] @to v:$Value`, `add @det* ${noun} [@on page:$Page] (: v:$Quoted | v:$Quoted)`,
      `@set page:$Page 's ${noun} @to v:$Value`, `@det* ${noun} [@on page:$Page] (@should | :) v:$Value`,
      `(add | use) v:$Quoted (as | for) @det* ${noun} [@on page:$Page]`,
      `give page:$Page @det* ${noun} v:$Quoted`,
    ],
  },
  { action: 'clearMeta', detail, forms: [`@clear @det* ${noun} [@on page:$Page]`] },
])

/** What English sentences do, in order of precedence. */
export const rules: readonly Rule[] = [
  {
    action: 'lead',
    leads: true,
    forms: ['@inside (block:$Block | page:$Page) [, | :] [@filler]', '@edit block:$Block : [@filler]'],
  },

  // Sides, columns, options
  {
    action: 'imageSide',
    detail: 'left',
    forms: ['@placed [@det*] [block:$BlockHere [\'s]] @image [(on | to) [the]] @left', '@placed @det* @image of block:$Block (on | to) the @left'],
  },
  {
    action: 'imageSide',
    detail: 'right',
    forms: ['@placed [@det*] [block:$BlockHere [\'s]] @image [(on | to) [the]] @right', '@placed @det* @image of block:$Block (on | to) the @right'],
  },
  {
    action: 'imageSide',
    detail: 'full',
    forms: ['@placed [@det*] [block:$BlockHere [\'s]] @image @full'],
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
      '(flip | mirror) block:$Block [layout]',
    ],
  },
  {
    action: 'align',
    detail: 'center',
    forms: [
      '@center [align] @det* [block:$BlockHere [\'s]] @copyText', '@center [align] @det* @copyText @inside block:$Block', '(align | set | make) @det* [block:$BlockHere [\'s]] @copyText [to] [the] @center',
    ],
  },
  {
    action: 'align',
    detail: 'left',
    forms: [
      '@left [align] @det* [block:$BlockHere [\'s]] @copyText', 'align @det* [block:$BlockHere [\'s]] @copyText [to] [the] @left',
      'make @det* [block:$BlockHere [\'s]] @copyText left aligned',
    ],
  },
  {
    action: 'columns',
    forms: [
      '@show n:$Number @columns (in | for | on | with) block:$Block', '@show block:$Block n:$Number @columns',
      '@show block:$Block (to | use | have | in | into | with) n:$Number @columns',
    ],
  },
  { action: 'option', forms: ['(make | turn | change | set | switch) block:$Block [into | to] [a | an | the] option:$Option [@look]'] },
  {
    action: 'switch',
    detail: 'on',
    forms: ['@enable field:$Field', '(turn | switch) field:$Field on', '(turn | switch) @det* name:$FieldName on (for | in) block:$Block'],
  },
  {
    action: 'switch',
    detail: 'off',
    forms: ['@disable field:$Field', '(turn | switch) field:$Field off', '(turn | switch) @det* name:$FieldName off (for | in) block:$Block'],
  },

  // The site and its menu
  {
    action: 'siteName',
    forms: [
      '@rename @det* @site to v:$Value', '@changes @det* @site (name | title) @to v:$Value', '@changes the name of @det* @site @to v:$Value',
      '@rename @det* @site v:$Quoted', '@det* @site name @should v:$Value',
    ],
  },
  { action: 'siteName', detail: 'bare', forms: ['@rename @det* @site v:$Value'] },
  { action: 'logo', forms: ['@changes @det* [@site] logo @to v:$Value', 'use v:$Literal (as | for) @det* [@site] logo'] },
  {
    action: 'menuLabel',
    forms: [
      '@renames @det* name:$PageName @menuEntry [in the @menu] @to v:$Value', '@renames @det* (name:$PageName | name:$Quoted) in the @menu @to v:$Value',
      '@renames @det* name:$Quoted @menuEntry [in the @menu] @to v:$Value', 'call @det* name:$PageName v:$Quoted in the @menu',
      '@rename @det* name:$PageName @to v:$Quoted in the @menu',
    ],
  },
  {
    action: 'menuGroup',
    forms: [
      '@group pages:$LoosePages (under | into | in) [a | the] v:$Quoted [@dropdown] [in the @menu]',
      'group pages:$LoosePages (under | as) [a | the] [menu] v:$Value', '@group pages:$LoosePages under [a] v:$Words (@dropdown | in the @menu)',
    ],
  },

  // What search engines and link previews read
  ...metaRules,
  {
    action: 'setMetas',
    forms: [
      '(add | set | update | change) @det* @metaAll [@onto page:$Page] (with | to | :) metas:$Metas',
      '(add | set | update | change) @det* @metaAll with metas:$Metas @onto page:$Page',
    ],
  },

  // Pages
  {
    action: 'createPage',
    forms: [
      '@create [@a] [@blankPage] page (@called) (name:$Quoted | name:$Words) [at slug:$Route] [(with | including) blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page at slug:$Route [@called (name:$Quoted | name:$Words)] [(with | including) blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page slug:$Route [@called (name:$Quoted | name:$Words)] [(with | including) blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page [:] name:$Quoted [at slug:$Route] [(with | including) blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page @called name:$Value',
      '@create [@a] [@blankPage] (name:$Words | name:$Quoted | name:$PageName) page [at slug:$Route] [(with | including) blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page (about | on) [our | the] name:$Words [(with | including) blocks:$NewBlocks]',
    ],
  },
  {
    action: 'createPage',
    detail: 'for',
    forms: ['@create [@a] [@blankPage] page for [our | the] name:$Words [(with | including) blocks:$NewBlocks]'],
  },
  { action: 'createPages', forms: ['@create [@blankPage] names:$PageNames pages', '@create [@blankPage] pages [@called | for | :] names:$PageNames'] },
  { action: 'removePage', forms: ['@removePage pages:$Pages', '@removePage [the] pages:$LoosePages pages'] },
  {
    action: 'duplicatePage',
    forms: [
      '@copy page:$Page [(to | as | into | at) slug:$Route] [(@called | as) (name:$Quoted | name:$Value)]', '@copy page:$Page (to | as | into) name:$Quoted',
    ],
  },
  {
    action: 'renamePage',
    forms: [
      '@rename page:$Page (to | →) slug:$Route and (set | change | update) (its | the) title (to | →) v:$Value',
      '@rename page:$Page (to | →) v:$Value', '@rename page:$Page v:$Quoted', '(rename) to v:$Value',
    ],
  },
  { action: 'retitlePage', forms: ['(retitle | title) page:$Page [to | →] v:$Value'] },
  {
    action: 'retitlePage',
    forms: [
      '@set @det* page (title | name) [@on page:$Page] @to v:$Value', '@set @det* (title | name) of page:$Page @to v:$Value',
      "@set page:$Page ['s] (title | name) @to v:$Value", '@det* page (title | name) (@should | :) v:$Value',
      '@det* (title | name) of page:$Page @should v:$Value',
    ],
  },
  {
    action: 'movePageAddress',
    forms: [
      '@set @det* (slug | path | url | address) of page:$Page @to slug:$Route', "@set page:$Page ['s] (slug | path | url | address) @to slug:$Route",
      '@set @det* page (slug | path | url | address) @to slug:$Route', '@set @det* (slug | path) @to slug:$Route',
    ],
  },
  {
    action: 'movePage',
    forms: ['@move page:$LoosePage [in the @menu] place:$PagePlace [in the @menu]', 'page:$LoosePage @shouldMove place:$PagePlace [in the @menu]'],
  },

  // Links and images
  {
    action: 'link',
    forms: [
      '@link field:$Field (to | at | →) to:$Target', 'make field:$Field @goTo to:$Target', 'field:$Field @shouldGo to:$Target',
      '(let | have) field:$Field @goTo to:$Target', 'use to:$Target (as | for) field:$Field',
    ],
  },
  { action: 'link', detail: 'field', forms: ['@set field:$Field @to to:$Target', 'field:$Field @should to:$Target'] },
  { action: 'setField', forms: ['use v:$Literal (as | for) field:$Field'] },

  // Texts
  {
    action: 'replaceText',
    forms: [
      '@replace [@bits] a:$Quoted @by b:$Quoted [scope:$Scope]', '@replace [@bits] a:$Quoted scope:$Scope @by b:$Quoted',
      '(in | on) scope:$Scope @replace [@bits] a:$Quoted @by b:$Quoted',
    ],
  },
  { action: 'cutText', forms: ['@cut [@bits] a:$Quoted from (field:$Field | block:$Block | page:$Page)'] },
  ...Object.entries({ upper: '@upper', lower: '@lower', title: '@titleCase' }).map(([detail, words]): Rule => (
    { action: 'letterCase', detail, forms: [`(make | set | change | turn | convert | put) field:$Field [to | in | into] ${words}`] }
  )),
  { action: 'letterCase', detail: 'upper', forms: ['uppercase field:$Field'] },
  { action: 'letterCase', detail: 'lower', forms: ['lowercase field:$Field'] },
  { action: 'letterCase', detail: 'title', forms: ['capitalize field:$Field', 'capitalise field:$Field'] },
  {
    action: 'setField',
    forms: [
      '@set field:$Field @to v:$Value', '@set field:$Field @to v:$Quoted (@inside block:$Block | @on page:$Page)', '@make field:$Field @says v:$Value',
      'make field:$Field v:$Quoted', 'make field:$Field v:$Literal', '(give) block:$Block [a | the] name:$FieldName v:$Quoted',
      '(give) row:$Row [a | the] name:$FieldName v:$Quoted', '(add | put in | write) @det* name:$FieldName v:$Quoted to (block:$Block | row:$Row)',
    ],
  },
  { action: 'setField', forms: ['field:$Field @should v:$Value', '@want field:$Field to (@says) v:$Value', 'field:$Field (: | →) v:$Value'] },
  { action: 'link', detail: 'field', continues: true, forms: ['field:$Field (to | →) to:$Target'] },
  { action: 'setField', continues: true, forms: ['field:$Field (to | as | →) v:$Value'] },
  {
    action: 'setRow',
    forms: ['@set row:$Row @to v:$Value', '@rename row:$Row v:$Quoted', 'row:$Row (@should | :) v:$Value', '@make row:$Row @says v:$Value'],
  },
  { action: 'titleBlock', forms: ['@rename block:$Block (to | as | →) v:$Value', '@rename block:$Block v:$Quoted', '@rename block:$BareBlock (to | as | →) v:$Value'] },
  {
    action: 'sayBlock',
    forms: [
      '@set block:$Block [@to] v:$Quoted', '(set | change | update | make) block:$Block [to] (say | read) v:$Value', 'block:$Block (should | must) (say | read) v:$Value',
    ],
  },
  { action: 'setFocused', forms: ['v:$Quoted'] },
  {
    action: 'append',
    detail: 'end',
    forms: ['(add | append | put) v:$Quoted to the [very] end of field:$Field', '(add | append) v:$Quoted to field:$Field', '(add | append | put) v:$Quoted (after | at the end of) field:$Field'],
  },
  {
    action: 'append',
    detail: 'start',
    forms: ['prepend v:$Quoted to field:$Field', '(add | put) v:$Quoted (to | at) the [very] (beginning | start | front) of field:$Field', '(add | put) v:$Quoted (before | in front of) field:$Field'],
  },
  // Rows of lists
  {
    action: 'addRow',
    forms: [
      '@add [@a | the] [new | more] noun:$RowNoun [@into block:$Block] [place:$Place] [details:$Details]', '@add [@a | the] [new] noun:$RowNoun details:$Details [@into block:$Block] [place:$Place]',
      '@add n:$Number [new | more] noun:$RowNounPlural [@into block:$Block] [place:$Place]',
      '@add n:$Number [new | more] noun:$RowNoun [@into block:$Block] [place:$Place]',
    ],
  },
  { action: 'removeRow', forms: ['@remove rows:$Rows', '@remove @det* a:$Ordinal and [the] b:$Ordinal (noun:$RowNoun | noun:$RowNounPlural)', 'take row:$Row out'] },
  {
    action: 'moveRow',
    forms: ['@move row:$Row place:$Place', 'row:$Row @shouldMove place:$Place'],
  },
  { action: 'swapRows', forms: ['@swap a:$Row (and | with) b:$Row', '@swap @det* a:$Ordinal and [the] b:$Ordinal noun:$RowNounPlural', '@swap @det* a:$Ordinal and [the] b:$Ordinal noun:$RowNoun'] },
  { action: 'copyRow', forms: ['@copy row:$Row'] },

  // Blocks
  {
    action: 'addBlock',
    forms: [
      '@addBlock blocks:$NewBlocks [@onto page:$Page] [place:$Place] [details:$Details]', '@addBlock blocks:$NewBlocks place:$Place [@onto page:$Page] [details:$Details]',
      '@wish blocks:$WishedBlocks [@onto page:$Page] [place:$Place] [details:$Details]', '@wish blocks:$WishedBlocks place:$Place [@onto page:$Page] [details:$Details]',
      '@put (@a | n:$Number) type:$BlockType [@unit] [@onto page:$Page] [place:$Place] [@onto page:$Page] [details:$Details]',
      '(make | start) @a [new] type:$BlockType [@unit] place:$Place', '@onto page:$Page [,] @addBlock blocks:$NewBlocks [place:$Place] [details:$Details]',
      'place:$Place [,] @addBlock blocks:$NewBlocks [details:$Details]',
    ],
  },
  { action: 'removeEvery', detail: 'except', forms: ['@remove @everything [@on page:$Page] @except blocks:$Blocks', 'keep only blocks:$Blocks'] },
  { action: 'removeEvery', detail: 'all', forms: ['@remove @everything [@on page:$Page]'] },
  { action: 'removeEvery', detail: 'type', forms: ['@remove @all type:$BlockType [@unit] [@on page:$Page]'] },
  { action: 'removeEvery', detail: 'both', forms: ['@remove @both type:$BlockType [@unit] [@on page:$Page]'] },
  {
    action: 'removeBlock',
    forms: ['@remove blocks:$Blocks', 'take block:$Block out [of page:$Page]', '(get | take) block:$Block off [page:$Page]'],
  },
  { action: 'moveBlock', forms: ['@move block:$Block place:$Place [@on page:$Page]', 'block:$Block @shouldMove place:$Place', '@want block:$Block place:$Place', '@move block:$BareBlock place:$Place', 'make block:$Block place:$NthPlace'] },
  { action: 'swapBlocks', forms: ['@swap a:$Block (and | with) b:$Block', '@swap the places of a:$Block and b:$Block'] },
  { action: 'copyBlock', forms: ['@copy block:$Block [place:$Place]', '@copy block:$BlockHere (to | onto | on) page:$LoosePage'] },

  // Empty fields, constraints
  { action: 'clearField', forms: ['@clear field:$Field [text]'] },
  { action: 'keep', forms: ['@keep (field:$Field | block:$Block) @unchanged'] },

  // Understood, but something is missing
  { action: 'incomplete', detail: 'value', forms: ['@set field:$Field', '@set row:$Row', '@rename block:$Block', '@rename page:$Page'] },
  { action: 'incomplete', detail: 'field', forms: ['@set block:$Block'] },
  { action: 'incomplete', detail: 'place', forms: ['@move block:$Block', '@move row:$Row', '@move page:$Page'] },
  { action: 'incomplete', detail: 'block', forms: ['(@addBlock | @wish) [@a | n:$Number] [new | more] @unit', '@put [@a | n:$Number] [new | more] @unit'] },
  { action: 'incomplete', detail: 'name', forms: ['@create [@a | n:$Number] [@blankPage] (page | pages)'] },
  { action: 'incomplete', detail: 'scope', forms: ['@cut a:$Quoted'] },
  { action: 'incomplete', detail: 'field', forms: ['@anyVerb', '@set page:$Page'] },
]
