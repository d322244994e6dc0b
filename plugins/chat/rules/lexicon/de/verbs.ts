/**
 * Verbs by what they do. German verbs stand first in `ändere die Überschrift`, last in `die Überschrift ändern`, and some
 * come apart: `füge einen Banner hinzu`. Each is written as imperative, infinitive and participle, those that come apart with
 * their particle.
 */
interface VerbClass {
  readonly whole?: readonly string[]
  readonly apart?: readonly string[]
}

const addingApart = [
  'füge fügen gefügt hinzu', 'füg fügen gefügt hinzu', 'füge fügen gefügt ein', 'füg fügen gefügt ein', 'baue bauen gebaut ein', 'bau bauen gebaut ein',
  'setze setzen gesetzt ein', 'setz setzen gesetzt ein', 'hänge hängen gehängt an', 'häng hängen gehängt an', 'füge fügen gefügt an',
]
const makingApart = ['lege legen gelegt an', 'leg legen gelegt an']
const making = ['erstelle erstellen erstellt', 'erstell erstellen erstellt', 'mache machen gemacht', 'mach machen gemacht', 'baue bauen gebaut', 'bau bauen gebaut']
const adding = ['ergänze ergänzen ergänzt', 'erstelle erstellen erstellt', 'erstell erstellen erstellt', 'platziere platzieren platziert']
const removing = ['lösche löschen gelöscht', 'lösch löschen gelöscht', 'entferne entfernen entfernt', 'entfern entfernen entfernt', 'streiche streichen gestrichen', 'streich streichen gestrichen']
const removingApart = [
  'nimm nehmen genommen heraus', 'nimm nehmen genommen raus', 'nimm nehmen genommen weg', 'wirf werfen geworfen raus', 'schmeiß schmeißen geschmissen raus',
  'schmeiße schmeißen geschmissen raus', 'mach machen gemacht weg', 'mache machen gemacht weg', 'streiche streichen gestrichen heraus',
  'nehme nehmen genommen heraus', 'lass lassen gelassen weg', 'lasse lassen gelassen weg',
]
/** What something is changed `in`, replaced `durch`, and set `auf`. */
const changing = [
  'ändere ändern geändert', 'ändre ändern geändert', 'änder ändern geändert', 'aktualisiere aktualisieren aktualisiert',
  'bearbeite bearbeiten bearbeitet', 'verändere verändern verändert',
  'formuliere formulieren formuliert', 'überarbeite überarbeiten überarbeitet', 'korrigiere korrigieren korrigiert', 'modifiziere modifizieren modifiziert',
]
const changingApart = [
  'passe passen gepasst an', 'pass passen gepasst an', 'wandle wandeln gewandelt um', 'schreibe schreiben geschrieben um',
  'schreib schreiben geschrieben um',
]
const substituting = ['ersetze ersetzen ersetzt', 'ersetz ersetzen ersetzt', 'überschreibe überschreiben überschrieben']
const substitutingApart = ['tausche tauschen getauscht aus', 'tausch tauschen getauscht aus', 'wechsle wechseln gewechselt aus']
const fixing = ['setze setzen gesetzt', 'setz setzen gesetzt', 'stelle stellen gestellt', 'stell stellen gestellt']
const fixingApart = ['lege legen gelegt fest']
/** Verbs with and without the particle: behind a text without quotes nobody knows which one it is. */
const eitherWay = [
  'ändere ändern geändert um', 'ändere ändern geändert ab', 'formuliere formulieren formuliert um', 'stelle stellen gestellt um',
  'stell stellen gestellt um', 'stelle stellen gestellt ein',
]
const setting = [...changing, ...substituting, ...fixing, 'mache machen gemacht', 'mach machen gemacht']
const settingApart = [...changingApart, ...substitutingApart, ...fixingApart, ...eitherWay]
const renamingApart = ['benenne benennen benannt um', 'benenn benennen benannt um', 'tauf taufen getauft um', 'taufe taufen getauft um', 'nenne nennen genannt um', 'nenn nennen genannt um']
const renaming = ['nenne nennen genannt', 'nenn nennen genannt', 'betitle betiteln betitelt', 'beschrifte beschriften beschriftet']
const moving = [
  'verschiebe verschieben verschoben', 'verschieb verschieben verschoben', 'bewege bewegen bewegt', 'setze setzen gesetzt', 'setz setzen gesetzt',
  'stelle stellen gestellt',
  'stell stellen gestellt', 'ziehe ziehen gezogen', 'zieh ziehen gezogen', 'schiebe schieben geschoben', 'schieb schieben geschoben',
  'rücke rücken gerückt', 'rück rücken gerückt',
  'platziere platzieren platziert', 'positioniere positionieren positioniert', 'bringe bringen gebracht', 'bring bringen gebracht',
  'packe packen gepackt', 'pack packen gepackt',
  'hole holen geholt', 'hol holen geholt', 'verlege verlegen verlegt', 'lege legen gelegt',
]
const swapping = ['tausche tauschen getauscht', 'tausch tauschen getauscht', 'vertausche vertauschen vertauscht', 'vertausch vertauschen vertauscht', 'wechsle wechseln gewechselt']
const copying = [
  'dupliziere duplizieren dupliziert', 'duplizier duplizieren dupliziert', 'kopiere kopieren kopiert', 'kopier kopieren kopiert',
  'verdopple verdoppeln verdoppelt',
  'klone klonen geklont', 'wiederhole wiederholen wiederholt',
]
const showing = ['zeige zeigen gezeigt', 'zeig zeigen gezeigt', 'verwende verwenden verwendet', 'nutze nutzen genutzt', 'nimm nehmen genommen', 'benutze benutzen benutzt']

