import { blockNouns, fieldNouns, rowNouns } from './de-nouns.ts'
import { phrases } from './de-phrases.ts'
import { questions } from './de-questions.ts'
import { duties, verbs } from './de-verbs.ts'
import { words } from './de-words.ts'
import { english } from './en.ts'
import { type Language, list, pairs } from './language.ts'

const courtesies: Language['courtesies'] = {
  thanks: [...list('danke, dankeschön, merci, thx, danke schön, danke sehr, danke dir, danke ihnen, danke vielmals'), ...pairs('vielen, vielen lieben, lieben, herzlichen, besten, tausend', 'dank')],
  praise: list('super, prima, toll, perfekt, klasse, cool, spitze, top, genial, wunderbar, ausgezeichnet, hervorragend, großartig, gut, schön, passt, gut gemacht, gefällt mir, das gefällt mir, sieht gut aus, das sieht gut aus'),
  greetings: list('hallo, hi, hey, moin, servus, grüezi, grüß gott, grüß dich, guten morgen, guten tag, guten abend, wie geht es dir, wie geht es ihnen, wie gehts, wie geht \'s'),
  farewells: list('tschüss, tschüs, ciao, auf wiedersehen, gute nacht, bis bald, bis dann, bis später, schönen tag, schönen tag noch'),
  around: list('ok, okay, alles klar, so, das, das ist, und, ist, jetzt, sehr, wirklich, schon, mal, auch, dir, ihnen, dafür, zusammen, für die hilfe, für deine hilfe, für ihre hilfe, für alles, du, noch, dann'),
}

const stems = ['erst', 'zweit', 'dritt', 'viert', 'fünft', 'sechst', 'siebt', 'acht', 'neunt', 'zehnt']
const declined = (stem: string, value: number) => ['e', 'en', 'er', 'es', 'em'].map((ending) => [stem + ending, value] as const)
const plainLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** Words as keyboards without umlauts write them, each with its proper spelling. */
const plain = Object.fromEntries([
  ...Object.values(courtesies).flat(), ...Object.values(words).flat(), ...verbs.flatMap(([, phrasesOf]) => phrasesOf), ...Object.values(blockNouns).flat(), ...fieldNouns.flatMap(([, names]) => names), 'größe',
].flatMap((phrase) => phrase.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => /[äöüß]/.test(word)).map((word) => [word.replace(/[äöüß]/g, (letter) => plainLetters[letter] ?? letter), word]))

/** German: the words for the same frames, as far as they fit. */
export const german: Language = {
  code: 'de', verbs, duties, words, blockNouns, rowNouns, fieldNouns, phrases, questions,
  typos: { ...plain, überschift: 'überschrift', uberschrift: 'überschrift', abschnit: 'abschnitt', löshe: 'lösche', enferne: 'entferne', verschibe: 'verschiebe', gallerie: 'galerie', karusell: 'karussell' },
  verbLast: true,
  requestVerbs: list(`ändere, ändern, lösche, lösch, löschen, entferne, entfernen, füge, füg, ergänze, erstelle, erstell, verschiebe, benenne, ersetze, dupliziere, kopiere, tausche, leere, verlinke, aktualisiere,
    korrigiere, überarbeite, nimm, lege, leg`),
  courtesies,
  ordinals: Object.fromEntries([...stems.flatMap((stem, index) => declined(stem, index + 1)), ...declined('letzt', -1), ...declined('oberst', 1), ...declined('unterst', -1)]),
  numbers: { zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9, zehn: 10 },
  options: {
    an: 'true', ein: 'true', ja: 'true', aus: 'false', nein: 'false', warnung: 'warning', warnhinweis: 'warning', erfolg: 'success', erfolgsmeldung: 'success', information: 'info', hinweis: 'info', links: 'left',
    linksbündig: 'left', rechts: 'right', zentriert: 'center', mittig: 'center', 'volle breite': 'full', akzent: 'accent', landkarte: 'map',
  },
  colors: {
    ...english.colors, schwarz: 'black', weiß: 'white', rot: 'red', grün: 'green', blau: 'blue', gelb: 'yellow', lila: 'purple', rosa: 'pink', braun: 'brown', grau: 'gray', türkis: 'turquoise', silber: 'silver',
    dunkelblau: 'darkblue', hellblau: 'lightblue', dunkelgrün: 'darkgreen', hellgrün: 'lightgreen',
  },
  languageNames: [...list('deutsch, englisch, französisch, spanisch, italienisch, portugiesisch, niederländisch, polnisch, dänisch, schwedisch, norwegisch, russisch, türkisch'), ...english.languageNames],
  joints: { value: 'in', name: 'namens', scope: 'aus', place: '' },
  ways: { rise: { edge: 'ganz nach oben', step: 'um eine Position nach oben' }, sink: { edge: 'ganz nach unten', step: 'um eine Position nach unten' } },
}
