/** Wishes in the words of people who edit a small site: what is done, offered, answered, asked or refused. */
import t from 'tap'
import type { Outcome } from '../../../plugins/chat/port.ts'
import { ownFolder, readDataSet } from '../../eval/data-set.ts'
import { inputFor, notationOf, planByRules } from '../../helpers/chat-rules.ts'

const { fixture } = await readDataSet(ownFolder)
const updatedAt = '2026-01-01T00:00:00.000Z'
const draft = { version: 1, pages: fixture.map((page) => ({ ...page, updatedAt })), config: {} }

const inputAt = (at: string, message: string) => inputFor(at, message, { draft })
const said = (at: string, message: string): Outcome => planByRules(inputAt(at, message))

/**
 * The operations of a message, or those of one click: on its offer, or on the first choice of its question.
 */
function oneClick(at: string, message: string): string {
  const outcome = said(at, message)
  const input = inputAt(at, message)
  if (outcome.kind === 'unsupported' && outcome.offer !== undefined)
    return notationOf(said(at, outcome.offer), input)
  const [first] = outcome.kind === 'question' ? outcome.suggestions : []
  if (outcome.kind !== 'question' || first === undefined) return notationOf(outcome, input)
  return notationOf(
    planByRules({ ...inputAt(at, first), ...(outcome.open && { open: outcome.open }) }),
    input,
  )
}

