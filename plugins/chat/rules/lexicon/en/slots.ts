import type { Lexicon } from '../lexicon.ts'

const typed = 'type:$BlockType [@unit]'

/** How English refers to things. The keys are what the resolvers know; the forms are tried in this order. */
export const slots: Lexicon['slots'] = {
  Page: {
    route: ['@det* [page] at:$Route [page]'],
    this: ['@thisPage'],
    home: ['@det* @home'],
    named: [
      '@det* name:$PageName page', '@det* page [@called] (name:$PageName | name:$Quoted)', '@det* name:$Quoted page',
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
    typed: [`@det* [ord:$Ordinal] ${typed} [[number] n:$Number]`],
    named: [
      '@det* name:$Heading @unit', '@det* name:$Quoted @unit', `@det* name:$Quoted ${typed}`,
      `@det* (${typed} | @unit) @called (name:$Quoted | name:$Heading)`, `@det* ${typed} name:$Quoted`, '@det* @unit name:$Quoted',
    ],
    place: ['@det* ord:$Ordinal @unit', '[the] @unit [number] n:$Number'],
  },
  Block: { on: ['at:$BlockHere @on page:$Page'], here: ['at:$BlockHere'] },
  /** A title alone, where nothing but a section can stand. */
  BareBlock: { titled: ['name:$Quoted'] },
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
    owned: ["block:$BlockHere ['s] row:$RowHere", 'row:$RowHere (in | of | from | on | inside) block:$Block'],
    on: ['row:$RowHere @on page:$Page'],
    here: ['row:$RowHere'],
  },
  Rows: { list: ['one:$Row @join more:$Rows', 'one:$Row'] },

  Field: {
    ofRow: ["row:$Row ['s] field:$FieldName", '@det* field:$FieldName @ofRow row:$Row'],
    ofText: ['@det* field:$FieldName (to | of | for) name:$Quoted'],
    ofBlock: ["block:$BlockHere ['s] field:$FieldName", '@det* field:$FieldName @of block:$Block'],
    ofPage: ['@det* field:$FieldName @on page:$Page', "page:$Page 's field:$FieldName"],
    alone: ['@det* field:$FieldName'],
    focused: ['@thisText'],
  },

  Anchor: { row: ['row:$Row'], block: ['block:$Block', 'block:$BareBlock'] },
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
  NthPlace: { nth: ['the ord:$Ordinal @unit'] },
  Place: {
    front: ['@front', '@front @on page:$Page', '@before everything [else]'],
    end: ['@end', '@end @on page:$Page', '@after everything [else]'],
    before: ['[@near] @before at:$Anchor'],
    after: ['[@near] @after at:$Anchor'],
    between: ['[in] between a:$Block and b:$Block'],
    nth: [
      'ord:$Ordinal', 'as [the] ord:$Ordinal (@unit | one | @position)', '(to | in | at | into) [the] ord:$Ordinal (@position | @unit)',
      '(to | at | in | into) (position | place | spot | slot) [number] n:$Number', 'as (section | number) n:$Number',
    ],
    up: ['@up [by] [(n:$Number | a) [@places]]', '(n:$Number | a) @places @up'],
    down: ['@down [by] [(n:$Number | a) [@places]]', '(n:$Number | a) @places @down'],
  },
  PagePlace: {
    front: ['@front [(in | of) [the] @menu]', '(to | in | at | as) [the] first (@position | place | one | page)'],
    end: ['@end [(in | of) [the] @menu]'],
    before: ['[@near] @before page:$LoosePage'],
    after: ['[@near] @after page:$LoosePage'],
  },

  /** Content of something new. */
  Detail: {
    pair: ['[:] q:$Quoted (- | – | — | :) a:$Quoted'],
    main: ['[:] v:$Quoted', '(@called | saying | that says | reading) v:$Quoted'],
    label: ['(labelled | labeled) v:$Quoted'],
    author: ['(by | from) (v:$Quoted | v:$Words)'],
    field: ['[with | having] @det* field:$FieldName [of | as | to | : | is | saying] v:$Literal'],
  },
  Details: { list: ['one:$Detail [@join] more:$Details', 'one:$Detail'] },
  NewBlock: {
    typed: ['[@a] [new] type:$BlockType [@unit] [details:$Details]'],
    counted: ['n:$Number [new] type:$BlockType [@unit]'],
    within: ['[@a] [new] @unit (with | for) [a | an | the] type:$BlockType [@unit] [details:$Details]'],
  },
  /** Who only wishes for something says `a` or `two`, or that it is a section. */
  WishedBlock: {
    typed: ['@a [new] type:$BlockType [@unit] [details:$Details]', '[new] type:$BlockType @unit [details:$Details]'],
    counted: ['n:$Number [new] type:$BlockType [@unit]'],
    within: ['@a [new] @unit (with | for) [a | an | the] type:$BlockType [@unit] [details:$Details]'],
  },
  WishedBlocks: { list: ['one:$WishedBlock @join more:$WishedBlocks', 'one:$WishedBlock'] },
  NewBlocks: { list: ['one:$NewBlock @join more:$NewBlocks', 'one:$NewBlock'] },
  PageNames: { list: ['one:$Words @join more:$PageNames', 'one:$Words'] },

  Scope: {
    everywhere: ['@everywhere'],
    field: ['(in | of | from) field:$Field'],
    block: ['@inside block:$Block', '(of | from) block:$Block'],
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
