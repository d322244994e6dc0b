import t from 'tap'
import type { Outcome } from '../../../plugins/chat/types/plan.ts'
import type { PlanningInput } from '../../../plugins/chat/types/planner.ts'
import { planByRules } from '../../../plugins/chat-rules/plan-by-rules.ts'
import { createRegistry } from '../../../plugins/content/registry.ts'
import { builtinBlocks } from '../../../plugins/content/blocks/index.ts'
import type { Page } from '../../../plugins/content/model.ts'
import {
  addBlock, addItem, addPage, after, item, moveBlock, removeBlock, removeItem, renamePage, set, type Step,
} from '../../fixtures/chat/notation.ts'
import { article, manifestOf, pageOf, siteManifest, teamWall } from '../../helpers/content.ts'
import { inputFor, planFor, stepsOf } from '../../helpers/chat-rules.ts'

const stepsIn = (outcome: Outcome): readonly Step[] | string => (outcome.kind === 'plan' ? stepsOf(outcome.plan.ops) : outcome.kind)

/** Plans the messages in order, each as the answer to the open question. */
function runDialogue(at: string, messages: readonly string[], more: Partial<PlanningInput> = {}): Outcome {
  let outcome: Outcome | undefined
  for (const message of messages) {
    const open = outcome?.kind === 'question' ? outcome.open : undefined
    const stored: unknown = JSON.parse(JSON.stringify(open?.memory ?? null))
    outcome = planByRules(inputFor(at, message, { ...more, ...(open && { open: { message: open.message, memory: stored } }) }))
  }
  if (!outcome) throw new Error('A dialogue needs a message.')
  return outcome
}

t.test('an answer completes the request of the open question', (t) => {
  const dialogues: readonly (readonly [at: string, messages: readonly string[], steps: readonly Step[] | string])[] = [
    ['/', ['remove the rich text', 'the second one'], [removeBlock('b_text_2')]],
    ['/', ['remove the rich text', 'second'], [removeBlock('b_text_2')]],
    ['/', ['remove the rich text', '2'], [removeBlock('b_text_2')]],
    ['/', ['remove the rich text', 'the last one'], [removeBlock('b_text_2')]],
    ['/', ['remove the rich text', '"Our story"'], [removeBlock('b_text_1')]],
    ['/', ['remove the rich text', 'the "Safety first" section'], [removeBlock('b_text_2')]],
    ['/', ['remove the rich text', 'the third one'], 'unsupported'],
    ['/', ['remove the rich text', 'the hero'], 'unsupported'],
    ['/', ['change the button text to "Go"', 'the hero'], [set('b_hero_1', { ctaText: 'Go' })]],
    ['/', ['change the button text to "Go"', 'the CTA'], [set('b_cta_1', { ctaText: 'Go' })]],
    ['/rentals', ['remove the question', 'the first one'], [removeItem('b_faq_r.items[0]')]],
    ['/', ['move the CTA', 'to the top'], [moveBlock('b_cta_1', 'front')]],
    ['/', ['move the CTA', 'after the hero'], [moveBlock('b_cta_1', after('b_hero_1'))]],
    ['/', ['change the headline', '"Big water"'], [set('b_hero_1', { heading: 'Big water' })]],
    ['/', ['change the headline', 'Big water'], [set('b_hero_1', { heading: 'Big water' })]],
    ['/', ['change the headline', 'to Big water'], [set('b_hero_1', { heading: 'Big water' })]],
    ['/', ['change the headline', 'something catchy'], 'unsupported'],
    ['/', ['create a new page', 'Harbour'], [addPage('/harbour', 'Harbour', ['Hero', { heading: 'Harbour' }])]],
    ['/', ['remove the hero?', 'yes'], [removeBlock('b_hero_1')]],
    ['/', ['remove the rich text', 'add an FAQ'], [addBlock('FAQAccordion', '/')]],
    ['/', ['change the rich text title to "X"', 'the first', 'remove the hero'], [removeBlock('b_hero_1')]],
    ['/', ['remove the pricing page', 'the about us page'], [{ do: 'remove page', slug: '/about' }]],
    ['/', ['swap the rich text and the rich text', 'the first one', 'the second one'], [moveBlock('b_text_1', after('b_text_2'))]],
    ['/', ['add a gallery after the rich text', 'the first one'], [addBlock('Gallery', '/', after('b_text_1'))]],
    ['/ b_hero_1.heading', ['change the subheading', '"Small water"'], [set('b_hero_1', { subheading: 'Small water' })]],
  ]
  for (const [at, messages, steps] of dialogues) t.strictSame(stepsIn(runDialogue(at, messages)), steps, `${messages.join(' — ')} (${at})`)
  t.end()
})

