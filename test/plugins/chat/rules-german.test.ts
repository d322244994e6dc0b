import fc from '../../helpers/property.ts'
import t from 'tap'
import type { PlanningInput } from '../../../plugins/chat/types/planner.ts'
import type { Outcome } from '../../../plugins/chat/types/plan.ts'
import { attempt } from '../../../plugins/chat/rules/attempt.ts'
import { toPattern, type Pattern } from '../../../plugins/chat/rules/grammar/pattern.ts'
import { wordSlots } from '../../../plugins/chat/rules/grammar/slots.ts'
import { asksForPlanFirst, isConfirmation, isRefusal } from '../../../plugins/chat/rules/intent.ts'
import { german } from '../../../plugins/chat/rules/lexicon/de.ts'
import { lexicons } from '../../../plugins/chat/rules/lexicon/index.ts'
import { createVocabulary } from '../../../plugins/chat/rules/grammar/vocabulary.ts'
import { tokensOf } from '../../../plugins/chat/rules/message/tokens.ts'
import { namingIn } from '../../../plugins/content/naming.ts'
import { labelOf } from '../../../plugins/content/field-meta.ts'
import { everyItemField, isDeclaredList } from '../../../plugins/content/list-fields.ts'
import type { Fields } from '../../../plugins/content/model.ts'
import { builtinRegistry } from '../../../plugins/content/registry.ts'
import { planByRules } from '../../../plugins/chat/rules/plan-by-rules.ts'
import { parseOperations } from '../../../plugins/content/operations/parse.ts'
import { germanExamples } from '../../fixtures/chat/examples-de.ts'
import { germanForms } from '../../fixtures/chat/forms-de.ts'
import { germanNoEdits } from '../../fixtures/chat/no-edits-de.ts'
import { addBlock, addPage, after, copyBlock, item, moveBlock, removeBlock, removeItem, set, type Step } from '../../fixtures/chat/notation.ts'
import { kayakPages } from '../../fixtures/chat/site.ts'
import { workshopPages } from '../../fixtures/chat/workshop.ts'
import { clicked, draftAfterPlan, inputAfter, inputFor, planFor, sketchAfter, sketchOf, stepsOf } from '../../helpers/chat-rules.ts'
import { pageOf } from '../../helpers/content.ts'

const locale = 'de'
const workshop = { locale, draft: { version: 1, pages: workshopPages, config: {} } }

const resultOf = (outcome: Outcome): readonly Step[] | string =>
  (outcome.kind === 'plan' ? stepsOf(outcome.plan.ops) : outcome.kind === 'answer' ? outcome.status : outcome.kind)

const stepsFor = (message: string, at = '/', more: Partial<PlanningInput> = {}) => resultOf(planFor(at, message, { locale, ...more }))

const headline = (heading: string) => [set('b_hero_1', { heading })]

/** What German alone makes of a message; quicker than a plan, which comes with suggestions. */
const readIn = (at: string, message: string) => read(inputFor(at, message, { locale }))

function read(input: PlanningInput) {
  const tried = attempt(input, german)
  const { ops } = tried.work ?? { ops: [] }
  const kinds = { asked: 'question', failed: 'unsupported', done: 'unchanged' } as const
  const kind = tried.kind === 'answered' ? tried.answer.status : kinds[tried.kind]
  return tried.kind === 'done' && ops.length > 0 ? { kind: 'plan', ops } as const : { kind, ops: [] } as const
}

t.test('every form of a request gives what it should', (t) => {
  for (const { at, message, gives } of germanForms) {
    const { kind, ops } = readIn(at, message)
    t.strictSame(kind === 'plan' ? stepsOf(ops) : kind, gives, `${message} (${at})`)
    if (typeof gives !== 'string') t.strictSame(sketchOf(draftAfterPlan(ops)), sketchAfter(gives), message)
  }
  t.end()
})

