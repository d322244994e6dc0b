import type { Lexicon } from '../lexicon.ts'

const typed = 'type:$BlockType [@unit]'

/** How English refers to things. The keys are what the resolvers know; the forms are tried in this order. */
export const slots: Lexicon['slots'] = {
  Page: {
    route: ['@det* [page] at:$Route [page]'],
    this: ['@thisPage'],
    home: ['@det* @home'],
    named: [
      '@det* name:$PageName page', '@det* page [@called] (name:$PageName | name:$Quoted)', '@det* name:$Quoted page', '@det* page for name:$PageName',
    ],
    unknown: ['@det* name:$Words page'],
  },
  /** Where nothing but a page can stand, its bare name will do. */
  LoosePage: {
    page: ['page:$Page'],
    named: ['@det* name:$PageName [page]', 'name:$Quoted [page]'],
  },
  LoosePages: { list: ['one:$LoosePage @join more:$LoosePages', 'one:$LoosePage'] },
  Pages: { list: ['one:$Page @join more:$Pages', 'one:$Page'] },

  BlockHere: {
    id: ['[@det] [@unit] id:$BlockId'],
    this: ['@thisBlock'],
    it: ['@it'],
    typed: [`@det* [ord:$Ordinal] ${typed} [[number] n:$Number]`, '@det* @unit with the type:$BlockType'],
    named: [
      '@det* name:$Heading @unit', '@det* name:$Quoted @unit', `@det* name:$Quoted ${typed}`,
      `@det* (${typed} | @unit) @called (name:$Quoted | name:$Heading)`, `@det* ${typed} name:$Quoted`, '@det* @unit name:$Quoted', '@det* @unit name:$Heading',
    ],
    place: ['@det* ord:$Ordinal @unit', '[the] @unit [number] n:$Number'],
  },
  Block: { on: ['at:$BlockHere @on page:$Page'], here: ['at:$BlockHere'] },
  /** A title alone, where nothing but a section can stand. */
  BareBlock: { titled: ['name:$Quoted', 'name:$Heading'] },
  /** The same where a mistake would cost more: only in quotes. */
  QuotedBlock: { titled: ['name:$Quoted'] },
  QuotedBlocks: { list: ['one:$QuotedBlock @join more:$QuotedBlocks', 'one:$QuotedBlock'] },
  /** `the second`, after a clause about the first. */
  NextRow: { next: ['@det* ord:$Ordinal [one]'] },
  NextBlock: { place: ['@det* ord:$Ordinal one'] },
  BareRow: { bare: ['name:$Quoted'] },
  Titles: { list: ['one:$Quoted @join more:$Titles', 'one:$Quoted'] },
  BareRows: { list: ['one:$BareRow @join more:$BareRows', 'one:$BareRow'] },
  LabelledRow: { bare: ['name:$Quoted', 'name:$RowLabel'] },
  Blocks: { list: ['one:$Block @join more:$Blocks', 'one:$Block'] },

  RowHere: {
    place: ['@det* [ord:$Ordinal] noun:$RowNoun [[number] n:$Number]'],
    text: [
      '@det* name:$Quoted noun:$RowNoun', '@det* noun:$RowNoun [@called | by | from | about | that says | saying] name:$Quoted',
      '@det* name:$RowLabel noun:$RowNoun', '@det* noun:$RowNoun [@called] name:$RowLabel',
    ],
    it: ['@it'],
    author: ["[the] name:$Words 's noun:$RowNoun", '@det* noun:$RowNoun (by | from) name:$Words'],
  },
  Row: {
    owned: ["block:$BlockHere ['s] row:$RowHere", 'row:$RowHere (in | of | from | on | inside | within | under) block:$Block'],
    on: ['row:$RowHere @on page:$Page'],
    here: ['row:$RowHere'],
  },
  Rows: { list: ['one:$Row @join more:$Rows', 'one:$Row'] },

  Field: {
    ofRow: [
      "row:$Row ['s] field:$FieldName", '@det* field:$FieldName @ofRow row:$Row', '@det* field:$FieldName @ofRow row:$LabelledRow',
      "row:$LabelledRow ['s] field:$FieldName",
    ],
    ofText: ['@det* field:$FieldName (to | of | for) name:$Quoted'],
    ofBlock: [
      "block:$BlockHere ['s] field:$FieldName", '@det* field:$FieldName @of block:$Block', '@det* field:$FieldName @of block:$BareBlock',
      "block:$BareBlock 's field:$FieldName",
      "block:$BlockHere ['s] field:$FieldName @on page:$Page",
    ],
    above: ['@det* field:$FieldName @over block:$Block'],
    ofPage: ['@det* field:$FieldName @on page:$Page', "page:$Page 's field:$FieldName"],
    ofAuthor: ["name:$Words 's field:$FieldName", '@det* field:$FieldName (by | of | from | for) name:$RowLabel'],
    showing: ['@det* name:$Quoted field:$FieldName', '@det* field:$FieldName [currently] [@saying] name:$Quoted'],
    second: ["@det* @secondary block:$BlockHere ['s] field:$FieldName"],
    altOf: ['@det* field:$FieldName (of | for | on) owner:$Field'],
    textOf: ['@det* @wording (of | on | in | for | inside) owner:$Field'],
    linkOf: ['@det* @destination (of | on | behind | for | in | under) owner:$Field'],
    alone: ['@det* field:$FieldName'],
    focused: ['@thisText'],
  },

  /** A button by its text alone, where nothing but a button can be meant. */
  ButtonText: { showing: ['name:$Quoted'] },

  Anchor: { row: ['row:$Row', 'row:$LabelledRow', 'row:$NextRow'], block: ['block:$Block', 'block:$BareBlock', 'block:$NextBlock'] },
  /** Readings of what would be no text after a determiner. */
  Existing: {
    field: ['field:$Field'],
    row: ['row:$Row'],
    block: ['block:$Block'],
    page: ['page:$LoosePage'],
    pageField: ['@det* page (title | name | slug | path | url | address)', '@det* (@metaTitle | @metaDescription | @metaImage)', '@det* @site name'],
  },
  /** What may say at the end of a sentence where something is. */
  Whereabouts: { page: ['@on page:$Page'], block: ['@inside block:$Block'] },
  NthPlace: { nth: ['the ord:$Ordinal (@unit | one)', '@front', '@end'] },
  /** What a row or a block is when it stands there. */
  Rank: { nth: ['[the] [very] ord:$Ordinal [@unit | one | noun:$RowNoun]'] },
  Place: {
    front: ['@front', '@front @on page:$Page', '@before (everything | all) [else]', '@before the rest'],
    end: ['@end', '@end @on page:$Page', '@after (everything | all) [else]', '@after the rest'],
    before: ['[@near] @before at:$Anchor'],
    after: ['[@near] @after at:$Anchor'],
    between: ['[in] between a:$Anchor and b:$Anchor'],
    nth: [
      'ord:$Ordinal', 'as [the] ord:$Ordinal (@unit | one | @position)', '(to | in | at | into) [the] ord:$Ordinal (@position | @unit)',
      '(to | at | in | into) (position | place | spot | slot) [number] n:$Number', 'as (section | number) n:$Number',
    ],
    up: ['@up [by] [(n:$Number | a) [@places]]', '[by] (n:$Number | a) [@places] @up'],
    down: ['@down [by] [(n:$Number | a) [@places]]', '[by] (n:$Number | a) [@places] @down'],
  },
  PagePlace: {
    front: ['@front [(in | of) [the] @menu]', '(to | in | at | as) [the] first (@position | place | one | page)', 'the first (one | page | entry | @menuEntry)'],
    end: ['@end [(in | of) [the] @menu]', '(to | in | at | as) [the] last (@position | place | one | page)', 'the last (one | page | entry | @menuEntry)'],
    before: ['[@near] @before page:$LoosePage'],
    after: ['[@near] @after page:$LoosePage'],
  },

  /** Content of something new. */
  Detail: {
    pair: ['q:$Quoted (- | – | — | :) a:$Quoted'],
    main: ['v:$Quoted', '(@called | @saying) [:] v:$Quoted'],
    label: ['(labelled | labeled) v:$Quoted'],
    author: ['(by | from) (v:$Quoted | v:$Words)', 'with (name | author) v:$Quoted'],
    link: ['(that | which) @goTo v:$Literal', '@linking v:$Literal'],
    field: [
      '[with | having | using | whose] @det* field:$FieldName [of | as | to | : | = | is | saying | reading | should be | that says | →] v:$Literal',
      '[with | using] v:$Quoted (as | for) @det* field:$FieldName',
    ],
  },
  Details: { list: ['[@detailMark] one:$Detail more:$Details', '[@detailMark] one:$Detail'] },
  NewBlock: {
    typed: ['[@a] [@fresh] type:$BlockType [@unit] [details:$Details]'],
    counted: ['n:$Number [@fresh] type:$BlockType [@unit]'],
    within: ['[@a] [@fresh] @unit (with | for | of | containing | showing) [a | an | the] type:$BlockType [@unit] [details:$Details]'],
  },
  /** Who only wishes for something says `a` or `two`, or that it is a section. */
  WishedBlock: {
    typed: ['@a [@fresh] type:$BlockType [@unit] [details:$Details]', '[@fresh] type:$BlockType @unit [details:$Details]'],
    counted: ['n:$Number [@fresh] type:$BlockType [@unit]'],
    within: ['@a [@fresh] @unit (with | for | of | containing | showing) [a | an | the] type:$BlockType [@unit] [details:$Details]'],
  },
  WishedBlocks: { list: ['one:$WishedBlock @join more:$WishedBlocks', 'one:$WishedBlock'] },
  NewBlocks: { list: ['one:$NewBlock @join more:$NewBlocks', 'one:$NewBlock'] },
  PageNames: { list: ['(one:$Words | one:$Quoted) @join more:$PageNames', '(one:$Words | one:$Quoted)'] },
  Ordinals: { list: ['[the] one:$Ordinal [one] @join more:$Ordinals', '[the] one:$Ordinal'] },
  Numbers: { list: ['one:$Number @join more:$Numbers', 'one:$Number'] },

  Scope: {
    everywhere: ['@everywhere'],
    field: ['(in | of | from | within | inside) field:$Field'],
    row: ['@inside row:$Row', '(of | from) row:$Row'],
    block: ['@inside block:$Block', '(of | from) block:$Block', '@inside block:$BareBlock'],
    page: ['@on page:$Page', 'across page:$Page'],
  },
  /** What can be counted and listed. */
  Thing: {
    blocks: ['@unit'],
    headings: ['(headings | headlines | titles)'],
    buttons: ['buttons'],
    links: ['links'],
    images: ['(images | photos | pictures)'],
    rows: ['noun:$RowNounPlural'],
    type: ['type:$BlockType'],
  },
  /** What is said when asked which one. */
  Answer: {
    nth: ['@det* ord:$Ordinal [one]', '[number] n:$Number'],
    block: ['[in | on | for | from | of] at:$Block', '[in | on | from] at:$BareBlock'],
    row: ['at:$Row'],
    page: ['[on | from] at:$LoosePage'],
  },
  Target: { page: ['page:$LoosePage'], address: ['v:$Address', 'v:$Quoted'] },
}
