import { declined, plainSpellings } from './de/inflect.ts'
import { blockNouns, compounds, fieldNouns, rowNouns } from './de/nouns.ts'
import { phrases } from './de/phrases.ts'
import { courtesies } from './de/courtesies.ts'
import { questions } from './de/questions.ts'
import { rules } from './de/rules.ts'
import { slots } from './de/slots.ts'
import { pointers, words } from './de/words.ts'
import { english } from './en.ts'
import type { Lexicon, Rule } from './lexicon.ts'

const numbers = { eins: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9, zehn: 10 }

const ordinals = Object.fromEntries([
  ['erst'], ['zweit'], ['dritt'], ['viert'], ['fünft'], ['sechst'], ['siebt', 'siebent'], ['acht'], ['neunt'], ['zehnt'],
].flatMap((stems, index) => stems.flatMap((stem) => declined(stem).map((word) => [word, index + 1] as const))))

const last = Object.fromEntries([...declined('letzt', 'unterst', 'hinterst')].map((word) => [word, -1]))
const first = Object.fromEntries([...declined('oberst', 'vorderst')].map((word) => [word, 1]))

const planFirst = [
  '(zeig | zeige | zeigen sie) [mir] [zuerst | erst | vorher] (einen | den | deinen) plan [vorher | zuerst] (: | , | . | und dann)',
  '(mach | mache | erstelle | entwirf | schlage | machen sie) [mir] [zuerst | erst | vorher] (einen | den) plan [vor] [vorher | zuerst] (: | , | . | und dann)',
  '[zuerst | erst] (planen | plane) [das | es] [zuerst | erst | vorher] (: | , | .)',
  '(erst | vorher | nur | erstmal) [einen | den | als] plan [zeigen | machen] (: | , | .)', '(einen | den) plan (zeigen | machen) (: | , | .)',
  '(zeig | zeige) [mir] [zuerst | erst] eine vorschau (: | ,)',
  'bevor (du | sie) [etwas | was | irgendetwas] (änderst | ändern | machst | tust) [,] (zeig | zeige | zeigen sie) [mir] (einen | den) plan (: | , | .)',
  'plan zuerst (: | , | .)', 'als plan (: | ,)',
]

const planLast = [
  // `zuerst` is one of the little words that are taken off before.
  '@besides (zeig | zeige | zeigen sie) [mir] [erst | vorher] (einen | den | deinen) plan [vorher]', '@besides (mach | mache | machen sie) [mir] (erst | vorher) (einen | den) plan',
  '@besides (erst | vorher) [einen | den] plan zeigen', '@besides erst planen', '@besides (plan | plane) (das | es) (erst | vorher)',
]

const written = (list: readonly Rule[]) => list.flatMap(({ forms }) => forms)