t.test('an invalid or outdated question state is ignored', (t) => {
  for (const memory of [undefined, null, 7, 'x', [], {}, { answers: 1 }, { answers: {}, key: 'Block@1', choices: 'no' }, { answers: { __proto__: 'x' }, joint: 'to' }]) {
    t.equal(planByRules(inputFor('/', 'the second one', { open: { message: 'remove the rich text', memory } })).kind, 'unsupported', JSON.stringify(memory))
  }
  const gone = { answers: {}, key: 'Block@1', choices: [{ id: 'b_gone', label: 'Gone' }] }
  t.equal(planByRules(inputFor('/', 'first', { open: { message: 'remove the rich text', memory: gone } })).kind, 'question')
  t.end()
})

t.test('each clause sees the changes of the previous ones', (t) => {
  const cases: readonly (readonly [at: string, message: string, steps: readonly Step[] | string])[] = [
    // The user may count what is on the screen.
    ['/', 'Remove the feature grid and delete the second section', 'unsupported'],
    ['/', 'move the CTA to the top, then remove the first section', 'unsupported'],
    ['/rentals', 'remove the first card and rename the first card to "Tandem"', 'question'],
    ['/rentals', 'remove the first card and rename "Double" to "Tandem"', [removeItem('b_cards_r.cards[0]'), item('b_cards_r.cards[0]', { title: 'Tandem' })]],
    ['/rentals', 'move the first card to the end and rename it to "Solo"', [{ do: 'move item', row: 'b_cards_r.cards[0]', spot: after(2) }, item('b_cards_r.cards[2]', { title: 'Solo' })]],
    ['/', 'add a gallery and move it to the top', [addBlock('Gallery', '/', 'front')]],
    ['/about', 'rename this page to Crew and remove the hero', [renamePage('/about', { to: '/crew', title: 'Crew' }), removeBlock('b_hero_a')]],
    ['/', 'remove the hero and change the hero heading to "X"', 'question'],
    ['/about', 'delete this page and change the headline to "x"', 'question'],
    ['/', 'create a page called Foo and delete the hero', 'question'],
    ['/', 'duplicate the CTA and rename it to "Last call"', 'question'],
    ['/', 'change the headline to X and remove it', 'question'],
    ['/', 'remove the hero and paint it blue', 'unsupported'],
    ['/', 'change the headline to "X" and keep the headline unchanged', 'question'],
    ['/', 'keep the headline unchanged', 'unsupported'],
    ['/', 'Don\'t delete the testimonials, delete the CTA', 'unsupported'],
    ['/', 'Don\'t forget to add a gallery', 'unsupported'],
    ['/', 'Don\'t touch the testimonials, they are fine', 'answer'],
    ['/', 'put the hero image on the left and swap the image and the text in the hero', 'unchanged'],
    ['/', 'move the CTA to the top and move it to the bottom', 'unchanged'],
    ['/', 'set the hero heading to "A" and set the hero heading to "B"', [set('b_hero_1', { heading: 'B' })]],
  ]
  for (const [at, message, steps] of cases) t.strictSame(stepsIn(planFor(at, message)), steps, message)
  t.end()
})

t.test('a change that a later clause undoes is left out', (t) => {
  t.equal(planFor('/', 'Set the meta description to "X" and clear the meta description').kind, 'unchanged')
  t.equal(planFor('/', 'change the hero headline to "X" and change the hero headline to "Paddle the fjord"').kind, 'unchanged')
  t.strictSame(stepsIn(planFor('/', 'remove the CTA, change the hero headline to "X" and change the hero headline to "Paddle the fjord"')), [removeBlock('b_cta_1')])
  t.end()
})

