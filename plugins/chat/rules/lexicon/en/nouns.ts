import type { Lexicon } from '../lexicon.ts'

/** What blocks are called in English; a site's own types add their names. The first noun is used in answers. */
export const blockNouns: Lexicon['blockNouns'] = {
  Hero: ['hero', 'hero banner', 'hero header', 'jumbotron', 'masthead', 'hero unit', 'heroes', 'hero image section'],
  FeatureGrid: [
    'feature grid', 'features grid', 'features', 'feature list', 'features list', 'benefits', 'advantages', 'feature section', 'feature block', 'list of features',
    'grid of features', 'list of benefits', 'benefits list', 'features overview', 'feature overview', 'selling points', 'feature cards',
  ],
  Testimonials: [
    'testimonials', 'testimonial section', 'customer reviews', 'reviews', 'social proof', 'customer quotes', 'testimonial block', 'customer testimonials',
    'customer voices',
    'guest reviews', 'guest quotes', 'review section', 'quotes from customers', 'list of testimonials', 'client testimonials', 'client quotes', 'quotes from guests',
    'testimonials list',
  ],
  FAQAccordion: [
    'FAQ', 'faqs', 'faq accordion', 'frequently asked questions', 'q and a', 'q & a', 'questions section', 'questions', 'questions and answers', 'faq list',
    'list of questions', 'common questions',
    'question list', 'frequent questions', 'accordion', 'question section',
  ],
  CTA: ['CTA', 'call to action', 'calls to action', 'ctas', 'cta banner', 'call to action banner', 'call to action box', 'cta box'],
  Card: ['card'],
  CardGrid: [
    'card grid', 'cards', 'pricing cards', 'pricing section', 'cards grid', 'grid of cards', 'card list', 'list of cards', 'card section', 'product cards',
    'price cards', 'card grids', 'card block', 'cards list',
  ],
  RichText: [
    'rich text', 'rich texts', 'text block', 'text section', 'text blocks', 'text sections', 'paragraph', 'paragraphs', 'prose', 'text area', 'text module',
    'text paragraph', 'text component', 'plain text section',
  ],
  Stats: [
    'stats', 'statistics', 'metrics', 'key figures', 'numbers section', 'key numbers', 'facts and figures', 'stat section', 'stats bar', 'stat block',
    'figures section', 'stat grid', 'stats grid', 'statistic section', 'counters',
  ],
  TwoColumn: [
    'two column', 'two columns', '2 column', '2 columns', 'two column layout', 'two column text', '2 column layout', '2 column text', 'two columns layout',
    'two column text section',
  ],
  Banner: [
    'banner', 'banners', 'announcement', 'announcement bar', 'notice bar', 'announcement banner', 'notification bar', 'notification banner', 'alert bar',
    'alert banner', 'info bar', 'info banner', 'promo bar', 'promo banner',
    'notice banner', 'warning banner',
  ],
  Quote: ['quote', 'pull quote', 'blockquote', 'quotes', 'block quote', 'quotation', 'citation', 'pullquote'],
  Tabs: ['tabs', 'tabbed section', 'tab section', 'tab group', 'tab block', 'tabbed content'],
  Table: ['table', 'data table', 'tables', 'price table', 'pricing table', 'comparison table', 'table of prices'],
  Video: ['video', 'video player', 'videos', 'video clip', 'clip', 'film'],
  Embed: ['embed', 'iframe', 'map', 'google map', 'map embed', 'embedded map'],
  Carousel: ['carousel', 'slider', 'slideshow', 'slide show', 'image slider', 'image carousel', 'photo carousel', 'photo slider', 'picture carousel'],
  Gallery: [
    'gallery', 'photo gallery', 'image gallery', 'image grid', 'galleries', 'picture gallery', 'photo grid', 'picture grid', 'photo wall', 'photos section',
    'pictures section', 'images section', 'photo section', 'gallery of images', 'gallery of photos',
  ],
  Footer: ['footer'],
  SiteHeader: ['site header'],
}