t.test('ordinary sentences that ask for no literal edit change nothing', (t) => {
  t.ok(germanNoEdits.length >= 250)
  const places = ['/', '/rentals', '/about', '/ b_hero_1.heading', '/ b_cta_1', '/rentals b_cards_r.cards[1].title']
  const isDone = (at: string, message: string) => lexicons.some((lexicon) => {
    const tried = attempt(inputFor(at, message), lexicon)
    return tried.kind === 'done' && tried.work.ops.length > 0
  })
  for (const message of germanNoEdits) for (const at of places) t.notOk(isDone(at, message), `${message} (${at})`)
  t.end()
})

t.test('what is said around a request does not matter', (t) => {
  const around = [
    'ändere die Überschrift in „X“', 'Bitte ändere die Überschrift in „X“.', 'Hallo! Könntest du bitte die Überschrift in „X“ ändern?', 'Ändern Sie bitte die Überschrift in „X“, danke!', 'Könnten Sie mal die Überschrift in „X“ ändern, bitte?',
    'Ich möchte die Überschrift in „X“ ändern', 'Würden Sie bitte die Überschrift in „X“ abändern?', 'ok, dann ändere doch bitte die Überschrift in „X“', '👋 ändere die Überschrift in „X“ 🙏', 'ÄNDERE DIE ÜBERSCHRIFT IN „X“',
    'Ändere die Überschrift in »X«', 'Ändere die Überschrift in ‚X‘', 'Ändere die Überschrift in "X"', 'aendere die Ueberschrift in "X"', 'Ändere bitte die überschift in „X“', 'A\u0308ndere die U\u0308berschrift in „X“', 'Überschrift ändern: „X“',
    'die Überschrift auf „X“ setzen, vielen Dank', 'Die Überschrift soll in „X“ geändert werden', 'Sei so nett und ändere die Überschrift in „X“', 'Ändere die Hero Headline in „X“', 'Setze das Heading auf „X“',
  ]
  for (const message of around) t.strictSame(stepsFor(message), headline('X'), message)
  for (const message of ['bitte', 'danke', 'hallo bitte', 'mal', 'doch']) t.not(planFor('/', message, { locale }).kind, 'plan', message)
  t.end()
})

t.test('a text without quotes ends where nobody can doubt it, or is refused', (t) => {
  const understood: readonly (readonly [message: string, value: string])[] = [
    ['Ändere die Überschrift in Neue Wege', 'Neue Wege'], ['Ändere die Überschrift in Neue Wege.', 'Neue Wege'], ['Ändere die Überschrift in Neue Wege!', 'Neue Wege!'], ['Ändere die Überschrift in Neue Wege, bitte.', 'Neue Wege'],
    ['Benenne die Überschrift in Neue Wege um', 'Neue Wege'], ['Kannst du die Überschrift in Mehr erfahren ändern?', 'Mehr erfahren'], ['Ändere die Überschrift in Mehr erfahren', 'Mehr erfahren'], ['Ändere die Überschrift in Konto erstellen', 'Konto erstellen'],
    ['Die Überschrift soll Lesen und Staunen lauten', 'Lesen und Staunen'], ['ändere die überschrift in neue wege', 'neue wege'], ['Ändere die Überschrift in Halb-Tages-Touren am 2. Mai', 'Halb-Tages-Touren am 2. Mai'], ['Ändere die Überschrift in Buche jetzt', 'Buche jetzt'],
    ['Ersetze die Überschrift durch Ruhe', 'Ruhe'], ['Setze die Überschrift auf Die See ruft', 'Die See ruft'], ['Überschrift: Rad-und-Boot-Touren', 'Rad-und-Boot-Touren'],
  ]
  for (const [message, value] of understood) t.strictSame(stepsFor(message), headline(value), message)
  const refused = [
    'Ändere die Überschrift in Wir legen ab', 'Ändere die Überschrift in Lesen und schreiben', 'Ändere die Überschrift in bitte klingeln', 'Ändere die Überschrift in Ruf doch mal an', 'Kannst du die Überschrift in Neue Wege bitte ändern?',
    'Ändere die Überschrift in „Neu', 'Ändere die Überschrift in die Unterzeile', 'Ändere die Überschrift in einen Witz', 'Ändere die Überschrift in Neue Wege auf der Startseite', 'Ändere die Überschrift in Contact auf „Neu“',
    'Setze die Überschrift auf Deutsch', 'Ändere die Überschrift in Grün', 'Ändere die Überschrift in Neue Wege und übersetze sie', 'Ändere die Überschrift in Neue Wege, weil das besser klingt', 'Ändere die Überschrift in Tour oder Miete',
    'Ändere die Überschrift in um', 'Benenne die Seite in etwas um', 'Die Meta-Beschreibung soll gelb sein',
  ]
  for (const message of refused) t.not(planFor('/', message, { locale }).kind, 'plan', message)
  t.end()
})

