/** The forms that change texts, links, images and settings. */
import { isText } from '../../content/fields.ts'
import { form, type Form } from './match.ts'
import { one } from './references.ts'
import { assign, clear, link, putOnSide, replace, set, setMain, withRows } from './field-changes.ts'
import { allBlocks, pageAt, selected } from './work.ts'

export const fieldForms: readonly Form[] = [
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
]
