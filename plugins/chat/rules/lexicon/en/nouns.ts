import type { Lexicon } from '../lexicon.ts'

/** What blocks are called in English; a site's own types add their names. The first noun is used in answers. */
export const blockNouns: Lexicon['blockNouns'] = {
  Hero: ['hero', 'hero banner', 'hero header', 'jumbotron'],
  FeatureGrid: ['feature grid', 'features grid', 'features', 'feature list', 'features list', 'benefits', 'advantages', 'feature section'],
  Testimonials: ['testimonials', 'testimonial section', 'customer reviews', 'reviews', 'social proof', 'customer quotes'],
  FAQAccordion: [
    'FAQ', 'faqs', 'faq accordion', 'frequently asked questions', 'q and a', 'q & a', 'questions section', 'questions',
  ],
  CTA: ['CTA', 'call to action', 'calls to action', 'ctas'],
  Card: ['card'],
  CardGrid: ['card grid', 'cards', 'pricing cards', 'pricing section', 'cards grid'],
  RichText: ['rich text', 'rich texts', 'text block', 'text section', 'text blocks', 'text sections', 'paragraph', 'paragraphs', 'prose'],
  Stats: ['stats', 'statistics', 'metrics', 'key figures', 'numbers section'],
  TwoColumn: ['two column', 'two columns', '2 column', '2 columns'],
  Banner: ['banner', 'banners', 'announcement', 'announcement bar', 'notice bar', 'announcement banner'],
  Quote: ['quote', 'pull quote', 'blockquote', 'quotes'],
  Tabs: ['tabs', 'tabbed section'],
  Table: ['table', 'data table', 'tables'],
  Video: ['video', 'video player', 'videos'],
  Embed: ['embed', 'iframe', 'map', 'google map'],
  Carousel: ['carousel', 'slider', 'slideshow'],
  Gallery: ['gallery', 'photo gallery', 'image gallery', 'image grid', 'galleries'],
  Footer: ['footer'],
  SiteHeader: ['site header'],
}

export const rowNouns: Lexicon['rowNouns'] = [
  { singular: ['feature', 'benefit'], plural: ['features', 'benefits'], lists: [['FeatureGrid', 'features']] },
  { singular: ['card', 'pricing card'], plural: ['cards', 'pricing cards'], lists: [['CardGrid', 'cards']], block: 'Card' },
  {
    singular: ['testimonial', 'review', 'customer quote', 'customer review'],
    plural: ['testimonials', 'reviews', 'customer quotes', 'customer reviews'],
    lists: [['Testimonials', 'items']],
    block: 'Testimonials',
  },
  {
    singular: ['question', 'faq item', 'faq entry', 'faq question'],
    plural: ['questions', 'faq items', 'faq entries', 'faq questions'],
    lists: [['FAQAccordion', 'items']],
  },
  {
    singular: ['stat', 'statistic', 'metric', 'figure'],
    plural: ['stats', 'statistics', 'metrics', 'figures'],
    lists: [['Stats', 'stats']],
  },
  { singular: ['tab'], plural: ['tabs'], lists: [['Tabs', 'tabs']] },
  { singular: ['slide'], plural: ['slides'], lists: [['Carousel', 'items']] },
  {
    singular: ['gallery image', 'gallery photo', 'gallery picture'],
    plural: ['gallery images', 'gallery photos', 'gallery pictures'],
    lists: [['Gallery', 'images']],
  },
  { singular: ['item', 'entry'], plural: ['items', 'entries'], lists: [] },
]

const button = ['ctaText']
const buttonLink = ['ctaHref', 'href', 'url']
const secondButton = ['secondaryCtaText']
const secondLink = ['secondaryCtaHref']

const groups: readonly (readonly [props: readonly string[], words: readonly string[]])[] = [
  [['heading', 'title'], ['headline', 'heading', 'headlines', 'main heading', 'main headline']],
  [['title', 'heading'], ['title']],
  [['subheading', 'subtitle'], ['subheading', 'sub heading', 'subheadline', 'sub headline', 'tagline']],
  [['subtitle', 'subheading'], ['subtitle', 'sub title']],
  [['description'], ['description', 'blurb']],
  [['body', 'text', 'content', 'description'], ['body', 'body text', 'body copy', 'copy', 'paragraph']],
  [['text', 'body', 'content', 'description'], ['text']],
  [['content', 'body', 'text', 'description'], ['content']],
  [button, [
    'button', 'button text', 'button label', 'button copy', 'cta', 'cta text', 'cta label', 'cta button', 'cta button text',
    'cta button label', 'primary button', 'primary button text', 'primary button label', 'call to action text',
    'call to action button', 'main button', 'main button text', 'first button', 'button caption', 'call to action button text',
  ]],
  [buttonLink, [
    'button link', 'button url', 'button target', 'cta link', 'cta url', 'cta button link', 'href', 'primary button link',
    'main button link', 'button address', 'link target', 'button destination',
  ]],
  [['ctaHref', 'url', 'src', 'href'], ['link']],
  [['url', 'src', 'ctaHref', 'href'], ['url']],
  [secondButton, [
    'secondary button', 'secondary button text', 'secondary button label', 'second button', 'second button text', 'secondary cta',
    'secondary cta text', 'second button label',
  ]],
  [secondLink, ['secondary button link', 'secondary button url', 'second button link', 'secondary cta link', 'second button url']],
  [['eyebrow'], ['eyebrow', 'eyebrow text', 'kicker']],
  [['imageUrl', 'src'], ['image', 'photo', 'picture', 'image url', 'image address', 'background image']],
  [['imageAlt', 'alt'], ['alt text', 'image alt', 'image alt text', 'alt', 'image description', 'alternative text', 'picture description']],
  [['imagePosition'], ['image position']],
  [['textAlign'], ['text alignment', 'alignment', 'text align']],
  [['columns'], ['columns', 'number of columns', 'column count']],
  [['variant', 'cardVariant'], ['variant', 'style']],
  [['cardVariant'], ['card style', 'card variant']],
  [['quote'], ['quote', 'quote text']],
  [['author'], ['author', 'name']],
  [['role'], ['role', 'author role']],
  [['q'], ['question', 'question text']],
  [['a'], ['answer', 'answer text']],
  [['label'], ['label']],
  [['value'], ['value', 'number']],
  [['icon'], ['icon']],
  [['caption'], ['caption']],
  [['copyright'], ['copyright', 'copyright text', 'copyright line', 'copyright notice']],
  [['autoplay'], ['autoplay', 'auto play']],
  [['loop'], ['loop', 'looping']],
  [['interval'], ['interval']],
  [['striped'], ['striped rows', 'stripes', 'striping']],
  [['src'], ['video url', 'video link', 'video address']],
  [['posterUrl', 'poster'], ['poster', 'poster image']],
  [['aspectRatio'], ['aspect ratio']],
  [['embedType'], ['embed type']],
  [['backgroundColor'], ['background', 'background color', 'background colour']],
  [['textColor'], ['text color', 'text colour', 'font color', 'font colour']],
]

/** Which prop a word means: the first one that the block or row has. */
export const fieldNouns: Lexicon['fieldNouns'] =
  Object.fromEntries(groups.flatMap(([props, words]) => words.map((word) => [word, props])))
