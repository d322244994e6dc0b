import t, { type Test } from 'tap'
import {
  addBlock, addItem, addPage, after, copyBlock, copyPage, front, item, meta, moveBlock, moveItem, movePage, removeBlock, removeItem, removePage, renamePage, set, site, type Expected,
} from '../../fixtures/chat/notation.ts'
import { draftAfterPlan, planFor, sketchAfter, sketchOf, stepsOf } from '../../helpers/chat-rules.ts'

type Case = readonly [at: string, message: string, gives: Expected]

function check(t: Test, cases: readonly Case[]): void {
  for (const [at, message, gives] of cases) {
    const outcome = planFor(at, message)
    const name = `${message} (${at})`
    if (outcome.kind !== 'plan') {
      t.equal(outcome.kind, gives, name)
      continue
    }
    t.strictSame(stepsOf(outcome.plan.ops), gives, name)
    if (typeof gives !== 'string') t.strictSame(sketchOf(draftAfterPlan(outcome.plan.ops)), sketchAfter(gives), name)
  }
  t.end()
}

t.test('a text alone names a block or a row, as long as only one thing is called so', (t) => check(t, [
  ['/', 'Move "Dry gear" before "Small groups"', [moveItem('b_feat_1.features[2]', after(0))]],
  ['/', '"Dry gear" should come first', [moveItem('b_feat_1.features[2]', front)]],
  ['/', 'Duplicate "Our story"', [copyBlock('b_text_1')]],
  ['/', 'Move Our story to the end', [moveBlock('b_text_1', after('b_cta_1'))]],
  ['/', 'delete "Dry gear"', [removeItem('b_feat_1.features[2]')]],
  ['/', 'Remove "Small groups"?', 'question'],
  ['/', 'Remove Our story', 'unsupported'],
  ['/', 'Rename "Rentals" to "Boats"', 'question'],
  ['/about', 'Rename the label "Years" to "Seasons"', [item('b_stats_a.stats[0]', { label: 'Seasons' })]],
  ['/about', 'Change the Boats stat from 40 to 45', [item('b_stats_a.stats[1]', { value: '45' })]],
  ['/about', 'Change the Boats stat from 41 to 45', 'question'],
  ['/', 'Dry gear should be called "Warm gear"', [item('b_feat_1.features[2]', { title: 'Warm gear' })]],
  ['/rentals', '"Can I cancel?": the answer should be "Any time."', [item('b_faq_r.items[0]', { a: 'Any time.' })]],
  ['/', 'Change Ben\'s name to "Ben Olsen"', [item('b_quotes_1.items[1]', { author: 'Ben Olsen' })]],
]))

t.test('a field goes by what it says now', (t) => check(t, [
  ['/', 'Make the "Book a tour" button say "Book today"', [set('b_hero_1', { ctaText: 'Book today' })]],
  ['/', 'rename the title "Our story" to "How it began"', [set('b_text_1', { title: 'How it began' })]],
  ['/', 'Change the button from "Book a tour" to "Book now"', [set('b_hero_1', { ctaText: 'Book now' })]],
  ['/', 'Change the headline from "Go north" to "Go south"', 'question'],
  ['/', 'The headline reads "Paddle the fjord", please make it "Go paddling"', [set('b_hero_1', { heading: 'Go paddling' })]],
  ['/', 'The "Learn more" button should say "Read on"', 'unsupported'],
  ['/', 'Our new tagline is "Calm water"', [set('b_hero_1', { subheading: 'Calm water' })]],
  ['/', 'Our tagline is "Calm water"', 'unsupported'],
  ['/', '"Calm water" should be the tagline', [set('b_hero_1', { subheading: 'Calm water' })]],
]))

t.test('a part of a button, of a picture or of a block is found through its owner', (t) => check(t, [
  ['/', 'change the label of the hero button to "Join"', [set('b_hero_1', { ctaText: 'Join' })]],
  ['/', 'the link behind the hero button should be /about', [set('b_hero_1', { ctaHref: '/about' })]],
  ['/', 'change the link of the hero link to /about', [set('b_hero_1', { ctaHref: '/about' })]],
  ['/', 'change the link of the headline to /about', 'unsupported'],
  ['/', 'Hero button → /about', 'question'],
  ['/', 'change the text of the hero image to "Hello"', 'unsupported'],
  ['/', 'change the alt text of the headline to "Hello"', 'unsupported'],
  ['/', 'the text above the testimonials should be "Hello"', 'unsupported'],
  ['/rentals', 'Link the first card to /about', [item('b_cards_r.cards[0]', { ctaHref: '/about' })]],
  ['/', 'Link the hero to /about', 'unsupported'],
  ['/rentals', 'Add a button "Prices" to the banner that links to /about', [set('b_banner_r', { ctaText: 'Prices', ctaHref: '/about' })]],
  ['/rentals', 'Give the banner a text saying "Prices" that links to /about', 'unsupported'],
  ['/rentals', 'Use /img/b.jpg for the Double card', [item('b_cards_r.cards[1]', { imageUrl: '/img/b.jpg' })]],
  ['/rentals', 'Use /about for the Double card', 'unsupported'],
  ['/', 'the CTA button should say "Go" and link to /about', [set('b_cta_1', { ctaText: 'Go', ctaHref: '/about' })]],
  ['/', 'Move the CTA to the top and make it say "Go"', 'unsupported'],
]))

