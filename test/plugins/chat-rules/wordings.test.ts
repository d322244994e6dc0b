/** Whole messages in English and German with the sentence that is offered for each, done with one click. */
import t from 'tap'
import type { Outcome } from '../../../plugins/chat/port.ts'
import { ownFolder, readDataSet } from '../../eval/data-set.ts'
import { inputFor, notationOf, planByRules } from '../../helpers/chat-rules.ts'

const { fixture } = await readDataSet(ownFolder)
const updatedAt = '2026-01-01T00:00:00.000Z'
const draft = { version: 1, pages: fixture.map((page) => ({ ...page, updatedAt })), config: {} }
const said = (at: string, message: string): Outcome => planByRules(inputFor(at, message, { draft }))
const offerOf = (outcome: Outcome) => (outcome.kind === 'unsupported' ? outcome.offer : undefined)

const offered = [
  // A text that the page has once
  ['/', 'Instead of "Hungry?" it should say "Ready to cook?"', 'set b_cta_home {title: "Ready to cook?"}'],
  ['/about', 'instead of "old net loft" write "boat house"', /^set b_text_story .*boat house/],
  ['/', 'Statt "See prices" soll dort "Preise" stehen', 'set b_hero_home {secondaryCtaText: "Preise"}'],
  ['/', 'where it says Since 2009 it should say Since 2008', 'set b_hero_home {eyebrow: "Since 2008"}'],
  ['/', 'where it says Since 2009 it should be 2010', 'set b_hero_home {eyebrow: "Since 2010"}'],
  ['/prices', 'where it says € 65 it should say € 68', /Bread", 1: "€ 68"/],
  [
    '/courses',
    'where it says two evenings it should be three',
    /cards\[0\] \{description: "Three evenings, one/,
  ],
  ['/', 'wo "Since 2009" steht, soll "Seit 2009" stehen', 'set b_hero_home {eyebrow: "Seit 2009"}'],
  ['/', 'I don\'t like "Book now", make it "Reserve"', 'set b_cta_home {ctaText: "Reserve"}'],
  ['/', 'Der Kurs Fresh pasta heißt jetzt Pasta', 'item b_cards_home.cards[1] {title: "Pasta"}'],
  // A field, and what is under a title
  ['/', 'the subheading is too long, please write Cook well', 'set b_hero_home {subheading: "Cook well"}'],
  ['/', 'Die Unterzeile ist zu lang, schreib bitte "Kochen"', 'set b_hero_home {subheading: "Kochen"}'],
  ['/about', 'Our story: We opened in 2009.', 'set b_text_story {body: "We opened in 2009."}'],
  // What is to go
  ['/', 'Bread is fully booked, please remove it', '-item b_cards_home.cards[0]'],
  ['/team', 'Tom has moved away, take him off', '-item b_cards_team.cards[1]'],
  ['/team', 'Noor hat aufgehört, bitte lösche sie', '-item b_cards_team.cards[2]'],
  ['/', 'Jonas Weber would like his quote removed', '-item b_quotes_home.items[1]'],
  ['/prices', 'please remove the sentence about Tuesdays', '-block b_banner_prices'],
  ['/questions', 'Die Frage mit dem Voucher bitte weg', '-item b_faq_questions.items[3]'],
  ['/', 'remove the line that says Since 2009', 'set b_hero_home {eyebrow: ""}'],
  ['/gallery', 'Bitte die Galerie entfernen', '-block b_gal'],
  ['/courses', 'die Reiter bitte weg', '-block b_tabs_courses'],
  // Places
  ['/gallery', 'Verschieb die Galerie ganz nach unten', 'mv b_gal after b_video'],
  ['/about', 'Schieb die Zahlen nach oben', 'mv b_stats_about after b_text_story'],
  // What is new
  [
    '/questions',
    'add this question: Do you take cards? The answer: Yes.',
    '+item b_faq_questions.items {q: "Do you take cards?", a: "Yes."}',
  ],
  [
    '/courses',
    'Weitere Frage: "Gibt es WLAN?" Antwort: "Ja."',
    '+item b_faq_courses.items {q: "Gibt es WLAN?", a: "Ja."}',
  ],
  ['/', 'the team page is missing in the menu', '+item b_header.links {label: "Team", href: "/team"}'],
  ['/', 'Im Menü fehlt noch die Seite Gallery', '+item b_header.links {label: "Gallery", href: "/gallery"}'],
  [
    '/courses',
    'add another course called "Pizza" to this season',
    /^\+item b_cards_courses.cards \{title: "Pizza"/,
  ],
  // Settings and numbers
  ['/gallery', 'Die Diashow soll automatisch laufen', 'set b_car {autoplay: "true"}'],
  ['/gallery', 'let the carousel play on its own', 'set b_car {autoplay: "true"}'],
  ['/about', 'we now have 14 chairs', 'item b_stats_about.stats[2] {value: "14"}'],
  ['/about', 'wir hatten schon 5.000 Guests', 'item b_stats_about.stats[1] {value: "5.000"}'],
] as const

/** Messages that are near to these, and name no one thing, nothing that is there, or no change. */
const refused = [
  ['/', 'Statt "Book a place" soll da "Reserve" stehen'],
  ['/team', 'Die Köchin Noor heißt jetzt Nora'],
  ['/team', 'Noor ist nicht mehr da, bitte lösche sie'],
  ['/', 'instead of "Nothing" it should say "Something"'],
  ['/', 'Instead of "Hungry?" don\'t write "Ready?"'],
  ['/', 'Statt "Book now" soll da nicht "Jetzt buchen" stehen'],
  ['/', 'where it says book a place it should say Reserve'],
  ['/contact', 'where it says five to ten in the evening it should be six'],
  ['/courses', 'drop the line about trimmings'],
  ['/', 'Bread has a wrong price, remove it'],
  ['/', 'Bread is the wrong course, remove it'],
  ['/', 'Der Kurs Brot heißt jetzt Bread'],
  ['/', 'Wie heißt der Kurs Bread jetzt?'],
  ['/', 'Knife skills is not sold out, take it off'],
  ['/', 'Knife skills is sold out'],
  ['/', 'Knife skills is sold out, take it off?'],
  ['/', 'Sushi is sold out, take it off'],
  ['/courses', 'Sourdough is sold out, take it off the home page'],
  ['/about', 'drop the line about guests'],
  ['/about', 'drop the line about the stove'],
  ['/contact', 'remove the sentence about ten in the evening'],
  ['/courses', 'Die Frage mit dem Parkplatz bitte raus'],
  ['/', 'Den Banner bitte nicht löschen'],
  ['/', 'Soll ich den Banner löschen?'],
  ['/', 'Den Banner löschen?'],
  ['/about', 'Bitte den Text löschen'],
  ['/', 'Schieb die Galerie ganz nach unten'],
  ['/', 'new question: Do you have gift cards? Answer: Yes.'],
  ['/', 'add Prices to the menu'],
  ['/', 'add Imprint to the menu'],
  ['/contact', 'Imprint is missing in the menu'],
  ['/', 'add a new course Pizza to the next courses'],
  ['/gallery', "don't let the slideshow run by itself"],
  ['/', 'let the slideshow run by itself'],
  ['/about', 'we have had 5,000 visitors by now'],
  ['/about', 'have we had 5,000 guests by now?'],
  ['/', 'Opening hours: Tuesday to Saturday'],
] as const

t.test('a whole message is one click away from what it says', async (t) => {
  for (const [at, message, result] of offered) {
    const outcome = said(at, message)
    const offer = offerOf(outcome)
    const done = outcome.kind === 'plan' ? outcome : said(at, offer ?? '')
    const notation = notationOf(done, inputFor(at, message, { draft }))
    t.match(notation, result, message)
  }
})

t.test('a message that names no one thing, or no change, is offered none', async (t) => {
  for (const [at, message] of refused) {
    const outcome = said(at, message)
    t.not(outcome.kind, 'plan', message)
    t.equal(offerOf(outcome), undefined, message)
  }
})