/** What a message does at once or with one click. */
const understood = [
  ['/about', 'add a FAQ section', '+block FAQAccordion end on /about'],
  [
    '/',
    "I'd like a section with frequently asked questions under the testimonials",
    '+block FAQAccordion after b_quotes_home on /',
  ],
  ['/contact', 'Insert a call to action at the end of the page', '+block CTA end on /contact'],
  ['/', 'Can we have a gallery on the contact page?', '+block Gallery end on /contact'],
  [
    '/',
    'Add a testimonial by Lena: "Best pasta in town"',
    '+item b_quotes_home.items {quote: "Best pasta in town", author: "Lena"}',
  ],
  ['/courses', 'add a question about parking', '+item b_faq_courses.items {q: "", a: ""}'],
  [
    '/',
    'We need a fourth feature called Free parking',
    '+item b_feat_home.features {title: "Free parking", description: ""}',
  ],
  [
    '/',
    'Make a new page for gift vouchers',
    '+page /gift-vouchers "Gift vouchers" [Hero {heading: "Gift vouchers"}]',
  ],
  ['/', 'Create a page called Imprint', '+page /imprint "Imprint" [Hero {heading: "Imprint"}]'],
  ['/courses', 'Delete the question about allergies', '-item b_faq_courses.items[2]'],
  ['/', 'please remove the quote from Mara Lind', '-item b_quotes_home.items[2]'],
  ['/contact', 'get rid of the private groups card', '-block b_card_contact'],
  ['/gallery', 'Delete the picture of the pasta', '-item b_gal.images[1]'],
  ['/about', 'remove the years stat', '-item b_stats_about.stats[0]'],
  ['/', 'swap the cards and the testimonials', 'mv b_cards_home after b_quotes_home'],
  [
    '/',
    'Swap Bread and Knife skills',
    'mvitem b_cards_home.cards[0] after 2; mvitem b_cards_home.cards[1] front',
  ],
  ['/', 'put the testimonials above the footer', 'mv b_quotes_home after b_cta_home'],
  ['/', 'The testimonials should come right after the hero', 'mv b_quotes_home after b_hero_home'],
  ['/about', 'Move our story below what we believe', 'mv b_text_story after b_text_values'],
  ['/questions', 'Move the question about vouchers to the top', 'mvitem b_faq_questions.items[3] front'],
  ['/courses', 'make the hero button go to the contact page', 'set b_hero_courses {ctaHref: "/contact"}'],
  ['/', 'the Book now button should lead to /prices', 'set b_cta_home {ctaHref: "/prices"}'],
  ['/', 'Change the Book now button to say Reserve a seat', 'set b_cta_home {ctaText: "Reserve a seat"}'],
  [
    '/',
    'Google should show "Cooking school by the harbour" as the title',
    'meta / {title: "Cooking school by the harbour"}',
  ],
  [
    '/prices',
    'the title for Google should be "Prices of our courses"',
    'meta /prices {title: "Prices of our courses"}',
  ],
  [
    '/',
    'Replace the hero picture with /img/new-kitchen.jpg',
    'set b_hero_home {imageUrl: "/img/new-kitchen.jpg"}',
  ],
  [
    '/',
    'The alt text of the hero picture should be "Guests at a long table"',
    'set b_hero_home {imageAlt: "Guests at a long table"}',
  ],
  ['/', 'call the questions page FAQ in the menu', 'site {navLabels: {"/questions": "FAQ"}}'],
  ['/', 'copy the banner to the prices page', 'dup b_banner_home to /prices'],
  ['/', 'duplicate the contact page', 'duppage /contact'],
  ['/', 'Bring the prices page to the front of the menu', 'mvpage /prices first'],
  [
    '/',
    'Replace Jonas Weber by Jonas Meyer everywhere',
    'item b_quotes_home.items[1] {author: "Jonas Meyer"}; item b_quotes_about.items[1] {author: "Jonas Meyer"} — HELD (multi_page_plan)',
  ],
  [
    '/team',
    'Noor is now called Nora',
    'item b_cards_team.cards[2] {title: "Nora", ctaText: "Write to Nora"}',
  ],
  [
    '/contact',
    'Change ten to eleven in the opening hours',
    'set b_text_hours {body: "Monday to Friday from five to eleven in the evening."}',
  ],
  [
    '/',
    'The banner should say that we are closed in July',
    'set b_banner_home {text: "We are closed in July"}',
  ],
  ['/courses', 'We need an FAQ section at the end of the page', '+block FAQAccordion end on /courses'],
  ['/about', 'add a section with our reviews at the bottom', '+block Testimonials end on /about'],
  [
    '/',
    'add a banner at the top that says "Closed on Monday"',
    '+block Banner {text: "Closed on Monday"} after b_header on /',
  ],
  [
    '/questions',
    'Add the question "Do you take cards?" with the answer "Yes."',
    '+item b_faq_questions.items {q: "Do you take cards?", a: "Yes."}',
  ],
  [
    '/questions',
    'please add another question: "Can I bring my dog?"',
    '+item b_faq_questions.items {q: "Can I bring my dog?", a: ""}',
  ],
  [
    '/team',
    'add a card for Luis',
    '+item b_cards_team.cards {title: "", description: "", ctaText: "", ctaHref: "/"}',
  ],
  ['/gallery', 'add a picture to the gallery', '+item b_gal.images {imageUrl: "/hero-generated.svg"}'],
  ['/', 'Delete the last review', '-item b_quotes_home.items[2]'],
  ['/', "Jonas Weber's review can go", '-item b_quotes_home.items[1]'],
  ['/courses', 'Take out the tabs', '-block b_tabs_courses'],
  ['/prices', 'remove the student banner', '-block b_banner_prices'],
  ['/', 'delete the "See prices" button', 'set b_hero_home {secondaryCtaText: ""}'],
  ['/', 'Move the banner to the bottom of the page', 'mv b_banner_home after b_cta_home'],
  ['/', 'Can the cards go above the features?', 'mv b_cards_home after b_banner_home'],
  ['/about', 'switch our story and what we believe', 'mv b_text_story after b_text_values'],
  ['/courses', 'put sunday roast first', 'mvitem b_cards_courses.cards[1] front'],
  ['/questions', 'The parking question should be the last one', 'mvitem b_faq_questions.items[1] after 3'],
  ['/', 'rename the Questions page to FAQ', 'ren /questions to /faq titled "FAQ"'],
  ['/contact', 'The page title should be "Find us"', 'ren /contact titled "Find us"'],
  ['/', 'In the menu, Team should be called "People"', 'site {navLabels: {"/team": "People"}}'],
  ['/', 'The address of the questions page should be /faq', 'ren /questions to /faq titled "Questions"'],
  [
    '/',
    'set the seo description to "Learn to cook in Hamburg"',
    'meta / {description: "Learn to cook in Hamburg"}',
  ],
  ['/', 'make the headline "Cook with friends"', 'set b_hero_home {heading: "Cook with friends"}'],
  ['/', 'I want the headline to be "Cook with friends"', 'set b_hero_home {heading: "Cook with friends"}'],
  [
    '/',
    'the subheading must be: Evening courses for everyone',
    'set b_hero_home {subheading: "Evening courses for everyone"}',
  ],
  [
    '/',
    'Please correct "Harbour Street" to "Harbor Street"',
    'set b_hero_home {heading: "Cook together in Harbor Street"}',
  ],
  ['/', 'swap the picture in the hero for /img/new.jpg', 'set b_hero_home {imageUrl: "/img/new.jpg"}'],
  ['/', 'the hero image should be on the left', 'set b_hero_home {imagePosition: "left"}'],
  ['/', 'Change the link of the "Find a course" button to /prices', 'set b_hero_home {ctaHref: "/prices"}'],
  ['/', 'the first card should link to the courses page', 'item b_cards_home.cards[0] {ctaHref: "/courses"}'],
  ['/', 'Rename the button "Book now" to "Reserve"', 'set b_cta_home {ctaText: "Reserve"}'],
  ['/', 'Show four columns in the feature grid', 'set b_feat_home {columns: "4"}'],
  ['/', 'Copy the testimonials to the about us page', 'dup b_quotes_home to /about'],
  ['/about', 'set the first stat to 17', 'item b_stats_about.stats[0] {value: "17"}'],
  [
    '/',
    'new card: Pizza',
    '+item b_cards_home.cards {title: "Pizza", description: "", ctaText: "", ctaHref: "/"}',
  ],
  ['/', 'the site is called The Copper Spoon now', 'site {name: "The Copper Spoon"}'],
  ['/', 'call Questions "FAQ" in the menu', 'site {navLabels: {"/questions": "FAQ"}}'],
  [
    '/',
    'we have a new review from Tina: "So much fun!"',
    '+item b_quotes_home.items {quote: "So much fun!", author: "Tina"}',
  ],
  ['/', 'Bread should be the last card', 'mvitem b_cards_home.cards[0] after 2'],
  [
    '/courses',
    'the answer to the allergy question should be "Tell us by mail."',
    'item b_faq_courses.items[2] {a: "Tell us by mail."}',
  ],
  ['/', 'pls set the big headline to Go live', 'set b_hero_home {heading: "Go live"}'],
  ['/courses', 'pls change the main headline to "Learn"', 'set b_hero_courses {heading: "Learn"}'],
  ['/', 'Set the headline to Go live', 'set b_hero_home {heading: "Go live"}'],
  ['/', 'Can we remove the review by Jonas Weber?', '-item b_quotes_home.items[1]'],
  [
    '/contact',
    'the write to us button should open mailto:info@copperpan.example',
    'set b_hero_contact {ctaHref: "mailto:info@copperpan.example"}',
  ],
  ['/gallery', 'make the gallery four columns', 'set b_gal {columns: "4"}'],
  ['/', 'move why we cook up one', 'mv b_text_home after b_banner_home'],
  ['/courses', 'move sunday roast down one', 'mvitem b_cards_courses.cards[1] after 2'],
  ['/', 'put the team page before prices in the menu', 'mvpage /team after /courses'],
  ['/about', '4,300 guests instead of 4,200', 'item b_stats_about.stats[1] {value: "4,300"}'],
  ['/', 'Since 2009 should be Since 2008', 'set b_hero_home {eyebrow: "Since 2008"}'],
  [
    '/',
    'add a banner that says we never close',
    '+block Banner {text: "We never close"} after b_cta_home on /',
  ],
  ['/', 'the headline should be Hungry?', 'set b_hero_home {heading: "Hungry?"}'],
  ['/gallery', 'swap the first two pictures', 'mvitem b_gal.images[0] after 1'],
  ['/gallery', 'switch the last two pictures of the gallery', 'mvitem b_gal.images[2] after 3'],
  [
    '/courses',
    'swap the Before and After tabs',
    'mvitem b_tabs_courses.tabs[0] after 2; mvitem b_tabs_courses.tabs[1] front',
  ],
  [
    '/questions',
    'remove the voucher and parking questions',
    '-item b_faq_questions.items[3]; -item b_faq_questions.items[1]',
  ],
  [
    '/questions',
    'Update the answer to "Is there parking?" to "Yes."',
    'item b_faq_questions.items[1] {a: "Yes."}',
  ],
  ['/questions', 'answer the parking question with "Yes."', 'item b_faq_questions.items[1] {a: "Yes."}'],
  [
    '/courses',
    'the answer to the allergy question should be "Ask us"',
    'item b_faq_courses.items[2] {a: "Ask us"}',
  ],
  [
    '/contact',
    'Change the opening hours to Tuesday to Saturday, 5 pm to 11 pm',
    'set b_text_hours {body: "Tuesday to Saturday, 5 pm to 11 pm"}',
  ],
  ['/about', 'Change Our story to Our history', 'set b_text_story {title: "Our history"}'],
  ['/about', 'change Guests to 5,000', 'item b_stats_about.stats[1] {value: "5,000"}'],
  ['/about', 'change "Guests" to "5,000"', 'item b_stats_about.stats[1] {label: "5,000"}'],
  ['/about', '16 should be 17', 'item b_stats_about.stats[0] {value: "17"}'],
  [
    '/prices',
    'change € 55 to € 60',
    'set b_table_prices {rows: {0: {0: "Bread", 1: "€ 65", 2: "€ 120"}, 1: {0: "Fresh pasta", 1: "€ 70", 2: "€ 130"}, 2: {0: "Knife skills", 1: "€ 60", 2: ""}}}',
  ],
  [
    '/prices',
    '€ 65 should be € 68',
    'set b_table_prices {rows: {0: {0: "Bread", 1: "€ 68", 2: "€ 120"}, 1: {0: "Fresh pasta", 1: "€ 70", 2: "€ 130"}, 2: {0: "Knife skills", 1: "€ 55", 2: ""}}}',
  ],
  ['/', 'rename About us to Our story in the menu', 'site {navLabels: {"/about": "Our story"}}'],
] as const

