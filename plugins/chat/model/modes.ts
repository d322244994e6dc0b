import type { Selection } from '../types/planner.ts'
import { hasAny, hasPhrase, wordSet, type Words } from './words.ts'

/** What kind of work a request is, as far as its words tell. They choose prompt, context and model, never an edit. */
export type Mode = 'translation' | 'page_rewrite' | 'several' | 'duplicate' | 'question' | 'page_operation'

const translate = wordSet('translate translates translated translating translation translations localize localise localized localised localizing übersetz übersetze übersetzen übersetzt übersetzung lokalisiere lokalisieren')
const languages = wordSet('english german french spanish italian portuguese dutch japanese korean chinese swedish danish norwegian finnish czech hungarian romanian greek turkish russian ukrainian arabic hebrew hindi schwedisch schwedische dänisch dänische norwegisch norwegische finnisch finnische polnisch polnische tschechisch tschechische ungarisch ungarische rumänisch rumänische griechisch griechische türkisch türkische russisch russische ukrainisch ukrainische arabisch arabische hebräisch hebräische englisch deutsch französisch spanisch italienisch portugiesisch niederländisch japanisch koreanisch chinesisch englische deutsche französische spanische italienische portugiesische niederländische japanische koreanische chinesische')
const into = wordSet('in into to auf ins')
const courtesies = wordSet('please thanks bitte danke')
/** Whoever says in which language something new is to be written wants nothing translated. */
const writing = wordSet('add create write insert draft generate compose new ergänze erstelle schreibe füge neue neuen neues')
const each = wordSet('every each all jeder jede jedes jeden alle')
const partOnly = wordSet('block section component hero banner cta faq card cards testimonials quote stats table tabs gallery carousel footer menu heading headline subheading title button caption paragraph abschnitt bereich karte karten kundenstimmen zitat kennzahlen tabelle galerie karussell fußzeile menü überschrift unterzeile titel knopf absatz')
const pageWide = wordSet('page site website everything all whole entire seite webseite alles alle allen ganze ganzen gesamte gesamten')

const germanRemakes = ['schreibe', 'schreib', 'formuliere', 'überarbeite', 'gestalte', 'mache', 'mach'].flatMap((verb) =>
  ['die seite', 'diese seite', 'die ganze seite', 'die gesamte seite', 'alle texte', 'alles'].map((what) => `${verb} ${what}`))
const remake = wordSet('refocus rebrand redesign repurpose')
const remakePhrases = ['rewrite all', 'rewrite everything', 'rewrite the page', 'rewrite the whole', 'rewrite this page', 'populate the page', 'make the page', 'make this page', 'audit the headings', 'all headings', 'every heading', 'all emojis', 'all emoji', ...germanRemakes, 'alle überschriften', 'alle emojis']

const batchVerbs = wordSet('add insert remove delete reorder rearrange sort füge entferne lösche sortiere')
const many = wordSet('all each every both several two three four five six seven eight nine ten alle jede jeden beide')
const copy = wordSet('duplicate copy clone dupliziere kopiere')
const modify = wordSet('change replace with but for and then set use ändere mit aber für')

const asking = wordSet('what which where when why who whose how is are was were do does did should am has was welche welcher welches wo wann warum wer wie ist sind')
const polite = wordSet('can could would will kannst könntest')

const onPages = wordSet('page pages slug route url seite seiten')
const pageVerbs = wordSet('create add rename remove delete move duplicate copy clone erstelle lege benenne lösche entferne verschiebe dupliziere')

/** Edit verbs: a message with one of them is not answered with nothing but an answer. */
export const editVerbs: ReadonlySet<string> = wordSet('change edit fix make rename replace rewrite set translate update ändere ändern bearbeite korrigiere mach mache ersetze setze schreibe übersetze übersetzen aktualisiere benenne')

/** Tells whether a request is about translating; the name of a language alone is not, nor is something new in a language. */
export function isTranslation(words: Words): boolean {
  if (hasAny(words, translate)) return true
  if (hasAny(words, writing)) return false
  const [before = '', last = ''] = words.list.filter((word) => !courtesies.has(word)).slice(-2)
  return languages.has(last) && into.has(before)
}

/** Tells whether a translation is of a whole page: no part is named, and where a block is selected, a word says so. */
export function isPageTranslation(words: Words, { blockId }: Selection): boolean {
  if (!isTranslation(words) || namesPart(words)) return false
  return blockId === undefined || isWide(words)
}

/** `this section`, and neither `every section` nor `the FAQ page`. */
const namesPart = ({ list }: Words): boolean =>
  list.some((word, at) => partOnly.has(word) && !each.has(list[at - 1] ?? '') && !onPages.has(list[at + 1] ?? ''))

/** Tells whether a translation is of nothing but the focused field: no word names more, or something else. */
export function isFieldTranslation(words: Words, { path }: Selection): boolean {
  return path !== undefined && isTranslation(words) && !isWide(words) && !namesPart(words)
}

/** Tells whether a request is about more than one thing, as far as its words tell. */
export const isWide = (words: Words): boolean => hasAny(words, pageWide)

const everyOne = wordSet('all each every both alle allen aller jede jeder jedem jeden sämtliche sämtlichen beide beiden')
const pageNouns = wordSet('page pages subpage subpages seite seiten unterseite unterseiten')
const wholeOf = wordSet('whole entire complete ganze ganzen gesamte gesamten komplette kompletten')
const siteNouns = wordSet('site website webseite webauftritt homepage')
const everywhere = wordSet('everywhere sitewide überall')
const withNoun = wordSet('the of our my your other these single der die den dem unsere unserer unseren meine meiner anderen einzelne einzelnen')

/** Tells whether a request is about all pages of the site. */
export const isAboutEveryPage = ({ list }: Words): boolean => list.some((word, at) => {
  if (everyOne.has(word)) return pageNouns.has(list.slice(at + 1, at + 4).find((next) => !withNoun.has(next)) ?? '')
  return everywhere.has(word) || (wholeOf.has(word) && siteNouns.has(list[at + 1] ?? ''))
})

/** Tells what kinds of work a request is. */
export function modesOf(words: Words, selection: Selection): ReadonlySet<Mode> {
  const first = words.list[0] ?? ''
  const tests: Readonly<Record<Mode, boolean>> = {
    translation: isPageTranslation(words, selection),
    page_rewrite: hasAny(words, remake) || remakePhrases.some((phrase) => hasPhrase(words, phrase)),
    several: hasAny(words, batchVerbs) && (hasAny(words, many) || words.quoted > 2),
    duplicate: hasAny(words, copy) && hasAny(words, modify),
    question: asking.has(first) && !polite.has(first),
    page_operation: hasAny(words, onPages) && hasAny(words, pageVerbs),
  }
  return new Set(modeNames.filter((mode) => tests[mode]))
}

const modeNames = ['translation', 'page_rewrite', 'several', 'duplicate', 'question', 'page_operation'] as const
