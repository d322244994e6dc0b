import type { Lexicon } from '../lexicon.ts'
import { declined, each } from './inflect.ts'

const sections = ['abschnitt', 'abschnitts', 'bereich', 'bereichs', 'block', 'blocks', 'sektion']

/** `Galerieabschnitt`, `Bewertungs-Block`: what a section is called after what it holds. */
const sectionOf = (...stems: readonly string[]) => stems.flatMap((stem) => sections.flatMap((section) => [stem + section, `${stem} ${section}`]))

/** What blocks are called in German; a site's own types add their names. The first noun is used in answers. */
export const blockNouns: Lexicon['blockNouns'] = {
  Hero: ['Hero', 'heros', 'heroes', 'herobanner', 'hero banner', 'aufmacher', 'aufmachers', 'jumbotron', ...sectionOf('hero')],
  FeatureGrid: [
    'Feature Raster', 'feature rasters', 'featureraster', 'featurerasters', 'features raster', 'features', 'feature grid', 'feature liste',
    'featureliste', 'merkmale', 'merkmalen', 'vorteile',
    'vorteilen', 'merkmalsliste', 'vorteilsliste', 'feature übersicht', 'featureübersicht', 'feature grids',
    ...sectionOf('feature', 'features', 'vorteils', 'merkmals'),
  ],
  Testimonials: [
    'Testimonials', 'bewertungen', 'kundenstimmen', 'kundenbewertungen', 'rezensionen', 'kundenmeinungen', 'erfahrungsberichte',
    'erfahrungsberichten', 'kundenzitate',
    ...sectionOf('testimonial', 'bewertungs', 'kundenstimmen'),
  ],
  FAQAccordion: [
    'FAQ', 'faqs', 'faq akkordeon', 'faq akkordeons', 'faq liste', 'häufige fragen', 'häufigen fragen', 'häufig gestellte fragen',
    'häufig gestellten fragen', 'fragen und antworten', 'fragen',
    ...sectionOf('faq', 'fragen'),
  ],
  CTA: ['CTA', 'ctas', 'call to action', 'call to actions', 'handlungsaufforderung', 'handlungsaufruf', 'handlungsaufrufs', ...sectionOf('cta')],
  Card: ['kachel', 'einzelkarte'],
  CardGrid: [
    'Kartenraster', 'kartenrasters', 'karten raster', 'karten', 'kacheln', 'kachelraster', 'preiskarten', 'kartenübersicht', 'card grid',
    'card grids', 'kartengrid', ...sectionOf('karten', 'kachel'),
  ],
  RichText: [
    'Rich Text', 'textabschnitt', 'textabschnitts', 'textabschnitte', 'textabschnitten', 'textblock', 'textblocks', 'textblöcke', 'textblöcken',
    'textbereich', 'textbereichs', 'textbereiche',
    'textbaustein', 'textbausteine', 'fließtext', 'fließtexts', 'fließtextes', 'absatz', 'absatzes', 'absätze', 'absätzen', 'rich texts',
    'rich texte', 'richtext',
  ],
  Stats: ['Kennzahlen', 'zahlen', 'statistik', 'statistiken', 'stats', 'zahlen und fakten', ...sectionOf('statistik', 'zahlen', 'kennzahlen', 'stats')],
  TwoColumn: [
    'zwei spalten', '2 spalten', 'zweispalter',
    ...each([...declined('zweispaltig'), ...declined('2 spaltig')], ['abschnitt', 'bereich', 'block', 'sektion']),
  ],
  Banner: ['Banner', 'banners', 'bannern', 'hinweisbanner', 'hinweisleiste', 'ankündigung', 'ankündigungsbanner', 'ankündigungsleiste', ...sectionOf('banner')],
  Quote: ['Zitat', 'zitats', 'zitates', 'zitate', 'zitaten', 'blockzitat', ...sectionOf('zitat')],
  Tabs: ['Tabs', 'registerkarten', ...sectionOf('tab', 'reiter')],
  Table: ['Tabelle', 'tabellen', 'datentabelle', ...sectionOf('tabellen')],
  Video: ['Video', 'videos', 'videoplayer', 'videoplayers', ...sectionOf('video')],
  Embed: ['Einbettung', 'embed', 'embeds', 'iframe', 'iframes', 'landkarte', 'google maps karte', 'stadtplan', ...sectionOf('einbettungs')],
  Carousel: ['Karussell', 'karussells', 'slider', 'sliders', 'slideshow', 'diashow', 'bilderkarussell', ...sectionOf('karussell')],
  Gallery: ['Galerie', 'galerien', 'bildergalerie', 'bildergalerien', 'fotogalerie', 'bilderraster', ...sectionOf('galerie')],
  Footer: ['Fußzeile', 'footer', 'footers', ...sectionOf('fußzeilen')],
  SiteHeader: ['Kopfzeile', 'site header', ...sectionOf('kopfzeilen')],
}

