import type { Lexicon } from '../lexicon.ts'
import { declined, each } from './inflect.ts'
import { labelWords, targetWords } from './nouns.ts'
import { imperatives, infinitives, particles, passives, verbWords } from './verbs.ts'

const articles = ['der', 'die', 'das', 'den', 'dem', 'des', 'ein', 'eine', 'einen', 'einem', 'einer', 'eines']
const possessives = [
  ...['mein', 'dein', 'sein', 'ihr', 'unser'].flatMap((stem) => [stem, ...declined(stem)]), 'euer', 'eure', 'euren', 'eurer', 'eures', 'eurem',
  'unsre', 'unsren',
]
const pointing = declined('dies')
/** What a text in small letters does not begin with. */
export const pointers = [...articles, ...possessives, ...pointing]
const lately = declined('aktuell', 'jetzig', 'bestehend', 'vorhanden', 'bisherig')
const fresh = declined('neu', 'weiter', 'zusätzlich', 'leer')
const chosen = declined('ausgewählt', 'markiert', 'aktiv', 'aktuell', 'gewählt')

const units = [
  'abschnitt', 'abschnitts', 'abschnittes', 'abschnitte', 'abschnitten', 'bereich', 'bereichs', 'bereiches', 'bereiche', 'bereichen', 'block',
  'blocks', 'blöcke', 'blöcken', 'sektion',
  'sektionen', 'section', 'sections', 'element', 'elements', 'elemente', 'elementen', 'komponente', 'komponenten', 'modul', 'moduls', 'module',
  'baustein', 'bausteins', 'bausteine',
]
const shall = ['soll', 'sollen', 'sollte', 'sollten', 'muss', 'müssen', 'müsste']
const sites = ['website', 'webseite', 'site', 'internetseite', 'webpräsenz', 'homepage']
const menus = ['menü', 'hauptmenü', 'navigation', 'nav', 'navigationsleiste', 'menüleiste', 'hauptnavigation', 'menüs']
const wanting = [
  'ich möchte', 'wir möchten', 'ich will', 'wir wollen', ...each(['ich möchte', 'wir möchten', 'ich hätte', 'wir hätten'], ['gern', 'gerne']),
]
const wishes = [
  ...wanting, 'ich brauche', 'wir brauchen', 'ich wünsche mir', 'ich benötige', 'wir benötigen',
]

const toChange = [
  'in', 'auf', 'zu', 'in :', 'auf :', 'zu :', ':', '=', '→', 'wie folgt :', 'folgendermaßen :', 'in den text', 'in folgendes :', 'so :',
  'in den titel', 'auf den text', 'auf den wert', 'auf die adresse',
]
const toSubstitute = ['durch', 'mit', 'durch :', 'mit :', 'durch den text', 'durch die adresse', 'mit dem text', '→']

