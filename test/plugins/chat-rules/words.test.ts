import t from 'tap'
import { isConfirmation, isRefusal, wantsPlanFirst as asksForPlanFirst } from '../../../plugins/chat-rules/message/replies.ts'
import { cleanMessage } from '../../../plugins/chat-rules/message/request.ts'
import { tokensOf } from '../../../plugins/chat-rules/message/tokens.ts'
import { removeBlock, set, type Step } from '../../fixtures/chat/notation.ts'
import { planFor, stepsOf } from '../../helpers/chat-rules.ts'

function stepsFor(message: string, at = '/'): readonly Step[] | string {
  const outcome = planFor(at, message)
  return outcome.kind === 'plan' ? stepsOf(outcome.plan.ops) : outcome.kind
}

const headline = (heading: string) => [set('b_hero_1', { heading })]

t.test('tokens have a kind and offsets', (t) => {
  const cases: readonly (readonly [message: string, kinds: string])[] = [
    ['Set the heading', 'word:Set word:the word:heading'],
    ['call-to-action', 'word:call word:to word:action'], ['2-3 - a-', 'word:2 sign:- word:3 sign:- word:a sign:-'],
    ["the hero's text", "word:the word:hero word:'s word:text"],
    ["don't, I'd", "word:don't sign:, word:I'd"],
    ['"a b" `c` \'d\'', 'quoted:a b quoted:c quoted:d'],
    ['“a” „b“ «c» ‘d’', 'quoted:a quoted:b quoted:c quoted:d'],
    ["'it's mine' here", "quoted:it's mine word:here"],
    ['see /a/b, and /c.', 'word:see route:/a/b sign:, word:and route:/c sign:.'],
    ['and/or', 'word:and sign:/ word:or'],
    ['https://a.test/x?y=1. mailto:a@b.test tel:+47', 'address:https://a.test/x?y=1 sign:. address:mailto:a@b.test address:tel:+47'],
    ['#fff #0a3d62 #top #2', 'color:#fff color:#0a3d62 address:#top sign:# word:2'],
    ['b_hero_1.', 'blockId:b_hero_1 sign:.'],
    ['a -> b → c', 'word:a sign:-> word:b sign:→ word:c'],
    ['rgb(1, 2, 3)', 'color:rgb(1, 2, 3)'],
    ['open " quote', 'word:open sign:" word:quote'],
  ]
  for (const [message, kinds] of cases) {
    const tokens = tokensOf(message, {})
    t.equal(tokens.map(({ kind, text }) => `${kind}:${text}`).join(' '), kinds, message)
    for (const { start, end, text, kind } of tokens) t.equal(message.slice(start, end).includes(text), true, `${kind} in ${message}`)
  }
  t.end()
})

t.test('values are taken verbatim', (t) => {
  const cases: readonly (readonly [message: string, value: string])[] = [
    ['Change the headline to "  two  blanks "', '  two  blanks '],
    ['Change the headline to “Curly ’quotes’ inside”', 'Curly ’quotes’ inside'],
    ["Change the headline to 'It's fine'", "It's fine"],
    ['Change the headline to «Remove the CTA, and add an FAQ.»', 'Remove the CTA, and add an FAQ.'],
    ['Change the headline to Guests’ choice', 'Guests’ choice'],
    ['Change the headline to Salt   of   the sea', 'Salt of the sea'],
    ['Change the headline to Ready!', 'Ready!'],
    ['Change the headline to Ready.', 'Ready'],
    ['Change the headline to "<b>x</b> & y"', '<b>x</b> & y'],
    ['Change the headline to Åpent hele året 🛶 hos oss', 'Åpent hele året 🛶 hos oss'],
    ['Change the headline to "שלום"', 'שלום'],
  ]
  for (const [message, value] of cases) t.strictSame(stepsFor(message), headline(value), message)
  t.equal(stepsFor('Change the headline to ""'), 'question')
  t.equal(stepsFor('Change the headline to "   "'), 'question')
  t.end()
})

