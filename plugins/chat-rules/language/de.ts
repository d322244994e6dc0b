import { blockNouns, fieldNouns, rowNouns } from './de-nouns.ts'
import { duties, verbs, words } from './de-words.ts'
import { english } from './en.ts'
import { type Language, list, pairs, type Phrases } from './language.ts'

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

/** Spellings without umlauts, with the proper spelling. */
const plain = Object.fromEntries([
  ...Object.values(courtesies).flat(), ...Object.values(words).flat(), ...verbs.flatMap(([, phrasesOf]) => phrasesOf), ...Object.values(blockNouns).flat(), ...fieldNouns.flatMap(([, names]) => names), 'größe',
].flatMap((phrase) => phrase.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => /[äöüß]/.test(word)).map((word) => [word.replace(/[äöüß]/g, (letter) => plainLetters[letter] ?? letter), word]))

const ordinals = ['ersten', 'zweiten', 'dritten', 'vierten', 'fünften', 'sechsten', 'siebten', 'achten', 'neunten', 'zehnten']
const ordinal = (n: number) => ordinals[n - 1] ?? `${n}.`

/** Accusative articles by noun ending; the default is `den`. */
const articles: readonly (readonly [article: string, ending: RegExp])[] = [
  ['die', /(?:überschrift|zeile|beschreibung|schaltfläche|farbe|position|ausrichtung|url|adresse|antwort|frage|rolle|variante|karte|bewertung|zahl|folie|art|streifen|schleife)$/i],
  ['das', /(?:bild|feature|zitat|logo|symbol|icon|intervall|copyright|video|verhältnis|label|autoplay)$/i],
]

const articleOf = (noun: string) => articles.find(([, ending]) => ending.test(noun))?.[0] ?? 'den'
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Irregular forms of type nouns before `Abschnitt`. */
const joints: Readonly<Record<string, string>> = { Tabelle: 'Tabellen', Einbettung: 'Einbettungs', Fußzeile: 'Fußzeilen', Kopfzeile: 'Kopfzeilen' }
const compound = (words: string) => words.split(' ').map((word) => joints[word] ?? capitalized(word)).join('-')

