import type { Rule } from '../lexicon.ts'
import { apart, around, command, request, type VerbName } from './verbs.ts'

/** A text in quotes, or a value that is one word, may follow any little word; other texts follow the one that the verb asks for. */
const literal = '(v:$Quoted | v:$Literal)'

/** What something is set to, with the verb wherever it may stand: also `Überschrift ändern in …`. */
const setBy = (name: VerbName, what: string, rest: string): readonly string[] =>
  [...request(name, what, rest), `[@want] ${what} @${name}Last ${rest}`, ...apart(name, what, rest)]

const setTo = (what: string): readonly string[] => [
  ...setBy('set', what, `@to ${literal}`), ...setBy('change', what, '@toChange v:$Value'), ...setBy('substitute', what, '@toSubstitute v:$Value'),
  ...setBy('fix', what, '@toFix v:$Value'),
]

const renameTo = (what: string): readonly string[] => ['@toRename v:$Value', `@to ${literal}`].flatMap((rest) => [
  ...around('rename', what, rest), ...apart('rename', what, rest), `[@want] ${what} ${rest} @renameLast`, `[@want] ${what} @renameLast ${rest}`,
  `${what} @shall ${rest} @renamePassive`,
])

/** `soll … lauten`, `soll lauten: …`, `ich möchte, dass … lautet`, `… lautet künftig …`. */
const shouldBe = (what: string): readonly string[] => [
  `${what} @shall [:] ${literal} @saysLast`, `${what} @shall [:] v:$Value (lauten | heißen)`, `${what} @shall @saysFirst [:] ${literal}`,
  `${what} @shall @saysFirst : v:$Value`,
  `[@want [,]] dass ${what} ${literal} (lautet | heißt | ist | steht)`, `${what} @isNow [:] ${literal}`, `als ${what} @shall ${literal} @saysLast`,
]

const fieldWords = { title: '@metaTitle', description: '@metaDescription', ogImage: '@metaImage' }

const metaRules: readonly Rule[] = Object.entries(fieldWords).flatMap(([detail, noun]): readonly Rule[] => {
  const what = `@det* ${noun} [[@on] page:$Page]`
  return [
    {
      action: 'setMeta',
      detail,
      forms: [
        ...setTo(what), ...setTo(`[@on] page:$Page @det* ${noun}`), ...shouldBe(what), `${what} : v:$Value`,
        ...command('add', `${what} [:] v:$Quoted`, `[[@on] page:$Page] @det* ${noun} [:] v:$Quoted`),
        ...command('use', `v:$Quoted (als | für) ${what}`), `@give page:$Page @det* ${noun} v:$Quoted`,
      ],
    },
    { action: 'clearMeta', detail, forms: command('clear', what) },
  ]
})

const sides: readonly (readonly [detail: string, what: string, side: string])[] = [
  ['left', '@image', '@left'], ['right', '@image', '@right'], ['full', '@image', '@full'], ['right', '@copyText', '@left'], ['left', '@copyText', '@right'],
]

const sideRules: readonly Rule[] = sides.map(([detail, what, side]) => ({
  action: 'imageSide',
  detail,
  forms: [
    ...request('move', `@det* [block:$NamedBlock] ${what} ${side}`), ...request('move', `@det* ${what} [@of] block:$Block ${side}`),
    ...request('show', `@det* [block:$NamedBlock] ${what} ${side}`),
    ...request('show', `@det* ${what} [@of] block:$Block ${side}`), `@det* [block:$NamedBlock] ${what} @shall ${side} @standLast`,
    `@det* ${what} [@of] block:$Block @shall ${side} @standLast`,
  ],
}))

/** Names of a page that is to be made, before and behind the word for it. */
const newPage = '[@a] (name:$Title @page | name:$Quoted [-] @page | name:$PageName @page | name:$NewPageWord)'
const pageCalled = '@called (name:$Quoted | name:$Words)'
const pageBlocks = '[mit blocks:$NewBlocks]'

const cases = { upper: '@upper', lower: '@lower' }

const columnWords = { 2: '@twoColumns', 3: '@threeColumns', 4: '@fourColumns' }