/** Questions and their answers. */
const answered = [
  ['/', 'How many pages do I have?', /8 pages/i],
  ['/', 'What pages does my site have?', /8 pages/i],
  ['/', 'how many reviews are on the about us page', /2 reviews/i],
  ['/', 'What does the button in the hero say?', /Find a course/i],
  ['/', 'Where does the hero button go?', /\/courses/i],
  ['/prices', 'What is the meta description of this page?', /empty/i],
  ['/', 'undo what I just did', /Undo/i],
  ['/', 'Put it back the way it was', /Undo/i],
  ['/', 'please revert the last change', /Undo/i],
  ['/', 'open contact', /\/contact/i],
  ['/', 'bring up the prices page', /\/prices/i],
  ['/', 'I want to edit the team page', /\/team/i],
  ['/', "Let's look at the gallery", /\/gallery/i],
  ['/', 'Are my changes online already?', /ublish/i],
  ['/', 'publish my changes please', /ublish/i],
  ['/', 'Put the new prices live on Monday morning', /at a time/i],
  ['/', 'Can my boss check this before it goes live?', /review/i],
  ['/', 'Who changed the headline?', /history/i],
  ['/', "what's on the courses page?", /Courses/i],
  ['/', 'How many sections does the home page have?', /7 sections|9 sections|sections/i],
  ['/', 'which page has the opening hours?', /\/contact/i],
  ['/', 'Is there a page about the team?', /\/team/i],
  ['/', 'do we have a contact page?', /\/contact/i],
  ['/', 'What is the subheading at the moment?', /Evening courses/i],
  ['/', "What's the title of the prices page?", /Prices/i],
  ['/', 'where does the "Book now" button link to?', /\/courses/i],
  ['/', 'How do I undo something?', /Undo/i],
  ['/', 'cancel the last edit', /Undo/i],
  ['/', 'I made a mistake, go back one step', /Undo/i],
  ['/', 'redo it', /redo/i],
  ['/', 'show me the prices', /\/prices/i],
  ['/', 'switch to the about page', /\/about/i],
  ['/', 'When was this page last published?', /history/i],
  ['/', "I'm done, please publish", /ublish/i],
  ['/', 'can I preview the changes first?', /review/i],
  ['/prices', 'what does the banner say?', /Students pay half/],
  ['/', "I want to go back to yesterday's version", /every earlier state/],
  ['/', 'How many pictures are in the gallery?', /“Gallery” has 4 pictures/],
  ['/questions', 'Which questions do we have?', /4 questions.*Is there parking/],
  ['/', 'list the cards on the team page', /3 cards.*Noor/],
  ['/', 'what are our opening hours?', /says “Monday to Friday/],
] as const