t.test('an answer fills in what the question was about', (t) => {
  const dialogues: readonly (readonly [at: string, messages: readonly string[], steps: readonly Step[] | string])[] = [
    ['/', ['entferne den Textabschnitt', 'den zweiten'], [removeBlock('b_text_2')]],
    ['/', ['entferne den Textabschnitt', '2'], [removeBlock('b_text_2')]],
    ['/', ['entferne den Textabschnitt', 'den 2.'], [removeBlock('b_text_2')]],
    ['/', ['entferne den Textabschnitt', 'Nr. 1'], [removeBlock('b_text_1')]],
    ['/', ['entferne den Textabschnitt', 'den letzten'], [removeBlock('b_text_2')]],
    ['/', ['entferne den Textabschnitt', '„Our story“'], [removeBlock('b_text_1')]],
    ['/', ['entferne den Textabschnitt', 'den Abschnitt „Safety first“'], [removeBlock('b_text_2')]],
    ['/', ['entferne den Textabschnitt', 'den Hero'], 'unsupported'],
    ['/', ['ändere den Buttontext in „Go“', 'im Hero'], [set('b_hero_1', { ctaText: 'Go' })]],
    ['/', ['ändere den Buttontext in „Go“', 'beim CTA'], [set('b_cta_1', { ctaText: 'Go' })]],
    ['/rentals', ['entferne die Frage', 'die erste'], [removeItem('b_faq_r.items[0]')]],
    ['/rentals', ['entferne die Frage', 'Frage 3'], [removeItem('b_faq_r.items[2]')]],
    ['/', ['verschiebe den CTA', 'ganz nach oben'], [moveBlock('b_cta_1', 'front')]],
    ['/', ['verschiebe den CTA', 'hinter den Hero'], [moveBlock('b_cta_1', after('b_hero_1'))]],
    ['/', ['Ich möchte den CTA verschieben', 'hinter den Hero'], [moveBlock('b_cta_1', after('b_hero_1'))]],
    ['/', ['verschiebe den CTA nach oben', 'ganz nach oben'], [moveBlock('b_cta_1', 'front')]],
    ['/', ['verschiebe den CTA nach oben', 'um eine Position nach oben'], [moveBlock('b_cta_1', after('b_text_2'))]],
    ['/', ['ändere die Überschrift', '„Big water“'], headline('Big water')],
    ['/', ['ändere die Überschrift', 'Big water'], headline('Big water')],
    ['/', ['ändere die Überschrift', 'in Big water'], headline('Big water')],
    ['/', ['Kannst du die Überschrift ändern?', '„Big water“'], headline('Big water')],
    ['/', ['ändere die Überschrift', 'etwas Knackiges'], 'unsupported'],
    ['/', ['erstelle eine neue Seite', 'Hafen'], [addPage('/hafen', 'Hafen', ['Hero', { heading: 'Hafen' }])]],
    ['/', ['lege eine neue Seite an', 'Hafen'], [addPage('/hafen', 'Hafen', ['Hero', { heading: 'Hafen' }])]],
    ['/', ['entferne „rentals“', 'der Unterzeile'], [set('b_hero_1', { subheading: 'Guided tours and' })]],
    ['/', ['den Hero entfernen?', 'ja'], [removeBlock('b_hero_1')]],
    ['/', ['entferne die Preisliste-Seite', 'die About-us-Seite'], [{ do: 'remove page', slug: '/about' }]],
    ['/', ['tausche den Textabschnitt und den Textabschnitt', 'den ersten', 'den zweiten'], [moveBlock('b_text_1', after('b_text_2'))]],
    ['/', ['entferne den Textabschnitt', 'füge eine FAQ hinzu'], [addBlock('FAQAccordion', '/')]],
  ]
  for (const language of ['de', 'en']) for (const [at, messages, steps] of dialogues) {
    let outcome: Outcome | undefined
    for (const message of messages) {
      const open = outcome?.kind === 'question' ? outcome.open : undefined
      outcome = planByRules(inputFor(at, message, { locale: language, ...(open && { open }) }))
    }
    t.strictSame(outcome && resultOf(outcome), steps, `${messages.join(' — ')} (${at}, ${language})`)
  }
  t.end()
})

