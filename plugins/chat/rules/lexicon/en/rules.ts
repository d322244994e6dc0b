import type { Rule } from '../lexicon.ts'

/** What follows on `we no longer need the banner`. */
const itGoes = '(, | ; | . | and | so | @dash) [@filler] (@remove it [@anymore] | take it @away | it (can | must | has to) go | it @mustBe @removed)'

/** `The headline says "A", please change it to "B"`. */
const isNow = '(is | says | reads | is called | is titled) [@presently] [called]'
const butNow = '(, | ; | . | and | but | , but | @dash) [@filler] (@rename it [to] | it @should | @set (it | that) @to | make (it | that) [say | read])'

const labelled = '[@saying | :]'
const linked = '[,] (and | that | which | , | with a link) [that | which | it] (@goTo | @linking | to)'

/** New rows: of verbs that move things as well, `which` has to say that they are new. */
const addRowForms = (verb: string, which: string, plainly: string): readonly string[] => [
  `${verb} ${which} noun:$RowNoun [@into block:$Block] [place:$Place] [@courtesy] [details:$Details]`,
  `${verb} ${which} noun:$RowNoun details:$Details [[and] @into block:$Block] [place:$Place [rest:$Details]]`,
  `${verb} ${which} noun:$RowNoun place:$Place (of | in | on) block:$Block [details:$Details]`,
  `${verb} ${which} noun:$RowNoun details:$Details place:$Place (of | in | on) block:$Block`,
  `${verb} n:$Number [@fresh | more | other] (noun:$RowNounPlural | noun:$RowNoun) [@into block:$Block] [place:$Place]`,
  `${verb} (another | an additional) n:$Number [@fresh | more] noun:$RowNounPlural [@into block:$Block] [place:$Place]`,
  `${plainly} [n:$Number] [@fresh | more] noun:$RowNounPlural [@called | : | ,] titles:$Titles [@into block:$Block] [place:$Place]`,
  `${plainly} [n:$Number] [@fresh | more] noun:$RowNounPlural @into block:$Block : titles:$Titles`,
  `@into block:$Block [,] [@filler] ${verb} [@a] [@fresh | more] noun:$RowNoun [details:$Details]`,
]

const fieldWords = { title: '@metaTitle', description: '@metaDescription', ogImage: '@metaImage' }

const metaRules: readonly Rule[] = Object.entries(fieldWords).flatMap(([detail, noun]): readonly Rule[] => [
  {
    action: 'setMeta',
    detail,
    forms: [
      `@set @det* ${noun} [@on page:$Page] @to v:$Value`,
      `(add | set | make | change | update | create | write | use) @det* ${noun} [(@onto | @on) page:$Page] [@colon | @saying] v:$Literal`,
      `@set page:$Page 's ${noun} @to v:$Value`, `@det* ${noun} [@on page:$Page] (@should | @colon) v:$Value`,
      `@det* ${noun} [@on page:$Page] @dash v:$Literal`, `page:$Page 's ${noun} (@should | @colon) v:$Value`, `page:$Page , ${noun} @colon v:$Value`,
      `(add | @enter) v:$Literal @asOrFor @det* ${noun} [@on page:$Page]`,
      `give page:$Page @det* ${noun} [@saying | :] v:$Literal`, `page:$Page @mustHave @det* ${noun} [@saying | :] v:$Literal`,
      `@det* ${noun} (@should | @colon) v:$Literal @on page:$Page`,
      `page:$Page @mustHave v:$Literal as @det* ${noun}`, `@set @det* ${noun} @to v:$Literal @on page:$Page`,
      `@make @det* ${noun} [@on page:$Page] @says v:$Literal`,
    ],
  },
  { action: 'setMeta', detail, continues: 'page', forms: [`@det* ${noun} (to | as | with | is | @colon) v:$Value`, `@det* ${noun} v:$Literal`] },
  { action: 'clearMeta', detail, forms: [`@clear @det* ${noun} [@on page:$Page]`, `@clear page:$Page 's ${noun}`, `take @det* ${noun} @away`] },
])

