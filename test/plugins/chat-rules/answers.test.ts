import t from 'tap'
import { isAnswer } from '../../../plugins/chat-rules/message/replies.ts'

const answers: Readonly<Record<string, readonly string[]>> = {
  'names a thing': [
    'the second one', 'the FAQ', 'first and last', 'second', 'The card grid at the bottom', 'number 2', 'the title of the first card', '3',
  ],
  'a few words without a verb': ['something catchy', 'Big water', '"Big water"', 'warm and friendly', 'to the top', 'German', 'die zweite', 'on the about page', 'den letzten Abschnitt', 'ganz nach oben'],
  'a confirmation or a correction': [
    'yes, the second one', 'Yes please, and keep the links as they are now, all of them', 'no, the one in the footer', 'I mean the pricing page, of course, not the other', 'not that one', 'both',
    'no, change the other one instead of this one', 'ja, den zweiten', 'nein, den im Hero', 'ich meine die Preisseite',
  ],
}
const requests: Readonly<Record<string, readonly string[]>> = {
  'begins with a verb': ['Remove the FAQ', 'change the second one', 'Add a card', 'please make it blue', 'ok, now delete the hero', 'Translate it', 'Lösche die FAQ', 'Ändere die Überschrift', 'Bitte füge eine Karte hinzu', 'Benenne die erste Karte um'],
  'a question': ['Can you add a card', 'which pages are there', 'How many cards?', 'is the second one fine', 'Kannst du eine Karte hinzufügen', 'Welche Seiten gibt es', 'Ist der zweite gut'],
  'too long for an answer': ['The section with the customer quotes should become a good deal shorter than it is', 'I would like the page to feel a lot warmer', `the ${'very '.repeat(60)}last one`],
  'empty': ['', '   ', '?!'],
}

t.test('messages that are classified as answers', (t) => {
  for (const [why, messages] of Object.entries(answers)) for (const message of messages) t.equal(isAnswer(message), true, `${why}: ${message}`)
  t.end()
})

t.test('messages that are classified as new requests', (t) => {
  for (const [why, messages] of Object.entries(requests)) for (const message of messages) t.equal(isAnswer(message), false, `${why}: ${message}`)
  t.end()
})
