import t from 'tap'
import { isAnswer, isRequest } from '../../../plugins/chat-rules/message/replies.ts'
import { germanExamples } from '../../fixtures/chat/examples-de.ts'
import { examples } from '../../fixtures/chat/examples.ts'
import { germanForms } from '../../fixtures/chat/forms-de.ts'
import { wordings } from '../../fixtures/chat/wordings.ts'
import { germanWordings } from '../../fixtures/chat/wordings-de.ts'
import { planFor } from '../../helpers/chat-rules.ts'

/** Requests that lack a text or a name, each with the locale of the user. */
const asked = [['change the headline', 'en'], ['create a new page', 'de'], ['Ändere die Überschrift', 'de']] as const

const commands = [
  'undo', 'Undo!', 'undo that', 'redo', 'revert the last change', 'publish', 'Publish the site', 'go live', 'deploy', 'unpublish', 'help', 'Help!', 'help me', 'what can you do',
  'rückgängig', 'Rückgängig machen', 'mach das rückgängig', 'veröffentlichen', 'Veröffentliche die Seite', 'Hilfe', 'hilf mir', 'was kannst du?', 'list all pages', 'Welche Seiten gibt es?',
  'what sections can I add', 'how many sections are on this page?', 'should I add an FAQ?', "don't remove the hero", 'Lösche den Hero nicht',
]
const courtesies = [
  'thanks', 'Thank you!', 'great, thanks', 'perfect', 'wonderful', 'cool', 'hello', 'Hello everyone', 'good morning', 'bye', '👍', 'danke', 'vielen Dank', 'super', 'hallo zusammen', 'tschüss',
]
const replies = ['yes', 'ok', 'go ahead', 'no', 'never mind', 'ja', 'ja bitte', 'nein', 'abbrechen', 'no, the other one', 'yes, please do']
const forModels = [
  'Make it shorter', 'make the headline shorter', 'Translate the page to German', 'Rewrite the hero', 'Give me three ideas', 'Write a catchy headline', 'Improve the text', 'suggest something',
  'Can you make it friendlier?', 'Could you find a better one', 'please simplify it', 'I want something warmer', "I'd like a warmer tone", 'the headline should be shorter', 'the hero needs more colour',
  'find a new image of a lake', 'how about a shorter one', 'what would you write', 'Is that good?', 'if it is too long, shorten it', 'Mach es kürzer', 'Übersetze die Seite ins Englische', 'Schreib es um',
  'Formuliere die Überschrift freundlicher', 'Kannst du das verbessern?', 'Die Überschrift kürzer machen', 'Seite übersetzen', 'die Überschrift soll kürzer sein', 'Ich möchte es wärmer', 'Wie wäre es mit etwas Kürzerem',
  'Gib mir drei Vorschläge', 'suche ein neues Bild von einem See', 'Wenn es zu lang ist, kürze es',
]
const rows = [...examples, ...germanExamples, ...germanForms, ...wordings, ...germanWordings]
/** Messages that may also be a text: in quotes, or `ich habe eine Frage`. */
const isText = (message: string) => /^["„].*["“]$|eine Frage/i.test(message)
const forms = rows.map(({ message }) => message).filter((message) => message !== '' && !isText(message))

t.test('a command or a request drops the open question and is planned as a new message', (t) => {
  // Each of the thousand messages is tried with one of the questions.
  const formsFor = (index: number) => forms.filter((_, at) => at % asked.length === index)
  for (const [index, [question, locale]] of asked.entries()) {
    const first = planFor('/', question, { locale })
    const open = first.kind === 'question' ? first.open : undefined
    t.ok(open, question)
    for (const message of [...commands, ...courtesies, ...forModels, ...formsFor(index)]) {
      t.strictSame(planFor('/', message, { open, locale }), planFor('/', message, { locale }), `${question}: ${message} (${locale})`)
    }
  }
  for (const [question] of asked) for (const message of replies) t.not(planFor('/', message, { asked: question }).kind, 'plan', `${question}: ${message}`)
  t.end()
})

t.test('an unambiguous text answers the question for one', (t) => {
  const texts = [
    'Summer sale', 'Welcome to our shop', 'Big water', 'to Big water', 'Our story', 'Contact us', 'Visit us', 'Book now', 'Get started today', 'How it works', 'What we do', 'Who we are', 'Why kayak with us', 'Open every day',
    'No more waiting', 'No fuss, no noise', 'Help for founders', 'Thanks to our guests', 'Guided tours, small groups', 'Unsere Geschichte', 'Willkommen am Fjord', 'Wie es geht', 'Was wir tun', 'Sommer am See',
    'We have been building boats by hand in the same small harbour since 1989',
  ]
  for (const text of texts) for (const locale of ['en', 'de']) {
    const heading = text.replace(/^to /, '')
    t.match(planFor('/', text, { asked: 'change the headline', locale }), { kind: 'plan', plan: { ops: [{ patch: { heading } }] } }, `${text} (${locale})`)
  }
  for (const message of ['undo', 'help', 'Make it shorter', 'yes', 'thanks', 'Are dogs allowed?', 'veröffentlichen']) for (const quoted of [`"${message}"`, `„${message}“`, `“${message}”.`]) {
    t.match(planFor('/', quoted, { asked: 'change the headline' }), { kind: 'plan', plan: { ops: [{ patch: { heading: message } }] } }, quoted)
  }
  t.end()
})

t.test('a choice by number or by name is an answer', (t) => {
  const choices = {
    'remove the rich text': ['2', 'the second one', 'the last one', '"Safety first"', 'Safety first', 'the second rich text'],
    'entferne den Textabschnitt': ['2', 'den zweiten', 'der letzte', '„Safety first“', 'den zweiten Textabschnitt'],
  }
  for (const [asked, messages] of Object.entries(choices)) for (const message of messages) {
    t.match(planFor('/', message, { asked }), { kind: 'plan', plan: { ops: [{ op: 'remove_block', blockId: 'b_text_2' }] } }, message)
  }
  t.end()
})

t.test('a request is not classified as the answer to a question of the model', (t) => {
  for (const message of forModels) t.same([isAnswer(message), isRequest(message)], [false, true], message)
  for (const message of ['the second one', 'something warm', 'no, make it shorter', 'German', 'How it works']) t.equal(isRequest(message), false, message)
  t.end()
})
