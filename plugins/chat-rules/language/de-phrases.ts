import type { Phrases } from './language.ts'

const ordinals = ['ersten', 'zweiten', 'dritten', 'vierten', 'fünften', 'sechsten', 'siebten', 'achten', 'neunten', 'zehnten']
const ordinal = (n: number) => ordinals[n - 1] ?? `${n}.`

/** Articles by the ends of nouns, as they stand behind a verb; everything else is `den`. */
const articles: readonly (readonly [article: string, ending: RegExp])[] = [
  ['die', /(?:überschrift|zeile|beschreibung|schaltfläche|farbe|position|ausrichtung|url|adresse|antwort|frage|rolle|variante|karte|bewertung|zahl|folie|art|streifen|schleife)$/i],
  ['das', /(?:bild|feature|zitat|logo|symbol|icon|intervall|copyright|video|verhältnis|label|autoplay)$/i],
]

const articleOf = (noun: string) => articles.find(([, ending]) => ending.test(noun))?.[0] ?? 'den'
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Types as they stand in front of `Abschnitt`, where they are not as they stand alone. */
const joints: Readonly<Record<string, string>> = { Tabelle: 'Tabellen', Einbettung: 'Einbettungs', Fußzeile: 'Fußzeilen', Kopfzeile: 'Kopfzeilen' }
const compound = (words: string) => words.split(' ').map((word) => joints[word] ?? capitalized(word)).join('-')

/** Ready commands in German. Sections are `Abschnitte`, so that `den` fits every one of them. */
export const phrases: Phrases = {
  block: (noun, n) => `den ${n === undefined ? '' : `${ordinal(n)} `}${compound(noun)}`,
  row: (noun, n) => `${articleOf(noun)} ${articleOf(noun) === 'den' ? ordinal(n) : ordinal(n).replace(/n$/, '')} ${capitalized(noun)}`,
  fieldOf: (field, owner) => `${articleOf(field)} ${capitalized(field)} ${owner.replace(/^den /, 'im ')}`,
  on: (reference, slug) => `${reference} auf ${slug === '/' ? 'der Startseite' : slug}`,
  page: (slug) => (slug === '/' ? 'die Startseite' : slug),
  rewrite(field, owner) {
    const [thing = '', ...page] = owner.split(/ (?=auf )/)
    const [noun = '', which] = thing.replace(/^den /, '').replace(/-Abschnitt$/, '').split(' ').toReversed()
    const article = articleOf(field)
    const nth = which === undefined ? [] : [article === 'den' ? which : which.replace(/n$/, '')]
    const reference = Object.values(joints).includes(noun) ? phrases.fieldOf(field, thing) : [article, ...nth, `${noun}-${capitalized(field)}`].join(' ')
    return [...page.map((where) => `${capitalized(where)}:`), 'Ändere', reference].join(' ')
  },
  addBlock: (noun) => `Füge einen ${compound(noun)}-Abschnitt hinzu`,
  moveTo: (reference, place) => `Verschiebe ${reference} ${place}`,
  createPage: 'Erstelle eine neue Seite',
  renamePage: 'Ändere den Seitentitel',
  setMeta: 'Ändere die Meta-Beschreibung',
  places: ['ganz nach oben', 'ganz nach unten'],
}