t.test('with a row or a text selected, a bare `this` does not mean the section', (t) => {
  t.equal(planFor('/rentals b_cards_r.cards[1].title', 'delete this').kind, 'question')
  t.equal(planFor('/ b_hero_1.heading', 'remove it').kind, 'question')
  t.strictSame(stepsIn(planFor('/ b_hero_1.heading', 'remove this section')), [removeBlock('b_hero_1')])
  t.end()
})

t.test('answers use the language of the user, suggested commands that of the message', (t) => {
  const outcome = planFor('/', 'remove the feature grid', { locale: 'de-AT' })
  t.match(outcome, { kind: 'plan', plan: { summary: /^Ich werde/ } })
  t.match(planFor('/', 'remove the rich text', { locale: 'de' }), { kind: 'question', question: /gemeint/, suggestions: [/^remove the first/, /^remove the second/] })
  t.match(planFor('/', 'help', { locale: 'de' }), { kind: 'answer', summary: /ANTHROPIC_API_KEY/ })
  for (const thanks of ['Thanks!', 'thank you', 'perfect']) t.match(planFor('/', thanks), { kind: 'answer', summary: /welcome/ }, thanks)
  for (const thanks of ['Danke!', 'vielen Dank', 'super']) t.match(planFor('/', thanks, { locale: 'de' }), { kind: 'answer', summary: /^Gern geschehen/ }, thanks)
  t.match(planFor('/', 'What can I edit on the hero?'), { kind: 'answer', findings: [/Heading|Headline/] })
  t.match(planFor('/', 'remove the feature grid', { locale: 'pt' }), { kind: 'plan', plan: { summary: /^I will/ } })
  t.match(planFor('/', 'Entferne das Feature-Raster', { locale: 'en' }), { kind: 'plan', plan: { summary: /^I will/ } })
  t.match(planFor('/', 'entferne den Textabschnitt', { locale: 'en' }), { kind: 'question', question: /mean/, suggestions: [/^entferne den ersten/, /^entferne den zweiten/] })
  t.match(planFor('/', 'Supprime le bandeau', { locale: 'de' }), { kind: 'unsupported', suggestions: [/^Ändere /] })
  t.match(planFor('/', 'Supprime le bandeau', { locale: 'fr' }), { kind: 'unsupported', suggestions: [/^Rewrite /] })
  t.end()
})

t.test('links with script schemes or protocol-relative URLs are refused', (t) => {
  for (const target of ['javascript:alert(1)', '"javascript:alert(1)"', '//evil.example', '"data:text/html,x"', '"/\\evil.example"', '"https://"', 'vbscript:x']) {
    t.not(planFor('/', `set the hero button link to ${target}`).kind, 'plan', target)
    t.not(planFor('/', `link the hero button to ${target}`).kind, 'plan', target)
  }
  t.not(planFor('/', 'set the hero image to mailto:a@b.test').kind, 'plan')
  t.not(planFor('/', 'change the logo to "javascript:x"').kind, 'plan')
  t.end()
})

t.test('block types of a site are recognized by their names', (t) => {
  const page = pageOf('/', [{ id: 'b_wall', type: 'TeamWall', props: { title: 'Us', rows: [] } }, { id: 'b_art', type: 'Article', props: { heading: 'News' } }])
  const more = { draft: { version: 1, pages: [page], config: {} }, manifest: siteManifest }
  t.strictSame(stepsIn(planFor('/', 'set the team wall title to "All of us"', more)), [set('b_wall', { title: 'All of us' })])
  t.strictSame(stepsIn(planFor('/', 'move the article to the top', more)), [moveBlock('b_art', 'front')])
  t.equal(planFor('/', 'change the office of the team wall to "Oslo"', more).kind, 'question', 'a reference is managed elsewhere')
  t.equal(planFor('/', 'add a hero', { ...more, manifest: manifestOf([teamWall, article]) }).kind, 'question', 'the manifest declares no such type')
  t.strictSame(stepsIn(planFor('/', 'create a page called Club', { ...more, manifest: manifestOf([teamWall, article]) })), [addPage('/club', 'Club')], 'no hero if the site has no such type')
  t.match(planFor('/', 'what sections can I add?', { ...more, manifest: manifestOf([teamWall, article]) }), { kind: 'answer', findings: [/Team wall/, /Article/] })
  t.end()
})

