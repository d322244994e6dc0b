import { type Language, list } from './language.ts'

const sections = 'abschnitt, abschnitts, bereich, block'

/** Compounds such as `Galerieabschnitt`, `Bewertungs-Block`. */
const sectionOf = (stems: string): readonly string[] => list(stems).flatMap((stem) => list(sections).flatMap((section) => [stem + section, `${stem} ${section}`]))

/** Nouns for block types; the first one is used in answers. */
export const blockNouns: Language['blockNouns'] = {
  Hero: [...list('Hero, heros, herobanner, hero banner, aufmacher, aufmachers'), ...sectionOf('hero')],
  FeatureGrid: [...list('Feature Raster, feature rasters, featureraster, features, feature grid, feature liste, featureliste, merkmale, vorteile'), ...sectionOf('feature, features, vorteils')],
  Testimonials: [...list('Testimonials, bewertungen, kundenstimmen, kundenbewertungen, rezensionen, kundenmeinungen'), ...sectionOf('testimonial, bewertungs, kundenstimmen')],
  FAQAccordion: [...list('FAQ, faqs, faq akkordeon, faq liste, häufige fragen, häufigen fragen, fragen und antworten, fragen'), ...sectionOf('faq, fragen')],
  CTA: [...list('CTA, ctas, call to action, handlungsaufforderung, handlungsaufruf'), ...sectionOf('cta')],
  Card: list('einzelkarte'),
  CardGrid: [...list('Kartenraster, kartenrasters, karten raster, karten, kacheln, preiskarten, card grid'), ...sectionOf('karten, kachel')],
  RichText: list('Rich Text, textabschnitt, textabschnitts, textabschnitte, textabschnitten, textblock, textblocks, textblöcke, textbereich, absatz, absätze, absatzes, richtext'),
  Stats: [...list('Kennzahlen, zahlen, statistik, statistiken, stats, zahlen und fakten'), ...sectionOf('statistik, zahlen, kennzahlen, stats')],
  TwoColumn: list('zwei spalten, 2 spalten, zweispalter, zweispaltiger abschnitt, zweispaltigen abschnitt'),
  Banner: [...list('Banner, banners, hinweisbanner, hinweisleiste, ankündigung'), ...sectionOf('banner')],
  Quote: [...list('Zitat, zitats, zitate, blockzitat'), ...sectionOf('zitat')],
  Tabs: [...list('Tabs, registerkarten'), ...sectionOf('tab, reiter')],
  Table: [...list('Tabelle, tabellen, datentabelle'), ...sectionOf('tabellen')],
  Video: [...list('Video, videos, videoplayer'), ...sectionOf('video')],
  Embed: [...list('Einbettung, embed, iframe, landkarte, google maps karte'), ...sectionOf('einbettungs')],
  Carousel: [...list('Karussell, karussells, slider, slideshow, diashow'), ...sectionOf('karussell')],
  Gallery: [...list('Galerie, galerien, bildergalerie, fotogalerie'), ...sectionOf('galerie')],
  Footer: [...list('Fußzeile, footer'), ...sectionOf('fußzeilen')],
  SiteHeader: [...list('Kopfzeile, site header'), ...sectionOf('kopfzeilen')],
}

export const rowNouns: Language['rowNouns'] = [
  { one: list('feature, merkmal, merkmals, vorteil, vorteils, features'), many: list('features, merkmale, merkmalen, vorteile, vorteilen'), lists: [['FeatureGrid', 'features']] },
  { one: list('karte, preiskarte, kachel'), many: list('karten, preiskarten, kacheln'), lists: [['CardGrid', 'cards']] },
  {
    one: list('bewertung, testimonial, testimonials, kundenstimme, kundenbewertung, rezension, kundenmeinung'), many: list('bewertungen, testimonials, kundenstimmen, rezensionen'),
    lists: [['Testimonials', 'items']], block: 'Testimonials',
  },
  { one: list('frage, faq frage, faq eintrag'), many: list('fragen, faq fragen, faq einträge'), lists: [['FAQAccordion', 'items']] },
  { one: list('kennzahl, zahl, stat'), many: list('kennzahlen, zahlen, stats'), lists: [['Stats', 'stats']] },
  { one: list('reiter, reiters, tab, registerkarte'), many: list('tabs, reiter, registerkarten'), lists: [['Tabs', 'tabs']] },
  { one: list('folie, slide'), many: list('folien, slides'), lists: [['Carousel', 'items']] },
  { one: list('galeriebild, galeriebilds'), many: list('galeriebilder'), lists: [['Gallery', 'images']] },
  { one: list('eintrag, eintrags, punkt'), many: list('einträge, punkte'), lists: [] },
]