t.test('upwards is one step, or all the way: where that is not the same, it is asked', (t) => {
  t.strictSame(stepsFor('Verschiebe das Feature-Raster nach oben'), [moveBlock('b_feat_1', 'front')])
  t.strictSame(stepsFor('Verschiebe die Testimonials nach unten'), [moveBlock('b_quotes_1', after('b_cta_1'))])
  t.equal(stepsFor('Verschiebe den Hero nach oben'), 'unchanged')
  t.match(planFor('/', 'Verschiebe das Feature-Raster nach unten', { locale }), {
    kind: 'question', question: /Rand/, suggestions: ['ganz nach unten', 'um eine Position nach unten'],
  })
  t.strictSame(stepsFor('Füge nach oben eine Galerie ein'), [addBlock('Gallery', '/', 'front')])
  t.end()
})

t.test('two of a kind are told apart', (t) => {
  const cases: readonly (readonly [message: string, steps: readonly Step[] | string])[] = [
    ['Setze das Bild nach rechts', 'question'], ['Setze das Bild im zweiten Hero nach rechts', [set('b_hero_2', { imagePosition: 'right' })]], ['Tausche Bild und Text im zweiten Hero', [set('b_hero_2', { imagePosition: 'right' })]],
    ['Schalte Autoplay ein', 'question'], ['Schalte Autoplay im Karussell ein', [set('b_car', { autoplay: 'true' })]], ['Aktiviere im Video die automatische Wiedergabe', [set('b_video', { autoplay: 'true' })]], ['Deaktiviere die Streifen', [set('b_table', { striped: 'false' })]],
    ['Benenne den dritten Tab in „T“ um', [item('b_tabs.tabs[2]', { label: 'T' })]], ['Lösche die zweite Folie', [removeItem('b_car.items[1]')]], ['Entferne den Banner', 'question'], ['Füge eine Karte hinzu', 'question'], ['Lösche beide Testimonials-Abschnitte', [removeBlock('b_q1'), removeBlock('b_q2')]],
    ['Kopiere die Tabelle unter das Video', [copyBlock('b_table', undefined, after('b_video'))]], ['Setze das Seitenverhältnis der Einbettung auf 4:3', [set('b_embed', { aspectRatio: '4:3' })]], ['Ersetze den Autor des Zitats durch „Y“', [set('b_quote', { author: 'Y' })]],
    ['Der zweite Hero soll zweispaltig sein', 'unsupported'], ['Lösche den Eintrag', 'question'], ['Mach die zweite Hero-Überschrift zu „X“', [set('b_hero_2', { heading: 'X' })]], ['Lösche die zweiten Testimonials', 'unsupported'], ['Lösche den zweiten Testimonials-Abschnitt', [removeBlock('b_q2')]],
  ]
  for (const [message, steps] of cases) t.strictSame(stepsFor(message, '/', workshop), steps, message)
  t.end()
})

