import type { SourceKind } from '../../chat/port.ts'
import { wordSet } from '../../content/words.ts'

/** The words of requests for images, in English and German together: the language of a message is not known in advance. */
export const one = wordSet('image picture photo photograph pic illustration artwork bild bildes foto illustration grafik aufnahme')
export const several = wordSet('images pictures photos photographs pics illustrations bilder bildern fotos illustrationen grafiken aufnahmen')

/** An image that a site has once. */
export const logos = wordSet('logo logotype firmenlogo websitelogo')
/** Words for the link preview of a page, and words that go with them. */
export const previews = wordSet('preview previews social og opengraph graph share sharing facebook twitter vorschau vorschauen linkvorschau linkvorschauen teilen')
export const previewContext = wordSet('link links media open card meta')
export const pages = wordSet('page seite')
export const sites = wordSet('site website webseite page seite header kopfzeile')

/** What a verb does with an image: generate, find, replace, place, or set it. */
export type Aim = 'make' | 'find' | 'change' | 'put' | 'set'

const verbs: Readonly<Record<Aim, ReadonlySet<string>>> = {
  make: wordSet('generate create draw paint render design produce generiere generieren erzeuge erzeugen erstelle erstellen male malen zeichne zeichnen entwirf'),
  find: wordSet('find search look get fetch pick choose select need want suche such suchen finde finden hol hole holen wähle wählen brauche möchte'),
  change: wordSet('change replace swap exchange switch update refresh ändere ändern ersetze ersetzen tausche tauschen wechsle wechseln aktualisiere aktualisieren austauschen'),
  put: wordSet('add use give insert put make mach mache gib geben nimm nehmen verwende verwenden nutze nutzen benutze füge einfügen hinzufügen'),
  set: wordSet('set setze setzen'),
}
export const aimOf = (verb: string): Aim | undefined => aims.find((aim) => verbs[aim].has(verb))
const aims = ['make', 'find', 'change', 'put', 'set'] as const

/** Verbs that rule out a search for the image. */
export const generating = wordSet('generate draw paint render generiere generieren erzeuge erzeugen male malen zeichne zeichnen')

/** Verbs that may mean swapping two images. */
export const swapping = wordSet('swap exchange switch tausche tauschen wechsle wechseln austauschen')

/** Verbs of other requests, which may begin after `and`. */
export const otherVerbs = wordSet('delete duplicate edit fix move remove rename rewrite translate publish describe resize crop align lösche entferne verschiebe benenne übersetze schreibe beschreibe kürze kopiere dupliziere')

export const before = wordSet('please kindly ok okay hey hi hello now then also can could would will you i we d ll like to let us me bitte kannst könntest würdest können könnten würden du sie ihr wir ich hätte gern gerne mal jetzt nun dann hallo')
export const modals = wordSet('kannst könntest würdest können könnten würden möchte hätte will')
export const afterwards = wordSet('here hier please now instead thanks thank you too bitte danke jetzt stattdessen mal aus hinzu ein vor her')
export const recipients = wordSet('me us mir uns')

export const determiners = wordSet('the this that these those my our your its s der die das den dem des diese dieser dieses diesen diesem mein meine meinen unser unsere unserem unseren')
export const indefinite = wordSet('a an some any ein eine einen einem einer eines paar')
export const fresh = wordSet('new another different other fresh better nicer neu neue neuen neues neuer neuem andere anderen anderes anderer anderem besseres bessere besseren schöneres schönere schöneren passende passendes passenden')
/** Adjectives that do not describe the subject of an image. */
export const neutral = wordSet('background main big nice suitable fitting matching good great existing current old hintergrund schönes schöne schönen gutes gute guten aktuelle aktuellen bestehende alte alten')
export const every = wordSet('all each every both alle allen aller jede jeder jedes jeden jedem beide beiden sämtliche')
export const sections = wordSet('section block component abschnitt bereich sektion')

/** Prepositions for the subject, the target and the source of an image. */
export const showing = wordSet('of showing shows depicting with featuring about von mit zeigt zum zur thema')
export const becoming = wordSet('to with by for into showing in zu durch gegen mit auf einen eine')
export const placing = wordSet('for to in on of from für in im von des der auf zu zum zur bei an am')
export const coming = wordSet('using via with from by on through von aus mit per bei über durch')
export const connectors: ReadonlySet<string> = new Set([...showing, ...becoming, ...placing, ...coming].filter((word) => !indefinite.has(word) && !determiners.has(word)))

const sourceWords: Readonly<Record<SourceKind, ReadonlySet<string>>> = {
  stock: wordSet('unsplash stock library stockfoto stockfotos stockbild stockbilder bilddatenbank fotodatenbank bildarchiv'),
  generated: wordSet('ai ki generated generator generiert generierte generiertes generierten'),
  brand: wordSet('brand marke markenbild markenbilder markenbibliothek'),
}
/** Words allowed around the name of a source. */
const aroundSource = wordSet('photo photos picture pictures image images library assets asset drive folder search model intelligence artificial help der die das einer eine a an the hilfe von datenbank')
const kinds = ['stock', 'generated', 'brand'] as const

/** The source that words name, if they name nothing else. */
export function sourceIn(words: readonly string[]): SourceKind | undefined {
  const kind = kinds.find((each) => words.some((word) => sourceWords[each].has(word)))
  return kind && words.every((word) => sourceWords[kind].has(word) || aroundSource.has(word) || recipients.has(word)) ? kind : undefined
}

export const isSourceWord = (word: string): SourceKind | undefined => kinds.find((kind) => kind !== 'stock' ? sourceWords[kind].has(word) : sourceWords.stock.has(word) && word !== 'library')

/** Words of requests that change how an image is placed, name an existing one, or are about something next to it. */
export const noSubject = wordSet(`left right center centre centered middle top bottom full width height wide wider bigger larger smaller taller size position side big small cropped rounded round square circle
  align aligned alignment lazy hidden visible same it one ones be link links text texts alt caption captions title titles heading headings headline description button buttons page pages website site
  links rechts mitte mittig oben unten groß größer kleiner klein breite breiter höhe seite seiten rund gleiche gleichen dasselbe selbe position ausrichtung größe überschrift überschriften titel beschreibung untertitel alternativtext bildunterschrift format aspect ratio`)
/** Pronouns for an image. */
export const pronouns = wordSet('one ones')
/** Words that are too vague to be the only subject. */
export const hardlySubject = wordSet('landscape portrait hochformat querformat schwarzweiß something anything else andere anderes etwas anders')

export const translating = wordSet('translate translates translated translation localize localise übersetz übersetze übersetzen übersetzt übersetzung lokalisiere')
export const negating = wordSet('not never don dont no nicht kein keine keinen nie without ohne')
export const joining = wordSet('and und or oder then dann plus sowie')

export const isImage = (word: string): boolean => one.has(word) || several.has(word)
/** Words next to an image that describe neither its subject nor its owner. */
export const isPlain = (word: string): boolean =>
  determiners.has(word) || indefinite.has(word) || fresh.has(word) || neutral.has(word) || recipients.has(word) || isSourceWord(word) !== undefined