const verbs = {
  set: { whole: setting, apart: settingApart },
  change: { whole: changing, apart: changingApart },
  substitute: { whole: substituting, apart: substitutingApart },
  fix: { whole: fixing, apart: fixingApart },
  rename: { whole: renaming, apart: renamingApart },
  make: {
    whole: [
      'mache machen gemacht', 'mach machen gemacht', 'gestalte gestalten gestaltet', 'setze setzen gesetzt', 'stelle stellen gestellt',
      'ändere ändern geändert',
    ],
    apart: ['stelle stellen gestellt um', 'ändere ändern geändert um', 'wandle wandeln gewandelt um', 'stelle stellen gestellt ein'],
  },
  add: { whole: adding, apart: addingApart },
  addBlock: { whole: adding, apart: [...addingApart, ...makingApart] },
  put: { whole: moving },
  write: {
    whole: ['schreibe schreiben geschrieben', 'schreib schreiben geschrieben', 'setze setzen gesetzt', 'setz setzen gesetzt', ...adding],
    apart: [
      ...addingApart, 'schreibe schreiben geschrieben hin', 'schreib schreiben geschrieben rein', 'trage tragen getragen ein',
      'trag tragen getragen ein', 'schreibe schreiben geschrieben rein',
    ],
  },
  create: {
    whole: [...making, 'ergänze ergänzen ergänzt', 'erzeuge erzeugen erzeugt', 'generiere generieren generiert'],
    apart: [...makingApart, ...addingApart],
  },
  remove: { whole: removing, apart: removingApart },
  clear: { whole: [...removing, 'leere leeren geleert', 'leer leeren geleert'], apart: removingApart },
  cut: { whole: removing, apart: removingApart },
  copy: { whole: copying },
  move: { whole: moving, apart: ['ordne ordnen geordnet an'] },
  swap: { whole: swapping },
  replace: {
    whole: [
      'ersetze ersetzen ersetzt', 'ersetz ersetzen ersetzt', 'ändere ändern geändert', 'korrigiere korrigieren korrigiert',
      'berichtige berichtigen berichtigt',
    ],
    apart: ['tausche tauschen getauscht aus', 'tausch tauschen getauscht aus', 'ändere ändern geändert um'],
  },
  link: {
    whole: [
      'verlinke verlinken verlinkt', 'verlink verlinken verlinkt', 'verknüpfe verknüpfen verknüpft', 'richte richten gerichtet',
      'leite leiten geleitet',
    ],
  },
  show: {
    whole: [
      ...showing, 'setze setzen gesetzt', 'stelle stellen gestellt', 'mache machen gemacht', 'mach machen gemacht', 'ändere ändern geändert',
    ],
    apart: [
      'zeige zeigen gezeigt an', 'zeig zeigen gezeigt an', 'stelle stellen gestellt dar', 'ordne ordnen geordnet an', 'stelle stellen gestellt um',
    ],
  },
  use: {
    whole: [
      'verwende verwenden verwendet', 'nutze nutzen genutzt', 'nimm nehmen genommen', 'benutze benutzen benutzt', 'setze setzen gesetzt',
      'setz setzen gesetzt',
    ],
    apart: ['setze setzen gesetzt ein'],
  },
  enable: {
    whole: ['aktiviere aktivieren aktiviert'],
    apart: [
      'schalte schalten geschaltet ein', 'schalte schalten geschaltet an', 'schalt schalten geschaltet ein', 'schalt schalten geschaltet an',
      'stelle stellen gestellt an',
    ],
  },
  disable: {
    whole: ['deaktiviere deaktivieren deaktiviert'],
    apart: [
      'schalte schalten geschaltet aus', 'schalte schalten geschaltet ab', 'schalt schalten geschaltet aus', 'schalt schalten geschaltet ab',
      'stelle stellen gestellt aus',
    ],
  },
  center: { whole: ['zentriere zentrieren zentriert'] },
  align: { apart: ['richte richten gerichtet aus'] },
  mirror: { whole: ['spiegle spiegeln gespiegelt', 'spiegele spiegeln gespiegelt'] },
  group: {
    whole: ['gruppiere gruppieren gruppiert', 'bündle bündeln gebündelt'],
    apart: ['fasse fassen gefasst zusammen', 'fass fassen gefasst zusammen'],
  },
  keep: {
    whole: ['lasse lassen gelassen', 'lass lassen gelassen', 'belasse belassen belassen', 'behalte behalten behalten'],
    apart: ['lass lassen gelassen stehen', 'behalte behalten behalten bei'],
  },
  append: {
    whole: ['ergänze ergänzen ergänzt', 'setze setzen gesetzt', 'schreibe schreiben geschrieben', 'schreib schreiben geschrieben'],
    apart: addingApart,
  },
  prepend: { apart: ['stelle stellen gestellt voran', 'stell stellen gestellt voran'] },
} satisfies Readonly<Record<string, VerbClass>>