t.test('a line break ends an unquoted text and separates requests', (t) => {
  const both = [set('b_hero_1', { heading: 'Hi', subheading: 'Ho' })]
  for (const message of [
    'Headline: "Hi"\nSubheading: "Ho"', 'Change the headline to Hi\nChange the subheading to Ho', '- headline: "Hi"\n- subheading: "Ho"', 'Change the headline to Hi\r\n\r\nsubheading to Ho',
    '\nheadline:\n"Hi"\n• subheading:\n"Ho"\n\n', 'Hello,\nchange the headline to Hi\nand the subheading to Ho\nThanks', 'Überschrift: "Hi"\nUnterzeile: "Ho"',
  ]) t.strictSame(stepsFor(message), both, message)
  t.equal(stepsFor('Headline: Hi\nSubheading: Ho'), 'question', 'a note looks the same')
  t.strictSame(stepsFor('Change the headline to Hi\nDelete the CTA'), [set('b_hero_1', { heading: 'Hi' }), removeBlock('b_cta_1')])
  for (const message of ['Change the headline to Hi\n\nBest regards\nAnna', 'Change the headline to Salt and\nsilence', 'Headline: Hi Subheading: Ho', 'Change the headline to Rentals the button to Rent']) {
    t.equal(stepsFor(message), 'unsupported', message)
  }
  t.end()
})

t.test('courtesies around a request are ignored', (t) => {
  const wrapped = [
    'change the headline to "X"', 'Please, change the headline to "X".', 'Hi! Could you please change the headline to "X"?', 'ok so now just change the headline to "X" please',
    "I'd like you to change the headline to \"X\", thanks!", '👋 change the headline to "X" 🙏', '- change the headline to "X"', 'Great, thanks. Now change the headline to "X"',
    "Let's change the headline to \"X\"", 'chnage the headng to "X"', 'CHANGE THE HEADLINE TO "X"', 'can we change the headline to "X", please?', 'go ahead and change the headline to "X" thank you',
  ]
  for (const message of wrapped) t.strictSame(stepsFor(message), headline('X'), message)
  t.equal(stepsFor('please'), 'unsupported')
  t.end()
})

t.test('only known typos are corrected', (t) => {
  t.strictSame(stepsFor('udpate the subheding to "X"'), [set('b_hero_1', { subheading: 'X' })])
  t.equal(stepsFor('chanje the headline to "X"'), 'unsupported')
  t.strictSame(stepsFor('change the headline to Heding'), headline('Heding'), 'not in a value')
  t.end()
})

t.test('words inside other words are not matched', (t) => {
  for (const message of [
    'discard the roadmap', 'remove the vegetable', 'recommend the hero', 'make it spectacular', 'delete the copyright', 'the blockquoted text should be "X"', 'remove scattered',
  ]) t.not(planFor('/', message).kind, 'plan', message)
  t.end()
})

t.test('lower case text after `be`, and another request, are not values', (t) => {
  const refused = [
    'the headline should be nicer', 'change the headline to red', 'headline: too long',
    'change the headline to two lines', 'change the headline to the usual', 'change the headline to left aligned', 'change the headline to title "A"',
    'change the headline to Fast and translate it to German', 'create a page called Foo and add an FAQ to it', 'swap the headline with tagline', 'change the title to the page title',
    'change the headline to Hello on the rentals page', 'change the headline to Hello in the hero', 'set the tagline to Boats for rent on /about.',
  ]
  for (const message of refused) t.type(stepsFor(message), 'string', message)
  for (const message of ['The hero button should be removed', 'set the headline to nothing']) t.type(stepsFor(message), 'string', message)
  t.strictSame(stepsFor('The headline should be Nicer'), headline('Nicer'))
  t.strictSame(stepsFor('change the headline to Meet us at the pier'), headline('Meet us at the pier'))
  t.strictSame(stepsFor('change the headline to "Hello" on the rentals page'), [set('b_hero_r', { heading: 'Hello' })])
  t.strictSame(stepsFor('change the headline to Say hello'), headline('Say hello'))
  t.end()
})

