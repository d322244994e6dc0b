import t from 'tap'
import { use } from '../../../kernel/index.ts'
import { mountForTest } from '../../../kernel/testing.ts'
import chatImages from '../../../plugins/chat/images/index.ts'
import chatRules from '../../../plugins/chat/rules/index.ts'
import chat from '../../../plugins/chat/index.ts'
import { inputFor, planByRules, resultOf as resultIn } from '../../helpers/chat-rules.ts'
import { kayakPages } from '../../fixtures/chat/site.ts'
import { chatClient, resultOf } from '../../helpers/chat.ts'
import { emptyList } from '../../helpers/plain.ts'
import { draftsInMemory } from '../../helpers/stack.ts'

/** Refused messages, each with the sentence that is offered first. */
const pairs = [
  ['The hero heading should say "Paddle with us"', 'Change the hero heading to "Paddle with us"'],
  ['Scrap the testimonials', 'Remove the testimonials'],
  ['The button "Reserve now" needs to read "Book now"', 'Change the button "Reserve now" to "Book now"'],
  ['Could we have the testimonials above the feature grid?', 'Move the testimonials above the feature grid'],
  ['We need a gallery at the bottom', 'Add an empty gallery at the bottom'],
  ['Please get the FAQ in here', 'Add an empty FAQ'],
  ['Write "Closed in winter" into the hero subheading', 'Change the hero subheading to "Closed in winter"'],
  ['I want another feature "Hot cocoa"', 'Add a feature called "Hot cocoa"'],
  ['make a copy of the feature grid', 'Duplicate the feature grid'],
  ['Instead of "Safety first" write "Safety matters"', 'Change "Safety first" to "Safety matters"'],
  ['On the about us page, scrap the stats', 'Remove the stats on the about us page'],
  ['build a page called "Jobs" for me', 'Create a page called "Jobs"'],
  ['The feature grid needs to be at the bottom', 'Move the feature grid at the bottom'],
  ['Could the testimonials come before the feature grid?', 'Move the testimonials before the feature grid'],
  [
    'Let the about us page come right after the home page',
    'Move the about us page right after the home page',
  ],
  [
    'Switch the order of "Our story" and "Safety first"',
    'Swap the "Our story" section and the "Safety first" section',
  ],
  [
    'Make a copy of the rentals page called "Winter rentals"',
    'Duplicate the rentals page to /winter-rentals and rename /winter-rentals to "Winter rentals"',
  ],
  [
    'Rename "About us" to "Our crew" in the navigation',
    'Rename the page "About us" to "Our crew" in navigation',
  ],
  [
    'Add a fourth card "Racer" to our boats on the rentals page',
    'Add a card called "Racer" on the rentals page',
  ],
  [
    'Add a new question "Is there parking?" with the answer "Yes." to the FAQ on the rentals page',
    'Add a question called "Is there parking?" with answer "Yes." on the rentals page',
  ],
  [
    'I would like "Can I cancel?" to be "How do I cancel?" on the rentals page',
    'Change "Can I cancel?" to "How do I cancel?" on the rentals page',
  ],
  ['Change Ana Ruiz to Anna Ruiz', 'Change "Ana Ruiz" to "Anna Ruiz"'],
  ['Replace paddle with row everywhere', 'Change "paddle" to "row" everywhere'],
  ['Ana Ruiz is spelled Anna Ruiz', 'Change "Ana Ruiz" to "Anna Ruiz"'],
  ['"Safety first" is now called Safety matters', 'Change "Safety first" to "Safety matters"'],
  ['Ready to launch? should say Ready to paddle', 'Change "Ready to launch?" to "Ready to paddle"'],
  ['make two columns instead of three', 'Change columns of the Feature grid to 2'],
  ['The hero should say that we are closed', 'Change the hero to "We are closed"'],
  ['take the testimonials out', 'Remove the testimonials'],
] as const

