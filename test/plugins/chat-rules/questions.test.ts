import t from 'tap'
import { kayakPages } from '../../fixtures/chat/site.ts'
import { planFor } from '../../helpers/chat-rules.ts'

t.test('questions are answered, however short', (t) => {
  const asked: Readonly<Record<string, readonly string[]>> = {
    info: [
      'Which sections can I add?', 'What other blocks can I add', 'available blocks', 'List all block types', 'What else can I add?',
      'What can I change?', 'What can I edit', 'Which fields?', 'what props', 'Which fields can I edit here?',
      'List pages', 'show all the pages', 'Which pages are there?', 'How many pages?', 'how many pages are there',
      'list sections', 'How many headings?', 'How many buttons on this page?', 'show the links', 'List all images', 'how many cards', 'Show questions',
      'What is on this page?', "What's on /rentals?", 'Show me what is on the about us page', 'Was steht alles auf der Startseite?',
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

t.test('counts and lists match the draft', (t) => {
  const findings = (message: string, at = '/') => {
    const outcome = planFor(at, message)
    return outcome.kind === 'answer' ? outcome.findings : [outcome.kind]
  }
  t.strictSame(findings('list all pages', '/rentals'), [
    '/ “Home” (Hero, Feature Grid, Rich Text, Rich Text, Testimonials, Call to Action)', '/rentals “Rentals” (Hero, Card Grid, FAQ Accordion, Banner)', '/about “About us” (Hero, Stats)',
  ])
  t.equal(findings('how many sections are on this page?').length, kayakPages[0]?.blocks.length)
  t.strictSame(findings('list the buttons', '/'), ['Hero “Paddle the fjord”: Book a tour', 'Hero “Paddle the fjord”: Read more', 'Call to Action “Ready to launch?”: Reserve now'])
  t.equal(findings('how many questions are there?', '/rentals').length, 3)
  t.strictSame(findings('what can I edit here?', '/rentals b_faq_r.items[1].q'), ['Question', 'Answer'])
  t.strictSame(findings('what can I edit here?', '/rentals b_banner_r'), ['Text', 'Variant (info, success, warning)', 'Button text', 'Button link', 'Background Color', 'Text Color'])
  t.equal(findings('what can I edit here?', '/about').length, 2, 'one line per type')
  const onRentals = [/^Hero/, /^Card Grid/, /^FAQ/, /^Banner/]
  t.match(findings('which sections are there on the rentals page?'), onRentals)
  t.match(planFor('/', 'What is on /rentals?'), { kind: 'answer', summary: /4 on the page “Rentals”/, findings: onRentals })
  t.equal(findings('Wie viele Abschnitte gibt es auf dieser Seite?').length, kayakPages[0]?.blocks.length)
  t.end()
})

t.test('advice names missing sections, and answers about an FAQ', (t) => {
  t.match(planFor('/about', 'how can I improve this page?'), { kind: 'answer', status: 'advice', summary: /FAQ Accordion, Testimonials, Call to Action/ })
  t.match(planFor('/rentals', 'should I add an FAQ?'), { kind: 'answer', status: 'advice', summary: /already/ })
  t.match(planFor('/', 'should I add an FAQ?'), { kind: 'answer', status: 'advice', summary: /again and again/ })
  t.match(planFor('/', 'is a carousel a good idea?'), { kind: 'answer', status: 'advice' })
  t.end()

})
