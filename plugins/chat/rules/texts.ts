import { shortened } from '../../content/words.ts'

const list = (items: readonly string[]): string => items.join(', ')
const shown = (text: string): string => `“${shortened(text, 120)}”`
const mostListed = 10
const among = (choices: readonly string[]): string =>
  choices.length > mostListed
    ? `${list(choices.slice(0, mostListed))} and ${choices.length - mostListed} more`
    : list(choices)
const wanted = {
  number: 'a number in digits',
  color: 'a color code such as #0a3d62',
  link: 'the title of a page, or an address such as /contact or https://example.org',
  image: 'the address of an image, such as https://example.org/boat.jpg',
}

/** Every sentence of the rules planner. */
export const texts = {
  which: (what: string, choices: readonly string[]) =>
    choices.length === 1
      ? `Do you mean ${among(choices)}?`
      : `Which ${shown(what)} do you mean: ${among(choices)}?`,
  whichKind: (kinds: readonly string[]) => `Which kind: ${among(kinds)}?`,
  none: (what: string) => `There is no ${shown(what)} here. Which one do you mean? Name it, or select it.`,
  twoReadings: 'That can be read in two ways. Name the section and the field.',
  missingValue: 'What should it say? Put the text in quotes.',
  emptyValue: 'What should it say? The text in the quotes is empty.',
  missingPlace: 'Where should it go? For example at the top, or after another one.',
  missingName: 'What should the page be called?',
  noType: (name: string, types: readonly string[]) =>
    `This site declares no section of the kind ${shown(name)}. There are ${among(types)}. Which one?`,
  undeclared: (type: string) =>
    `The website does not declare the block type ${type}, so its content cannot be changed here. Declare it on the website, which lists its types at /api/editor/blocks.`,
  canDo: (sentence: string, missing: 'text' | 'choice' | undefined, omitted: string) => {
    const then = { text: ', once you say what it should be', choice: ', once you say which one' }
    const rest = omitted === '' ? '' : ` I leave out ${shown(omitted)}.`
    return `I can ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}${missing ? then[missing] : ''}.${rest}`
  },
  inMenu:
    'The menu lists the pages of the site in their order. A page can be moved and renamed in it, and leaves it only when it is removed from the site. A header with links of its own is edited as a section.',
  notHidden:
    'Nothing can be hidden or switched off: a section or a page is on the site, or it is removed. What was removed comes back with undo.',
  notLocked:
    'Nothing can be locked or protected here. The editor shows who else is at the draft, and its history undoes any change.',
  notArchived:
    'There is no archive, and nothing is taken offline by itself: what is removed here leaves the website with the next publish. The history keeps earlier states.',
  notPinned: 'A section cannot be pinned; it can be moved to another place of its page.',
  notTimed:
    'A change has no time of its own. Publishing can be set to a time in the editor, for all pages or some.',
  ofPictures:
    'A picture is set by its address: give the address of an image, such as https://example.org/boat.jpg. Uploads and other sources are in the editor.',
  needsModel:
    'To write, shorten, correct or translate a text by its meaning needs a language model. Without one, give the new text in quotes.',
  ofDesign:
    'Fonts, sizes and colors come from the design of the website. Where a section has a setting for them, name the setting and its value; “What can I change?” lists them.',
  ofTable: 'The rows and columns of a table are edited in the editor: select the table.',
  missingType: (types: readonly string[]) => `Which kind of section: ${among(types)}?`,
  missingObject: 'What exactly should change? Name the section, the field and the new text.',
  wantsQuotes: (text: string) => `Is ${shown(text)} the new text?`,
  options: (field: string, options: readonly string[]) => `${field} can be ${list(options)}. Which one?`,
  wants: (field: string, what: keyof typeof wanted) => `${field} needs ${wanted[what]}. Which one?`,
  notByText: (field: string) => `${field} cannot be set in one sentence. Edit it in the editor.`,
  mustNotBeEmpty: (field: string) => `${field} cannot be empty. What should it say instead?`,
  textNotFound: (text: string) => `No text here contains ${shown(text)}. Which text do you mean?`,
  noList: (row: string) => `No section on this page can take a ${row}. Add such a section first.`,
  lastRow: 'It is the only one left, and one has to stay. Remove the whole section instead?',
  pinned: 'The home page and blocks that belong to every page keep their place.',
  titleTaken: (slug: string) => `There is a page ${slug} already. Which other name should it have?`,
  betweenPages:
    'A section is moved within its page. To another page it can be copied, as in: Duplicate the hero to /about.',
  besideItself: 'A place is before or after another one. Which one?',
  tooLong: 'That is too much text for one message. Ask for less, such as one section.',
  tooManyChanges: (most: number) =>
    `That would be more than ${most} changes at once. Ask for less, such as one section or one page.`,
  refused: (because: string) => `That is not possible: ${because}. What should change instead?`,
  willDo: (count: number) => `I will make ${count === 1 ? '1 change' : `${count} changes`}.`,
  alreadySo: 'It is like that already. Nothing was changed.',
  titled: (type: string, title: string) => `${type} ${shown(title)}`,
  fieldOf: (field: string, owner: string) => `${field} of ${owner}`,

  addable: (count: number) => `These ${count} kinds of sections can be added.`,
  fieldsOf: (what: string) => `This can be changed in ${what}.`,
  fieldList: (what: string, fields: readonly string[]) => `${what}: ${list(fields)}`,
  pages: (count: number) => `The site has ${count === 1 ? '1 page' : `${count} pages`}.`,
  pageLine: (slug: string, title: string, types: readonly string[]) =>
    `${slug} ${shown(title)} (${list(types) || 'empty'})`,
  help:
    'I change texts, links, images, sections, lists and pages when you say exactly what you want. ' +
    'With ANTHROPIC_API_KEY or OPENAI_MODEL set in the environment of the server, and a restart, a model plans the rest.',
  history: 'Undo and redo have buttons of their own in the editor; nothing was changed here.',
  noPage: (count: number) => `There is no such page. ${texts.pages(count)}`,
  pageAt: (slug: string, title: string) => `${shown(title)} is at ${slug}.`,
  isOn: (what: string, slug: string) => `${what} is on ${slug}.`,
  counted: (count: number, what: string, page: string) =>
    `${shown(page)} has ${count === 0 ? 'no' : count} ${what}.`,
  says: (field: string, text: string) =>
    text.trim() === '' ? `${field} is empty.` : `${field} says ${shown(text)}.`,
  thanks: 'You are welcome.',
  past: 'The history of the editor lists every change, with its time and its author.',
  earlier:
    'The history of the editor goes back to every earlier state, of the site or of one page; nothing was changed here.',
  saved: 'Every change is saved at once. Publishing has a button of its own in the editor.',
  publishing:
    'Publishing has a button of its own in the editor, for all pages or some, now or at a time; nothing was changed here.',
  review:
    'The review of the editor lists every change in words before it is published; nothing was changed here.',
  negated: 'Nothing was changed.',
}