/** What English sentences do, in order of precedence. */
export const rules: readonly Rule[] = [
  {
    action: 'lead',
    leads: true,
    forms: [
      '@inside (block:$Block | page:$Page) [, | : | @dash] [@filler]', '@inside row:$Row [, | : | @dash] [@filler]', '@inside block:$BareBlock [, | :] [@filler]',
      '@inside row:$BareRow (, | :) [@filler]',
      '@edit (block:$Block | row:$Row | page:$Page | block:$BareBlock) (: | . | , | @dash) [@filler]',
      '[@inside] block:$BlockHere , row:$RowHere (: | , | @dash) [@filler]', '@inside page:$Page , [@inside] block:$BlockHere (: | , | @dash) [@filler]',
    ],
  },
  { action: 'lead', detail: 'colon', leads: true, forms: ['(block:$Block | row:$Row | block:$BareBlock | row:$BareRow | page:$Page) (: | @dash) [@filler]'] },

  // Sides, columns, options
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

  // The site and its menu
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
      '(@rename | change) @det* (name:$PageName | name:$Quoted) [page] @to v:$Quoted in the @menu',
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
      '@create [@a] [@blankPage] page (@called) (name:$Quoted | name:$Words) [[and] @atAddress slug:$Route] [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page @atAddress slug:$Route [[and | ,] @called (name:$Quoted | name:$Words)] [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page slug:$Route [@called (name:$Quoted | name:$Words)] [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page [: | @dash] name:$Quoted [[and] @atAddress slug:$Route] [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page @containing blocks:$NewBlocks [and | ,] (@called | call it) name:$Quoted',
      '@create [@a] [@blankPage] page (, | and | ; | .) [@filler] (call it | name it | title it | @called) name:$Quoted [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page @called name:$Value',
      '@create [@a] [@blankPage] (name:$Words | name:$Quoted | name:$PageName) page [@atAddress slug:$Route] [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page (about | on) [our | the] name:$Words [@containing blocks:$NewBlocks]',
      '(have | get) @a [@blankPage] page @called (name:$Quoted | name:$Words) [@containing blocks:$NewBlocks]',
      '@another [@blankPage] page [: | @dash | , | @called] name:$Quoted [[and] @atAddress slug:$Route] [@containing blocks:$NewBlocks]',
      '@another [@blankPage] page [:] slug:$Route', '@another [@blankPage] page @atAddress slug:$Route [@called name:$Quoted]',
      'there (should | must | has to) be [@a] [@blankPage] page @called (name:$Quoted | name:$Words) [@containing blocks:$NewBlocks]',
    ],
  },
  {
    action: 'createPage',
    detail: 'bare',
    forms: [
      '@another [@blankPage] page : name:$Value', '@another [@blankPage] page [called] name:$Words', '@create [@a] [@blankPage] page : name:$Value',
    ],
  },
  {
    action: 'createPage',
    detail: 'for',
    forms: ['@create [@a] [@blankPage] page for [our | the] name:$Words [@containing blocks:$NewBlocks]'],
  },
  {
    action: 'createPages',
    forms: [
      '@create [n:$Number] [@blankPage] names:$PageNames pages', '@create [the] [n:$Number] [@blankPage] pages [, | @called | for | : | @dash] names:$PageNames',
      '@create [@blankPage] pages for [our | the] names:$PageNames', 'n:$Number [@blankPage] pages [, | :] names:$PageNames',
      '@another [n:$Number] pages [:] names:$PageNames',
    ],
  },
  {
    action: 'removePage',
    forms: [
      '@removePage [@both] pages:$Pages [@anymore]', '@removePage [the | both | both the] pages:$LoosePages pages', '@removePage [the] pages pages:$LoosePages',
      'take page:$Page @away', '(pages:$Pages) @mustBe @removed', 'pages:$Pages (can | must | has to) go',
      `@notNeeded page:$Page [@anymore] ${itGoes}`, '@removePage page:$LoosePage from (the @menu | @det* @site)',
    ],
  },
  {
    action: 'duplicatePage',
    forms: [
      '@copy page:$Page [(to | as | into | at | under) slug:$Route] (and | , | , and) (call | name | title | rename) (it | @theCopy) [to] name:$Quoted',
      '@copy page:$Page (and | , | , and) (put | place) (it | @theCopy) (at | under) slug:$Route',
      '@copy page:$Page [(to | as | into | at | under | with the address) slug:$Route] [(@called | as) (name:$Quoted | name:$Value)]',
      '@copy page:$Page (to | as | into) name:$Quoted',
    ],
  },
  {
    action: 'renamePage',
    forms: [
      '@rename page:$Page (to | → | into) slug:$Route and (set | change | update) (its | the) title (to | →) v:$Value',
      '@rename page:$Page (to | → | into | as) v:$Value', '@rename page:$Page v:$Quoted', '(rename) to v:$Value', 'page:$Page @mustBeCalled v:$Quoted',
      'give page:$Page @det* @slug slug:$Route and @det* (title | name) v:$Quoted',
      '@set @det* @slug of page:$Page @to slug:$Route and @det* (title | name) @to v:$Quoted',
    ],
  },
  { action: 'retitlePage', forms: ['(retitle | title | re title) page:$Page [to | → | as] v:$Value'] },
  {
    action: 'retitlePage',
    forms: [
      '@set @det* page (title | name) [@on page:$Page] @to v:$Value', '@set @det* (title | name) of page:$Page @to v:$Value',
      '@set @det* page (title | name) @to v:$Quoted @on page:$Page',
      "@set page:$Page ['s] [page] (title | name) @to v:$Value", '@det* page (title | name) [@on page:$Page] (@should | @colon) v:$Value',
      "@set page:$Page ['s] [page] (title | name) v:$Quoted",
      '@det* (title | name) of page:$Page (@should | @colon) v:$Value', "page:$Page ['s] [page] (title | name) (@should | @colon) v:$Value",
      'give page:$Page @det* [page] (title | name) v:$Quoted', '@enter v:$Quoted @asOrFor @det* (page (title | name) [@on page:$Page] | title of page:$Page)',
      'page:$Page @mustHave @det* [page] (title | name) v:$Quoted', '@make @det* page (title | name) [@on page:$Page] [@says] v:$Quoted',
      '@set @det* page (title | name) v:$Quoted', '@det* page (title | name) [@on page:$Page] @dash v:$Quoted',
    ],
  },
  {
    action: 'movePageAddress',
    forms: [
      '@set @det* @slug (of | for) page:$Page [@to] slug:$Route', "@set page:$Page ['s] @slug [@to] slug:$Route",
      '@set @det* page @slug [@on page:$Page] [@to] slug:$Route', '@set @det* @pageSlug [@to] slug:$Route',
      '@set @det* [page] @slug from page:$Page @to slug:$Route', "page:$Page ['s] @slug (@should | @colon) slug:$Route",
      '@det* @slug (of | for) page:$Page (@should | @colon) slug:$Route', 'give page:$Page @det* [@fresh] @slug slug:$Route',
      '@move page:$Page (to | under) [@det* @slug] slug:$Route', '@det* page @slug [@on page:$Page] (@should | @colon) slug:$Route',
      'page:$Page should (be at | live at | be found at | be reachable at | be under | move to | be reachable under | be available at) slug:$Route',
      '@enter slug:$Route (as | for) @det* @slug (of | for) page:$Page', '@make page:$Page (available | reachable) (at | under) slug:$Route',
      'page:$Page @mustHave @det* @slug slug:$Route',
      '@make @det* @slug (of | for) page:$Page slug:$Route',
    ],
  },
  {
    action: 'movePage',
    forms: [
      '@move page:$LoosePage [in the @menu] place:$PagePlace [in the @menu]', 'page:$LoosePage @shouldMove place:$PagePlace [in the @menu]',
      '(@move | @showAt | @want) page:$LoosePage place:$PagePlace in the @menu', 'in the @menu [,] [@filler] page:$LoosePage @shouldMove place:$PagePlace',
      'in the @menu [,] [@filler] (@move | @showAt | @want) page:$LoosePage place:$PagePlace', '@want page:$Page place:$PagePlace',
      '(@move | @showAt) page:$LoosePage in the @menu place:$PagePlace', '@make page:$LoosePage place:$PagePlace [in the @menu]',
    ],
  },

  // Links and images
  {
    action: 'link',
    forms: [
      '@link field:$Field (to | at | →) to:$Target', '@make field:$Field @goTo to:$Target', 'field:$Field @shouldGo to:$Target',
      '@want field:$Field @goTo to:$Target', '@set field:$Field @goTo to:$Target', '@set field:$Field so that it @goTo to:$Target',
      '@enter to:$Target (as | for) field:$Field', '@enter to:$Target (as | for) @det* @destination (of | for) field:$Field',
      'let people who click field:$Field land on to:$Target', 'field:$Field now @goTo to:$Target', '(add | put) [@det*] link to to:$Target (on | to) field:$Field',
      'add to:$Target as @det* @destination (to | of | for) field:$Field', 'field:$Field @mustHave to:$Target as [@det*] @destination',
      'give field:$Field @det* @destination to:$Target',
    ],
  },
  { action: 'link', detail: 'field', forms: ['@set field:$Field @to to:$Target', 'field:$Field (@should | @colon) to:$Target', '@make field:$Field v:$Address'] },
  {
    action: 'link',
    detail: 'owner',
    forms: [
      '(row:$Row | block:$Block) @shouldGo to:$Target', '@link (row:$Row | block:$Block) (to | at | →) to:$Target',
      '@make (row:$Row | block:$Block) @goTo to:$Target',
    ],
  },
  {
    action: 'setButton',
    forms: [
      `(give) (block:$Block | row:$Row) [@a | the] [@fresh] name:$FieldName ${labelled} v:$Quoted ${linked} to:$Target`,
      `(block:$Block | row:$Row) @mustHave [@a | the] [@fresh] name:$FieldName ${labelled} v:$Quoted ${linked} to:$Target`,
      `(add | put) [@a | the] [@fresh] name:$FieldName ${labelled} v:$Quoted ${linked} to:$Target (to | in | on | into) (block:$Block | row:$Row)`,
      `(add | put) [@a | the] [@fresh] name:$FieldName ${labelled} v:$Quoted to (block:$Block | row:$Row) ${linked} to:$Target`,
    ],
  },
  {
    action: 'setImage',
    forms: [
      '@enter v:$Address (in | on | for | inside | with) (block:$Block | row:$Row)',
      '@enter @det* @image v:$Address (in | on | for | to | into) (block:$Block | row:$Row)', '(block:$Block | row:$Row) @mustHave @det* @image v:$Address',
      'add @det* @image v:$Address (to | in | on) (block:$Block | row:$Row)',
    ],
  },
  {
    action: 'setField',
    forms: [
      '(@enter | replace | @changes) v:$Literal @asOrFor field:$Field', 'let field:$Field be v:$Literal', 'replace field:$Field (with | by) v:$Literal',
    ],
  },

  // Texts
  {
    action: 'replaceText',
    forms: [
      '@replace [@bits] a:$Quoted @by b:$Quoted [scope:$Scope]', '@replace [@bits] a:$Quoted scope:$Scope @by b:$Quoted',
      '@replace [@bits] a:$Number (with | by | to | for | →) b:$Number scope:$Scope',
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
      '@set field:$Field @to v:$Quoted (@inside block:$Block | @on page:$Page)', '@make field:$Field @says v:$Value',
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
      'field:$Field @should v:$Value', '@want field:$Field (@says | to @says) v:$Value', 'field:$Field @colon v:$Value', 'field:$Field @dash v:$Literal',
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
      '@set row:$Row @to v:$Value', '@rename row:$Row v:$Quoted', 'row:$Row (@should | @colon | is called) v:$Value', '@make row:$Row @says v:$Value',
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
      '(let | have) block:$Block (say | read) v:$Value',
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
  // Rows of lists
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
  { action: 'copyRow', forms: ['@copy row:$Row'] },

  // Blocks
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

  // Empty fields, constraints
  {
    action: 'clearField',
    forms: [
      '@clear field:$Field [text] [@anymore]', '@clear field:$Field (and | & | , | as well as) also:$Field', '@clear field:$Field from block:$Block',
      'take field:$Field @away', 'field:$Field @mustBe (empty | blank | @removed)', '(leave | make | set) field:$Field [to] (empty | blank | nothing)',
      'field:$Field (can | must | has to) go', `(block:$Block | row:$Row) @needsNo @det* name:$FieldName [@anymore] ${itGoes}`,
      `@notNeeded field:$Field [@anymore] ${itGoes}`, 'set field:$Field to (an empty text | an empty string)',
    ],
  },
  {
    action: 'keep',
    forms: [
      '@keep (field:$Field | block:$Block) [exactly | just] [@unchanged]',
      "(don't touch | do not touch | don't change | do not change) (field:$Field | block:$Block)",
    ],
  },

  // Understood, but something is missing
  { action: 'incomplete', detail: 'value', forms: ['@set field:$Field', '@set row:$Row', '@rename block:$Block', '@rename page:$Page'] },
  { action: 'incomplete', detail: 'field', forms: ['@set block:$Block'] },
  { action: 'incomplete', detail: 'place', forms: ['@move block:$Block', '@move row:$Row', '@move page:$Page'] },
  { action: 'incomplete', detail: 'block', forms: ['(@addBlock | @wish) [@a | n:$Number] [@fresh | more] @unit', '@put [@a | n:$Number] [@fresh | more] @unit'] },
  { action: 'incomplete', detail: 'name', forms: ['@create [@a | n:$Number] [@blankPage] (page | pages)'] },
  { action: 'incomplete', detail: 'scope', forms: ['@cut a:$Quoted'] },
  { action: 'incomplete', detail: 'field', forms: ['@anyVerb', '@set page:$Page'] },
]