/** Wishes that no operation fulfils, with what is answered; none has an offer that changes something. */
const impossible = [
  ['Hide the banner until autumn', /Nothing can be hidden/],
  ['hide the hero', /Nothing can be hidden/],
  ['The cards should be hidden', /Nothing can be hidden/],
  ['please tuck the banner away for a while', /Nothing can be hidden/],
  ['turn off the testimonials', /Nothing can be hidden/],
  ['make the hero invisible', /Nothing can be hidden/],
  ['pause the banner', /Nothing can be hidden/],
  ['get the banner out of my sight', /Nothing can be hidden/],
  ['On the about us page, hide the stats', /Nothing can be hidden/],
  ['set the banner to hidden', /Nothing can be hidden/],
  ['change the banner to invisible', /Nothing can be hidden/],
  ['lock the headline', /Nothing can be locked/],
  ['freeze this page', /Nothing can be locked/],
  ['keep the prices private', /Nothing can be locked/],
  ['archive the testimonials', /There is no archive/],
  ['unpublish the about us page', /There is no archive/],
  ['take the banner down for the weekend', /There is no archive/],
  ['pin the hero to the top', /cannot be pinned/],
  ['make the banner sticky', /cannot be pinned/],
  ['schedule the banner for Monday', /Publishing can be set to a time/],
  ['remove the banner tomorrow', /Publishing can be set to a time/],
  ['show the banner only on Mondays', /Publishing can be set to a time/],
  ['take the banner out until Friday', /Publishing can be set to a time/],
  ['Take the gallery out of the menu', /The menu lists the pages/],
  ['remove the team page from the menu', /The menu lists the pages/],
  ['make the banner orange', /come from the design/],
  ['the headline should be bigger', /come from the design/],
  ['Rotate the pictures', /the address of an image/],
  ['the hero needs a new picture', /the address of an image/],
  ['Translate the page into French', /needs a language model/],
  ['Make the text about why we cook friendlier', /needs a language model/],
  ['spell check the about page', /needs a language model/],
  ['Öffnungszeiten: Dienstag bis Samstag', /verstehe ich nur Englisch/],
  ['Fix the spelling mistakes on this page', /needs a language model/],
  ['move the banner to the prices page', /moved within its page/],
] as const

