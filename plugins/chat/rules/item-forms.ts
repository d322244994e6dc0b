/** The forms that add, move, copy and remove blocks and rows, and sentences about pages in the same words. */
import { form, type Form } from './match.ts'
import { typesNamed } from './names.ts'
import { one, readItem } from './references.ts'
import { texts } from './texts.ts'
import { phraseOf } from './tokens.ts'
import { copy, moveTo, remove, swap } from './item-changes.ts'
import { add, addable } from './new-content.ts'
import { ask } from './work.ts'

export const itemForms: readonly Form[] = [
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
]