t.test('pages are found by the words that are made of their names', (t) => {
  const pages = [...kayakPages, { ...pageOf('/preise', []), title: 'Preise' }, { ...pageOf('/kontakt', []), title: 'Kontakt' }, { ...pageOf('/impressum', []), title: 'Impressum' }, { ...pageOf('/ueber-uns', []), title: 'Über uns' }]
  const more = { draft: { version: 1, pages, config: {} } }
  const gone = (slug: string): readonly Step[] => [{ do: 'remove page', slug }]
  t.strictSame(stepsFor('Lösche die Preisseite', '/', more), gone('/preise'))
  t.strictSame(stepsFor('Lösche die Kontaktseite', '/', more), gone('/kontakt'))
  t.strictSame(stepsFor('Lösche die Impressumsseite', '/', more), gone('/impressum'))
  t.strictSame(stepsFor('Lösche die Über-uns-Seite', '/', more), gone('/ueber-uns'))
  t.strictSame(stepsFor('Lösche die „Über uns“-Seite', '/', more), gone('/ueber-uns'))
  t.equal(stepsFor('Lösche die Teamseite', '/', more), 'question')
  t.equal(stepsFor('Erstelle eine Kontaktseite', '/', more), 'question', 'there is one')
  t.equal(stepsFor('Erstelle eine Blumenseite', '/', more), 'unsupported', 'Blume or Blumen')
  t.equal(stepsFor('Erstelle eine Boots-Pflege-Seite', '/', more), 'unsupported', 'nobody knows which hyphens belong to the name')
  t.strictSame(stepsFor('Lege eine Teamseite an', '/', more), [addPage('/team', 'Team', ['Hero', { heading: 'Team' }])])
  t.end()
})

t.test('what is clear and not possible is not read in another way', (t) => {
  t.equal(stepsFor('Ändere die URL dieser Seite in /boats'), 'question', 'home keeps its address; no button is meant')
  t.equal(stepsFor('Ändere die Adresse der About-us-Seite in /rentals'), 'question', 'there is such a page')
  t.equal(resultOf(planFor('/', 'change the url of this page to /boats')), 'question')
  t.end()
})

t.test('questions are answered, and change nothing', (t) => {
  const questions: readonly (readonly [message: string, status: string, at?: string])[] = [
    ['Was ist auf diesem Bild zu sehen?', 'info', '/ b_hero_1.imageUrl'], ['Beschreibe das Bild', 'info', '/ b_hero_1.imageUrl'], ['Beschreibe das Bild', 'unsupported'], ['Welche Abschnitte kann ich hier einfügen?', 'info'], ['Was kann man im Hero ändern?', 'info'],
    ['Welche Felder hat der Banner?', 'info', '/rentals'], ['Zeig mir alle Überschriften', 'info'], ['Welche Buttons gibt es auf der Rentals-Seite?', 'info'], ['Wie viele Fragen gibt es?', 'info', '/rentals'], ['Soll ich eine Galerie hinzufügen?', 'advice'],
    ['Welche Felder?', 'info'], ['Wie viele Seiten?', 'info'], ['Wie viele Überschriften', 'info'], ['Wie viele Buttons auf dieser Seite?', 'info'], ['Wie viele Leute kommen?', 'unsupported'],
    ['Wäre eine FAQ sinnvoll?', 'advice'], ['Füge keinen Banner hinzu', 'info'], ['Bitte den Hero nicht löschen', 'info'], ['Stell die letzte Version wieder her', 'info'], ['Schalte die Seite live', 'info'], ['Guten Morgen', 'info'],
  ]
  for (const [message, status, at = '/'] of questions) t.equal(stepsFor(message, at), status, message)
  t.end()
})

t.test('a plan can be asked for before anything is done', (t) => {
  for (const message of ['zeig mir zuerst einen Plan: lösche den Hero', 'Mach erst einen Plan: lösche den Hero', 'Erst planen: lösche den Hero', 'Bevor du etwas änderst, zeige mir den Plan: lösche den Hero',
    'Lösche den Hero, aber zeig mir zuerst den Plan', 'Lösche den Hero, aber plane das erst.', 'Lösche den Hero. Zeige mir vorher einen Plan, bitte', 'Lösche den Hero, aber erst den Plan zeigen']) {
    t.ok(asksForPlanFirst(message), message)
    t.strictSame(stepsFor(message), [removeBlock('b_hero_1')], message)
  }
  for (const message of ['lösche den Hero', 'ändere die Überschrift in „erst planen: x“', 'ändere die Überschrift in „Los, aber erst planen“', 'füge einen Plan hinzu']) t.notOk(asksForPlanFirst(message), message)
  t.end()
})