/** Wishes of which a text or an address is asked for, after what is missing for the rest. */
const completed = [
  ['Shorten the subheading', 'Change the subheading', /needs a language model.* I leave out “Shorten”/],
  ['Use a different photo in the hero', 'Change photo of the hero', /the address of an image/],
  ['Write a meta description for this page', 'Change the meta description of this page', /language model/],
] as const

/** Messages whose words occur in one item only: it is named, and chosen with a click or "yes". */
const guessed = [
  [
    '/questions',
    'remove the section about a lovely place',
    'Rich text “From a guest”',
    '-block b_text_questions',
  ],
  ['/courses', 'duplicate the section about water', 'Rich text “How an evening works”', 'dup b_text_courses'],
  [
    '/courses',
    'move the section about water to the top',
    'Rich text “How an evening works”',
    'mv b_text_courses front',
  ],
  [
    '/courses',
    'delete the card about butter',
    'Cards 4 “Vegan comfort food”',
    '-item b_cards_courses.cards[3]',
  ],
  ['/courses', 'delete the question about leftovers', 'Do I have to bring', '-item b_faq_courses.items[0]'],
  [
    '/courses',
    'change the title of the section about water to "Your evening"',
    'How an evening works',
    'set b_text_courses {title: "Your evening"}',
  ],
] as const