/**
 * Messages that name something more than a sentence near to them does, or less than it would remove or
 * replace.
 */
const without = [
  ['/rentals', 'delete the last row of the price table'],
  ['/rentals', 'Add a row "Wheels built" to the table'],
  ['/', 'copy the customer voices to the rentals page'],
  ['/', 'delete the comma in the hero'],
  ['/', 'Delete all testimonials'],
  ['/', 'Remove the second sentence of "Our story"'],
  ['/rentals', 'Delete the picture of the first card and the second card'],
  ['/', 'Add our phone number to the hero'],
  ['/', 'Hide the about us page'],
  ['/', 'Put the opening hours into the hero'],
  ['/', 'Add two testimonials'],
  ['/', 'replace the second testimonial with "Great shop"'],
  ['/', 'The text below "Our story" should have "Since 1998" in bold'],
  ['/', 'Could you change "Guided" to "Paid" in the second feature?'],
  ['/', 'change the meeting point to 9 Harbour Street'],
  ['/', 'Add a page break'],
  ['/', 'put "New!" in the feature grid'],
  ['/', 'Remove the price from the hero'],
  ['/', 'Duplicate the hero and make the copy green'],
  ['/', 'Move the map picture to the top'],
  ['/rentals', 'the double card should cost "40"'],
  ['/rentals', 'Get rid of the word "dogs" in the last question'],
  ['/', 'Our guests want a newsletter sign-up below the hero'],
  ['/', 'Get the about us page out of the menu'],
  ['/', 'Get the FAQ page off the navigation'],
  ['/', 'Update the number of boats to 45 on the about us page'],
  ['/', 'remove Ana Ruiz not Safety first'],
  ['/', 'Ana should say hello'],
  ['/', 'Safety first should be called Safety and Our story should be called Story'],
  ['/', 'Safety first is not Our story'],
  ['/', 'Delete the last testimonial but one'],
  ['/rentals', 'move the last card but one to the front'],
  ['/', 'change "fjord" in the headline'],
  ['/', 'replace "fjord" in the headline'],
  ['/', 'fix "Paddle" of the headline'],
  ['/', 'Clear the hero'],
  ['/', 'Create a page "Jobs" like the about us page'],
  ['/', 'remove last section of about us'],
  ['/', 'about us: remove the hero'],
  ['/rentals', 'Delete For two from the double card'],
  ['/', 'Empty the about us page'],
  ['/', 'delete the hero and its picture'],
  ['/', 'Remove the heading and the hero'],
  ['/', 'Delete the about us page and its menu entry'],
] as const

t.test('the first suggestion of a refusal is the nearest sentence that works, of any length', async (t) => {
  const plugins = [use(chat, {}), use(chatRules), use(chatImages)]
  const mounted = mountForTest(t, draftsInMemory({ plugins }))
  for (const [at, [message, sentence]] of pairs.entries()) {
    const client = chatClient((request) => mounted.inject(request), { session: `s${at}` })
    await client.bootstrap(kayakPages)
    const before = await client.draftState()
    const refusal = resultOf(await client.say(message))
    const hint = `I can ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}.`
    t.match(refusal, { status: 'needs_clarification', debug: { hint, offer: sentence } }, message)
    t.ok(refusal.summary.startsWith(hint), 'the offer replaces the general explanation')
    t.match(refusal.summary, /ANTHROPIC_API_KEY/)
    t.equal(refusal.suggestions?.[0], sentence, message)
    t.equal(await client.draftState(), before, message)
    const { status } = resultOf(await client.say(sentence))
    if (status === 'plan_ready') await client.approve()
    t.not(await client.draftState(), before, `${sentence} is an edit`)
  }
})