t.test('a value over the limit of a site leads to a question', (t) => {
  const page = pageOf('/', [{ id: 'b_art', type: 'Article', props: { heading: 'News' } }])
  const more = { draft: { version: 1, pages: [page], config: {} }, manifest: siteManifest }
  t.equal(planFor('/', `change the heading to "${'x'.repeat(61)}"`, more).kind, 'question')
  t.strictSame(stepsIn(planFor('/', `change the heading to "${'x'.repeat(60)}"`, more)), [set('b_art', { heading: 'x'.repeat(60) })])
  t.end()
})

t.test('pinned blocks do not move, and new blocks are added between them', (t) => {
  const pinned: Page = pageOf('/', [
    { id: 'b_head', type: 'SiteHeader', props: { siteName: 'Kayaks', logoUrl: '/l.svg', links: [] } }, { id: 'b_hero', type: 'Hero', props: builtin('Hero') },
    { id: 'b_cta', type: 'CTA', props: builtin('CTA') }, { id: 'b_foot', type: 'Footer', props: { copyright: '© us', columns: [] } },
  ])
  const more = { draft: { version: 1, pages: [pinned], config: {} } }
  t.strictSame(stepsIn(planFor('/', 'add a gallery', more)), [addBlock('Gallery', '/', after('b_cta'))])
  t.strictSame(stepsIn(planFor('/', 'move the CTA to the top', more)), [moveBlock('b_cta', after('b_head'))])
  t.strictSame(stepsIn(planFor('/', 'remove everything', more)), [removeBlock('b_hero'), removeBlock('b_cta')])
  t.strictSame(stepsIn(planFor('/', 'change the copyright to "© all of us"', more)), [set('b_foot', { copyright: '© all of us' })])
  for (const message of ['remove the footer', 'duplicate the footer', 'move the footer to the top', 'add a footer', 'swap the hero and the footer']) t.equal(planFor('/', message, more).kind, 'question', message)
  t.end()
})

t.test('an empty page and a single page can be edited', (t) => {
  const more = { draft: { version: 1, pages: [pageOf('/', [])], config: {} } }
  t.strictSame(stepsIn(planFor('/', 'add a hero', more)), [addBlock('Hero', '/')])
  t.equal(planFor('/', 'remove the hero', more).kind, 'question')
  t.equal(planFor('/', 'delete this page', more).kind, 'question')
  t.match(planFor('/', 'sing a song', more), { kind: 'unsupported' })
  t.equal(planFor('/nowhere', 'add a hero').kind, 'unsupported', 'a page that is not in the draft')
  t.end()
})

t.test('types registered later are recognized', (t) => {
  const registry = createRegistry(builtinBlocks)
  t.equal(planFor('/', 'add a timetable', { registry }).kind, 'unsupported')
  registry.register({ type: 'Timetable', propsSchema: { type: 'object' }, meta: { displayName: 'Timetable', fields: { title: { kind: 'text' } } } })
  t.equal(planFor('/', 'add a timetable', { registry }).kind, 'plan')
  t.end()
})

t.test('rows stay in their lists', (t) => {
  t.not(planFor('/', 'add 11 features').kind, 'plan')
  const none = 'remove the first card, the second card and the third card'
  t.match(planFor('/rentals', none), { kind: 'question', question: /^This is the only one left of “Cards”/ })
  t.match(planFor('/rentals', none, { locale: 'de' }), { kind: 'question', question: /„Karten“ hat nur noch diesen Eintrag/ })
  t.strictSame(stepsIn(planFor('/rentals', 'add a card after the "Single" card')), [addItem('b_cards_r.cards', {}, after(0))])
  t.not(planFor('/rentals', 'move the first card before the first question').kind, 'plan')
  t.end()
})

t.test('the question about a text in lower case quotes the text, not the same letters before it', (t) => {
  t.match(planFor('/', 'change the headline to head'), { kind: 'question', suggestions: ['change the headline to "head"'] })
  t.match(planFor('/', 'Headline: Head'), { kind: 'question', suggestions: ['Headline: "Head"'] })
  t.end()
})

function builtin(type: string) {
  return createRegistry(builtinBlocks).get(type)?.starter() ?? {}
}