/** Replies to such a question that choose nothing. */
const doubts = [
  'the other one',
  'no, not that one',
  'maybe',
  'yes but hide it',
  'yes, and its picture',
  'hide it',
  'why?',
  'the second one',
] as const

/**
 * Messages whose topics and new texts have words of other wishes, each with its offer and what that leaves
 * out.
 */
const aboutOthers = [
  ['/', 'add a FAQ about how to lock the door', 'Add an empty FAQ', 'how to lock the door'],
  ['/', 'add a FAQ about what not to bring', 'Add an empty FAQ', 'what not to bring'],
  ['/about', 'add a section about our history', 'Add an empty text section', 'our history'],
  [
    '/about',
    'add a paragraph about why we never freeze our dough',
    'Add an empty text section',
    'why we never freeze our dough',
  ],
  ['/', 'put a section about going live at the top', 'Add an empty text section at the top', 'going live'],
  ['/courses', 'add a question about how to add a card', 'Add an empty question', 'how to add a card'],
  ['/contact', 'add a FAQ about parking at the top', 'Add an empty FAQ at the top', 'parking'],
  ['/', 'make a page about how to go live', 'Create a page called "How to go live"', undefined],
  [
    '/questions',
    'new question: How do I hide my phone number?',
    'Add a question called "How do I hide my phone number?"',
    undefined,
  ],
  ['/', 'headline: Never cook alone', 'Change headline to "Never cook alone"', undefined],
  [
    '/prices',
    'set the banner text to We never close',
    'Change the banner text to "We never close"',
    undefined,
  ],
] as const

/** The same words where they are the wish. */
const commands = [
  ['add a FAQ about boats and hide the banner', /Nothing can be hidden/],
  ['change the section about why we cook, and lock it', /Nothing can be locked/],
  ['lock the FAQ about cooking', /Nothing can be locked/],
  ['Make the text about why we cook friendlier', /needs a language model/],
  ['write about how to publish a book', /needs a language model/],
  ['hero: hide the button', /Nothing can be hidden/],
] as const

/** Messages that are done at once: the heading, or a whole text, names what is meant. */
const named = [
  ['/contact', 'remove the opening hours section', '-block b_text_hours'],
  ['/courses', 'delete the question about allergies', '-item b_faq_courses.items[2]'],
  ['/courses', 'delete the card that says "Two evenings, one loaf."', '-item b_cards_courses.cards[0]'],
  ['/about', 'delete the testimonial by Jonas Weber', '-item b_quotes_about.items[1]'],
] as const

/** Messages near to an edit that would do more, less or something else than they say. */
const adversarial = [
  'duplicate the hero and its text',
  'duplicate the hero with its text',
  'duplicate the hero & its text',
  'copy the hero, text and all',
  'duplicate the hero and that',
  'duplicate the hero twice',
  'duplicate the hero but without the button',
  'copy the hero heading to the banner',
  'copy the text of the banner into the hero',
  'remove the hero text',
  'remove part of the hero',
  'delete some of the testimonials',
  'delete one of the testimonials',
  'remove half of the cards',
  'remove the first two cards',
  'remove the hero or the text',
  'delete the text and the hero',
  'delete everything below the hero',
  'remove the border of the cards',
  'remove the banner and put it on the prices page',
  'remove the banner from all pages',
  'move the text of the banner into the hero',
  'swap the headline with the subheading',
  'swap the texts of the hero and the banner',
  'replace the cards with a gallery',
  'turn the cards into a gallery',
  'change the cards to testimonials',
  'change the cards to three in the hero',
  'change the headline to the subheading',
  'change Courses to Classes in the menu',
  'add the banner to the prices page',
  'add a link to the first card',
  'add a card with the same text as the first one',
  'change the language of the site',
  'print the headline',
  'I want to print the FAQ',
  'look at the headline',
  'set the headline of all pages to "Hello"',
  'change the first card to "X" and hide the others',
  'put the hero away and the banner too',
  'the banner or the hero should go',
  'let the banner go',
  'make the headline go away',
  'the subheading can go',
  ['/team', 'Tom\'s card should say "Bakes bread and gets up early."'],
  ['/about', 'set the first stat to Many'],
  ['/contact', 'remove the phone number'],
  ['/courses', 'delete the tab about allergies'],
  ['/prices', 'remove the banner about students and the one about money'],
  ['/prices', 'Bread should be € 68'],
  ['/prices', 'change Bread to € 68'],
  ['/prices', '€ 65 and € 70 should be € 72'],
] as const