t.test('no sentence is offered whose words mean something else in the message', async (t) => {
  const mounted = mountForTest(
    t,
    draftsInMemory({ plugins: [use(chat, {}), use(chatRules), use(chatImages)] }),
  )
  const client = chatClient((request) => mounted.inject(request))
  await client.bootstrap(kayakPages)
  const before = await client.draftState()
  for (const [slug, message] of without) {
    const result = resultOf(await client.say(message, { slug }))
    t.equal(result.debug?.offer, undefined, message)
    t.equal(result.status, 'needs_clarification', message)
    t.equal(await client.draftState(), before, message)
  }
})

/** Messages of which a part is left out, with the offer and the part. */
const partly = [
  ['add a FAQ about winter tours', 'Add an empty FAQ', 'winter tours'],
  ['We need a gallery with pictures by Ben', 'Add an empty gallery', undefined],
  ['Make the headline shorter', 'Change the headline', 'shorter'],
  ['The subheading should be friendlier', 'Change the subheading', 'friendlier'],
] as const

t.test('what an offer leaves out is stated, and the offer adds or asks only', async (t) => {
  for (const [message, offer, omitted] of partly) {
    const outcome = planByRules(inputFor('/', message))
    if (omitted === undefined) t.notMatch(outcome, { offer }, message)
    else t.match(outcome, { offer, hint: `I leave out “${omitted}”.` }, message)
  }
  t.match(planByRules(inputFor('/', 'Translate the headline into French')), {
    hint: 'I leave out “Translate … French”.',
  })
  for (const message of ['New page: Jobs', 'Add page Jobs', 'I want a page for jobs'])
    t.match(planByRules(inputFor('/', message)), { offer: 'Create a page called "Jobs"' }, message)
  t.match(planByRules(inputFor('/', 'Get me an FAQ')), { hint: 'I can add an empty FAQ.' })
})

t.test('the opposite of what was asked is not offered', async (t) => {
  const outcome = planByRules(inputFor('/', 'Change "Book now" to "Book a tour"'))
  t.match(outcome, { kind: 'question', question: /No text here contains “Book now”/, suggestions: emptyList })
  t.match(planByRules(inputFor('/', 'Can we have "Hop on" instead of "Book a tour"?')), {
    offer: 'Change "Book a tour" to "Hop on"',
  })
})

t.test('what is done at once is what was named', async (t) => {
  const table = [
    ['/', 'Set the page description for Google to "Tours"', 'meta / {description: "Tours"}'],
    ['/about', 'Call this page "Crew" in the menu', 'site {navLabels: {"/about": "Crew"}}'],
    ['/', 'copy the testimonials to the rentals page', 'dup b_quotes_1 to /rentals'],
    ['/', 'Swap the stats with the hero', 'CLARIFY'],
    ['/', 'Swap the features with the hero', 'mv b_hero_1 after b_feat_1'],
    ['/', 'change our story to "Hello"', 'CLARIFY'],
    ['/', 'rename our story to "Hello"', 'set b_text_1 {title: "Hello"}'],
    ['/', 'Remove our story', '-block b_text_1'],
    ['/rentals', 'Delete the first card and the last one', 'UNSUPPORTED'],
    ['/rentals', 'Change the first question to "May I cancel?" and delete the last one', 'UNSUPPORTED'],
    ['/rentals', 'Duplicate the first card and rename the second one to "B"', 'UNSUPPORTED'],
    ['/rentals b_cards_r', 'delete the last one', 'UNSUPPORTED'],
    ['/rentals', 'Remove "on Mondays" from the banner', 'UNSUPPORTED'],
    ['/rentals', 'Delete Mondays in the banner', 'UNSUPPORTED'],
    ['/', 'Remove boat from the text section', 'UNSUPPORTED'],
    [
      '/',
      'Link the button "Reserve now" to https://book.example.com',
      'set b_cta_1 {ctaHref: "https://book.example.com"}',
    ],
    ['/', 'The button "Book a tour" should go to /about', 'UNSUPPORTED'],
    ['/rentals', 'delete the card with no button', 'UNSUPPORTED'],
    ['/rentals', 'delete the card on the left', 'CLARIFY'],
    ['/rentals', 'delete the new card', 'UNSUPPORTED'],
    ['/rentals', 'delete the card with the button', 'UNSUPPORTED'],
    ['/rentals', 'delete the question about boats', 'UNSUPPORTED'],
    ['/rentals', 'delete the card that you added', 'UNSUPPORTED'],
    ['/rentals', 'delete the card with the most text', 'UNSUPPORTED'],
    ['/rentals', 'delete the card that says "For two."', '-item b_cards_r.cards[1]'],
    ['/rentals', 'delete the question about cancel and the one about dogs', 'UNSUPPORTED'],
    ['/rentals', 'swap the hero for a banner', 'UNSUPPORTED'],
    ['/rentals', 'swap the hero with a gallery', 'UNSUPPORTED'],
    [
      '/rentals',
      'swap the first card with the third',
      'mvitem b_cards_r.cards[0] after 2; mvitem b_cards_r.cards[1] front',
    ],
    ['/about', 'Rename the page to "Crew"', 'ren /about to /crew titled "Crew"'],
    ['/', 'Move the about us page to the top of the menu', 'mvpage /about first'],
    ['/', 'Put the hero first in the menu', 'UNSUPPORTED'],
    ['/', 'Add an empty FAQ at the top', '+block FAQAccordion front on /'],
    ['/', 'Remove the "Read more" button', 'set b_hero_1 {secondaryCtaText: ""}'],
  ] as const
  for (const [at, message, result] of table) t.equal(resultIn(at, message), result, message)
})