/** Templates in German. Sections are `Abschnitte`, so that `den` always fits. */
const phrases: Phrases = {
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

const me = '(?:ich|wir|man|du|sie)'
const kinds = '(?:abschnitte|blöcke|bereiche|sektionen|komponenten|elemente|blocktypen|abschnittstypen)'
const where = '(?: (?:auf|in|im|an|mit|vom|von|bei|beim|für|der|des) (?<where>.+?))?'
const problems = '(?:probleme|fehler|mängel)'
const site = '(?:der|unserer|meiner|dieser|die|unsere|meine) (?:website|webseite)'

/** Patterns over the words of a message, joined by blanks. */
const questions: Language['questions'] = [
  ['blockCatalogue', new RegExp(`^(?:welche (?:anderen |weiteren )?${kinds} (?:(?:kann|können|könnte|könnten) ${me} (?:hier |noch )?(?:hinzufügen|einfügen|verwenden|ergänzen|nutzen)|gibt es(?: noch)?|sind verfügbar)|was (?:kann|können) ${me} (?:hier |noch |alles )*(?:hinzufügen|einfügen|ergänzen)|verfügbare ${kinds})$`, 'd')],
  ['editableFields', new RegExp(`^was (?:(?:kann|können|könnte) ${me}|lässt sich|ist)(?: hier)?(?: alles)?${where} (?:ändern|bearbeiten|anpassen|bearbeitbar|änderbar)$`, 'd')],
  ['editableFields', new RegExp(`^welche (?:felder|texte|eigenschaften) (?:kann|können) ${me}(?: hier)?${where} (?:ändern|bearbeiten)$`, 'd')],
  ['editableFields', new RegExp(`^welche (?:felder|texte|eigenschaften) gibt es(?: hier)?${where}$`, 'd')],
  ['editableFields', /^welche (?:felder|eigenschaften) hat (?<where>.+)$/d],
  ['pageList', new RegExp(`^(?:(?:zeige|zeig|liste|nenne)(?: mir)? (?:alle |die |unsere |meine )?seiten(?: ${site})?(?: auf)?|(?:welche|wie viele|wieviele) seiten(?: gibt es| haben wir| habe ich| hat ${site})?|alle seiten(?: auflisten| anzeigen)?)$`, 'd')],
  ['checkSite', new RegExp(`^(?:was (?:stimmt|passt) (?:auf|an|mit) ${site} nicht|was ist (?:auf|an|mit) ${site} (?:falsch|kaputt)|gibt es ${problems} (?:auf|mit) ${site}|(?:prüfe|prüf|überprüfe) ${site} auf ${problems})$`, 'd')],
  ['checkPage', new RegExp(`^(?:was (?:stimmt|passt)(?: hier| (?:auf|an|mit) (?<where>.+?))? nicht|was ist(?: hier)? (?:falsch|kaputt)|gibt es(?: hier)? ${problems}|(?:prüfe|prüf|überprüfe) diese seite auf ${problems})$`, 'd')],
  ['fixSite', new RegExp(`^(?:behebe|beheb|korrigiere) (?:alle |die )?${problems} (?:auf |an |von )?${site}$`, 'd')],
  ['fixPage', new RegExp(`^(?:behebe|beheb|korrigiere) (?:alle |die )?${problems}(?: hier| (?:auf |von |an )?(?<where>(?:dieser|der) seite|.+?))?$`, 'd')],
  ['inventory', /^was (?:ist|steht|gibt es) (?:alles )?auf (?<where>(?:dieser|der|meiner|unserer|\/).*?)$/d],
  ['inventory', new RegExp(`^(?:(?:zeige|zeig|liste|nenne)(?: mir)? (?:alle |die |unsere |meine )?|(?:wie viele|wieviele|welche) )(?<thing>.+?)(?: gibt es| haben wir| habe ich| sind da| sind)?(?: hier)?${where}(?: auf)?$`, 'd')],
  ['advice', /^(?:soll|sollte|sollen|sollten) (?:ich|wir|man) (?<rest>.+)$/d],
  ['advice', /^(?:empfiehlst du|empfehlen sie|findest du|meinst du|denkst du|ist es sinnvoll|würdest du) (?<rest>.+)$/d],
  ['advice', /^(?:ist|wäre) (?<rest>.+) (?:eine gute idee|sinnvoll)$/d],
  ['advice', new RegExp(`^(?:wie (?:kann|könnte|können|könnten) ${me} .*(?:verbessern|optimieren)|was (?:sollte|könnte|kann|können|sollten) .*(?:verbessern|verbessert werden|besser machen)|was fehlt(?: .+)?|(?:prüfe|prüf|überprüfe|bewerte) (?:diese|die) seite)$`, 'd')],
  ['help', /^(?:hilfe|hilf mir|was (?:kannst du|können sie)(?: hier| alles| für mich)*(?: tun| machen)?|wie (?:funktioniert|geht) (?:das|es)(?: hier)?|wer bist du|was verstehst du|(?:zeige|zeig|nenne)(?: mir)?(?: ein paar)? (?:beispiele|befehle))$/d],
  ['image', /^(?:(?:beschreibe|beschreib) (?:dieses|das) (?:bild|foto)|was (?:ist|sieht man) auf (?:diesem|dem) (?:bild|foto)(?: zu sehen)?|was zeigt (?:dieses|das) (?:bild|foto))$/d],
  ['negated', /^(?!.*(?: (?:sondern|aber|nur|stattdessen) |[,.;:!?] ))(?:(?:nicht|niemals|nie|kein|keine|keinen|auf keinen fall|keinesfalls)(?: .+)?|(?:lösche?|entferne?|ändere|verschiebe?|benenne|füge|ersetze|kopiere|mache?) (?:.+ )?(?:nicht|nichts|niemals|kein|keine|keinen)(?: .+)?)$/d],
  ['history', /^(?:(?:mach|mache|nimm) (?:.+ )?(?:rückgängig|zurück)|rückgängig(?: machen)?|(?:.+ )?(?:rückgängig machen|wiederherstellen|zurücknehmen))$/d],
  ['publishing', /^(?:(?:veröffentliche|publiziere|veröffentlichen)(?: .+)?|(?:.+ )(?:veröffentlichen|publizieren|live stellen|live schalten)|geh live|live gehen)$/d],
]

export const german: Language = {
  code: 'de', verbs, duties, words, blockNouns, rowNouns, fieldNouns, phrases, questions,
  typos: { ...plain, überschift: 'überschrift', uberschrift: 'überschrift', abschnit: 'abschnitt', löshe: 'lösche', enferne: 'entferne', verschibe: 'verschiebe', gallerie: 'galerie', karusell: 'karussell' },
  verbLast: true,
  requestVerbs: list(`ändere, ändern, lösche, lösch, löschen, entferne, entfernen, füge, füg, ergänze, erstelle, erstell, verschiebe, benenne, ersetze, dupliziere, kopiere, tausche, leere, verlinke, aktualisiere,
    korrigiere, überarbeite, nimm, lege, leg`),
  courtesies,
  ordinals: Object.fromEntries([...stems.flatMap((stem, index) => declined(stem, index + 1)), ...declined('letzt', -1), ...declined('oberst', 1), ...declined('unterst', -1)]),
  numbers: { zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9, zehn: 10, elf: 11, zwölf: 12 },
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
}
