/** The table of forms: every wording that is understood, what it does, and messages that show it. */
import {
  add,
  addable,
  assign,
  clear,
  copy,
  createPage,
  link,
  moveTo,
  putOnSide,
  relabel,
  remove,
  renamePage,
  replace,
  set,
  setMain,
  swap,
  withRows,
} from './changes.ts'
import { isText, labelOf } from '../../content/fields.ts'
import { form, type Form } from './match.ts'
import { typesNamed } from './names.ts'
import { one, prepositions, readItem } from './references.ts'
import { texts } from './texts.ts'
import { phraseOf } from './tokens.ts'
import { allBlocks, ask, fieldNamed, pageAt, selected } from './work.ts'

/** All forms. The order does not matter: words that two forms read differently lead to a question. */
export const forms: readonly Form[] = [
  // Texts, links, images and settings
  form(
    'set|change|update|rename FIELD to|: VALUE',
    set,
    `/: Change the headline to "Meet the water" => set b_hero_1 {heading: "Meet the water"}
    /: set the hero heading to 'Slow mornings, calm water' => set b_hero_1 {heading: "Slow mornings, calm water"}
    /: Rename the hero button to "Reserve a seat" => set b_hero_1 {ctaText: "Reserve a seat"}
    /: Set the CTA description to "Choose a date, we bring the boats" => set b_cta_1 {description: "Choose a date, we bring the boats"}
    /: change the CTA section's button text to "Count me in" => set b_cta_1 {ctaText: "Count me in"}
    /: change the button text to "Go" => CLARIFY
    /: Change the eyebrow to "Open all year" => set b_hero_1 {eyebrow: "Open all year"}
    /: set the hero heading to "North wind" and the subheading to "Tours from May" => set b_hero_1 {heading: "North wind", subheading: "Tours from May"}
    /: set the second section's title to "Reasons to come" => set b_feat_1 {title: "Reasons to come"}
    /: change the rich text body to "Hello" => CLARIFY
    /: Change the title to "Hello" => CLARIFY
    / b_hero_1.subheading: change this to "Fresh air, every day" => set b_hero_1 {subheading: "Fresh air, every day"}
    / b_text_2: change the title to "Before you go" => set b_text_2 {title: "Before you go"}
    /: change the CTA link to tel:+4712345678 => set b_cta_1 {ctaHref: "tel:+4712345678"}
    /: set the hero image to /img/dawn.jpg => set b_hero_1 {imageUrl: "/img/dawn.jpg"}
    /: Change the hero image to a sunset over the fjord => CLARIFY
    /: set the alt text of the hero to "Two kayaks at dawn" => set b_hero_1 {imageAlt: "Two kayaks at dawn"}
    /: change the hero link to the winter page => CLARIFY
    /rentals: Set the banner background color to #0a3d62 => set b_banner_r {backgroundColor: "#0a3d62"}
    /: Change the title of the second feature to "Tiny groups" => item b_feat_1.features[1] {title: "Tiny groups"}
    /rentals: Change the first card's button to "Rent a single" => item b_cards_r.cards[0] {ctaText: "Rent a single"}
    /about: set the last stat's value to "12k" => item b_stats_a.stats[2] {value: "12k"}
    /: change the author of the first testimonial to "Ana R." => item b_quotes_1.items[0] {author: "Ana R."}
    /rentals: change the fifth card title to "XL" => CLARIFY
    /: Change the headline to "Remove the CTA" => set b_hero_1 {heading: "Remove the CTA"}
    /: set the text alignment to justified => CLARIFY
    /about: change the page title to "Who we are" => ren /about titled "Who we are"
    /: change the title of the about us page to "Who we are" => ren /about titled "Who we are"
    /: change the title of the about us page to "Rentals" => CLARIFY
    /about: change the page address to /crew => ren /about to /crew titled "About us"
    /: change the slug of the about us page to /crew => ren /about to /crew titled "About us"
    /: change the SEO title of the about us page to "Crew | Fjordline" => meta /about {title: "Crew | Fjordline"}
    /: Set the meta description to "Guided kayak tours on the fjord" => meta / {description: "Guided kayak tours on the fjord"}
    /: set the social image to /img/og.png => meta / {ogImage: "/img/og.png"}
    /: Change the "Read more" button to "More" => set b_hero_1 {secondaryCtaText: "More"}
    /: Set the page description for Google to "Guided tours" => meta / {description: "Guided tours"}
    /: Rename the site to Fjordline => site {name: "Fjordline"}
    /: change the logo to /brand/mark.svg => site {logo: "/brand/mark.svg"}`,
  ),
  form(
    'make FIELD VALUE',
    // After "make", a text without quotes is a wish.
    (work, { FIELD, VALUE }) =>
      VALUE.isQuoted || !FIELD.candidates.every(({ meta }) => isText(meta))
        ? set(work, { FIELD, VALUE })
        : undefined,
    '/ b_feat_1.features[2].title: make it "Gear that stays dry" => item b_feat_1.features[2] {title: "Gear that stays dry"}',
  ),
  form(
    'make|call|name ITEM VALUE',
    (work, { ITEM, VALUE }) =>
      VALUE.isQuoted && ITEM.candidates.every(({ kind }) => kind === 'block' || kind === 'row')
        ? setMain(work, { ITEM, VALUE })
        : undefined,
    '/: make the first feature "Tiny groups" => item b_feat_1.features[0] {title: "Tiny groups"}',
  ),
  form(
    'replace|swap|exchange FIELD with|by|for VALUE',
    // A text is replaced by one in quotes: `the subheading` is another field.
    (work, { FIELD, VALUE }) =>
      FIELD.candidates.length > 0 && (VALUE.isQuoted || FIELD.candidates.every(({ meta }) => !isText(meta)))
        ? set(work, { FIELD, VALUE })
        : undefined,
    `/: Replace the hero picture with /img/dawn.jpg => set b_hero_1 {imageUrl: "/img/dawn.jpg"}
    /: replace the headline with "Meet the water" => set b_hero_1 {heading: "Meet the water"}`,
  ),
  form(
    'use VALUE as|for FIELD',
    set,
    '/: Use "Quiet mornings" as the eyebrow => set b_hero_1 {eyebrow: "Quiet mornings"}',
  ),
  form(
    'FIELD to|: VALUE',
    set,
    `/: hero headline: "Out on the blue" => set b_hero_1 {heading: "Out on the blue"}
    /rentals: card 2 description: "Room for two." => item b_cards_r.cards[1] {description: "Room for two."}
    /: page title: "Start" => ren / titled "Start"`,
  ),
  form(
    'move|put|place|show|align|shift FIELD VALUE',
    putOnSide,
    `/: Move the hero image to the left => set b_hero_1 {imagePosition: "left"}
    /: Put the image of the hero on the left side => set b_hero_1 {imagePosition: "left"}
    /: hero image to the left => set b_hero_1 {imagePosition: "left"}
    /: Hero image to the right => NOOP`,
  ),
  form(
    'VALUE',
    (work, { VALUE }) => (VALUE.isQuoted ? assign(work, selected(work).field, VALUE) : undefined),
    '/ b_hero_1.heading: "Morning paddles" => set b_hero_1 {heading: "Morning paddles"}',
  ),
  form(
    'set|change|update|rename ITEM to VALUE',
    setMain,
    `/: Rename the feature grid to "What you get" => set b_feat_1 {title: "What you get"}
    /rentals: Rename the third card to "Whole family" => item b_cards_r.cards[2] {title: "Whole family"}
    /rentals: change question 1 to "How do I cancel?" => item b_faq_r.items[0] {q: "How do I cancel?"}`,
  ),
  form(
    'clear|empty FIELD',
    clear,
    `/: Clear the eyebrow => set b_hero_1 {eyebrow: ""}
    /: Clear the headline => CLARIFY`,
  ),
  form(
    'remove|delete FIELD',
    (work, { FIELD }) => (FIELD.candidates.length > 0 ? clear(work, { FIELD }) : undefined),
    '/: remove the eyebrow => set b_hero_1 {eyebrow: ""}',
  ),
  form(
    'replace|change|update|rename TEXT with|by|to VALUE [on|in ITEM]',
    (work, { TEXT, VALUE, ITEM }) => {
      const item = ITEM ? one(work, ITEM) : pageAt(work, work.slug)
      return item && replace(withRows(work, item), TEXT, VALUE)
    },
    `/: Replace "briefing" with "short briefing" => set b_text_2 {body: "Every tour starts with a short briefing."}
    /: Change "Ready to launch?" to "Ready?" => set b_cta_1 {title: "Ready?"}
    /rentals: Replace "Rent" with "Hire" on this page => set b_hero_r {heading: "Hire a boat"}; item b_cards_r.cards[0] {ctaText: "Hire"}; item b_cards_r.cards[1] {ctaText: "Hire"}; item b_cards_r.cards[2] {ctaText: "Hire"}
    /: replace "Paddle" with "Row" in the hero => set b_hero_1 {heading: "Row the fjord"}
    /rentals: replace "Rent" with "Hire" in the first card => item b_cards_r.cards[0] {ctaText: "Hire"}`,
  ),
  form(
    'replace|change|update|rename TEXT with|by|to VALUE everywhere',
    (work, { TEXT, VALUE }) =>
      replace(
        allBlocks(work).flatMap((block) => withRows(work, block)),
        TEXT,
        VALUE,
      ),
    '/: replace "paddle" with "kayak" everywhere => set b_feat_1 {title: "Why kayak with us"}; set b_hero_a {heading: "People who kayak"} — HELD (multi_page_plan)',
  ),
  form(
    'link|point FIELD to|at VALUE',
    link,
    '/: link the hero button to the about us page => set b_hero_1 {ctaHref: "/about"}',
  ),

  // Blocks, rows and pages
  form(
    'add|insert|create NAME [TITLE] [PLACE] [with CONTENT] [by AUTHOR] [to|in|on ITEM]',
    add,
    `/: Add an FAQ => +block FAQAccordion end on /
    /: add a stats section at the top => +block Stats front on /
    /: Insert a testimonials section after the feature grid => +block Testimonials after b_feat_1 on /
    /: add an FAQ to the about us page => +block FAQAccordion end on /about
    /rentals: Add a CTA at the end with title "Questions?", button text "Write to us" and link mailto:hi@example.org => +block CTA {title: "Questions?", ctaText: "Write to us", ctaHref: "mailto:hi@example.org"} end on /rentals
    /rentals: add a rich text section titled "Opening hours" => +block RichText {title: "Opening hours"} end on /rentals
    /: add a tab => CLARIFY
    /: add another feature called "Hot cocoa" => +item b_feat_1.features {title: "Hot cocoa"}
    /rentals: Add a question "Is parking free?" with the answer "Yes, behind the boathouse." => +item b_faq_r.items {q: "Is parking free?", a: "Yes, behind the boathouse."}
    /rentals: Add a card titled "Canoe" with description "Open and stable." and link /rentals => +item b_cards_r.cards {title: "Canoe", description: "Open and stable.", ctaHref: "/rentals"}
    /: add a testimonial "Loved it" by Carla => +item b_quotes_1.items {quote: "Loved it", author: "Carla"}`,
  ),
  form(
    'add|insert|create section|block [PLACE]',
    (work) => ask(texts.missingType(addable(work).map(({ displayName }) => displayName))),
    '/: add a section => CLARIFY',
  ),
  form(
    'put NAME PLACE',
    (work, { NAME, PLACE }) => {
      if (/^an?$/.test(NAME[0]?.article ?? '')) return add(work, { NAME, PLACE })
      const item = readItem(work, NAME)
      return item && moveTo(work, one(work, item), PLACE)
    },
    `/rentals: put a CTA at the bottom => +block CTA end on /rentals
    /: put the feature grid above the CTA => mv b_feat_1 after b_quotes_1`,
  ),
  form(
    'remove|delete|drop ITEMS',
    remove,
    `/ b_quotes_1: Remove the second row => -item b_quotes_1.items[1]
    /: Remove the second row of the testimonials => -item b_quotes_1.items[1]
    /: Remove the second row => CLARIFY
    /: Remove the feature grid => -block b_feat_1
    /: delete the second section => -block b_feat_1
    /: drop the testimonials and the CTA => -block b_quotes_1; -block b_cta_1
    /: remove the rich text => CLARIFY
    / b_cta_1: remove this section => -block b_cta_1
    /: delete it => CLARIFY
    /: remove the gallery => CLARIFY
    /: remove the hero from /about => -block b_hero_a
    /rentals: remove the hero and add a banner at the top => -block b_hero_r; +block Banner front on /rentals
    /: Can you remove the testimonials? => -block b_quotes_1
    /rentals: Remove the second question => -item b_faq_r.items[1]
    /rentals: delete the "Family" card => -item b_cards_r.cards[2]
    /rentals: delete the Family card => -item b_cards_r.cards[2]
    /rentals: delete the question about dogs => -item b_faq_r.items[2]
    /: remove the testimonial by Ana Ruiz => -item b_quotes_1.items[0]
    /: remove the last testimonial => -item b_quotes_1.items[1]
    /rentals: remove the question => CLARIFY
    /: Delete the rentals page => -page /rentals — HELD (remove_page)
    /: delete the page /about => -page /about — HELD (remove_page)
    /: delete the page "About us" => -page /about — HELD (remove_page)
    /about: delete this page => -page /about — HELD (remove_page)
    /: delete the home page => CLARIFY
    /: remove the pricing page => CLARIFY
    /: show me the plan first: remove the feature grid => -block b_feat_1
    /: drop /about => -page /about — HELD (remove_page)`,
  ),
  form('get rid of ITEMS', remove, '/: get rid of the "Safety first" section => -block b_text_2'),
  form(
    'move ITEM PLACE',
    (work, { ITEM, PLACE }) => moveTo(work, one(work, ITEM), PLACE),
    `/: Move the CTA to the top => mv b_cta_1 front
    /: move the testimonials below the hero => mv b_quotes_1 after b_hero_1
    /: move the hero up => NOOP
    /rentals: Move the third card to the top => mvitem b_cards_r.cards[2] front
    /: move the about us page before the rentals page => mvpage /about first
    /about: move this page to the first position => mvpage /about first
    /: move the home page to the end => CLARIFY`,
  ),
  form(
    'move|put ITEM to PAGE',
    (work, { ITEM, PAGE }) =>
      ITEM.candidates.length > 0 && ITEM.candidates.every(({ kind }) => kind !== 'page') && one(work, PAGE)
        ? ask(texts.betweenPages)
        : undefined,
    '/: Move the testimonials to the about us page => CLARIFY',
  ),
  form(
    'move|put|bring PAGE PLACE of|in menu|navigation',
    (work, { PAGE, PLACE }) => moveTo(work, one(work, PAGE), PLACE),
    '/: Move the rentals page to the end of the menu => mvpage /rentals after /about',
  ),
  form(
    'swap|switch|exchange PAIR',
    swap,
    `/: Swap the hero with the feature grid => mv b_hero_1 after b_feat_1
    /: swap the testimonials and the feature grid => mv b_feat_1 after b_quotes_1; mv b_quotes_1 after b_hero_1
    /rentals: swap the first card with the second => mvitem b_cards_r.cards[0] after 1
    /rentals: swap the first and second cards => mvitem b_cards_r.cards[0] after 1
    /rentals: swap the first card and the third card => mvitem b_cards_r.cards[0] after 2; mvitem b_cards_r.cards[1] front`,
  ),
  form(
    'duplicate|copy ITEM [to PAGE] [to ROUTE]',
    copy,
    `/: Duplicate the feature grid => dup b_feat_1
    /rentals: duplicate the "Double" card => +item b_cards_r.cards {title: "Double", description: "For two.", ctaText: "Rent", ctaHref: "/rentals"} after 1
    /: Duplicate /rentals to /rentals-winter => duppage /rentals to /rentals-winter
    /about: duplicate this page => duppage /about`,
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

  form(
    'add|insert|create NAME section|block',
    (work, { NAME }) => {
      const noun = phraseOf(NAME)
      const isKnown = typesNamed(work.names, noun) ?? work.names.listsByPhrase.get(noun)
      if (isKnown || NAME.some(({ kind }) => kind !== 'word')) return undefined
      return ask(
        texts.noType(
          noun,
          addable(work).map(({ displayName }) => displayName),
        ),
      )
    },
    '/: add a countdown section => CLARIFY',
  ),

  // Without an object, a value or a place
  form(
    'set|change|update|rename FIELD',
    (work, { FIELD }) => {
      const { name, meta } = one(work, FIELD)
      if (meta.kind === 'image') ask(texts.wants(labelOf(name, meta), 'image'), { joint: ' to ' })
      return ask(texts.missingValue, { opening: `${work.message.slice(0, work.end)} to ` })
    },
    '/: change the headline => CLARIFY',
  ),
  form(
    'move|put ITEM',
    (work, { ITEM }) => (one(work, ITEM), ask(texts.missingPlace, { joint: ' ' })),
    '/: move the CTA => CLARIFY',
  ),
  form(
    'set|change|update|rename|make|add|insert|create|remove|delete|drop|move|put|swap|duplicate|copy|replace|link|clear',
    () => ask(texts.missingObject),
    '/: remove => CLARIFY',
  ),
]