t.test('a text without quotes that is asked about has the request with quotes as its choice', async (t) => {
  const mounted = mountForTest(
    t,
    draftsInMemory({ plugins: [use(chat, {}), use(chatRules), use(chatImages)] }),
  )
  const client = chatClient((request) => mounted.inject(request))
  await client.bootstrap(kayakPages)
  const asked = resultOf(await client.say('change the hero subheading to eBikes and kayaks for everyone'))
  const sentence = 'change the hero subheading to "eBikes and kayaks for everyone"'
  t.match(asked, { status: 'needs_clarification', suggestions: [sentence] })
  t.equal(resultOf(await client.say(sentence)).status, 'applied')
})

t.test('the menu calls a page that the chat creates by its title', async (t) => {
  const plugins = [use(chat, {}), use(chatRules), use(chatImages)]
  const mounted = mountForTest(t, draftsInMemory({ plugins }))
  const client = chatClient((request) => mounted.inject(request), { session: 's' })
  await client.bootstrap(kayakPages)
  const labels = async () => {
    const answer = await mounted.inject({ method: 'GET', url: '/draft/site-config?session=s' })
    return (await answer.json()) as { readonly navLabels?: object }
  }
  const { navLabels } = await labels()
  await client.say('Create a new page called "Über größe Äpfel"')
  t.same((await labels()).navLabels, { ...navLabels, '/über-größe-äpfel': 'Über größe Äpfel' })
  await client.say('Rename the page "Über größe Äpfel" to "Alte Birnen"')
  t.same((await labels()).navLabels, { ...navLabels, '/alte-birnen': 'Alte Birnen' })
})

t.test('an answer names the page to open, and the page whose last change is to be undone', async (t) => {
  const plugins = [use(chat, {}), use(chatRules), use(chatImages)]
  const mounted = mountForTest(t, draftsInMemory({ plugins }))
  const client = chatClient((request) => mounted.inject(request))
  await client.bootstrap(kayakPages)
  t.match(resultOf(await client.say('Open the about us page')), {
    status: 'info',
    mentionedSlugs: ['/about'],
  })
  t.match(resultOf(await client.say('undo', { slug: '/about' })), { status: 'info', undoSlug: '/about' })
  const { undoSlug, mentionedSlugs } = resultOf(await client.say('list all pages'))
  t.strictSame([undoSlug, mentionedSlugs], [undefined, undefined])
})