/** A card is no map here: where no list takes a `Karte`, nobody knows which of the two is meant. */
export const rowNouns: Lexicon['rowNouns'] = [
  {
    singular: ['feature', 'merkmal', 'merkmals', 'vorteil', 'vorteils'], plural: ['features', 'merkmale', 'merkmalen', 'vorteile', 'vorteilen'],
    lists: [['FeatureGrid', 'features']],
  },
  { singular: ['karte', 'preiskarte', 'kachel'], plural: ['karten', 'preiskarten', 'kacheln'], lists: [['CardGrid', 'cards']] },
  {
    singular: ['bewertung', 'testimonial', 'kundenstimme', 'kundenbewertung', 'rezension', 'kundenmeinung', 'kundenzitat', 'kundenzitats', 'stimme'],
    plural: ['bewertungen', 'testimonials', 'kundenstimmen', 'kundenbewertungen', 'rezensionen', 'kundenmeinungen', 'kundenzitate', 'kundenzitaten', 'stimmen'],
    lists: [['Testimonials', 'items']],
    block: 'Testimonials',
  },
  {
    singular: ['frage', 'faq frage', 'faq eintrag', 'faq eintrags'], plural: ['fragen', 'faq fragen', 'faq einträge', 'faq einträgen'],
    lists: [['FAQAccordion', 'items']],
  },
  { singular: ['kennzahl', 'zahl', 'stat'], plural: ['kennzahlen', 'zahlen', 'stats'], lists: [['Stats', 'stats']] },
  { singular: ['reiter', 'reiters', 'tab', 'registerkarte'], plural: ['tabs', 'reiter', 'reitern', 'registerkarten'], lists: [['Tabs', 'tabs']] },
  { singular: ['folie', 'slide'], plural: ['folien', 'slides'], lists: [['Carousel', 'items']] },
  { singular: ['galeriebild', 'galeriebilds', 'galeriebildes', 'galeriefoto', 'galeriefotos'], plural: ['galeriebilder', 'galeriebildern'], lists: [['Gallery', 'images']] },
  { singular: ['eintrag', 'eintrags', 'punkt', 'punkts'], plural: ['einträge', 'einträgen', 'punkte', 'punkten'], lists: [] },
]

const buttonWords = ['button', 'buttons', 'schaltfläche', 'knopf', 'knopfs', 'knopfes', 'cta button', 'cta buttons']
export const labelWords = ['text', 'textes', 'texts', 'beschriftung', 'aufschrift', 'label', 'bezeichnung']
export const targetWords = ['link', 'ziel', 'linkziel', 'adresse', 'url', 'verlinkung', 'zieladresse']
const seconds = [...declined('zweit'), ...declined('sekundär')]

/** `Buttontext`, `Button-Text`. */
const partsOfButton = (parts: readonly string[], stems: readonly string[]) =>
  [...each(stems, parts), ...each(['button', 'cta', 'cta button'], parts), ...stems.flatMap((stem) => parts.map((part) => stem + part))]