t.test('yes and no are told from requests', (t) => {
  for (const yes of ['ja', 'Ja!', 'Mach das.', ' mach es ', 'ANWENDEN', 'bestätigen', 'ja, bitte', 'okay 👍', 'Ja, mach das.', 'Los geht’s', 'passt so', 'einverstanden']) t.ok(isConfirmation(yes), yes)
  for (const no of ['nein', 'Nein.', 'abbrechen', 'Stopp!', 'vergiss es', 'Vergiss es…', 'lieber nicht', 'nein, danke', 'doch nicht', 'mach das nicht', 'bitte nicht']) t.ok(isRefusal(no), no)
  for (const neither of ['ja lösche den Hero', 'mach das nochmal', 'nein den Hero', 'kein Hero', 'mach das größer', 'vergiss den Banner', 'los lösche den Hero']) t.notOk(isConfirmation(neither) || isRefusal(neither), neither)
  for (const yes of german.confirmations) t.notOk(isRefusal(yes), yes)
  t.end()
})

t.test('every suggestion is German, and can be carried out on the page where it is made, as it is then', (t) => {
  const places = ['/', '/rentals', '/about', '/ b_cta_1', '/rentals b_cards_r.cards[1].title']
  const messages = [...germanExamples, ...germanNoEdits.filter((_, index) => index % 4 === 0).map((message, index) => ({ at: places[index % places.length] ?? '/', message }))]
  for (const { at, message } of messages) {
    const outcome = planFor(at, message, { locale })
    const suggestions = outcome.kind === 'plan' ? (outcome.plan.suggestions ?? []) : outcome.kind === 'unchanged' ? [] : outcome.suggestions
    if (outcome.kind === 'unsupported') t.ok(suggestions.length >= 2 && suggestions.length <= 4, `${message}: ${suggestions.length} suggestions`)
    const input = inputFor(at, message, { locale })
    const then = outcome.kind === 'plan' ? inputAfter(input, outcome.plan.ops) : input
    const open = outcome.kind === 'question' ? outcome.open : undefined
    for (const suggestion of suggestions) t.ok(clicked(then, suggestion, open), `${message} → ${suggestion}`)
  }
  t.end()
})

t.test('what is suggested calls things by the names that they have in German', (t) => {
  const cases: readonly (readonly [field: string, owner: string, suggestion: string])[] = [
    ['button text', 'den Hero-Abschnitt', 'Ändere den Hero-Button-Text'],
    ['button link', 'den zweiten CTA-Abschnitt', 'Ändere den zweiten CTA-Button-Link'],
    ['überschrift', 'den ersten Hero-Abschnitt auf /about', 'Auf /about: Ändere die erste Hero-Überschrift'],
    ['alt text', 'den Hero-Abschnitt auf der Startseite', 'Auf der Startseite: Ändere den Hero-Alternativtext'],
    ['titel', 'den Tabellen-Abschnitt', 'Ändere den Titel im Tabellen-Abschnitt'],
  ]
  for (const [field, owner, suggestion] of cases) t.equal(german.phrases.rewrite(field, owner), suggestion)
  const help = planFor('/', 'Hilfe', { locale, draft: { version: 1, pages: [pageOf('/', ['Table', 'Hero'].map((type) => ({ id: type, type, props: {} })))], config: {} } })
  t.match(help, { suggestions: [/^Ändere den Titel im Tabellen-Abschnitt$/, /^Ändere die Hero-Überschrift$/] })
  t.end()
})

t.test('a block type has one German name, in answers and in what is suggested', (t) => {
  for (const blockType of builtinRegistry.types()) {
    const { displayName } = namingIn(locale)(blockType)
    const plain = (name: string) => name.toLowerCase().replaceAll('-', ' ')
    t.equal(plain(german.blockNouns[blockType.type]?.[0] ?? ''), plain(displayName), blockType.type)
    const abschnitt = german.phrases.block(`${german.blockNouns[blockType.type]?.[0]} abschnitt`)
    const tried = attempt(inputFor('/', `Lösche ${abschnitt}`, { draft: { version: 1, pages: [pageOf('/', [{ id: 'b', type: blockType.type, props: {} }])], config: {} } }), german)
    t.equal(tried.kind, blockType.chrome ? 'asked' : 'done', abschnitt)
  }
  t.end()
})

