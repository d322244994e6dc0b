/** What people are told; one object for each language of answers. Commands for the planner are no texts: see the lexicon. */
export interface Texts {
  // Questions
  readonly refused: string
  readonly isThatARequest: string
  whichOne(what: string, choices: readonly string[]): string
  whichCalled(name: string, choices: readonly string[]): string
  noneOfType(what: string, page: string): string
  noSuchSection(name: string, page: string): string
  noSuchPage(name: string): string
  whichPage(choices: readonly string[]): string
  /** Behind a question with some of the choices. */
  moreChoices(count: number): string
  tooManyChanges(most: number): string
  readonly nothingSelected: string
  readonly noFieldSelected: string
  beyondEnd(what: string, count: number): string
  noSuchRow(what: string): string
  noListFor(what: string, page: string): string
  noFieldHere(field: string, page: string): string
  readonly emptyValue: string
  options(field: string, choices: readonly string[]): string
  wantsNumber(field: string): string
  wantsColor(field: string): string
  wantsLink(field: string): string
  /** What an image that is asked for is called before anybody knows which field it is for. */
  readonly newImage: string
  wantsImage(field: string): string
  readonly managedElsewhere: string
  readonly notInOneSentence: string
  cellsWanted(headers: readonly string[]): string
  readsAsRequest(field: string): string
  cannotBeEmpty(field: string): string
  textNotFound(text: string): string
  wouldBeEmpty(field: string): string
  pinned(what: string): string
  lastRow(name: string): string
  tooMany(count: number): string
  readonly notNeighbours: string
  readonly noSuchPlace: string
  readonly howFar: string
  readonly besideItself: string
  readonly onOtherPages: string
  readonly fullImage: string
  typeNotHere(what: string): string
  readonly homeStays: string
  staysInMenu(title: string): string
  readonly lastPageStays: string
  slugTaken(slug: string, title: string): string
  readonly badSlug: string
  readonly nameTooLong: string
  keptAndChanged(what: string): string
  readonly missingValue: string
  readonly missingField: string
  readonly missingPlace: string
  readonly missingBlock: string
  readonly missingName: string
  readonly missingScope: string
  textOrLink(target: string): string

  // Plans
  titled(type: string, title: string): string
  willDo(line: string): string
  willDoMany(count: number): string
  readonly alreadySo: string
  changed(where: string, field: string, from: string, to: string): string
  cleared(where: string, field: string): string
  addedBlock(type: string, title: string | undefined, page: string): string
  removedBlock(what: string, page: string): string
  movedBlock(what: string, after: string | undefined): string
  copiedBlock(what: string, page: string): string
  addedRow(label: string | undefined, where: string): string
  removedRow(label: string | undefined, where: string): string
  movedRow(label: string | undefined, place: number, where: string): string
  createdPage(title: string, slug: string): string
  removedPage(title: string, slug: string): string
  renamedPage(title: string, changes: { readonly slug?: string; readonly title?: string }): string
  movedPage(title: string, after: string | undefined): string
  copiedPage(title: string, slug: string | undefined): string
  readonly metaNames: Readonly<Record<'title' | 'description' | 'ogImage', string>>
  metaOf(title: string): string
  readonly siteName: string
  readonly logo: string
  readonly site: string
  menuLabel(page: string): string
  menuGroup(label: string, pages: readonly string[]): string
  rowOf(row: string, block: string): string
  readonly nothing: string

  // Answers
  addable(types: readonly string[]): string
  fieldsOfBlock(block: string, count: number): string
  fieldsOfPage(title: string): string
  fieldList(what: string, fields: readonly string[]): string
  pages(count: number): string
  pageLine(slug: string, title: string, types: readonly string[]): string
  found(count: number): string
  advice(title: string, missing: readonly string[]): string
  adviceAboutQuestions(has: boolean): string
  readonly imageAt: string
  readonly noImage: string
  readonly thanks: string
  readonly greeting: string
  readonly farewell: string
  readonly help: string
  /** Names the variable that brings a model. */
  readonly helpAlone: string
  readonly helpWithModel: string
  readonly unchangedByNegation: string
  /** Follows a question about what is wrong, where nothing checks content. */
  readonly noChecks: string
  readonly history: string
  readonly publishing: string
}