t.test('a clause goes on with what the one before did', (t) => check(t, [
  ['/', 'CTA: title "One", description "Two"', [set('b_cta_1', { title: 'One', description: 'Two' })]],
  ['/rentals', 'Second card: Moving on!', [item('b_cards_r.cards[1]', { title: 'Moving on!' })]],
  ['/rentals', 'Second card: Move to the top', 'unsupported'],
  ['/rentals', 'Second card: move to the top', 'unsupported'],
  ['/', 'On the rentals page, in the banner: change the text to "Open"', [set('b_banner_r', { text: 'Open' })]],
  ['/', 'add a hero at the top and a CTA at the bottom', [addBlock('Hero', '/', front), addBlock('CTA', '/')]],
  ['/', 'move the CTA to the top and the hero to the bottom', [moveBlock('b_cta_1', front), moveBlock('b_hero_1', after('b_quotes_1'))]],
  ['/', 'the second to "Duo"', 'unsupported'],
  ['/', 'Set the CTA title to "A" and the headline to "B"', 'unsupported'],
  ['/', 'In the hero, remove the CTA', 'question'],
  ['/', 'In the feature grid, remove the hero', 'unsupported'],
  ['/', 'Change the headline to "A" and the second to "B"', 'unsupported'],
  ['/', 'Change the meta title to "A" and the meta description to "B"', [meta('/', { title: 'A', description: 'B' })]],
  ['/', 'Set the meta title of the rentals page to "A" and the meta description to "B"', [meta('/rentals', { title: 'A', description: 'B' })]],
  ['/', 'Rename the about us page to Crew and set its meta description to "B"', [renamePage('/about', { to: '/crew', title: 'Crew' }), meta('/crew', { description: 'B' })]],
  ['/', 'Change the title of the home page to "Home" and set its meta description to "B"', [meta('/', { description: 'B' })]],
  ['/', 'Set the site name to Fjordline and the logo to /img/logo.svg', [site({ name: 'Fjordline' }), site({ logo: '/img/logo.svg' })]],
  ['/', 'Delete the eyebrow and the CTA description', 'question'],
  ['/', 'Clear the eyebrow and the second button', [set('b_hero_1', { eyebrow: '', secondaryCtaText: '', secondaryCtaHref: '' })]],
]))

t.test('several things are counted, listed and swapped', (t) => check(t, [
  ['/', 'Remove the last two features', [removeItem('b_feat_1.features[2]'), removeItem('b_feat_1.features[1]')]],
  ['/', 'Remove features 1 and 2', [removeItem('b_feat_1.features[1]'), removeItem('b_feat_1.features[0]')]],
  ['/', 'Remove the second two features', 'unsupported'],
  ['/', 'Remove features 1 and 1', [removeItem('b_feat_1.features[0]')]],
  ['/', 'Remove sections 2 and 2', [removeBlock('b_feat_1')]],
  ['/', 'Remove "Dry gear" from the feature grid', [removeItem('b_feat_1.features[2]')]],
  ['/', 'Remove the feature', 'question'],
  ['/', 'Take the first testimonial out of the feature grid', 'unsupported'],
  ['/', 'We no longer need the last feature, it can go', [removeItem('b_feat_1.features[2]')]],
  ['/', 'Take the first feature out of the feature grid', [removeItem('b_feat_1.features[0]')]],
  ['/', 'Swap the first three features', 'unsupported'],
  ['/', 'Swap the first three sections', 'unsupported'],
  ['/', 'Swap the first two sections', [moveBlock('b_hero_1', after('b_feat_1'))]],
  ['/', 'Swap sections 1 and 2', [moveBlock('b_hero_1', after('b_feat_1'))]],
  ['/', 'Remove the last two sections', [removeBlock('b_cta_1'), removeBlock('b_quotes_1')]],
  ['/', 'add the features "A" and "B"', [addItem('b_feat_1.features', { title: 'A' }), addItem('b_feat_1.features', { title: 'B' })]],
  ['/', 'add three features: "A" and "B"', 'unsupported'],
  ['/', 'add the features "A" and "B" at the top', 'unsupported'],
  ['/', 'Create three pages: Jobs and Press', 'unsupported'],
  ['/', 'Delete the rentals and about us pages', [removePage('/rentals'), removePage('/about')]],
  ['/rentals', 'show two cards per row', [set('b_cards_r', { columns: '2' })]],
]))