/** Sentences in German: words by what they do. */
export const words: Lexicon['words'] = {
  ...verbWords,

  // Around a request
  leadIn: [
    'bitte', 'hallo', 'hi', 'hey', 'moin', 'servus', 'guten tag', 'guten morgen', 'ok', 'okay', 'gut', 'super', 'prima', 'danke', 'so', 'also', 'nun',
    'jetzt', 'dann', 'als nächstes', 'als erstes',
    'und', 'mal', 'doch', 'zunächst', 'zuerst', 'außerdem', 'ach ja', 'lass uns', 'lasst uns', 'sorge dafür', 'sorg dafür',
    'tippfehler', 'korrektur', 'sei so nett und', 'sei so lieb und', 'seien sie so nett und', 'wärst du so nett ,', 'wären sie so nett ,',
  ],
  polite: [
    'kannst du', 'könntest du', 'könnten sie', 'können sie', 'würdest du', 'würden sie', 'magst du', 'kannst du mir', 'könntest du mir',
    'könnten sie mir', 'können sie mir', 'würden sie mir',
    'würdest du mir', 'können wir', 'könnten wir', 'könnt ihr', 'wollen wir',
  ],
  besides: [',', '.', ';', 'aber', ', aber', '. aber', 'und', ', und', 'doch', ', doch'],
  tail: ['bitte', 'danke', 'danke schön', 'dankeschön', 'vielen dank', 'merci', 'besten dank', 'danke dir', 'bitte danke', 'danke im voraus', 'bitte schön'],
  filler: [
    'bitte', 'auch', 'dann', 'danach', 'noch', 'jetzt', 'nun', 'anschließend', 'außerdem', 'zusätzlich', 'zum schluss', 'abschließend', 'schließlich',
    'zuletzt', 'als nächstes', 'ebenso', 'ebenfalls',
  ],
  /** Between any two words of a request. */
  anywhere: ['bitte', 'mal', 'doch', 'zuerst'],
  questionWord: [
    'was', 'wer', 'wen', 'wem', 'wessen', 'wie', 'wo', 'wohin', 'woher', 'wann', 'warum', 'wieso', 'weshalb', 'wozu', 'wofür', 'womit', 'worum',
    'wieviel', 'wieviele', 'welch', ...declined('welch'),
    'ist', 'sind', 'war', 'waren', 'wäre', 'wären', 'bin', 'bist', 'seid', 'hat', 'haben', 'habe', 'hast', 'habt', 'hatte', 'hatten', 'hätte',
    'hätten', 'gibt', 'gab', 'soll', 'sollen', 'sollte', 'sollten',
    'darf', 'dürfen', 'dürfte', 'dürften', 'muss', 'müssen', 'müsste', 'wird', 'werden', 'wurde', 'wurden', 'würde', 'würden', 'kann', 'können',
    'könnte', 'könnten', 'konnte', 'will', 'wollen', 'wollte', 'möchte',
    'möchtest', 'lässt', 'geht', 'passt', 'tut', 'macht', 'steht', 'heißt', 'klappt', 'funktioniert', 'findest', 'finden', 'meinst', 'meinen',
    'weißt', 'wissen', 'denkst', 'glaubst', 'braucht', 'brauchen', 'gehört', 'ob',
  ],
  /** Question words that a title may begin with, and the words behind them that make a question of it all the same. */
  titleWord: ['was', 'wer', 'wie', 'wo', 'wann', 'warum', 'wieso', 'wohin', 'woher', 'wofür'],
  askedOf: ['viel', 'viele', 'wäre', 'wenn'],
  /** Beside the name of something on the page these make a request: `die Überschrift soll kürzer sein`. */
  duty: [
    ...shall, 'braucht', 'darf', 'raus', 'weg', 'rechts', 'links', 'oben', 'unten', 'spalten', 'großbuchstaben', 'kürzer', 'länger', 'größer', 'kleiner', 'besser', 'schöner',
    'freundlicher',
  ],
  /** Before the name of a part of the page: something is said of it. */
  definite: [...articles.slice(0, 6), 'im', 'am', 'zum', 'zur', 'vom', 'ins', 'beim', ...possessives, ...pointing],
  whole: ['seite', 'seiten', 'website', 'webseite', 'menü', 'entwurf'],
  closingVerb: [...infinitives, 'übersetzen', 'kürzen', 'umschreiben', 'verbessern', 'vereinfachen', 'überarbeiten', 'umformulieren', 'austauschen'],
  /** How requests begin, beside the verbs in `anyVerb` and `otherVerb`. */
  opening: [
    ...infinitives.map((infinitive) => `${infinitive} sie`), ...wishes, 'formuliere', 'vereinfache', 'suche', 'such', 'finde', 'find', 'schlag', 'schlage', 'gib mir', 'zeig mir', 'zeige mir',
    'hilf', 'sag mir', 'nenne mir', 'liste', 'stell', 'leg', 'wenn', 'falls', 'vergiss es',
  ],
  /** How an answer begins that confirms or corrects. */
  reply: [
    'ja', 'jo', 'nein', 'nee', 'nicht', 'ich meine', 'ich meinte', 'entschuldigung', 'sorry', 'lieber', 'eher', 'genau', 'richtig', 'beide', 'beides',
    'keine', 'keiner', 'keines', 'keins',
  ],
  conditional: [
    'wenn', 'falls', 'sofern', 'sobald', 'solange', 'es sei denn', 'außer wenn', 'im fall', 'im falle', 'vorausgesetzt', 'ob', 'bevor', 'nachdem',
    'sonst', 'ansonsten', 'andernfalls',
  ],
  connector: ['und', 'dann', 'danach', 'anschließend', 'außerdem', 'sowie', 'plus', '&', ',', ';', '.'],
  join: [',', 'und', ', und', '&', 'plus', 'sowie', 'und auch'],
  notName: [
    ...articles, ...possessives, ...pointing, ...declined('all', 'jed', 'neu', 'leer', 'ander', 'letzt', 'erst', 'ganz', 'gleich', 'solch'), 'alle',
    'beide', 'beiden', 'zu', 'zum', 'zur', 'von', 'vom', 'auf', 'in', 'im', 'ins', 'an', 'am', 'ans', 'aus',
    'mit', 'und', 'oder', 'für', 'bei', 'nach', 'unter', 'über', 'als', 'wie', 'so', 'seite', 'seiten', 'ich', 'er', 'sie', 'es', 'wir', 'du', 'uns',
    'mich', 'dich', 'euch', 'mir', 'thema', 'ist', 'war', 'nicht', 'kein', ...declined('kein'), 'namens', 'genannt', 'abschnitt', 'abschnitte',
    'bereich', 'block',
    'mehr', 'weniger', 'besser', 'schöner', 'oben', 'unten', 'was', 'wer', 'wenn', 'falls', 'aber', 'durch', 'wo', 'ein', 'soll', 'sollte', 'bitte',
    'nur', 'um', 'menü', 'website', 'webseite', 'mal', 'nochmal',
    ...particles, ...infinitives.filter((word) => !word.includes(' ')), ...imperatives, ...passives.flatMap((phrase) => phrase.split(' ')), 'werden',
    'übersetzen', 'umschreiben', 'verbessern', 'kürzen',
  ],

  // Before and after names
  det: [...pointers, ...lately, ...declined('neu')],
  a: [
    ...['ein', 'eine', 'einen', 'einem', 'einer', 'eines'].flatMap((article) => [article, `noch ${article}`, `${article} extra`]),
    ...each(['ein', 'eine', 'einen', 'einem', 'einer', 'noch ein', 'noch eine', 'noch einen'], fresh), ...fresh,
    ...each(['ein', 'eine', 'einen', 'noch ein', 'noch eine', 'noch einen'], declined('zweit', 'dritt', 'viert', 'fünft', 'sechst', 'siebt', 'acht')),
  ],
  new: fresh,
  tableRow: ['zeile', 'tabellenzeile', 'reihe'],
  another: [...each(['', 'ein', 'eine', 'einen', 'noch ein', 'noch eine', 'noch einen'], declined('neu', 'weiter', 'zusätzlich')), 'noch ein', 'noch eine', 'noch einen'],
  /** With this article these nouns are plurals, and nobody knows which of them are meant. */
  several: each(['die', 'diese', 'unsere', 'meine', 'alle', 'sämtliche', 'beide', 'beiden'], ['', 'hero', 'cta', 'banner', 'karten', 'feature'], ['buttons', 'titel', 'untertitel']).map((phrase) => phrase.replace(/ +/g, ' ')),
  unit: units,
  it: ['es', 'ihn', 'sie', 'ihm', 'das'],
  thisBlock: [
    ...each(pointing, units), ...each(['den', 'die', 'das', 'dem', 'der', 'des'], chosen, units),
    'das hier', 'den hier', 'die hier', 'diesen hier', 'diese hier', 'dieses hier', 'dies', 'diesen', 'diese', 'dieses',
  ],
  thisText: [
    'das', 'dies', 'es', 'das hier', 'diesen text', 'dieser text', 'dieses feld', 'diesem text', 'diesem feld',
    ...each(['den', 'das', 'dem'], chosen, ['text', 'feld']), 'ihn',
  ],
  called: [
    'namens', 'mit dem titel', 'mit der überschrift', 'mit titel', 'mit überschrift', 'mit dem namen', 'mit namen', 'mit der bezeichnung', 'genannt',
    'betitelt', 'unter dem namen',
  ],
  home: ['startseite', 'homepage', 'home', 'home seite', 'hauptseite', 'titelseite', 'landingpage', 'landing page'],
  thisPage: [
    'diese seite', 'dieser seite', 'die seite', 'der seite', 'hier',
    ...each(['die', 'der'], ['aktuelle', 'aktuellen', 'jetzige', 'jetzigen'], ['seite']), 'unsere seite', 'unserer seite', 'aktuelle seite',
    'aktuellen seite',
  ],
  all: ['alle', 'alle unsere', 'sämtliche', 'jede', 'jeden', 'jedes', 'all die', 'all diese', 'alle die', 'alle meine'],
  both: ['beide', 'die beiden', 'die zwei', 'alle beide', 'alle zwei'],
  everything: [
    'alles', 'alle abschnitte', 'alle bereiche', 'alle blöcke', 'alle sektionen', 'alle elemente', 'sämtliche abschnitte', 'sämtliche blöcke',
    'jeden abschnitt', 'jeden block',
  ],
  everywhere: [
    'überall', 'auf allen seiten', 'auf jeder seite', ...each(['auf der ganzen', 'auf der gesamten', 'in der ganzen', 'in der gesamten'], sites),
    'in allen seiten', 'seitenübergreifend', 'auf sämtlichen seiten',
  ],
  except: ['außer', 'bis auf', 'mit ausnahme von', 'mit ausnahme'],

  // Little words between slots
  to: [...toChange, ...toSubstitute, 'als', 'an :', 'hin zu'],
  toChange, toSubstitute,
  toFix: ['auf', 'auf :', ':', '=', '→', 'auf den text', 'auf den wert', 'auf die adresse', 'wie folgt :'],
  toRename: ['in', 'zu', 'in :', 'zu :', ':', '→'],
  /** Words that come before a new text, and before a place as well. */
  relink: ['in', 'auf', 'zu', 'durch', 'mit', 'als', ':'],
  by: ['durch', 'mit', 'in', 'zu', 'gegen', '→', 'auf', 'zum'],
  of: ['von', 'vom', 'in', 'im', 'auf', 'am', 'an', 'aus', 'für', 'fürs', 'bei', 'beim', 'zu', 'zum', 'zur', 'unter', 'innerhalb', 'innerhalb von', 'ins'],
  ofRow: ['von', 'vom', 'in', 'im', 'auf', 'für', 'zu', 'zum', 'zur', 'bei', 'beim', 'an', 'am'],
  on: ['auf', 'von', 'aus', 'in', 'im', 'für', 'unter', 'bei'],
  onto: ['auf', 'zu', 'zur', 'zum', 'in', 'ins', 'im', 'an', 'ans', 'am', 'für', 'nach', 'unter'],
  into: ['in', 'ins', 'im', 'zu', 'zum', 'zur', 'an', 'ans', 'am', 'auf', 'für', 'unter', 'bei', 'beim'],
  inside: ['in', 'im', 'auf', 'am', 'bei', 'beim', 'für', 'fürs', 'innerhalb', 'innerhalb von', 'unter'],
  from: ['aus', 'von', 'vom', 'in', 'im', 'auf', 'bei', 'am'],
  says: ['lauten', 'heißen', 'sein', 'werden', 'stehen', 'haben', 'sagen', 'lauten :', 'anzeigen', 'zeigen'],
  shall,
  /** `soll „…“ lauten`, and `soll lauten: „…“`. */
  saysLast: ['lauten', 'heißen', 'sein', 'stehen', 'tragen', 'sagen', 'anzeigen'],
  saysFirst: ['lauten', 'heißen', 'sein', 'stehen', 'so lauten', 'wie folgt lauten', 'folgendermaßen lauten'],
  isNow: each(['lautet', 'heißt', 'ist'], ['ab jetzt', 'künftig', 'ab sofort', 'von nun an', 'in zukunft', 'zukünftig']),
  leadLast: [
    'führen', 'verlinken', 'zeigen', 'gehen', 'verweisen', 'verlinkt werden', 'leiten', 'verlinkt sein', 'linken', 'springen', 'weiterleiten',
    'hinführen',
  ],
  copula: [...shall, ':', '=', '→', 'jetzt', 'nun', 'künftig', 'sofort', 'zukünftig', 'sein', 'werden', 'heißen', 'an', 'zu', 'zukunft'],
  unchanged: [
    'unverändert', 'so', 'wie er ist', 'wie sie ist', 'wie es ist', 'so wie er ist', 'so wie sie ist', 'so wie es ist', 'in ruhe', 'wie gehabt',
    'gleich', 'wie bisher', 'unangetastet',
  ],

  // Verbs that are told otherwise
  wish: [...wishes, 'gib mir', 'geben sie mir'],
  want: [...wanting, ...each(['ich würde', 'wir würden'], ['gern', 'gerne'])],
  copyOf: each(['mach', 'mache', 'erstelle', 'machen sie', 'erstellen sie'], ['eine kopie', 'ein duplikat'], ['', 'von', 'vom']),
  give: ['gib', 'geben sie', 'gebe', 'verpasse', 'verpass'],
  let: ['lass', 'lasse', 'lassen sie'],
  away: [
    'kann weg', 'soll weg', 'muss weg', 'kann raus', 'soll raus', 'muss raus', 'sollen weg', 'können weg', 'sollen raus', 'können raus', 'müssen weg',
    'sollte weg', 'sollte raus',
  ],
  otherVerb: [
    ...imperatives, 'füge', 'füg', 'nimm', 'passe', 'pass', 'benenne', 'tausche', 'lege', 'stelle', 'übersetze', 'schreibe', 'schreib', 'verbessere',
    'verbesser', 'kürze', 'generiere', 'erkläre',
    'prüfe', 'überprüfe', 'sag', 'sage', 'fasse', 'erweitere', 'verstecke', 'blende', 'formatiere', 'sortiere', 'verbinde', 'teile', 'optimiere',
    'veröffentliche', 'mach', 'mache', 'lass', 'gib', 'erhöhe', 'verkleinere', 'vergrößere', 'färbe',
  ],
  anyVerb: [
    ...imperatives.filter((word) => !['mach', 'mache', 'lass', 'leer', 'nimm', 'hol', 'hole'].includes(word)),
    ...infinitives.filter((word) => !/ |machen|nehmen|lassen|holen|legen|richten/.test(word)),
  ],

  labelWord: labelWords,
  targetWord: targetWords,

  // Options
  image: ['bild', 'foto', 'grafik', 'bildes'],
  copyText: ['text', 'inhalt', 'textes'],
  left: [
    'links', 'nach links', 'auf die linke seite', 'auf der linken seite', 'linksbündig', 'auf links', 'an die linke seite', 'auf linksbündig',
    'auf die linke', 'zur linken seite', 'an den linken rand',
  ],
  right: [
    'rechts', 'nach rechts', 'auf die rechte seite', 'auf der rechten seite', 'rechtsbündig', 'auf rechts', 'an die rechte seite',
    'zur rechten seite', 'an den rechten rand',
  ],
  full: [
    'in voller breite', 'auf volle breite', 'über die volle breite', 'über die ganze breite', 'vollflächig', 'auf die volle breite',
    'in ganzer breite', 'über die gesamte breite',
  ],
  centered: ['zentriert', 'mittig', 'in die mitte', 'auf zentriert', 'in der mitte', 'auf mittig'],
  columns: ['spalten', 'spalte', 'spaltig'],
  twoColumns: declined('zweispaltig').concat('zweispaltig'),
  threeColumns: declined('dreispaltig').concat('dreispaltig'),
  fourColumns: declined('vierspaltig').concat('vierspaltig'),
  look: ['variante', 'stil', 'banner', 'darstellung', 'layout', 'optik'],
  upper: ['in großbuchstaben', 'großgeschrieben', 'in versalien', 'komplett groß', 'ganz in großbuchstaben', 'durchgehend groß', 'komplett in großbuchstaben'],
  lower: ['in kleinbuchstaben', 'kleingeschrieben', 'komplett klein', 'ganz in kleinbuchstaben', 'durchgehend klein', 'komplett in kleinbuchstaben'],
  standLast: [
    'stehen', 'kommen', 'erscheinen', 'sein', 'rutschen', 'wandern', 'hin', 'liegen', 'gehen', 'folgen', 'rücken', 'angezeigt werden',
    'verschoben werden',
  ],
  bits: [
    'das wort', 'die wörter', 'den begriff', 'den text', 'den tippfehler', 'den schreibfehler', 'alle', 'jedes', 'jedes vorkommen von',
    'alle vorkommen von', 'den namen', 'den ausdruck', 'die worte', 'jeden', 'jede', 'den satz', 'die stelle',
  ],

  // Places
  front: [
    'ganz nach oben', 'nach ganz oben', 'ganz oben', 'oben', 'an den anfang', 'am anfang', 'ganz an den anfang', 'ganz am anfang', 'zu beginn',
    'an die erste stelle', 'an erster stelle', 'an die erste position', 'an erster position', 'auf die erste position',
    'auf den ersten platz', 'als erstes', 'zuoberst', 'an die spitze', 'ganz nach vorn', 'ganz nach vorne', 'ganz vorne', 'ganz vorn',
    'oben auf der seite', 'am seitenanfang', 'an den seitenanfang', 'an oberster stelle',
  ],
  end: [
    'ganz nach unten', 'nach ganz unten', 'ganz unten', 'unten', 'ans ende', 'am ende', 'an das ende', 'ganz ans ende', 'ganz am ende', 'zum schluss',
    'an den schluss', 'am schluss', 'an die letzte stelle', 'an letzter stelle', 'an die letzte position',
    'an letzter position', 'auf die letzte position', 'auf den letzten platz', 'zuunterst', 'ganz nach hinten', 'ganz hinten', 'als letztes',
    'zuletzt', 'am seitenende', 'ans seitenende',
  ],
  rise: ['nach oben', 'nach vorn', 'nach vorne', 'hoch', 'hinauf', 'rauf'],
  sink: ['nach unten', 'nach hinten', 'runter', 'hinunter', 'herunter'],
  before: ['vor', 'über', 'oberhalb', 'oberhalb von', 'oberhalb vom', 'vorm', 'überm', 'übers', 'vors'],
  after: ['nach', 'hinter', 'unter', 'unterhalb', 'unterhalb von', 'unterhalb vom', 'hinterm', 'unterm', 'hinters', 'unters', 'im anschluss an'],
  near: ['direkt', 'gleich', 'unmittelbar', 'genau', 'sofort'],
  up: ['nach oben', 'höher', 'weiter nach oben', 'hoch', 'nach vorn', 'nach vorne', 'weiter oben', 'rauf', 'aufwärts'],
  down: ['nach unten', 'tiefer', 'weiter nach unten', 'runter', 'nach hinten', 'weiter unten', 'abwärts'],
  places: [
    'platz', 'plätze', 'position', 'positionen', 'stelle', 'stellen', 'stufe', 'stufen', 'schritt', 'schritte', 'abschnitt', 'abschnitte', 'zeile',
    'zeilen',
  ],
  position: ['position', 'platz', 'stelle'],

  // Pages, menus, what machines read
  page: ['seite', 'unterseite'],
  pagesWord: ['seiten', 'unterseiten'],
  site: [...sites, 'websites', 'webseiten'],
  menu: menus,
  inMenu: [...each(['im', 'in der', 'in dem', 'aus dem', 'des', 'der'], menus)],
  menuEntry: [
    'menüpunkt', 'menüeintrag', 'menülink', 'link', 'navigationspunkt', 'navigationseintrag', 'navigationslink', 'reiter', 'menü eintrag',
    'menü punkt', 'eintrag', 'punkt',
  ],
  dropdown: ['menü', 'dropdown', 'untermenü', 'gruppe', 'aufklappmenü', 'menügruppe', 'dropdown menü'],
  blankPage: fresh,
  metaTitle: ['meta titel', 'metatitel', 'seo titel', 'suchtitel', 'browsertitel', 'meta title', 'seo title', 'meta titels', 'seo titels'],
  metaDescription: [
    'meta beschreibung', 'metabeschreibung', 'seo beschreibung', 'suchbeschreibung', 'seitenbeschreibung', 'meta description',
    'beschreibung für suchmaschinen',
  ],
  metaImage: ['og bild', 'vorschaubild', 'social media bild', 'social bild', 'open graph bild', 'teilen bild', 'og image', 'share bild'],
  metaAll: ['metadaten', 'meta daten', 'meta tags', 'metatags', 'meta angaben', 'seo daten', 'seo angaben', 'metaangaben'],
  pageTitle: [
    'seitentitel', 'titel der seite', 'titel dieser seite', 'name der seite', 'namen der seite', 'seitennamen', 'seitenname', 'namen dieser seite',
    'titel der aktuellen seite',
  ],
  address: ['adresse', 'url', 'pfad', 'slug', 'webadresse'],

  // Where an unquoted text ends, and what makes one doubtful
  aside: [
    'das', 'dies', 'weil', 'denn', 'damit', 'so', 'da', 'ist', 'sonst', 'aber', 'sondern', 'nicht', 'wie', 'also', 'ich', 'wir', 'es', 'er', 'sie',
    'bitte', 'danke', 'dass', 'die', 'der', 'und', 'was', 'oder', 'wobei', 'bis', 'falls', 'wenn', 'klingt', 'passt', 'ok', 'okay', 'ja', 'nein',
  ],
  doubt: [
    'statt', 'anstatt', 'anstelle', 'weil', 'damit', 'sodass', 'denn', 'wenn', 'falls', 'sobald', 'oder', 'beziehungsweise', 'bzw', 'sondern',
    'bitte', 'danke',
  ],
  particle: [...particles, 'zurück', 'durch', 'mit', 'vor', 'nach', 'zu'],
  closing: [
    ...particles, ...infinitives, ...passives, 'lauten', 'heißen', 'sein', 'werden', 'stehen', 'tragen', 'sagen', 'anzeigen', 'haben', 'machen',
    'übersetzen', 'kürzen', 'verbessern', 'optimieren', 'prüfen', 'schreiben', 'lautet', 'heißt', 'steht', 'ist', 'wird',
  ],
}