/** What a verb does. */
export type VerbName = keyof typeof verbs

interface Verb {
  readonly imperative: string
  readonly infinitive: string
  readonly participle: string
  readonly particle: string
}

function toVerb(written: string): Verb {
  const [imperative = '', infinitive = '', participle = '', particle = ''] = written.split(' ')
  return { imperative, infinitive, participle, particle }
}

const verbsOf = ({ whole = [], apart = [] }: VerbClass) => [...whole, ...apart].map(toVerb)

const unique = (words: readonly string[]) => [...new Set(words)]
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const soon = ['', ' dann', ' jetzt', ' nun', ' danach', ' anschließend', ' auch', ' außerdem', ' zusätzlich']

/** `entferne`, and `entfernen Sie`; and `entferne dann`. */
const commanding = (list: readonly Verb[]) =>
  unique(list.flatMap(({ imperative, infinitive }) => soon.flatMap((when) => [imperative + when, `${infinitive} sie${when}`])))
/** `entfernen`, `hinzufügen`; and with `zu`: `zu entfernen`, `hinzuzufügen`. */
const closing = (list: readonly Verb[]) => unique(list.flatMap(({ infinitive, particle }) =>
  [`${particle}${infinitive}`, particle === '' ? `zu ${infinitive}` : `${particle}zu${infinitive}`]))
const passive = (list: readonly Verb[]) => unique(list.map(({ participle, particle }) => `${particle}${participle} werden`))

const particlesOf = (list: readonly Verb[]) => unique(list.map(({ particle }) => particle))

/** The word classes of a verb class: `add`, a class such as `addHinzu` for each particle, `addLast`, `addPassive`. */
export const verbWords: Readonly<Record<string, readonly string[]>> = Object.fromEntries(Object.entries(verbs).flatMap(([name, verbClass]) => {
  const list = verbsOf(verbClass)
  const byParticle = particlesOf(list).map((particle) =>
    [`${name}${capitalized(particle)}`, commanding(list.filter((verb) => verb.particle === particle))] as const)
  return [[name, []] as const, ...byParticle, [`${name}Last`, closing(list)] as const, [`${name}Passive`, passive(list)] as const]
}))

const all = Object.values(verbs).flatMap(verbsOf)

export const particles = unique(all.map(({ particle }) => particle)).filter((particle) => particle !== '')
export const infinitives = closing(all)
export const passives = passive(all)
export const imperatives = unique(all.filter(({ particle }) => particle === '').map(({ imperative }) => imperative))

/**
 * The forms of a request: what it is about, and what is said of it, with the verb of a class first, around or last, or told as
 * `… soll gelöscht werden`.
 */
export function request(name: VerbName, what: string, rest = ''): readonly string[] {
  const first = particlesOf(verbsOf(verbs[name])).map((particle) => `@${name}${capitalized(particle)} ${what} ${rest} ${particle}`)
  return [...first, `[@want] ${what} ${rest} @${name}Last`, `${what} @shall ${rest} @${name}Passive`]
}

/** Forms with the two parts of a verb around what it is about, and the rest behind them: `benenne die Seite um in …`. */
export const apart = (name: VerbName, what: string, rest: string): readonly string[] =>
  particlesOf(verbsOf(verbs[name])).filter(Boolean).map((particle) => `@${name}${capitalized(particle)} ${what} ${particle} ${rest}`)

/** Forms with the two parts of a verb around all of it: `benenne die Seite in … um`. */
export const around = (name: VerbName, what: string, rest: string): readonly string[] =>
  particlesOf(verbsOf(verbs[name])).filter(Boolean).map((particle) => `@${name}${capitalized(particle)} ${what} ${rest} ${particle}`)

/** The same for what is told by a verb at the beginning only, or at the end. */
export function command(name: VerbName, ...bodies: readonly string[]): readonly string[] {
  return bodies.flatMap((body) => request(name, body).slice(0, -1))
}