const partsOfSecond = (parts: readonly string[]) =>
  [...each(seconds, ['button', 'schaltflächen', 'cta'], parts), ...each(seconds, parts.flatMap((part) => [`button${part}`, `schaltflächen${part}`]))]

const ofPicture = ['bildes', 'bilds', 'fotos', 'hintergrundbilds']

const groups: readonly (readonly [props: readonly string[], words: readonly string[]])[] = [
  [['heading', 'title'], ['Überschrift', 'hauptüberschrift', 'headline', 'schlagzeile', 'haupttitel', 'haupttitels', 'heading']],
  [['title', 'heading'], ['Titel', 'titels']],
  [['subheading', 'subtitle'], ['Unterzeile', 'unterüberschrift', 'zwischenüberschrift', 'subheadline', 'subline', 'tagline', 'slogan', 'slogans', 'untere überschrift', 'subheading']],
  [['subtitle', 'subheading'], ['Untertitel', 'untertitels']],
  [['description'], ['Beschreibung', 'beschreibungstext', 'beschreibungstextes', 'beschreibungstexts', 'kurzbeschreibung']],
  [['body', 'text', 'content', 'description'], ['Fließtext', 'haupttext', 'haupttextes', 'fließtexts', 'fließtextes', 'absatztext', 'body']],
  [['text', 'body', 'content', 'description', 'quote'], ['Text', 'textes', 'texts', 'wortlaut']],
  [['content', 'body', 'text', 'description'], ['Inhalt', 'inhalts', 'inhaltes']],
  [['ctaText'], [
    'Button', ...buttonWords, ...each(['primären', 'primärer', 'ersten', 'erster', 'erste'], ['button', 'schaltfläche']), 'hauptbutton', 'haupt button', 'cta',
  ]],
  [['ctaText'], ['Button-Text', 'buttontitel', 'button titel', ...partsOfButton(labelWords, ['button', 'schaltflächen', 'knopf'])]],
  [['ctaHref', 'href', 'url'], ['Button-Link', ...partsOfButton(targetWords, ['button', 'schaltflächen', 'knopf']), 'linkziel', 'href']],
  [['ctaHref', 'url', 'src', 'href'], ['Link', 'verlinkung']],
  [['url', 'src', 'ctaHref', 'href'], ['URL', 'adresse']],
  [['secondaryCtaText'], ['zweiten Button', ...each(seconds, ['button', 'buttons', 'schaltfläche', 'cta', 'knopf']), 'zweitbutton', 'sekundärbutton']],
  [['secondaryCtaText'], ['zweiten Button-Text', ...partsOfSecond(labelWords)]],
  [['secondaryCtaHref'], ['zweiten Button-Link', ...partsOfSecond(targetWords)]],
  [['eyebrow'], ['Dachzeile', 'eyebrow', 'kicker', 'oberzeile', 'zeile über der überschrift', 'spitzmarke']],
  [['imageUrl', 'src'], ['Bild', 'bildes', 'bilds', 'foto', 'fotos', 'hintergrundbild', 'bildadresse', 'bild url', 'grafik', 'porträt', 'porträts', 'porträtfoto']],
  [['imageAlt', 'alt'], [
    'Alternativtext', 'alternativtextes', 'alternativtexts', 'alt text', 'alt textes', 'alt texts', 'alttext', 'alttextes', 'bildbeschreibung',
    'bild beschreibung', 'alternativer text', 'alternativen text', 'porträtbeschreibung',
    ...each(['beschreibung', 'alternativtext', 'alt text'], ['des', 'vom'], ofPicture),
  ]],
  [['imagePosition'], ['Bildposition', 'bild position', 'position des bildes', 'position des bilds', 'bildseite', 'bildausrichtung']],
  [['textAlign'], ['Textausrichtung', 'ausrichtung', 'text ausrichtung', 'ausrichtung des textes', 'ausrichtung des texts']],
  [['columns'], ['Spaltenzahl', 'spalten', 'spaltenanzahl', 'anzahl der spalten', 'zahl der spalten', 'anzahl spalten']],
  [['variant', 'cardVariant'], ['Variante', 'stil', 'stils', 'darstellung']],
  [['cardVariant'], ['Kartenstil', 'kartenvariante', 'karten stil']],
  [['quote'], ['Zitat', 'zitats', 'zitates', 'zitattext', 'text des zitats']],
  [['author'], ['Autor', 'autors', 'autorin', 'name', 'namen', 'verfasser', 'verfassers', 'verfasserin']],
  [['role'], ['Rolle', 'rolle des autors']],
  [['q'], ['Frage', 'fragetext', 'text der frage']],
  [['a'], ['Antwort', 'antworttext', 'text der antwort']],
  [['label'], ['Beschriftung', 'label', 'bezeichnung', 'labels']],
  [['value'], ['Wert', 'werts', 'wertes', 'zahl', 'zahlenwert']],
  [['icon'], ['Icon', 'icons', 'symbol', 'symbols']],
  [['caption'], ['Bildunterschrift', 'bildunterschriften', 'unterschrift']],
  [['copyright'], ['Copyright', 'copyrights', 'copyright text', 'copyright zeile', 'copyright hinweis', 'urheberhinweis', 'copyrighthinweis']],
  [['autoplay'], ['Autoplay', 'automatische wiedergabe', 'automatischen wiedergabe']],
  [['loop'], ['Endlosschleife', 'wiederholung', 'schleife']],
  [['interval'], ['Intervall', 'intervalls', 'zeitabstand', 'millisekunden je folie']],
  [['striped'], ['Zeilenstreifen', 'streifen', 'gestreifte zeilen']],
  [['src'], ['Videoadresse', 'video adresse', 'video url', 'video link', 'videolink']],
  [['posterUrl', 'poster'], ['Posterbild', 'poster', 'startbild']],
  [['aspectRatio'], ['Seitenverhältnis', 'seitenverhältnisses', 'bildformat']],
  [['embedType'], ['Einbettungsart', 'art der einbettung', 'einbettungstyp']],
  [['backgroundColor'], ['Hintergrundfarbe', 'hintergrund', 'hintergrunds', 'farbe des hintergrunds']],
  [['textColor'], ['Textfarbe', 'schriftfarbe', 'farbe des textes', 'farbe der schrift', 'text farbe']],
]