t.test('something new is told from what is there', (t) => check(t, [
  ['/', 'New testimonial from Ben: "Again!"', [addItem('b_quotes_1.items', { quote: 'Again!', author: 'Ben' })]],
  ['/', 'New testimonial from Ben', 'unsupported'],
  ['/', 'Add a quote from Kim saying "Great"', [addBlock('Quote', '/', undefined, { quote: 'Great', author: 'Kim' })]],
  ['/', 'Put a banner on the rentals page: "Closed"', [addBlock('Banner', '/rentals', undefined, { text: 'Closed' })]],
  ['/rentals', 'Put "Closed" on the banner', [set('b_banner_r', { text: 'Closed' })]],
  ['/', 'Add a testimonial by somebody famous', 'unsupported'],
  ['/rentals', 'add a card "Canoe" at the end, description "Stable", link /about', [addItem('b_cards_r.cards', { title: 'Canoe', description: 'Stable', ctaHref: '/about' })]],
  ['/rentals', 'add a card "Canoe" linking to /about', [addItem('b_cards_r.cards', { title: 'Canoe', ctaHref: '/about' })]],
  ['/rentals', 'put a card at the bottom of the card grid', [addItem('b_cards_r.cards')]],
  ['/', 'Start this page with a banner', [addBlock('Banner', '/', front)]],
  ['/', 'End this page with the hero', [moveBlock('b_hero_1', after('b_cta_1'))]],
  ['/', 'new page: contact', 'unsupported'],
  ['/', 'Create a page named Partners /our-partners', 'unsupported'],
  ['/', 'Duplicate /rentals and call it "Winter"', [copyPage('/rentals', '/winter', 'Winter')]],
  ['/', 'Make "Tides" a page', 'unsupported'],
  ['/', 'Add a Tides page containing a gallery', [addPage('/tides', 'Tides', ['Hero', { heading: 'Tides' }], ['Gallery', {}])]],
]))

t.test('things are where the sentence says', (t) => check(t, [
  ['/rentals', 'Show the stats before the hero on the about us page', [moveBlock('b_stats_a', front)]],
  ['/rentals', 'Move the hero to the bottom of the about us page', 'question'],
  ['/about', 'Move the hero to the bottom of the about us page', [moveBlock('b_hero_a', after('b_stats_a'))]],
  ['/', 'Move up the CTA', [moveBlock('b_cta_1', after('b_text_2'))]],
  ['/rentals', 'Put Family before Single', [moveItem('b_cards_r.cards[2]', front)]],
  ['/', 'Move the hero two down', [moveBlock('b_hero_1', after('b_text_1'))]],
  ['/', 'Move the carousel below the video on the about us page', 'question'],
  ['/', 'put About us first in the navigation', [movePage('/about', front)]],
  ['/', 'Put Rentals in a dropdown called "Boats"', [site({ navGroups: { Boats: ['/rentals'] } })]],
]))

t.test('what only asks is answered, however short it is', (t) => {
  const asked: Readonly<Record<string, readonly string[]>> = {
    info: [
      'Which sections can I add?', 'What other blocks can I add', 'available blocks', 'List all block types', 'What else can I add?',
      'What can I change?', 'What can I edit', 'Which fields?', 'what props', 'Which fields can I edit here?',
      'List pages', 'show all the pages', 'Which pages are there?', 'How many pages?', 'how many pages are there',
      'list sections', 'How many headings?', 'How many buttons on this page?', 'show the links', 'List all images', 'how many cards', 'Show questions',
      'help', 'What can you do?', 'hello', "Don't touch the hero", 'Never change the heading', 'redo', 'Go live',
    ],
    advice: ['Should I add a gallery?', 'Do you recommend a video?', 'Is a FAQ a good idea?', 'How can I improve this page?', 'What should be improved?', 'Review this page', 'audit this page'],
    unsupported: ['How many people visit us?', 'Which fields of science are there?', 'Which is the best hero?', 'Has the hero been removed'],
  }
  for (const [wanted, messages] of Object.entries(asked)) {
    for (const message of messages) {
      const outcome = planFor('/', message)
      t.equal(outcome.kind === 'answer' ? outcome.status : outcome.kind, wanted, message)
    }
  }
  t.end()
})
