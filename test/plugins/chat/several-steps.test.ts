import t from 'tap'
import { mayTakeSeveralSteps } from '../../../plugins/chat-model/language.ts'
import { wordsOf } from '../../../plugins/content/words.ts'

const several: Readonly<Record<string, readonly string[]>> = {
  'several pages': [
    'Create pages for pricing, team and contact',
    'Add three new pages: prices, team, jobs',
    'Please build a few subpages for our services',
    'Make two pages about rentals and repairs',
    'Create a pricing page and a contact page',
    'Add a page for prices, another page for the team',
    'Set up pages for each season',
    'Erstelle Seiten für Preise, Team und Kontakt',
    'Erstelle eine Seite für Preise und eine Seite für das Team',
  ],
  'something for each of many': [
    'Write a short description for each service',
    'Add an FAQ for every page',
    'Shorten the texts for all sections',
    'Schreibe eine Einleitung für jede Leistung',
    'Ergänze ein Bild für alle Karten',
  ],
  'one thing created and another updated or linked': [
    'Create a pricing page and link it from the hero',
    'Add a team page, then update the navigation',
    'Insert a banner and also change the heading of the hero to "Sale"',
    'Build an about page and then please link to it from the footer',
    'Make a contact page and connect the button to it',
    'Erstelle eine Preisseite und verlinke sie im Hero',
    'Füge eine FAQ hinzu und ändere die Überschrift',
  ],
}

const one: Readonly<Record<string, readonly string[]>> = {
  'an edit of one thing': ['Change the heading to "Hello"', 'Make the hero friendlier', 'Translate the page to German', 'Remove the FAQ and the banner', ''],
  'one page': ['Create a pricing page', 'Create a page with a hero and three cards', 'Add a page about the team to the menu', 'Make this page shorter'],
  'something on pages that are there': ['Add a banner to all pages', 'Add the phone number to our pages', 'Write a sentence about the page on this page', 'Which pages are there?'],
  'a new thing that is changed at once': ['Add a hero and change its heading to "Hi"', 'Create a card and rename it', 'Add a banner and make it bold', 'Füge ein Banner hinzu und ändere es'],
  'words in quotes': ['Add the text "for each of us and link pages"', 'Change the title to "Create pages and update links"'],
  'an idiom': ['Fix the typo once and for all', 'Make the heading say what we stand for', 'Update the hero and link it to the shop'],
  'an update before the new thing': ['Update the heading and add an FAQ', 'Link the hero to the shop and create a banner'],
}

t.test('requests that may take several steps are recognized', (t) => {
  for (const [why, messages] of Object.entries(several)) {
    for (const message of messages) t.equal(mayTakeSeveralSteps(wordsOf(message)), true, `${why}: ${message}`)
  }
  t.end()
})

t.test('requests that take one step are not', (t) => {
  for (const [why, messages] of Object.entries(one)) {
    for (const message of messages) t.equal(mayTakeSeveralSteps(wordsOf(message)), false, `${why}: ${message}`)
  }
  t.end()
})

t.test('the longest message is read without quadratic time', (t) => {
  // Quadratic time would exceed the time limit of the file.
  const size = 60_000
  for (const piece of ['„', '“', "'", ' \'', '"', '`„', 'and ', 'create ', 'page ', 'a page ', 'for ']) {
    t.type(mayTakeSeveralSteps(wordsOf(`create ${piece.repeat(size)}`)), 'boolean', JSON.stringify(piece))
  }
  t.strictSame(wordsOf('say „one and "two" or „three').list, ['say', 'one', 'and', 'or', 'three'], 'an unclosed quote is not a quote')
  t.end()
})
