/** Requests and questions in German, French and Spanish: an offer that does what is said, or a whole answer. */
import t from 'tap'
import type { Outcome } from '../../../plugins/chat/port.ts'
import { ownFolder, readDataSet } from '../../eval/data-set.ts'
import { inputFor, notationOf, planByRules } from '../../helpers/chat-rules.ts'
import { pageOf } from '../../helpers/content.ts'

const { cases, fixture } = await readDataSet(ownFolder)
const updatedAt = '2026-01-01T00:00:00.000Z'
const draft = { version: 1, pages: fixture.map((page) => ({ ...page, updatedAt })), config: {} }
const said = (at: string, message: string, pages = draft): Outcome =>
  planByRules(inputFor(at, message, { draft: pages }))
const offerOf = (outcome: Outcome) => (outcome.kind === 'unsupported' ? outcome.offer : undefined)
const clicked = (at: string, message: string, pages = draft): string => {
  const offer = offerOf(said(at, message, pages))
  return offer === undefined ? 'no offer' : notationOf(said(at, offer, pages), inputFor(at, offer))
}

const offered = [
  // What is to go, by its kind, its title, its position and its page
  ['/', 'Lösche den Banner', '-block b_banner_home'],
  ['/', 'Nimm den Banner bitte raus', '-block b_banner_home'],
  ['/', 'Würdest du bitte den Banner löschen?', '-block b_banner_home'],
  ['/about', 'Lösche Our story', '-block b_text_story'],
  ['/courses', 'Lösche die Frage „Can I come alone?“', '-item b_faq_courses.items[1]'],
  ['/gallery', 'Entferne das letzte Bild der Galerie', '-item b_gal.images[3]'],
  ['/', 'Lösche die letzte Karte auf der Seite Kurse', '-item b_cards_courses.cards[3]'],
  ['/', 'Lösche die Kontaktseite', /^-page \/contact/],
  ['/', 'Leere den Eyebrow', 'set b_hero_home {eyebrow: ""}'],
  // Texts
  ['/', 'Ändere die Überschrift in „Neu“, danke', 'set b_hero_home {heading: "Neu"}'],
  ['/', 'Ich möchte die Überschrift auf „Neu“ setzen', 'set b_hero_home {heading: "Neu"}'],
  ['/', 'Der Text im Banner soll „Kommt vorbei“ lauten', 'set b_banner_home {text: "Kommt vorbei"}'],
  ['/', 'Ersetze "Since 2009" durch "Seit 2009"', 'set b_hero_home {eyebrow: "Seit 2009"}'],
  ['/', 'Benenne die Seite Team in „Wir“ um', 'ren /team to /wir titled "Wir"'],
  // Places
  ['/courses', 'Verschiebe die zweite Frage ganz nach oben', 'mvitem b_faq_courses.items[1] front'],
  ['/', 'Stell den Banner über den Hero', 'mv b_banner_home after b_header'],
  ['/', 'Zieh das Bild nach links', 'set b_hero_home {imagePosition: "left"}'],
  ['/gallery', 'Tausche das erste und das zweite Bild', 'mvitem b_gal.images[0] after 1'],
  ['/', 'Kopiere den Hero auf die Seite Preise', 'dup b_hero_home to /prices'],
  ['/', 'Kopiere den Hero auf der Seite Preise', 'dup b_hero_prices'],
  // What is new
  ['/', 'Füge einen Abschnitt mit Fragen hinzu', '+block FAQAccordion after b_cta_home on /'],
  ['/', 'Füge unter den Gästestimmen eine Galerie ein', '+block Gallery after b_quotes_home on /'],
  ['/', 'Neue Seite „Gutscheine“', /^\+page \/gutscheine "Gutscheine"/],
  // French and Spanish
  ['/', 'Pouvez-vous supprimer la bannière ?', '-block b_banner_home'],
  ['/', 'Efface la première carte de la page des cours', '-item b_cards_courses.cards[0]'],
  ['/', 'Remplace « Book now » par « Réserver »', 'set b_cta_home {ctaText: "Réserver"}'],
  ['/', '¿Puedes borrar el banner, por favor?', '-block b_banner_home'],
  ['/', 'Borra la última tarjeta', '-item b_cards_home.cards[2]'],
  ['/', 'Cambia el texto del banner a "Hola"', 'set b_banner_home {text: "Hola"}'],
] as const

t.test('a clear request is one click away from what it says', (t) => {
  for (const [at, message, result] of offered) t.match(clicked(at, message), result, message)
  t.end()
})

const sentences = {
  de: /^Das kann ich auf Englisch: /,
  fr: /^Je peux le faire en anglais : /,
  es: /^Puedo hacerlo en inglés: /,
}

t.test('an offer is said in the language of the message, completely', (t) => {
  for (const [language, message] of [
    ['de', 'Lösche den Banner'],
    ['de', 'Banner weg'],
    ['fr', 'Supprime la bannière'],
    ['es', 'Elimina el banner'],
  ] as const)
    t.match(said('/', message), { hint: sentences[language], isHintAll: true }, message)
  t.end()
})

