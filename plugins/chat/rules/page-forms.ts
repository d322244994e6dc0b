/** The forms of pages and of the menu. */
import { form, type Form } from './match.ts'
import { one, prepositions } from './references.ts'
import { assign } from './field-changes.ts'
import { moveTo } from './item-changes.ts'
import { createPage, relabel, renamePage } from './page-changes.ts'
import { fieldNamed } from './work.ts'

export const pageForms: readonly Form[] = [
  form(
    'move|put|bring PAGE PLACE of|in menu|navigation',
    (work, { PAGE, PLACE }) => moveTo(work, one(work, PAGE), PLACE),
    '/: Move the rentals page to the end of the menu => mvpage /rentals after /about',
  ),
  form(
    'create|add page [TITLE] [at ROUTE]',
    createPage,
    `/: create a page called Guides at /crew => +page /crew "Guides" [Hero {heading: "Guides"}]
    /: create a page "Our boats" at /boats => +page /boats "Our boats" [Hero {heading: "Our boats"}]
    /: Create a new page called Winter Tours => +page /winter-tours "Winter Tours" [Hero {heading: "Winter Tours"}]
    /: create a page at /faq => +page /faq "Faq" [Hero {heading: "Faq"}]
    /: create a new page => CLARIFY`,
  ),
  form(
    'create|add NAME page',
    (work, { NAME }) => {
      const [first, last] = [NAME[0], NAME.at(-1)]
      const isName = NAME.every(({ kind, word }) => /^(?:word|number)$/.test(kind) && !prepositions.has(word))
      if (!isName || !first || !last) return undefined
      const text = work.message.slice(first.end - first.text.length, last.end)
      return createPage(work, { TITLE: { text, isQuoted: false, isLast: true, tokens: NAME } })
    },
    `/: Add a Contact page => +page /contact "Contact" [Hero {heading: "Contact"}]
    /: create an About us page => CLARIFY`,
  ),
  form(
    'rename PAGE to VALUE',
    renamePage,
    `/about: Rename this page to Our Crew => ren /about to /our-crew titled "Our Crew"
    /: rename /about to /crew => ren /about to /crew titled "About us"
    /: rename the home page to Welcome => ren / titled "Welcome"`,
  ),
  form(
    'call|name|rename PAGE [to|as] VALUE in|on menu|navigation',
    (work, { PAGE, VALUE }) => assign(work, fieldNamed(one(work, PAGE), 'menuLabel'), VALUE),
    `/about: Call this page "Crew" in the menu => site {navLabels: {"/about": "Crew"}}
    /: rename the about us page to "Crew" in the navigation => site {navLabels: {"/about": "Crew"}}
    /about: Set the menu label to "Crew" => site {navLabels: {"/about": "Crew"}}`,
  ),
  form(
    'rename NAME link to VALUE',
    relabel,
    '/: rename the About us link to "Crew" => site {navLabels: {"/about": "Crew"}}',
  ),
]