export const rowNouns: Lexicon['rowNouns'] = [
  {
    singular: ['feature', 'benefit', 'feature item', 'feature card', 'feature entry', 'advantage', 'selling point', 'feature tile'],
    plural: ['features', 'benefits', 'feature items', 'feature cards', 'feature entries', 'advantages', 'selling points'],
    lists: [['FeatureGrid', 'features']],
  },
  {
    singular: ['card', 'pricing card', 'product card', 'price card', 'card item', 'tile'],
    plural: ['cards', 'pricing cards', 'product cards', 'price cards', 'card items', 'tiles'],
    lists: [['CardGrid', 'cards']],
    block: 'Card',
  },
  {
    singular: [
      'testimonial', 'review', 'customer quote', 'customer review', 'customer testimonial', 'customer voice', 'guest review', 'guest quote', 'testimonial entry',
      'client testimonial', 'client quote',
    ],
    plural: [
      'testimonials', 'reviews', 'customer quotes', 'customer reviews', 'customer testimonials', 'customer voices', 'guest reviews', 'guest quotes',
      'client testimonials',
    ],
    lists: [['Testimonials', 'items']],
    block: 'Testimonials',
  },
  {
    singular: ['question', 'faq item', 'faq entry', 'faq question', 'question and answer', 'question in the faq'],
    plural: ['questions', 'faq items', 'faq entries', 'faq questions', 'questions and answers'],
    lists: [['FAQAccordion', 'items']],
  },
  {
    singular: ['stat', 'statistic', 'metric', 'figure', 'key figure', 'counter', 'stat item', 'key number'],
    plural: ['stats', 'statistics', 'metrics', 'figures', 'key figures', 'counters', 'key numbers'],
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

const combined = (firsts: readonly string[], seconds: readonly string[]): readonly string[] =>
  firsts.flatMap((first) => seconds.map((second) => `${first} ${second}`))

const buttons = [
  'button', 'cta', 'cta button', 'call to action button', 'call to action', 'primary button', 'main button', 'first button', 'primary cta', 'main cta',
]
const secondButtons = ['secondary button', 'second button', 'secondary cta', 'second cta', 'other button', 'ghost button', 'secondary call to action']
const buttonTexts = ['text', 'label', 'copy', 'caption', 'wording', 'words']
const buttonLinks = ['link', 'url', 'target', 'address', 'destination', 'href', 'link target']

const groups: readonly (readonly [props: readonly string[], words: readonly string[]])[] = [
  [
    ['heading', 'title'],
    ['headline', 'heading', 'headlines', 'main heading', 'main headline', 'head line', 'h1', 'heading text', 'headline text', 'big headline', 'big heading'],
  ],
  [['title', 'heading'], ['title', 'main title', 'title text']],
  [['subheading', 'subtitle'], [
    'subheading', 'sub heading', 'subheadline', 'sub headline', 'tagline', 'tag line', 'slogan', 'strapline', 'subline', 'sub line', 'subheader', 'sub header',
    'motto', 'secondary heading', 'second heading',
    ...['line', 'text', 'sentence', 'words'].flatMap((what) => ['below', 'under', 'underneath', 'beneath'].flatMap((joint) => ['headline', 'heading', 'title'].map((name) => `${what} ${joint} the ${name}`))),
  ]],
  [['subtitle', 'subheading'], ['subtitle', 'sub title']],
  [['description'], ['description', 'blurb', 'short description', 'desc', 'description text', 'descriptive text']],
  [
    ['body', 'text', 'content', 'description'],
    ['body', 'body text', 'body copy', 'copy', 'paragraph', 'body content', 'main text', 'running text', 'body paragraph', 'paragraph text'],
  ],
  [['text', 'body', 'content', 'description'], ['text', 'wording', 'message']],
  [['content', 'body', 'text', 'description'], ['content', 'contents']],
  [
    button,
    [
      'button', 'cta', 'cta button', 'primary button', 'main button', 'first button', 'call to action button', 'primary cta', 'main cta',
      ...combined(buttons, buttonTexts),
    ],
  ],
  [buttonLink, ['href', 'link target', ...combined(buttons, buttonLinks)]],
  [['ctaHref', 'url', 'src', 'href'], ['link', 'target', 'destination']],
  [['url', 'src', 'ctaHref', 'href'], ['url', 'web address']],
  [secondButton, [...secondButtons, ...combined(secondButtons, buttonTexts)]],
  [secondLink, combined(secondButtons, buttonLinks)],
  [['eyebrow'], ['eyebrow', 'eyebrow text', 'kicker', 'eyebrow line', 'overline', 'kicker text']],
  [['imageUrl', 'src'], [
    'image', 'photo', 'picture', 'image url', 'image address', 'background image', 'pic', 'photograph', 'image link', 'photo url', 'picture url', 'picture address',
    'photo address', 'main image', 'main photo', 'main picture',
    'background photo', 'background picture', 'image file', 'header image', 'image source', 'image src',
  ]],
  [['imageAlt', 'alt'], [
    'alt text', 'image alt', 'image alt text', 'alt', 'image description', 'alternative text', 'picture description', 'alt tag', 'alt attribute',
    'photo description', 'image alternative text', 'text alternative', 'alt description',
    'picture alt text', 'photo alt text', 'picture alt', 'photo alt', 'alternate text', 'alternative description', 'image alt tag',
  ]],
  [['imagePosition'], ['image position', 'position of the image', 'image side', 'picture position', 'photo position', 'image placement']],
  [['textAlign'], ['text alignment', 'alignment', 'text align', 'alignment of the text']],
  [['columns'], ['columns', 'number of columns', 'column count', 'column number', 'amount of columns', 'columns per row', 'count of columns']],
  [['variant', 'cardVariant'], ['variant', 'style', 'type', 'look', 'kind']],
  [['cardVariant'], ['card style', 'card variant', 'style of the cards', 'look of the cards', 'card look', 'card design']],
  [['quote'], ['quote', 'quote text', 'quotation', 'text of the quote']],
  [['author'], ['author', 'name', 'author name', 'name of the author', 'author \'s name', 'customer name', 'guest name', 'person', 'customer']],
  [['role'], ['role', 'author role', 'job', 'job title', 'role of the author', 'occupation', 'author \'s role']],
  [['q'], ['question', 'question text', 'text of the question', 'wording of the question']],
  [['a'], ['answer', 'answer text', 'reply', 'response', 'text of the answer', 'wording of the answer']],
  [['label'], ['label', 'label text', 'stat label']],
  [['value'], ['value', 'number', 'figure', 'amount', 'count', 'stat value', 'stat number']],
  [['icon'], ['icon', 'symbol', 'emoji']],
  [['caption'], ['caption', 'caption text', 'image caption', 'picture caption', 'photo caption']],
  [['copyright'], ['copyright', 'copyright text', 'copyright line', 'copyright notice']],
  [['autoplay'], ['autoplay', 'auto play', 'automatic playback']],
  [['loop'], ['loop', 'looping']],
  [['interval'], ['interval']],
  [['striped'], ['striped rows', 'stripes', 'striping', 'zebra stripes', 'row stripes']],
  [['src'], ['video url', 'video link', 'video address', 'video source', 'video file']],
  [['posterUrl', 'poster'], ['poster', 'poster image', 'preview image', 'thumbnail', 'cover image', 'video poster']],
  [['aspectRatio'], ['aspect ratio']],
  [['embedType'], ['embed type']],
  [
    ['backgroundColor'],
    ['background', 'background color', 'background colour', 'bg color', 'color of the background', 'colour of the background', 'bg colour', 'backdrop color'],
  ],
  [['textColor'], ['text color', 'text colour', 'font color', 'font colour', 'color of the text', 'colour of the text', 'color of the font', 'colour of the font']],
]

/** Which prop a word means: the first one that the block or row has. */
export const fieldNouns: Lexicon['fieldNouns'] =
  Object.fromEntries(groups.flatMap(([props, words]) => words.map((word) => [word, props])))