/** Fields that nobody sets by words, and those whose name says more than their word. */
const notSaid = ['headingLevel', 'icon', 'siteName', 'type', 'variant', 'links', 'rows']

t.test('a field is understood by the German name that it is shown with', (t) => {
  const vocabulary = createVocabulary(german, builtinRegistry.types())
  const scalars = (fields: Fields): readonly (readonly [string, string])[] => Object.entries(fields).flatMap(([name, meta]) => (
    isDeclaredList(meta) ? scalars(everyItemField(meta)) : ['text', 'richtext', 'url', 'image', 'imageAlt', 'enum', 'color', 'number'].includes(meta.kind) ? [[name, labelOf(name, meta)] as const] : []))
  for (const blockType of builtinRegistry.types()) {
    for (const [name, label] of scalars(namingIn(locale)(blockType).fields)) {
      if (notSaid.includes(name)) continue
      const second = label.endsWith(' des zweiten Buttons')
      const [found] = vocabulary.fieldNames.find(tokensOf(label, german.typos), 0)
      t.equal(found?.phrase, second ? label.replace(/ .*/, '').toLowerCase() : label.toLowerCase().replaceAll('-', ' '), `${blockType.type}: ${label}`)
      if (!second) t.ok(found?.value.includes(name), `${label} is ${name}`)
    }
  }
  t.strictSame(stepsFor('Ändere den Text des zweiten Buttons in "X"', '/ b_hero_1'), [set('b_hero_1', { secondaryCtaText: 'X' })])
  t.strictSame(stepsFor('Ändere den Link des zweiten Buttons auf /rentals', '/ b_hero_1'), [set('b_hero_1', { secondaryCtaHref: '/rentals' })])
  t.end()
})

t.test('ready commands are in the case that their place asks for', (t) => {
  const suggested = (message: string, at = '/', more: Partial<PlanningInput> = {}) => {
    const outcome = planFor(at, message, { locale, ...more })
    return outcome.kind === 'question' ? outcome.suggestions[0] : outcome.kind
  }
  const { inPlaceOf } = german.phrases
  t.equal(inPlaceOf?.('des Textabschnitts', 'fließtext', 'den ersten Rich-Text-Abschnitt'), 'des ersten Rich-Text-Abschnitts')
  t.equal(inPlaceOf?.('dem Textabschnitt', 'nach', 'den ersten Rich-Text-Abschnitt'), 'dem ersten Rich-Text-Abschnitt')
  t.equal(inPlaceOf?.('Textabschnitt', 'im', 'den ersten Rich-Text-Abschnitt'), 'ersten Rich-Text-Abschnitt')
  t.equal(suggested('ändere den Titel der fünften Karte in „X“', '/rentals'), 'ändere den Titel der ersten Karte in „X“')
  t.equal(inPlaceOf?.('des fünften Features', 'titel', 'das erste Feature'), 'des ersten Features')
  t.equal(suggested('lösche das elfte Feature'), 'unsupported')
  t.equal(suggested('lösche das 11. Feature'), 'lösche das erste Feature')
  t.equal(inPlaceOf?.('der Winter-Seite', 'mit', 'die Startseite'), 'der Startseite')
  t.equal(suggested('lösche den Hero', '/', { draft: { version: 1, pages: [pageOf('/', []), ...kayakPages.slice(1)], config: {} } }), 'lösche den Hero-Abschnitt auf /rentals')
  t.equal(german.phrases.row('feature', 11), 'das 11. Feature')
  t.end()
})