/** German. English names of types and fields, which a site brings, may stand in German sentences. */
export const german: Lexicon = {
  language: 'de',
  typos: {
    ...compounds,
    ...plainSpellings([
      ...Object.values(words).flat(), ...Object.keys(numbers), ...Object.keys(ordinals), ...Object.values(blockNouns).flat(),
      ...Object.keys(fieldNouns), ...rowNouns.flatMap(({ singular, plural }) => [...singular, ...plural]),
      ...written(rules), ...written(questions), ...planFirst, ...planLast, ...Object.values(courtesies).flat(),
    ]),
    überschift: 'überschrift', übershrift: 'überschrift', uberschrift: 'überschrift', überschirft: 'überschrift', abschnit: 'abschnitt', abschintt: 'abschnitt', löshe: 'lösche', endere: 'ändere',
    enferne: 'entferne', entfehrne: 'entferne', verschibe: 'verschiebe', gallerie: 'galerie', karusell: 'karussell', karrussell: 'karussell', tietel: 'titel', bechreibung: 'beschreibung', bewertugen: 'bewertungen',
  },
  words,
  ordinals: { ...ordinals, ...last, ...first },
  ordinalSign: '.',
  numbers,
  vague: {
    words: [
      'etwas', 'was', 'irgendwas', 'irgendetwas', 'irgendwie', 'nichts', 'leer', 'kein', 'keine', 'keinen', 'nicht', 'mehr', 'weniger', 'besser',
      'kürzer', 'länger', 'einfacher', 'schöner', 'knackiger', 'freundlicher', 'klarer', 'netter', 'wärmer',
      'größer', 'kleiner', 'fett', 'kursiv', 'fettgedruckt', 'unterstrichen', 'sichtbar', 'unsichtbar', 'versteckt', 'ausgeblendet', 'anders', 'neu',
      'neuen', 'neuem', 'wie', 'warum', 'wo',
      'so', 'zu', 'sehr', 'bitte', 'jetzt', 'nun', 'ist', 'sind', 'wird', 'soll', 'sollte', 'dasselbe', 'denselben', 'dieselbe', 'gleich', 'ähnlich',
      'in', 'auf', 'im', 'am', 'zum', 'zur', 'als', 'durch', 'mit', 'von', 'vom', 'an', 'für', 'bei', 'nach',
      'unter', 'über', 'hinter', 'vor', 'aus', 'um', 'passend', 'ansprechender', 'moderner', 'emotionaler', 'professioneller', 'lockerer',
      'sachlicher', 'deutlicher', 'auch', 'noch', 'nur', 'weg', 'raus', 'entfernt', 'gelöscht', 'geändert', 'verschoben',
      'großgeschrieben', 'kleingeschrieben', 'groß', 'klein', 'dicker', 'dünner', 'heller', 'dunkler', 'bunter', 'farbig', 'lesbarer', 'deutsch',
      'englisch', 'unverändert',
    ],
    afterArticle: [],
    articles: [],
    beginnings: [...pointers, 'zentriert', 'mittig', 'links', 'rechts', 'linksbündig', 'rechtsbündig', 'oben', 'unten'],
    alone: [
      'großbuchstaben', 'kleinbuchstaben', 'versalien', 'fettschrift', 'fettdruck', 'kursiv', 'fett', 'kursivschrift', 'blocksatz', 'leer', 'nichts',
      'standard', 'du', 'sie', 'anführungszeichen', 'klammern', 'gänsefüßchen', 'kapitälchen', 'blockschrift', 'schreibschrift', 'großschreibung',
      'kleinschreibung', 'gesperrt', 'zentriert', 'linksbündig', 'rechtsbündig', 'mittig',
    ],
  },
  nounsAreCapital: true,
  languageNames: [
    'deutsch', 'englisch', 'französisch', 'spanisch', 'italienisch', 'portugiesisch', 'niederländisch', 'japanisch', 'koreanisch', 'chinesisch',
    'polnisch', 'dänisch', 'schwedisch', 'norwegisch', 'finnisch', 'russisch', 'türkisch', 'arabisch',
    'griechisch', 'tschechisch', ...english.languageNames,
  ],
  colors: english.colors,
  colorWords: {
    schwarz: 'black', weiß: 'white', weiss: 'white', rot: 'red', grün: 'green', gruen: 'green', blau: 'blue', gelb: 'yellow', lila: 'purple', violett: 'violet', rosa: 'pink', braun: 'brown', grau: 'gray', marineblau: 'navy', türkis: 'turquoise',
    dunkelblau: 'darkblue', hellblau: 'lightblue', dunkelgrün: 'darkgreen', hellgrün: 'lightgreen', dunkelrot: 'darkred', hellgrau: 'lightgray', dunkelgrau: 'darkgray', silber: 'silver', gold: 'gold', elfenbein: 'ivory', koralle: 'coral', magenta: 'magenta', oliv: 'olive', beige: 'beige', orange: 'orange', transparent: 'transparent',
  },
  switches: { an: 'true', ein: 'true', ja: 'true', wahr: 'true', aus: 'false', nein: 'false', falsch: 'false', on: 'true', off: 'false' },
  optionWords: {
    warnung: 'warning', warnhinweis: 'warning', erfolg: 'success', erfolgsmeldung: 'success', information: 'info', hinweis: 'info', info: 'info', links: 'left', linksbündig: 'left', rechts: 'right', rechtsbündig: 'right', zentriert: 'center', mittig: 'center',
    'volle breite': 'full', 'in voller breite': 'full', akzent: 'accent', landkarte: 'map', video: 'video',
  },
  blockNouns,
  rowNouns,
  fieldNouns,
  ownerEnding: 's',
  pageEndings: [['seite', ''], ['sseite', ''], ['nseite', ''], ['enseite', ''], ['seite', 'e'], ['seite', 'en'], ['seite', 'n']],
  slots,
  rules,
  questions,
  planFirst,
  planLast,
  confirmations: [
    'ja', 'jo', 'jawohl', 'ja bitte', 'mach das', 'mach es', 'ja mach das', 'ja mach es', 'mach das so', 'mach mal', 'tu das', 'tu es', 'ok', 'okay',
    'in ordnung', 'einverstanden', 'genau', 'passt', 'passt so', 'ja gerne', 'ja gern', 'gerne', 'anwenden', 'bestätigen', 'bestätigt',
    'los', 'los gehts', "los geht's", 'ausführen', 'ja ausführen', 'ja anwenden', 'plan anwenden', 'wende den plan an', 'wende ihn an',
    'führ ihn aus', 'führe ihn aus', 'führ es aus', 'genehmigt', 'freigeben', 'freigegeben', 'sieht gut aus', 'klar', 'ja klar', 'machen sie das',
    'ja machen sie das', 'so machen',
    'ja so machen', 'führe den plan aus', 'nur zu', 'ja los', 'ja ok', 'ja okay', 'ja genau', 'ja passt',
  ],
  refusals: [
    'nein', 'nee', 'nö', 'nein danke', 'abbrechen', 'abbruch', 'brich ab', 'stopp', 'stop', 'halt', 'vergiss es', 'vergessen sie es', 'lass es',
    'lass das', 'doch nicht', 'lieber nicht', 'verwerfen', 'verwirf das', 'verwirf es', 'verwirf den plan', 'nein abbrechen', 'nicht machen',
    'mach das nicht', 'mach es nicht',
    'nein nicht', 'bitte nicht', 'nicht anwenden', 'plan verwerfen', 'ablehnen', 'abgelehnt', 'lassen sie es', 'lassen sie das', 'schon gut',
    'nein lass es', 'nein vergiss es', 'nein bitte nicht', 'nein stopp',
  ],
  courtesies,
  joints: { value: 'in', name: 'namens', scope: 'aus', place: '' },
  ways: { rise: { edge: 'ganz nach oben', step: 'um eine Position nach oben' }, sink: { edge: 'ganz nach unten', step: 'um eine Position nach unten' } },
  phrases,
}