t.test('questions are answered in their language, with what the client opens or undoes', (t) => {
  const answers = [
    ['Rückgängig', { summary: /^Rückgängig und/, undoes: '/' }],
    ['Bitte mach das rückgängig!', { summary: /^Rückgängig und/, undoes: '/' }],
    ['Öffne die Seite Kontakt', { summary: 'Die Seite hat die Adresse /contact.', opens: ['/contact'] }],
    ['Wo ist die Kontaktseite?', { opens: ['/contact'] }],
    ['Geh zur Startseite', { opens: ['/'] }],
    ['Wie viele Seiten habe ich?', { summary: 'Seiten der Website: 8.', findings: [/^\/ “Home”/] }],
    ['Veröffentliche die Seite', { summary: /^Veröffentlichen hat/ }],
    ['Was ist gerade online?', { summary: /^Veröffentlichen hat/ }],
    ['Combien de pages ai-je ?', { summary: 'Pages du site : 8.' }],
    ['Annule la dernière modification', { summary: /^Annuler et/, undoes: '/' }],
    ['Ouvre la page contact', { opens: ['/contact'] }],
    ['¿Cuántas páginas tengo?', { summary: 'Páginas del sitio: 8.' }],
    ['Deshaz el último cambio', { summary: /^Deshacer y/, undoes: '/' }],
    ['Abre la página de contacto', { opens: ['/contact'] }],
  ] as const
  for (const [message, answer] of answers)
    t.match(said('/', message), { kind: 'answer', status: 'info', ...answer }, message)
  t.end()
})

/** Negations, conditions, questions, half sentences, two wishes, and things that are not there. */
const refused = [
  ['/', 'Lösche das nicht'],
  ['/', 'Lösche den Banner nicht'],
  ['/', 'Nie den Banner löschen'],
  ['/', 'Ich möchte den Banner nicht löschen'],
  ['/', 'Ändere „Book now“ nicht in „Jetzt“'],
  ['/', 'Mach das nicht rückgängig'],
  ['/', 'Veröffentliche noch nicht'],
  ['/', 'Wenn es regnet, lösche den Banner'],
  ['/', 'Soll ich den Banner löschen?'],
  ['/', 'Kann man den Banner löschen?'],
  ['/', 'Banner weg?'],
  ['/', 'Das Banner ist weg'],
  ['/', 'Lösche den'],
  ['/', 'Überschrift ändern'],
  ['/', 'Lösche den Banner und ändere die Überschrift in „Neu“'],
  ['/', 'Ändere die Überschrift in „A“ oder „B“'],
  ['/', 'Setze die Überschrift in Großbuchstaben'],
  ['/', 'Lösche den Banner von gestern'],
  ['/', 'Lösche beide Knöpfe'],
  ['/', 'Ändere den Knopf in „Los“'],
  ['/', 'Verschiebe den Hero auf die Seite Preise'],
  ['/', 'Tausche den Hero gegen eine Galerie'],
  ['/courses', 'Lösche alle Karten bis auf die letzte'],
  ['/courses', 'Füge Fragen hinzu'],
  ['/prices', 'Entferne die letzte Zeile der Tabelle'],
  ['/', 'Wie viele Seiten hat das Buch?'],
  ['/', 'Öffne die Seite Impressum'],
  ['/', 'Text: Willkommen bei uns'],
  ['/', 'Ne supprime pas la bannière'],
  ['/', 'Supprimer la bannière ?'],
  ['/', 'No borres el banner'],
  ['/', '¿Borro el banner?'],
] as const

t.test('what is not one clear request is offered nothing, and answered in its language', (t) => {
  const whole = /^(?:Ohne Sprachmodell|Sans modèle|Sin un modelo)/
  for (const [at, message] of refused) {
    const outcome = said(at, message)
    t.match(outcome, { kind: 'unsupported', hint: whole, isHintAll: true }, message)
    t.equal(offerOf(outcome), undefined, message)
  }
  t.end()
})

t.test('a request with a negation or a second part anywhere is offered nothing', (t) => {
  const others = { de: ['nicht', 'keine', 'und'], fr: ['pas', 'sauf', 'et'], es: ['no', 'salvo', 'y'] }
  for (const { id, slug, message } of cases.filter(({ tags }) => tags.includes('languages')))
    for (const word of Object.entries(others).find(([language]) => id.startsWith(language))?.[1] ?? []) {
      const parts = message.match(/[„«"][^“»"]*[“»"]|\S+/g) ?? []
      const all = [...parts, ''].map((_, at) => parts.toSpliced(at, 0, word).join(' '))
      const changing = all.filter((each) => !/answer|unsupported/.test(said(slug, each).kind))
      t.strictSame(
        [...changing, ...all.filter((each) => offerOf(said(slug, each)) !== undefined)],
        [],
        message,
      )
    }
  t.end()
})

t.test('a kind that is also a title is not chosen between', (t) => {
  const text = { id: 'b_1', type: 'RichText', props: { title: 'Zahlen', body: 'Viele' } }
  const stats = {
    id: 'b_2',
    type: 'Stats',
    props: { title: 'Jahre', stats: [{ value: '1', label: 'Jahr' }] },
  }
  const at = (...blocks: readonly (typeof text | typeof stats)[]) => ({
    version: 1,
    pages: [{ ...pageOf('/', blocks), updatedAt }],
    config: {},
  })
  t.equal(clicked('/', 'Lösche die Zahlen', at(stats)), '-block b_2')
  t.equal(clicked('/', 'Lösche die Zahlen', at(text, stats)), 'no offer')
  t.end()
})

t.test('a title of the site is meant before an English one', (t) => {
  const block = { id: 'b_1', type: 'Quote', props: { quote: 'Öffnungszeiten', author: '' } }
  const pages = [
    pageOf('/', [block]),
    { ...pageOf('/kontakt', []), title: 'Kontakt' },
    pageOf('/contact', []),
  ]
  const own = { version: 1, pages: pages.map((page) => ({ ...page, updatedAt })), config: {} }
  t.match(said('/', 'Öffne die Seite Kontakt', own), { opens: ['/kontakt'] })
  t.equal(clicked('/', 'Lösche Öffnungszeiten', own), '-block b_1')
  t.match(clicked('/', 'Lösche die Kontaktseite', own), /^-page \/kontakt/)
  t.end()
})
