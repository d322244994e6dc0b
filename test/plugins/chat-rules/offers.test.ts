import t from 'tap'
import { use } from '../../../kernel/index.ts'
import { mountForTest } from '../../../kernel/testing.ts'
import chatImages from '../../../plugins/chat/images/index.ts'
import chatRules from '../../../plugins/chat/rules/index.ts'
import chat from '../../../plugins/chat/index.ts'
import { kayakPages } from '../../fixtures/chat/site.ts'
import { chatClient, resultOf } from '../../helpers/chat.ts'
import { draftsInMemory } from '../../helpers/stack.ts'

/** Refused messages, each with the sentence that is offered first. */
const pairs = [
  ['Can you change the button "Book a tour" to "Book now"?', 'Change "Book a tour" to "Book now"'],
  ['The hero heading should say "Paddle with us"', 'Change the hero heading to "Paddle with us"'],
  ['Hide the testimonials', 'Remove the testimonials'],
  ['The button "Reserve now" needs to read "Book now"', 'Change "Reserve now" to "Book now"'],
  ['Could we have the testimonials above the feature grid?', 'Move the testimonials above the feature grid'],
  ['We need a gallery at the bottom', 'Add a gallery at the bottom'],
  ['Please get the FAQ in here', 'Add a faq'],
  ['Write "Closed in winter" into the hero subheading', 'Change the hero subheading to "Closed in winter"'],
  ['I want another feature "Hot cocoa"', 'Add a feature called "Hot cocoa"'],
  ['make a copy of the feature grid', 'Duplicate the feature grid'],
  ['Instead of "Safety first" write "Safety matters"', 'Change "Safety first" to "Safety matters"'],
  ['On the about us page, hide the stats', 'Remove the stats on the about us page'],
  ['build a page called "Jobs" for me', 'Create a page called "Jobs"'],
  ['The feature grid needs to be at the bottom', 'Move the feature grid at the bottom'],
  ['Could the testimonials come before the feature grid?', 'Move the testimonials before the feature grid'],
  ['Let the about us page come right after the home page', 'Move the about us page after the home page'],
  [
    'Switch the order of "Our story" and "Safety first"',
    'Swap the "Our story" section and the "Safety first" section',
  ],
  ['Make a copy of the rentals page called "Winter rentals"', 'Duplicate the rentals page'],
  ['Rename "About us" to "Our crew" in the navigation', 'Rename the About us link to "Our crew"'],
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
] as const

/** Messages whose words would make an edit that is not meant. */
const without = [
  'Our guests want a newsletter sign-up below the hero',
  'Get the about us page out of the menu',
  'Get the FAQ page off the navigation',
  'Update the number of boats to 45 on the about us page',
  'Link the button "Reserve now" to https://book.example.com',
]

t.test('the first suggestion of a refusal is the nearest sentence that works, of any length', async (t) => {
  const plugins = [use(chat, {}), use(chatRules), use(chatImages)]
  const mounted = mountForTest(t, draftsInMemory({ plugins }))
  for (const [at, [message, sentence]] of pairs.entries()) {
    const client = chatClient((request) => mounted.inject(request), { session: `s${at}` })
    await client.bootstrap(kayakPages)
    const before = await client.draftState()
    const refusal = resultOf(await client.say(message))
    const hint = `The closest that I can do: ${sentence}`
    t.match(refusal, { status: 'needs_clarification', debug: { hint } }, message)
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
  for (const message of without) t.notOk(resultOf(await client.say(message)).debug?.hint, message)
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
