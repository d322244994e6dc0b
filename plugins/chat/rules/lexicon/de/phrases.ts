import type { Phrases } from '../lexicon.ts'
import { fieldNameFor } from './nouns.ts'

const ordinals = ['ersten', 'zweiten', 'dritten', 'vierten', 'fünften', 'sechsten', 'siebten', 'achten', 'neunten', 'zehnten']

/** Articles by the ends of nouns, as they stand behind a verb; everything else is `den`. */
const articles: readonly (readonly [article: string, ending: RegExp])[] = [
  ['die', /(?:überschrift|zeile|beschreibung|schaltfläche|farbe|position|ausrichtung|url|adresse|antwort|frage|rolle|variante|karte|bewertung|zahl|folie|bildunterschrift|beschriftung|art|streifen|schleife)$/i],
  ['das', /(?:bild|feature|zitat|logo|symbol|icon|intervall|copyright|video|verhältnis|label|autoplay)$/i],
]

const articleOf = (noun: string) => articles.find(([, ending]) => ending.test(noun))?.[0] ?? 'den'
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const behindDative = ['in', 'auf', 'von', 'aus', 'nach', 'vor', 'hinter', 'unter', 'über', 'zu', 'bei', 'an', 'neben']

/** `die erste Karte` and `den ersten Abschnitt` as they stand for whom something belongs to, or where something is. */
function declinedAs(words: string, form: 'genitive' | 'dative'): string {
  const [thing = '', ...where] = words.split(/ (?=im )/)
  const [article = '', ...others] = thing.split(' ')
  const rest = others.map((word, index) => (index < others.length - 1 && word.endsWith('e') ? `${word}n` : word)).join(' ')
  if (article !== 'den' && article !== 'das' && article !== 'die') return words
  const declined = article === 'die' ? `der ${rest}` : form === 'dative' ? `dem ${rest}` : `des ${rest}${rest.endsWith('s') ? '' : 's'}`
  return [declined, ...where].join(' ')
}

/** Types as they stand in front of `Abschnitt`, where they are not as they stand alone. */
const joints: Readonly<Record<string, string>> = { Tabelle: 'Tabellen', Einbettung: 'Einbettungs', Fußzeile: 'Fußzeilen', Kopfzeile: 'Kopfzeilen' }
const compound = (words: string) => words.split(' ').map((word) => joints[word] ?? capitalized(word)).join('-')

/** Ready commands in German. Sections are `Abschnitte`, so that `den` fits every one of them. */
export const phrases: Phrases = {
  ordinal: (n) => ordinals[n - 1] ?? `${n}.`,
  block: (noun, n) => `den ${n === undefined ? '' : `${phrases.ordinal(n)} `}${compound(noun)}`,
  row(noun, n) {
    const article = articleOf(noun)
    const ordinal = phrases.ordinal(n)
    return `${article} ${article === 'den' ? ordinal : ordinal.replace(/n$/, '')} ${capitalized(noun)}`
  },
  fieldOf(field, owner) {
    const name = fieldNameFor(field)
    return `${articleOf(name)} ${name} ${owner.replace(/^den /, 'im ')}`
  },
  on: (reference, slug) => `${reference} auf ${slug === '/' ? 'der Startseite' : slug}`,
  page: (slug) => (slug === '/' ? 'die Startseite' : slug),
  inPlaceOf(replaced, before, words) {
    const [article = ''] = replaced.toLowerCase().split(' ')
    if (article === 'des' || (article === 'der' && !behindDative.includes(before))) return declinedAs(words, 'genitive')
    return article === 'dem' || article === 'der' || before === 'im' ? declinedAs(words, 'dative').replace(/^dem /, before === 'im' ? '' : 'dem ') : words
  },
  rewrite(field, owner) {
    const [thing = '', ...page] = owner.split(/ (?=auf )/)
    const [noun = '', ordinal] = thing.replace(/^den /, '').replace(/-Abschnitt$/, '').split(' ').toReversed()
    const name = fieldNameFor(field)
    const article = articleOf(name)
    const which = ordinal === undefined ? [] : [article === 'den' ? ordinal : ordinal.replace(/n$/, '')]
    const reference = Object.values(joints).includes(noun) ? phrases.fieldOf(field, thing) : [article, ...which, `${noun}-${name}`].join(' ')
    return [...page.map((where) => `${capitalized(where)}:`), 'Ändere', reference].join(' ')
  },
  addBlock: (noun) => `Füge einen ${compound(noun)}-Abschnitt hinzu`,
  moveTo: (reference, place) => `Verschiebe ${reference} ${place}`,
  createPage: 'Erstelle eine neue Seite',
  renamePage: 'Ändere den Seitentitel',
  setMeta: 'Ändere die Meta-Beschreibung',
  places: ['ganz nach oben', 'ganz nach unten'],
}
