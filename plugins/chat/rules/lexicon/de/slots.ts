import type { Lexicon } from '../lexicon.ts'

const typed = 'type:$BlockType [@unit]'
const number = '[nummer | nr | nr .] n:$Number'

const namedBlock = {
  id: ['[@det] [@unit] id:$BlockId'],
  typed: [`@det* [ord:$Ordinal] ${typed} [${number}]`, '@det* @unit mit (den | dem | der) type:$BlockType', '@det* @unit type:$BlockType'],
  named: [
    '@det* name:$Heading @unit', '@det* name:$Quoted [-] @unit', `@det* name:$Quoted [-] ${typed}`,
    `@det* (${typed} | @unit) @called (name:$Quoted | name:$Heading)`, `@det* ${typed} name:$Quoted`, '@det* @unit name:$Quoted',
    '@det* @unit name:$Heading', `@det* ${typed} name:$Heading`,
  ],
  place: ['@det* ord:$Ordinal @unit', `@det* @unit ${number}`],
}

/** How German refers to things. The keys are what the resolvers know; the forms are tried in this order. */
export const slots: Lexicon['slots'] = {
  Page: {
    route: ['@det* [@page] at:$Route'],
    this: ['@thisPage'],
    home: ['@det* @home'],
    named: [
      '@det* name:$PageName @page', '@det* @page [@called] (name:$PageName | name:$Quoted)', '@det* name:$Quoted [-] @page', '@det* name:$PageWord',
    ],
    unknown: ['@det* name:$Words @page', '@det* name:$NewPageWord', '@det* name:$AnyPageWord'],
  },
  /** Where nothing but a page can stand, its bare name will do. */
  LoosePage: {
    page: ['page:$Page'],
    named: ['@det* name:$PageName', 'name:$Quoted'],
  },
  LoosePages: { list: ['one:$LoosePage @join more:$LoosePages', 'one:$LoosePage'] },
  Pages: { list: ['one:$Page @join more:$Pages', 'one:$Page'] },

  BlockHere: { this: ['@thisBlock'], it: ['@it'], ...namedBlock },
  /** Before another noun `das` is an article, and no section. */
  NamedBlock: namedBlock,
  Block: { on: ['at:$BlockHere @on page:$Page'], here: ['at:$BlockHere'] },
  /** A title alone, where nothing but a section can stand. */
  BareBlock: { titled: ['name:$Quoted', 'name:$Heading'] },
  Titles: { list: ['one:$Quoted @join more:$Titles', 'one:$Quoted'] },
  BareRow: { bare: ['name:$Quoted'] },
  Blocks: { list: ['one:$Block @join more:$Blocks', 'one:$Block'] },

  RowHere: {
    place: [`@det* [ord:$Ordinal] noun:$RowNoun [${number}]`, '(des | eines) [ord:$Ordinal] noun:$RowNounPlural'],
    text: [
      '@det* name:$Quoted [-] noun:$RowNoun', '@det* noun:$RowNoun [@called | von | mit dem text | zu | über] name:$Quoted',
      '@det* name:$RowLabel noun:$RowNoun', '@det* noun:$RowNoun [@called] name:$RowLabel',
    ],
    it: ['@it'],
    author: ['@det* noun:$RowNoun (von | durch) name:$Words', 'name:$Owner noun:$RowNoun', "[die | das] name:$Words ' noun:$RowNoun"],
  },
  Row: {
    owned: ['[@inside] block:$NamedBlock row:$RowHere', 'row:$RowHere [@from] block:$Block'],
    on: ['row:$RowHere @on page:$Page'],
    here: ['row:$RowHere'],
  },
  Rows: { list: ['one:$Row @join more:$Rows', 'one:$Row'] },

  Field: {
    ofRow: ['row:$Row field:$FieldName', '@det* field:$FieldName [@ofRow] row:$Row', '@inside row:$Row @det* field:$FieldName', '@inside row:$BareRow @det* field:$FieldName'],
    ofText: ['@det* field:$FieldName (auf | zu | von | für) name:$Quoted'],
    ofAuthor: ['@det* field:$FieldName (von | bei) name:$Words', 'bei name:$Words @det* field:$FieldName'],
    ofBlock: ['block:$NamedBlock field:$FieldName', '@det* field:$FieldName [@of] block:$Block', '(@inside | aus) block:$BlockHere @det* field:$FieldName', '@det* field:$FieldName (von | zu | bei | unter) block:$BareBlock'],
    altOf: ['@det* field:$FieldName (von | vom | für) owner:$Field'],
    textOf: ['@det* @labelWord [@of] owner:$Field'],
    linkOf: ['@det* @targetWord [@of] owner:$Field'],
    ofPage: ['@det* field:$FieldName [@on] page:$Page', '@on page:$Page @det* field:$FieldName'],
    alone: ['@det* field:$FieldName'],
    showing: ['@det* field:$FieldName name:$Quoted', '@det* name:$Quoted [-] field:$FieldName'],
    focused: ['@thisText'],
  },

  /** A button by its text alone, where nothing but a button can be meant. */
  ButtonText: { showing: ['name:$Quoted'] },

  Anchor: { row: ['row:$Row'], block: ['block:$Block', 'block:$BareBlock'] },
  /** Readings of what would be no text after a determiner. */
  Existing: {
    field: ['field:$Field'],
    row: ['row:$Row'],
    block: ['block:$Block'],
    page: ['page:$LoosePage'],
    pageField: ['@det* @pageTitle', '@det* @address', '@det* (@metaTitle | @metaDescription | @metaImage)', '@det* name der @site'],
  },
  /** What may say at the end of a sentence where something is. */
  Whereabouts: { page: ['@on page:$Page'], block: ['@inside block:$Block'] },
  Place: {
    front: ['@front', '@front [@on] page:$Page', '@before (allem | alles andere | allem anderen | allen anderen)'],
    end: ['@end', '@end [@on] page:$Page', '@after (allem | alles andere | allem anderen | allen anderen)'],
    before: ['[@near] @before at:$Anchor'],
    after: ['[@near] @after at:$Anchor'],
    between: ['zwischen a:$Block und b:$Block'],
    nth: [
      'als ord:$Ordinal [@unit | @position]', '(an | auf) [die | den | der] ord:$Ordinal @position', `(an | auf) @position ${number}`,
      `als (@unit | nummer) n:$Number`, 'an ord:$Ordinal @position',
    ],
    up: [
      '[um] (n:$Number | @a) @places @up', '@up um (n:$Number | @a) @places', '[um] eins @up', '[um] n:$Number @up', '@up um eins',
      'weiter nach oben', 'höher',
    ],
    down: [
      '[um] (n:$Number | @a) @places @down', '@down um (n:$Number | @a) @places', '[um] eins @down', '[um] n:$Number @down', '@down um eins',
      'weiter nach unten', 'tiefer',
    ],
    rise: ['@rise'],
    sink: ['@sink'],
  },
  /** `das zweite`, after a clause about the first. */
  NextRow: { next: ['@det* ord:$Ordinal'] },
  /** Places that need no verb to be a wish. */
  Far: { front: ['(ganz nach oben | nach ganz oben | ganz an den anfang | an den anfang)'], end: ['(ganz nach unten | nach ganz unten | ganz ans ende | ans ende)'] },
  /** Places that are told by nothing else. */
  Edge: { front: ['@front'], end: ['@end'] },
  PagePlace: {
    front: ['@front [@inMenu]', '(an | auf) (die | den | der) (erste | ersten) (@position | seite) [@inMenu]', 'als (erste | ersten) [@page] [@inMenu]'],
    end: ['@end [@inMenu]'],
    before: ['[@near] @before page:$LoosePage'],
    after: ['[@near] @after page:$LoosePage'],
  },

  /** Content of something new. */
  Detail: {
    pair: ['[:] q:$Quoted (- | – | — | : | ,) a:$Quoted'],
    main: ['[:] v:$Quoted', '@called v:$Quoted'],
    label: ['beschriftet [mit | als] v:$Quoted', 'mit [der] (beschriftung | bezeichnung) v:$Quoted'],
    author: ['(von | durch) (v:$Quoted | v:$Title)'],
    field: ['[mit] @det* field:$FieldName [: | als | = | auf] v:$Literal'],
  },
  Details: { list: ['one:$Detail [@join] more:$Details', 'one:$Detail'] },
  NewBlock: {
    typed: ['[@a] type:$BlockType [@unit] [details:$Details]'],
    counted: ['[noch] n:$Number [@new] type:$BlockType [@unit]'],
    within: ['[@a] @unit mit [ein | einer | einem | eine] type:$BlockType [details:$Details]'],
  },
  /** Who only wishes for something, or tells the place first, says `ein` or `zwei`, or that it is a section. */
  WishedBlock: {
    typed: ['@a type:$BlockType [@unit] [details:$Details]', 'type:$BlockType @unit [details:$Details]'],
    counted: ['[noch] n:$Number [@new] type:$BlockType [@unit]'],
    within: ['@a @unit mit [ein | einer | einem | eine] type:$BlockType [details:$Details]'],
  },
  WishedBlocks: { list: ['one:$WishedBlock @join more:$WishedBlocks', 'one:$WishedBlock'] },
  NewBlocks: { list: ['one:$NewBlock @join more:$NewBlocks', 'one:$NewBlock'] },
  PageNames: { list: ['(one:$Title | one:$Quoted) @join more:$PageNames', 'one:$Title', 'one:$Quoted'] },
  Metas: { list: ['one:$Meta [@join] more:$Metas', 'one:$Meta'] },
  Meta: {
    title: ['[mit] @det* (@metaTitle | titel) [: | als | = | auf] v:$Quoted'],
    description: ['[mit] @det* (@metaDescription | beschreibung) [: | als | = | auf] v:$Quoted'],
    ogImage: ['[mit] @det* (@metaImage | bild) [: | als | = | auf] v:$Literal'],
  },

  Scope: {
    everywhere: ['@everywhere'],
    field: ['(in | im | aus | von | vom) field:$Field'],
    block: ['(@inside | aus | von | vom) block:$Block'],
    page: ['@on page:$Page'],
  },
  /** What can be counted and listed. */
  Thing: {
    blocks: ['@unit'],
    headings: ['(überschriften | titel | headlines)'],
    buttons: ['(buttons | schaltflächen | knöpfe)'],
    links: ['(links | verlinkungen)'],
    images: ['(bilder | fotos | grafiken)'],
    rows: ['noun:$RowNounPlural'],
    type: ['type:$BlockType'],
  },
  /** What is said when asked which one. */
  Answer: {
    nth: ['@det* ord:$Ordinal', '[nummer | nr | nr .] n:$Number'],
    block: ['[@inside | von | vom | aus] at:$Block', '[in | auf | von] at:$BareBlock'],
    row: ['at:$Row'],
    page: ['[auf | von] at:$LoosePage'],
  },
  Target: { page: ['page:$LoosePage'], address: ['v:$Address', 'v:$Quoted'] },
}