t.test('every class and slot that a form names exists', (t) => {
  const forms = [
    ...german.rules.flatMap((rule) => rule.forms), ...german.questions.flatMap((rule) => rule.forms), ...german.planFirst, ...german.planLast,
    ...Object.values(german.slots).flatMap((slot) => Object.values(slot).flat()),
  ]
  const names = { class: new Set<string>(), slot: new Set<string>() }
  const visit = (pattern: Pattern): void => {
    if (pattern.kind === 'class' || pattern.kind === 'slot') names[pattern.kind].add(pattern.name)
    if (pattern.kind === 'sequence') pattern.pieces.forEach(visit)
    if (pattern.kind === 'choice') pattern.options.forEach(visit)
  }
  forms.map(toPattern).forEach(visit)
  for (const name of names.class) t.ok(german.words[name], `@${name}`)
  for (const name of names.slot) t.ok(name === 'Value' || wordSlots[name] || german.slots[name], `$${name}`)
  t.ok(names.class.size > 50 && names.slot.size > 30)
  t.end()
})

t.test('no German text keeps the rules busy', (t) => {
  const busy: readonly string[] = [
    'lösche den Hero, '.repeat(110), `die Überschrift ${'des Heros '.repeat(160)}`, 'der '.repeat(490), `füge eine Karte ${'mit dem Titel „x“ '.repeat(100)}hinzu`, 'im Hero, '.repeat(200), `ändere den ${'Text des '.repeat(200)}Buttons in X`,
    'Link des '.repeat(200), 'lösche die erste Karte der FAQ, '.repeat(55), 'füge nach dem Hero vor dem CTA '.repeat(60), 'zeig mir alle '.repeat(140), '2. '.repeat(600), 'a-b-'.repeat(450),
  ]
  const start = performance.now()
  for (const message of busy) t.not(readIn('/', message.slice(0, 2000)).kind, 'plan', message.slice(0, 40))
  const ms = performance.now() - start
  t.ok(ms < 10_000, `${Math.round(ms)} ms for all of them`)
  t.end()
})

const known = [
  ...Object.values(german.words).flat(), ...Object.keys(german.ordinals), ...Object.keys(german.numbers), ...Object.values(german.blockNouns).flat(), ...Object.keys(german.fieldNouns),
  ...german.rowNouns.flatMap(({ singular, plural }) => [...singular, ...plural]),
]
const values = ['„Hallo“', '„Rent“', '/about', 'https://example.org/a.jpg', '#fff', 'b_hero_1', '2', '2.', ':', '?', '„', '“']
const word = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...known) }, { weight: 3, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: fc.constantFrom('zyzzyva', 'quux', '!', '§', '🙂') })
const soups = fc.array(word, { minLength: 1, maxLength: 14 }).map((words) => words.join(' '))
const place = fc.constantFrom('/', '/rentals', '/about', '/ b_hero_1.heading', '/ b_cta_1', '/rentals b_cards_r.cards[1].title')
const commands = [...germanExamples, ...germanForms]

const isSound = (at: string, message: string) => {
  const { ops } = readIn(at, message)
  if (ops.length === 0) return true
  draftAfterPlan(ops)
  return parseOperations(JSON.parse(JSON.stringify(ops))).ok
}

t.test('any words at all give a sound outcome, and the same one again', (t) => {
  fc.assert(fc.property(soups, place, (message, at) => isSound(at, message) && JSON.stringify(readIn(at, message)) === JSON.stringify(readIn(at, message))), { numRuns: 400 })
  t.end()
})

t.test('any two commands together give a sound outcome', (t) => {
  const pairs = fc.tuple(fc.constantFrom(...commands), fc.constantFrom(...commands), fc.constantFrom(' und ', ', ', '. ', '; dann ', ' & bitte auch '), place)
  fc.assert(fc.property(pairs, ([one, other, joint, at]) => isSound(at, one.message.replace(/[.?]$/, '') + joint + other.message)), { numRuns: 400 })
  t.end()
})

t.test('a word that nobody knows is part of a value, or nothing happens', (t) => {
  const cases = fc.constantFrom(...commands).chain(({ at, message }) =>
    fc.nat({ max: message.split(' ').length }).map((index) => ({ at, message: message.split(' ').toSpliced(index, 0, 'zyzzyva').join(' ') })))
  fc.assert(fc.property(cases, ({ at, message }) => {
    const { ops } = readIn(at, message)
    return ops.length === 0 || JSON.stringify(ops).toLowerCase().includes('zyzzyva')
  }), { numRuns: 500 })
  t.end()
})