/** What German sentences do, in order of precedence. */
export const rules: readonly Rule[] = [
  {
    action: 'lead',
    leads: true,
    forms: ['@inside (block:$Block | page:$Page) [, | :] [@filler]', ...command('set', 'block:$Block').map((form) => `${form} : [@filler]`)],
  },

  // Sides, columns, options
  ...sideRules,
  {
    action: 'mirror',
    forms: [
      ...command('swap', '@det* @image (und | mit | gegen) @det* @copyText [@inside block:$Block]', '@det* @copyText (und | mit | gegen) @det* @image [@inside block:$Block]',
        '@inside block:$Block @det* @image (und | mit | gegen) @det* @copyText', '@inside block:$Block @det* @copyText (und | mit | gegen) @det* @image'),
      ...request('mirror', 'block:$Block'), ...request('mirror', '@det* layout [@of] block:$Block'),
    ],
  },
  {
    action: 'align',
    detail: 'center',
    forms: [
      ...request('center', '@det* [block:$NamedBlock] @copyText'), ...request('center', '@det* @copyText [@of] block:$Block'),
      ...request('align', '@det* [block:$NamedBlock] @copyText', '@centered'),
      ...request('align', '@det* @copyText [@of] block:$Block', '@centered'), ...request('set', '@det* [block:$NamedBlock] @copyText', '@centered'),
      ...request('set', '@det* @copyText [@of] block:$Block', '@centered'),
    ],
  },
  {
    action: 'align',
    detail: 'left',
    forms: [
      ...request('align', '@det* [block:$NamedBlock] @copyText', '@left'), ...request('align', '@det* @copyText [@of] block:$Block', '@left'),
      ...request('set', '@det* [block:$NamedBlock] @copyText', '[auf] linksbündig'),
    ],
  },
  {
    action: 'columns',
    forms: [
      ...request('show', '[@inside block:$Block] n:$Number @columns'), ...request('show', 'n:$Number @columns [@of] block:$Block'),
      ...request('show', 'block:$Block [mit | in | auf | zu] n:$Number @columns'),
      'block:$Block @shall n:$Number @columns haben', ...request('make', 'block:$Block n:$Number @columns'), '@give block:$Block n:$Number @columns',
    ],
  },
  ...Object.entries(columnWords).map(([detail, word]): Rule => ({
    action: 'columns', detail, forms: [...request('make', `block:$Block ${word}`), ...request('show', `block:$Block ${word}`), `block:$Block @shall ${word} sein`],
  })),
  {
    action: 'option',
    forms: [
      ...request('make', 'block:$Block [zu | zur | zum | in | auf | als] @det* option:$Option [@look]'),
      ...request('set', 'block:$Block (auf | in | zu | zur) @det* option:$Option [@look]'),
      'block:$Block @shall [als] @det* option:$Option (sein | werden)', 'mach aus block:$Block @det* option:$Option',
      'aus block:$Block @det* option:$Option machen',
    ],
  },
  {
    action: 'switch',
    detail: 'on',
    forms: [
      ...request('enable', 'field:$Field'),
      ...command('enable', '@inside block:$Block @det* name:$FieldName', '@det* name:$FieldName @inside block:$Block'),
    ],
  },
  {
    action: 'switch',
    detail: 'off',
    forms: [
      ...request('disable', 'field:$Field'),
      ...command('disable', '@inside block:$Block @det* name:$FieldName', '@det* name:$FieldName @inside block:$Block'),
    ],
  },

  // The site and its menu
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
      '(name:$PageName | name:$Quoted) @shall @inMenu v:$Value heißen',
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

  // What search engines and link previews read
  ...metaRules,
  {
    action: 'setMetas',
    forms: [
      ...command('add', '@det* @metaAll [@onto page:$Page] (mit | :) metas:$Metas', '[[@onto] page:$Page] @det* @metaAll (mit | :) metas:$Metas'),
      ...command('set', '@det* @metaAll [@onto page:$Page] (mit | auf | :) metas:$Metas'),
      ...command('add', '@det* @metaAll [@onto page:$Page]').map((form) => `${form} (mit | :) metas:$Metas`),
    ],
  },

  // Pages
  {
    action: 'createPage',
    forms: [
      ...command('create', `[@a] @page ${pageCalled} [unter slug:$Route] ${pageBlocks}`, `[@a] @page [:] name:$Quoted [unter slug:$Route] ${pageBlocks}`, `[@a] @page [unter | mit der adresse] slug:$Route [${pageCalled}] ${pageBlocks}`, `${newPage} [unter slug:$Route] ${pageBlocks}`,
        '[@a] @page @called name:$Value', '[@a] @page (über | zu | zum | zur) @det* name:$Title'),
      ...command('create', '[@a] @page').flatMap((form) => [`${form} ${pageCalled} ${pageBlocks}`, `${form} : name:$Quoted`]),
      ...command('create', `[@a] @page [${pageCalled} | name:$Quoted] [unter slug:$Route]`).map((form) => `${form} mit blocks:$NewBlocks`),
      `@wish [@a] @page ${pageCalled} [unter slug:$Route] ${pageBlocks}`, `@wish [@a] @page name:$Quoted ${pageBlocks}`,
      `@wish [@a] @page unter slug:$Route ${pageBlocks}`, `@wish ${newPage} ${pageBlocks}`,
      '@wish [@a] @page (über | zu | zum | zur) @det* name:$Title',
    ],
  },
  {
    action: 'createPage',
    detail: 'Für',
    forms: [
      ...command('create', `[@a] @page für [unser | unsere | unseren | die | den | das] name:$Title ${pageBlocks}`),
      `@wish [@a] @page für [unser | unsere | unseren | die | den | das] name:$Title ${pageBlocks}`,
    ],
  },
  {
    action: 'createPages',
    forms: [
      ...command('create', '[die | drei | zwei] [@blankPage] @pagesWord [namens | : | für] names:$PageNames'),
      '@wish [die] [@blankPage] @pagesWord [namens | : | für] names:$PageNames',
    ],
  },
  {
    action: 'removePage',
    forms: [
      ...request('remove', 'pages:$Pages'), ...command('remove', '[die] @pagesWord pages:$LoosePages', '@det* @page pages:$LoosePages'),
      'pages:$Pages @away',
    ],
  },
  {
    action: 'duplicatePage',
    forms: [
      ...request('copy', 'page:$Page', '[(nach | zu | als | unter | auf) slug:$Route] [(@called | als) (name:$Quoted | name:$Words)]'),
      '@copyOf page:$Page [(nach | als | unter) slug:$Route]', '[@want] page:$Page @copyLast (nach | zu | als | unter) slug:$Route',
    ],
  },
  {
    action: 'renamePage',
    forms: [
      ...command('rename', 'page:$Page (in | zu | →) slug:$Route').flatMap((form) => [
        `${form} und @set (ihren | den | seinen) titel @to v:$Value`, `${form} und [setze | stelle] den titel auf v:$Value`,
        `${form} und den titel [@to] v:$Quoted @setLast`,
      ]),
      ...request('rename', 'page:$Page', '(in | zu | →) v:$Value'), ...command('rename', 'page:$Page v:$Quoted'), ...command('rename', 'in v:$Value'),
      'page:$Page @shall v:$Quoted heißen', '[@want] page:$Page @renameLast in v:$Value', ...apart('rename', 'page:$Page', 'in v:$Value'),
    ],
  },
  {
    action: 'retitlePage',
    forms: [
      ...setTo('@det* @pageTitle'), ...setTo('@det* (titel | name | namen) [@on] page:$Page'), ...shouldBe('@det* @pageTitle'),
      ...shouldBe('@det* (titel | name) [@on] page:$Page'), '@det* @pageTitle : v:$Value',
      ...setTo('[auf | von | in] page:$Page @det* (titel | seitentitel)'), '@give page:$Page [den] titel v:$Quoted',
    ],
  },
  {
    action: 'movePageAddress',
    forms: [
      ...setBy('set', '@det* @address [@on] page:$Page', '@to slug:$Route'),
      ...setBy('set', '@det* (slug | pfad | seitenadresse | seitenpfad)', '@to slug:$Route'),
      '@det* @address [@on] page:$Page @shall slug:$Route (sein | lauten)',
    ],
  },
  {
    action: 'movePage',
    forms: [
      ...request('move', 'page:$LoosePage', '[@inMenu] place:$PagePlace [@inMenu]'), ...command('move', '@inMenu page:$LoosePage place:$PagePlace'),
      'page:$LoosePage @shall [@inMenu] place:$PagePlace [@inMenu] @standLast', '[@want] page:$LoosePage @moveLast place:$PagePlace',
    ],
  },

  // Links and images
  {
    action: 'link',
    forms: [
      ...request('link', 'field:$Field', '(mit | auf | zu | zur | zum | nach | →) to:$Target'),
      '@let field:$Field (auf | zu | zur | zum | nach) to:$Target @leadLast',
      'field:$Field @shall (auf | zu | zur | zum | nach | mit) to:$Target @leadLast',
      ...command('use', 'to:$Target (als | für) field:$Field'),
      '[@want [,]] dass field:$Field (auf | zu | zur | zum | nach) to:$Target (führt | verlinkt | zeigt | geht)',
      '@give field:$Field den link to:$Target',
    ],
  },
  {
    action: 'link',
    detail: 'field',
    forms: [
      ...setBy('set', 'field:$Field', '@to to:$Target'), 'field:$Field @shall to:$Target @saysLast', 'field:$Field @shall @saysFirst [:] to:$Target',
    ],
  },
  {
    action: 'setField',
    forms: [
      ...command('use', 'v:$Literal (als | für) field:$Field'), '@want v:$Quoted als field:$Field [haben]', '@want als field:$Field v:$Quoted',
    ],
  },

  // Texts
  {
    action: 'replaceText',
    forms: [
      '(mach | mache) aus a:$Quoted b:$Quoted',
      ...command(
        'replace', '[@bits] a:$Quoted @by b:$Quoted [scope:$Scope]', '[@bits] a:$Quoted scope:$Scope @by b:$Quoted',
        'scope:$Scope [@bits] a:$Quoted @by b:$Quoted',
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
      ...command('rename', 'field:$Field v:$Quoted'), '@make field:$Field v:$Literal',
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
      `field:$Field auf ${literal}`, '@setAus field:$Field gegen v:$Quoted aus',
    ],
  },
  { action: 'link', detail: 'field', continues: true, forms: ['field:$Field (auf | zu | zur | zum | mit | in | →) to:$Target', 'field:$Field to:$Target'] },
  { action: 'setField', continues: true, forms: ['field:$Field (in | zu | auf | durch | als | mit | →) v:$Value', 'field:$Field v:$Quoted'] },
  {
    action: 'setRow',
    forms: [
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
      ...command('write', 'v:$Quoted (in | auf) block:$Block', '(in | auf) block:$Block [:] v:$Quoted'),
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

  // Rows of lists
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
    action: 'removeRow',
    forms: [
      ...request('remove', 'rows:$Rows'),
      ...command(
        'remove', '@det* a:$Ordinal und @det* b:$Ordinal (noun:$RowNoun | noun:$RowNounPlural)', '[die] noun:$RowNounPlural a:$Number und b:$Number',
        'aus block:$Block rows:$Rows',
      ),
      'rows:$Rows @away',
    ],
  },
  {
    action: 'moveRow',
    forms: [
      ...request('move', 'row:$Row', 'place:$Place'), 'row:$Row @shall place:$Place @standLast', '[@want] row:$Row @moveLast place:$Place',
      '(row:$Row gehört | row:$Row @shall) place:$Place',
    ],
  },
  {
    action: 'swapRows',
    forms: [
      ...command(
        'swap', 'a:$Row (und | mit) b:$Row', '@det* a:$Ordinal (und | mit) @det* b:$Ordinal (noun:$RowNoun | noun:$RowNounPlural)',
        '[die] (noun:$RowNounPlural | noun:$RowNoun) a:$Number und b:$Number', '@det* (plätze | positionen) von a:$Row und b:$Row',
      ),
    ],
  },
  { action: 'copyRow', forms: [...request('copy', 'row:$Row'), '@copyOf row:$Row'] },

  // Blocks
  {
    action: 'addBlock',
    forms: [
      ...command(
        'addBlock', 'blocks:$NewBlocks [[@onto] page:$Page] [place:$Place] [details:$Details]', 'blocks:$NewBlocks place:$Place [@onto] page:$Page',
        '[@onto] page:$Page [place:$Place] blocks:$WishedBlocks', 'place:$Place [@onto page:$Page] blocks:$WishedBlocks [details:$Details]',
        'place:$Edge blocks:$NewBlocks',
      ),
      ...command(
        'addBlock', 'blocks:$NewBlocks [[@onto] page:$Page] [place:$Place]',
        '[[@onto] page:$Page] [place:$Place] blocks:$WishedBlocks').map((form) => `${form} details:$Details`,
      ),
      '@wish blocks:$WishedBlocks [@onto page:$Page] [place:$Place] [details:$Details]',
      '@wish (place:$Place | @onto page:$Page) blocks:$WishedBlocks [details:$Details]', '@wish blocks:$WishedBlocks place:$Place [@onto page:$Page]',
      ...command(
        'put', '(@a | n:$Number) type:$BlockType [@unit] [@onto page:$Page] place:$Place [@onto page:$Page] [details:$Details]',
        'place:$Place (@a | n:$Number) type:$BlockType [@unit]',
      ),
      'place:$Place [@onto page:$Page] @shall blocks:$WishedBlocks @addBlockPassive',
      '@a type:$BlockType [@unit] @shall place:$Place @addBlockPassive', 'es @shall blocks:$WishedBlocks [place:$Place] @addBlockPassive',
    ],
  },
  {
    action: 'removeEvery',
    detail: 'except',
    forms: [
      ...command('remove', '@everything [@on page:$Page] @except blocks:$Blocks', '@on page:$Page @everything @except blocks:$Blocks'),
      ...command('remove', '@everything [@on page:$Page]').map((form) => `${form} @except blocks:$Blocks`),
      '(behalte | lass | lasse) nur blocks:$Blocks [stehen | übrig]',
      'nur blocks:$Blocks behalten',
    ],
  },
  { action: 'removeEvery', detail: 'all', forms: [...request('remove', '@everything [@on page:$Page]'), ...command('remove', '@on page:$Page @everything')] },
  {
    action: 'removeEvery',
    detail: 'type',
    forms: [
      ...request('remove', '@all type:$BlockType [@unit] [@on page:$Page]'), ...command('remove', '@on page:$Page @all type:$BlockType [@unit]'),
    ],
  },
  { action: 'removeEvery', detail: 'both', forms: request('remove', '@both type:$BlockType [@unit] [@on page:$Page]') },
  {
    action: 'removeBlock',
    forms: [
      ...request('remove', 'blocks:$Blocks'), ...command('remove', '(aus | von | auf) page:$Page block:$Block'), 'blocks:$Blocks @away',
      'weg mit blocks:$Blocks',
    ],
  },
  {
    action: 'moveBlock',
    forms: [
      ...request('move', 'block:$Block', 'place:$Place [@on page:$Page]'), ...request('move', 'block:$BareBlock', 'place:$Place'),
      'block:$Block @shall place:$Place @standLast', '(block:$Block gehört | block:$Block @shall) place:$Place',
      '[@want] block:$Block @moveLast place:$Place', '@want block:$Block place:$Place [haben | sehen]',
    ],
  },
  { action: 'swapBlocks', forms: command('swap', 'a:$Block (und | mit) b:$Block', '@det* (plätze | positionen) von a:$Block und b:$Block') },
  { action: 'copyBlock', forms: [
      ...request('copy', 'block:$BlockHere', '(auf die | auf diese | in die | in diese | zur | zu | nach) page:$LoosePage'),
      ...request('copy', 'block:$Block', '[place:$Place]'), '@copyOf block:$Block [place:$Place]',
    ] },

  // Empty fields, constraints
  { action: 'clearField', forms: [...request('clear', 'field:$Field'), 'field:$Field @away'] },
  {
    action: 'keep',
    forms: [
      ...command('keep', '(field:$Field | block:$Block) @unchanged'), '(field:$Field | block:$Block) @shall @unchanged (bleiben | sein)',
      '(field:$Field | block:$Block) bleibt @unchanged',
    ],
  },

  // Understood, but something is missing
  {
    action: 'incomplete',
    detail: 'value',
    forms: [...command('set', 'field:$Field', 'row:$Row'), ...command('rename', 'field:$Field', 'row:$Row', 'block:$Block', 'page:$Page')],
  },
  { action: 'incomplete', detail: 'field', forms: command('set', 'block:$Block') },
  { action: 'incomplete', detail: 'place', forms: command('move', 'block:$Block', 'row:$Row', 'page:$Page') },
  {
    action: 'incomplete',
    detail: 'block',
    forms: [
      ...command('addBlock', '[@a | n:$Number] @unit', '[@a | n:$Number] @unit place:$Place'), '@wish [@a | n:$Number] @unit',
    ],
  },
  {
    action: 'incomplete',
    detail: 'name',
    forms: [
      ...command('create', '[@a | n:$Number] (@page | @pagesWord)'), '@wish [@a | n:$Number] (@page | @pagesWord)',
    ],
  },
  { action: 'incomplete', detail: 'scope', forms: command('cut', 'a:$Quoted') },
  { action: 'incomplete', detail: 'field', forms: ['@anyVerb', ...command('set', 'page:$Page')] },
]