/** Blocks without rows, as they stand before a field in one word: of a `Kartentitel` nobody knows whether it is that of a card. */
const owners = ['hero', 'banner', 'video', 'zitat']

const ownWords = new Set([...Object.values(blockNouns), ...groups.map(([, words]) => words)].flat().map((word) => word.toLowerCase()))

/** `Bannertext`, `Herobild`: a block and its field in one word, unless that word has a meaning of its own. */
export const compounds: Readonly<Record<string, string>> = Object.fromEntries(owners.flatMap((owner) =>
  groups.flatMap(([, words]) => words.map((word) => word.toLowerCase())).filter((word) => /^\p{L}+$/u.test(word))
    .map((word) => [`${owner}${word}`, `${owner} ${word}`] as const))
  .filter(([word]) => !ownWords.has(word)))

const fieldNames = new Map(groups.flatMap(([, words]) => words.map((word) => [word.toLowerCase(), words[0]])))

/** What a field is called that somebody called by another word for the same, or by this word in another case. */
export const fieldNameFor = (word: string): string => fieldNames.get(word.toLowerCase()) ?? word.charAt(0).toUpperCase() + word.slice(1)

/** Which prop a word means: the first one that the block or row has. */
export const fieldNouns: Lexicon['fieldNouns'] =
  Object.fromEntries(groups.flatMap(([props, words]) => words.map((word) => [word, props])))