t.test('a wish is done, or is one click away', async (t) => {
  for (const [at, message, result] of understood) t.equal(oneClick(at, message), result, message)
})

t.test('a question is answered', async (t) => {
  for (const [at, message, answer] of answered) {
    const outcome = said(at, message)
    t.equal(outcome.kind, 'answer', message)
    if (outcome.kind === 'answer') t.match([outcome.summary, ...outcome.findings].join(' '), answer, message)
  }
})

t.test('what the product has no operation for is answered, and nothing else is offered', async (t) => {
  for (const [message, answer] of impossible) {
    const outcome = said('/', message)
    const { hint, offer, question } = { hint: '', offer: undefined, question: '', ...outcome }
    t.not(outcome.kind, 'plan', message)
    t.match(`${hint}${question}`, answer, message)
    t.equal(offer, undefined, message)
  }
  for (const [message, offer, hint] of completed) {
    t.match(said('/', message), { kind: 'unsupported', offer, hint }, message)
    t.match(said('/', offer), { kind: 'question' }, 'the offer asks for the rest')
  }
})

t.test('the words of a topic or a new text do not decide the wish', async (t) => {
  for (const [at, message, offer, omitted] of aboutOthers) {
    const outcome = said(at, message)
    t.match(outcome, { kind: 'unsupported', offer }, message)
    const { hint = '' } = { hint: '', ...outcome }
    t.ok(omitted === undefined ? !hint.includes('leave out') : hint.includes(`“${omitted}”`), hint)
  }
  for (const [message, answer] of commands) {
    const outcome = said('/', message)
    t.match(outcome, { kind: 'unsupported', hint: answer }, message)
    t.notMatch(outcome, { offer: /./ }, message)
  }
  t.match(said('/', 'a heading: Undo the damage'), { kind: 'plan' })
})

t.test('an item that only mentions the words is named, and not changed at once', async (t) => {
  for (const [at, message, name, result] of guessed) {
    const asked = said(at, message)
    t.match(asked, { kind: 'question', question: /^Do you mean / }, message)
    if (asked.kind !== 'question') continue
    t.ok(asked.question.includes(name), `${message}: ${asked.question}`)
    t.equal(oneClick(at, message), result, message)
    const replied = (reply: string) =>
      planByRules({ ...inputAt(at, reply), ...(asked.open && { open: asked.open }) })
    t.equal(notationOf(replied('yes'), inputAt(at, message)), result, message)
    for (const reply of doubts) t.not(replied(reply).kind, 'plan', `${message}: ${reply}`)
  }
  for (const [at, message, result] of named) t.equal(notationOf(said(at, message)), result, message)
})

t.test('no message leads to more, less or something else than it says', async (t) => {
  for (const each of adversarial) {
    const [at, message] = typeof each === 'string' ? ['/', each] : each
    const outcome = said(at, message)
    t.match(outcome.kind, /^(?:unsupported|question)$/, message)
    t.match({ offer: undefined, ...outcome }, { offer: undefined }, message)
    if (outcome.kind === 'question') t.equal(outcome.suggestions.length, 0, message)
  }
})
