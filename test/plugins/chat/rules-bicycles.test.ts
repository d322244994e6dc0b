import t from 'tap'
import { planByRules } from '../../../plugins/chat/rules/plan-by-rules.ts'
import { demoPages } from '../../../plugins/content/demo-pages.ts'
import { bicycleExamples } from '../../fixtures/chat/bicycle-examples.ts'
import { draftAfterPlan, inputFor, planFor, sketchAfter, sketchOf, stepsOf } from '../../helpers/chat-rules.ts'
import { draftOf, pageOf } from '../../helpers/content.ts'

const draft = { version: 1, pages: demoPages, config: {} }

t.test('what is said about the bicycle workshop gives what it should', (t) => {
  for (const [locale, at, message, gives] of bicycleExamples) {
    const outcome = planFor(at, message, { locale, draft })
    t.strictSame(outcome.kind === 'plan' ? stepsOf(outcome.plan.ops) : outcome.kind, gives, `${message} (${at})`)
    if (outcome.kind === 'plan' && typeof gives !== 'string') t.strictSame(sketchOf(draftAfterPlan(outcome.plan.ops, draftOf(demoPages)), demoPages), sketchAfter(gives, demoPages), message)
  }
  t.end()
})

const answers: readonly (readonly [locale: 'en' | 'de', at: string, message: string, question: RegExp])[] = [
  ['en', '/', 'remove the about page from the menu', /^The menu shows every page, so “About” stays in it\./],
  ['de', '/', 'Nimm die Seite About aus dem Menü', /^Das Menü zeigt jede Seite, also auch „About“\./],
  ['en', '/pricing', 'add a row "A"', /has 4 cells: What you get, Basic, Yearly, Complete\./],
  ['de', '/pricing', 'Füge der Tabelle eine Zeile hinzu: A, B', /hat 4 Zellen: What you get, Basic, Yearly, Complete\./],
  ['de', '/services', 'Benenn den Reiter "Quads" in "X" um', /^Unter diesem Namen gibt es hier nichts \(gesucht: Reiter\)\./],
  ['en', '/faq', 'remove the question', /Can I borrow a bike meanwhile\?$/],
  ['de', '/', 'Lösche die Hafenseite', /^Es gibt keine Seite „Hafenseite“\./],
  ['en', '/', 'remove the image from the hero', /^Image needs the address of an image/],
  ['en', '/', 'change the hero image', /^Image needs the address of an image, as in: set the hero image to https:/],
  ['en', '/', 'generate an image for the hero', /^A new image needs the address of an image/],
  ['en', '/', 'find a photo for each card', /^A new image needs the address of an image/],
  ['de', '/', 'Such ein Foto für den Hero', /^Ein neues Bild braucht die Adresse eines Bildes/],
  ['en', '/', 'change the cta text to "Go"', /^Which “cta text” do you mean: Description, Button text\?$/],
  ['en', '/', 'remove the section with the quotes', /^I found no quotes on the page “Home”\./],
]

t.test('questions say what is missing, in words of the person', (t) => {
  for (const [locale, at, message, question] of answers) t.match(planFor(at, message, { locale, draft }), { kind: 'question', question }, message)
  const asked = planFor('/', 'link "See prices" to /faq', { draft })
  t.match(asked, { kind: 'question', suggestions: [/^Hero /, /^Call to Action /] })
  t.end()
})

t.test('a figure that stands in several places, and a row that a table has twice or alone, are asked about', (t) => {
  const table = (rows: unknown, headers: unknown) => pageOf('/', [{ id: 'b_table', type: 'Table', props: { title: 'Prices', headers, rows } }])
  const planOn = (message: string, rows: unknown, headers: unknown = ['What', 'Price']) => planByRules(inputFor('/', message, { draft: { version: 1, pages: [table(rows, headers)], config: {} } }))
  t.match(planOn('change € 5 to € 6', [['Tube', '€ 5'], ['Pump', '€ 5']]), { kind: 'question', question: /^Which “€ 5” do you mean/ })
  t.match(planOn('change € 5 to € 6', [['Tube', '€ 5'], ['Pump', '€ 15']]), { kind: 'plan' })
  t.match(planOn('remove the row Tube', [['Tube', '€ 5'], ['Tube', '€ 7']]), { kind: 'question' })
  t.match(planOn('remove the row Tube', [['Tube', '€ 5']]), { kind: 'question' })
  t.match(planOn('remove the row Tube', ['Tube', '€ 5']), { kind: 'question' }, 'what is no row has no cells')
  t.match(planOn('remove the row Tube', undefined), { kind: 'question' })
  t.match(planOn('add a row: Tube, € 5', [['Pump', '€ 5']], undefined), { kind: 'plan' })
  t.match(planOn('replace "5" with "6"', [['Tube', '€ 1.5'], ['Pump', '€ 5.20']]), { kind: 'question' }, 'a part of a figure is none')
  t.end()
})
