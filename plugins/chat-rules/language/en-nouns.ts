import { type Language, list, pairs } from './language.ts'

/** Nouns for block types; the first one is used in answers. Types of a site add their names. */
export const blockNouns: Language['blockNouns'] = {
  Hero: list('hero, hero banner, hero header, hero section, jumbotron, masthead, heroes'),
  FeatureGrid: list('feature grid, selling points, features overview, feature overview, feature cards, features grid, features, feature list, benefits, advantages, feature section, feature block, list of features, features list'),
  Testimonials: list(`customer voices, guest quotes, client testimonials, testimonials list, testimonials, testimonial section, customer reviews, reviews, social proof, customer quotes, testimonial block, customer testimonials, guest reviews,
    review section`),
  FAQAccordion: list('FAQ, list of questions, common questions, question section, question list, faqs, faq accordion, frequently asked questions, q and a, q & a, questions section, questions, questions and answers, faq list, accordion'),
  CTA: list('CTA, call to action, calls to action, ctas, cta banner, cta box'),
  Card: list('card'),
  CardGrid: list('card grid, list of cards, product cards, cards, pricing cards, pricing section, cards grid, grid of cards, card list, card section'),
  RichText: list('rich text, rich texts, text block, text section, text blocks, text sections, paragraph, paragraphs, prose, text area'),
  Stats: list('stats, statistics, metrics, key figures, numbers section, key numbers, facts and figures, stats bar'),
  TwoColumn: list('two column, two columns, 2 column, 2 columns, two column layout, two column text'),
  Banner: list('banner, notification bar, notice banner, info banner, promo banner, banners, announcement, announcement bar, notice bar, alert bar, info bar, promo bar, announcement banner'),
  Quote: list('quote, pull quote, blockquote, quotes, block quote, quotation'),
  Tabs: list('tabs, tabbed section, tab section, tab group, tab block'),
  Table: list('table, data table, tables, price table, pricing table, comparison table'),
  Video: list('video, video player, videos, film, clip'),
  Embed: list('embed, iframe, map, google map, embedded map'),
  Carousel: list('carousel, slider, slideshow, image slider, image carousel, photo carousel'),
  Gallery: list('gallery, photo wall, picture grid, gallery of images, gallery of photos, photo section, photo gallery, image gallery, image grid, galleries, picture gallery, photo grid'),
  Footer: list('footer'),
  SiteHeader: list('site header'),
}

export const rowNouns: Language['rowNouns'] = [
  { one: list('feature, benefit, feature item, advantage'), many: list('features, benefits, feature items, advantages'), lists: [['FeatureGrid', 'features']] },
  { one: list('card, pricing card, product card, price card, tile'), many: list('cards, pricing cards, product cards, tiles'), lists: [['CardGrid', 'cards']], block: 'Card' },
  {
    one: list('customer voice, guest quote, client testimonial, testimonial, review, customer quote, customer review, customer testimonial, guest review'),
    many: list('testimonials, reviews, customer quotes, customer reviews, guest reviews'), lists: [['Testimonials', 'items']], block: 'Testimonials',
  },
  { one: list('question, faq item, faq entry, faq question'), many: list('questions, faq items, faq entries, faq questions'), lists: [['FAQAccordion', 'items']] },
  { one: list('stat, statistic, metric, figure, key figure, counter'), many: list('stats, statistics, metrics, figures, key figures'), lists: [['Stats', 'stats']] },
  { one: ['tab'], many: ['tabs'], lists: [['Tabs', 'tabs']] },
  { one: ['slide'], many: ['slides'], lists: [['Carousel', 'items']] },
  {
    one: list('gallery image, gallery photo, gallery picture'), many: list('gallery images, gallery photos, gallery pictures'), lists: [['Gallery', 'images']],
  },
  { one: list('item, entry'), many: list('items, entries'), lists: [] },
]

const main = 'button, cta, cta button, call to action, call to action button, primary button, main button, primary cta'
const second = 'secondary button, second button, secondary cta, second cta, other button'
const says = 'text, label, copy, caption, wording'
const leads = 'link, url, target, address, href, destination'

/** Words for fields, with the possible props, best first. */
export const fieldNouns: Language['fieldNouns'] = [
  [['heading', 'title'], list('headline, heading, h1, headlines, main heading, main headline, head line, heading text, headline text')],
  [['title', 'heading'], list('title, main title, title text')],
  [['subheading', 'subtitle'], [...list('subheading, sub heading, subheadline, sub headline, subheader, sub header, sub line, tagline, tag line, slogan, strapline, subline, motto'),
    ...pairs('line below the, line under the, text below the, text under the', 'headline, heading, title')]],
  [['subtitle', 'subheading'], list('subtitle, sub title')],
  [['description'], list('description, desc, blurb, short description, description text')],
  [['body', 'text', 'content', 'description'], list('body, body text, body copy, copy, paragraph, main text')],
  [['text', 'body', 'content', 'description'], list('text, wording, message')],
  [['content', 'body', 'text', 'description'], list('content, contents')],
  [['ctaText'], [...list(main), ...pairs(main, says)]],
  [['ctaHref', 'href', 'url'], pairs(main, leads)],
  [['ctaHref', 'url', 'src', 'href'], list('link, target, link target')],
  [['url', 'src', 'ctaHref', 'href'], list('url, web address')],
  [['secondaryCtaText'], [...list(second), ...pairs(second, says)]],
  [['secondaryCtaHref'], pairs(second, leads)],
  [['eyebrow'], [...list('eyebrow, eyebrow text, kicker, overline'), ...pairs('line above the, text above the', 'headline, heading, title')]],
  [['imageUrl', 'src'], list('photograph, main image, main photo, header image, background photo, image file, image, photo, picture, image url, pic, background image, image address, photo url, picture url')],
  [['imageAlt', 'alt'], list('alt text, image alt, image alt text, alt, image description, alternative text, picture description, photo description, alt tag')],
  [['imagePosition'], list('image position, image side, position of the image')],
  [['textAlign'], list('text alignment, alignment, text align')],
  [['columns'], list('columns, number of columns, column count, amount of columns, columns per row')],
  [['variant', 'cardVariant'], list('variant, style, type, look')],
  [['cardVariant'], list('card style, card variant')],
  [['quote'], list('quote, quote text')],
  [['author'], list('author, name, name of the author, customer name, guest name, person, customer, author name')],
  [['role'], list('role, author role, job title')],
  [['q'], list('question, question text')],
  [['a'], list('answer, answer text, reply, response')],
  [['label'], list('label, label text')],
  [['value'], list('value, number, figure, amount, count')],
  [['icon'], list('icon, symbol, emoji')],
  [['caption'], list('caption, image caption')],
  [['copyright'], list('copyright, copyright text, copyright line')],
  [['autoplay'], list('autoplay, auto play')],
  [['loop'], list('loop, looping')],
  [['interval'], list('interval')],
  [['striped'], list('striped rows, stripes')],
  [['src'], list('video url, video link, video address, video source')],
  [['posterUrl', 'poster'], list('poster, poster image, thumbnail')],
  [['aspectRatio'], list('aspect ratio')],
  [['embedType'], list('embed type')],
  [['backgroundColor'], list('bg color, color of the background, colour of the background, background, background color, background colour')],
  [['textColor'], list('color of the text, colour of the text, text color, text colour, font color, font colour')],
]