const seconds = list('zweite, zweiten, zweiter, sekundäre, sekundären, sekundärer')
const labels = list('text, textes, texts, beschriftung, aufschrift, label')
const targets = list('link, ziel, linkziel, adresse, url')
const ofButton = (parts: readonly string[]) => ['button', 'schaltflächen'].flatMap((stem) => parts.flatMap((part) => [stem + part, `${stem} ${part}`, `cta ${part}`, `cta ${stem} ${part}`, `cta ${stem}${part}`]))
const ofSecond = (words: readonly string[]) => seconds.flatMap((second) => words.map((word) => `${second} ${word}`))

/** Words for fields, with the possible props, best first. */
export const fieldNouns: Language['fieldNouns'] = [
  [['heading', 'title'], list('Überschrift, hauptüberschrift, headline, schlagzeile, haupttitel')],
  [['title', 'heading'], list('Titel, titels')],
  [['subheading', 'subtitle'], list('Unterzeile, unterüberschrift, zwischenüberschrift, subheadline, tagline, slogan')],
  [['subtitle', 'subheading'], list('Untertitel, untertitels')],
  [['description'], list('Beschreibung, beschreibungstext, kurzbeschreibung')],
  [['body', 'text', 'content', 'description'], list('Fließtext, haupttext, fließtexts, fließtextes, absatztext')],
  [['text', 'body', 'content', 'description', 'quote'], list('Text, textes, texts, wortlaut')],
  [['content', 'body', 'text', 'description'], list('Inhalt, inhalts')],
  [['ctaText'], [...list('Button, schaltfläche, knopf, cta button, cta'), ...ofButton(labels)]],
  [['ctaHref', 'href', 'url'], ofButton(targets)],
  [['ctaHref', 'url', 'src', 'href'], list('Link, links, verlinkung, linkziel')],
  [['url', 'src', 'ctaHref', 'href'], list('URL')],
  [['secondaryCtaText'], ofSecond([...list('Button, buttons, schaltfläche, cta'), ...labels.map((label) => `button${label}`), ...labels.map((label) => `button ${label}`)])],
  [['secondaryCtaHref'], ofSecond(targets.flatMap((target) => [`button${target}`, `button ${target}`]))],
  [['eyebrow'], list('Dachzeile, eyebrow, kicker, oberzeile')],
  [['imageUrl', 'src'], list('Bild, bildes, bilds, foto, fotos, hintergrundbild, grafik, bildadresse')],
  [['imageAlt', 'alt'], list('Alternativtext, alternativtextes, alt text, alttext, bildbeschreibung')],
  [['imagePosition'], list('Bildposition, position des bildes')],
  [['textAlign'], list('Textausrichtung, ausrichtung')],
  [['columns'], list('Spaltenzahl, spalten, spaltenanzahl, anzahl der spalten, zahl der spalten')],
  [['variant', 'cardVariant'], list('Variante, stil')],
  [['cardVariant'], list('Kartenstil, kartenvariante')],
  [['quote'], list('Zitat, zitats, zitattext')],
  [['author'], list('Autor, autors, autorin, name, namen')],
  [['role'], list('Rolle')],
  [['q'], list('Frage, fragetext')],
  [['a'], list('Antwort, antworttext')],
  [['label'], list('Beschriftung, label, bezeichnung')],
  [['value'], list('Wert, werts, wertes, zahl')],
  [['icon'], list('Icon, icons, symbol, symbols')],
  [['caption'], list('Bildunterschrift')],
  [['copyright'], list('Copyright')],
  [['autoplay'], list('Autoplay, automatische wiedergabe')],
  [['loop'], list('Endlosschleife, schleife, wiederholung')],
  [['interval'], list('Intervall, intervalls')],
  [['striped'], list('Zeilenstreifen, streifen')],
  [['src'], list('Videoadresse, video url, videolink')],
  [['posterUrl', 'poster'], list('Posterbild, poster, startbild')],
  [['aspectRatio'], list('Seitenverhältnis')],
  [['embedType'], list('Einbettungsart')],
  [['backgroundColor'], list('Hintergrundfarbe, hintergrund')],
  [['textColor'], list('Textfarbe, schriftfarbe')],
]