t.test('a plan can be asked for before anything is done', (t) => {
  for (const message of [
    'show me a plan first: remove the hero', 'Show me the plan first: remove the hero', 'please plan it first: remove the hero', 'make a plan first: remove the hero',
    'draft a plan: remove the hero', 'Could you propose a plan to remove the hero?', 'Before applying anything, show me the plan: remove the hero',
    'Before applying, show me the plan: remove the hero', 'remove the hero, but show me the plan first', 'Remove the hero, but plan it first, please.', 'remove the hero and show me a plan before you do anything',
    'Remove the hero. Before applying it, show me a plan.', 'remove the hero but let me see the plan first', 'Can you remove the hero, but make a plan first?',
  ]) {
    t.ok(asksForPlanFirst(message), message)
    t.strictSame(stepsFor(message), [{ do: 'remove block', block: 'b_hero_1' }], message)
  }
  t.ok(asksForPlanFirst('Draft a plan for a friendlier home page'), 'also if only a model can plan it')
  const long = 'Make the page friendlier for people who come with children. '.repeat(100)
  t.ok(asksForPlanFirst(`Show me a plan first: ${long}`), 'at the beginning of a long message')
  t.ok(asksForPlanFirst(`${long}But show me the plan first.`), 'and at its end')
  for (const message of ['remove the hero', 'change the headline to "plan it first: x"', 'change the headline to "Go, but plan it first"', 'add a plan', 'Make it friendlier. '.repeat(500), `Set the text to "${'x '.repeat(2000)}, but show me the plan first"`, 'change the headline to Show me the plan first', 'remove the hero, and the plan', '', 'x'.repeat(5000)]) t.notOk(asksForPlanFirst(message), message.slice(0, 40))
  t.end()
})

t.test('yes and no are distinguished from requests', (t) => {
  for (const yes of ['yes', 'Yes!', 'Go ahead.', ' do it ', 'APPLY IT', 'confirm', 'approve', 'yes, please', 'go ahead 👍', 'Yes, do it.']) t.ok(isConfirmation(yes), yes)
  for (const no of ['no', 'No.', 'cancel', 'Stop!', 'never mind', 'discard', 'no, thanks', 'Never mind…']) t.ok(isRefusal(no), no)
  for (const neither of ['', 'yes remove the hero', 'do it again', 'stop moving the hero', 'no hero', 'cancel my tour', 'y'.repeat(500_000), 'go ahead and remove the hero']) {
    t.notOk(isConfirmation(neither) || isRefusal(neither), neither.slice(0, 40))
  }
  t.end()
})

t.test('the context that older clients append is removed', (t) => {
  t.equal(cleanMessage('  remove the hero [site context]\npurpose: kayaks[/site context] '), 'remove the hero')
  t.equal(cleanMessage('remove the hero\n[Site Context] it never ends'), 'remove the hero')
  t.equal(cleanMessage('[site context]x[/site context]'), '')
  t.strictSame(stepsFor('set the headline to Hello [site context]remove the hero[/site context]'), headline('Hello'))
  t.end()
})

t.test('hostile input is refused quickly', (t) => {
  const long = 500_000
  const hostile: Readonly<Record<string, string>> = {
    nothing: '', blank: ' \n\t ', nul: '\u0000remove the hero\u0000', controls: '\u001b[31mremove the hero\u0007', rightToLeft: '\u202eoreh eht evomer', isolates: '\u2066remove\u2069 the hero',
    emoji: '🛶'.repeat(900), open: 'change the headline to "never closed', openSingle: "change the headline to 'never closed", quotes: `"'`.repeat(900), singles: "'a ".repeat(600),
    html: '<script>alert(1)</script>', comment: '<!-- remove the hero -->', brackets: '[('.repeat(900), stars: '@set $Value [a | b]', constructor: 'change the constructor to "x"',
    prototype: '__proto__: "x"', toString: 'change toString to "x"', surrogate: 'remove \ud83d the hero', commas: 'remove the hero, '.repeat(110), dets: 'the '.repeat(499), ofs: 'of the hero '.repeat(160),
    details: `add a card ${'with title "x" '.repeat(120)}`, leads: 'in the hero, '.repeat(150),
    long: 'x'.repeat(long), longQuotes: `"'`.repeat(long / 2), longWords: 'remove the hero and '.repeat(long / 20), longContext: '[site context]'.repeat(long / 14), longBlank: ' '.repeat(long),
  }
  for (const [name, message] of Object.entries(hostile)) {
    const outcome = planFor('/', message)
    if (outcome.kind === 'unsupported') t.ok(outcome.suggestions.length >= 2, name)
    t.not(outcome.kind, 'plan', `${name}: ${JSON.stringify(outcome).slice(0, 300)}`)
    t.type(asksForPlanFirst(message), 'boolean')
    t.notOk(isConfirmation(message) || isRefusal(message), name)
  }
  t.end()
})
