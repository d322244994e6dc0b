import { imagePlaceholder } from '../../content/fields.ts'
import { button, demoPage, picture } from './page.ts'

const terms = `Every bike gets a **written estimate** before we start. If we find something on the way, we call first.

### Common repairs

- flat tyre, tube included: € 14
- new chain, fitted: from € 32
- brake pads, per wheel: € 18

Old parts are yours to keep. Leave them with us and we recycle them.`

export const pricing = demoPage(
  '/pricing',
  'Pricing',
  {
    title: 'Prices – Fern & Spoke',
    description: 'Fixed prices for check-ups and common repairs. Parts are charged at list price.',
  },
  {
    Hero: {
      heading: 'Prices you can plan with',
      subheading: 'Labour at a fixed price, parts at list price, and a call before anything else is added.',
      ...button('Compare check-ups', '#b_table_pricing'),
      ...picture('A price board above the workshop counter'),
      imagePosition: 'right',
      textAlign: 'left',
    },
    Table: {
      title: 'Three sizes of check-up',
      headers: ['What you get', 'Basic', 'Yearly', 'Complete'],
      rows: [
        ['Brakes and gears adjusted', 'yes', 'yes', 'yes'],
        ['Wheels trued', '–', 'yes', 'yes'],
        ['Bearings cleaned and greased', '–', '–', 'yes'],
        ['Ready within', '1 day', '1 day', '3 days'],
        ['Price without parts', '€ 35', '€ 75', '€ 160'],
      ],
      striped: 'true',
    },
    Card: {
      title: 'The commuter plan',
      description:
        'Two check-ups a year, free punctures and a loan bike when yours stays overnight: € 12 a month.',
      ...button('What riders ask', '/faq'),
      ...picture('A loan bike with the workshop’s logo on its basket'),
      variant: 'full-bleed',
    },
    RichText: { title: 'How we charge', body: terms },
  },
)

const story = [
  'Greta Fern opened the workshop in 2011 with a box of tools and one rule: *nobody leaves without knowing what was done*.',
  'Samir Spoke – yes, really – joined a year later, and today we are four.',
  'We train one apprentice at a time, repair donated bikes for people who need one, and close on Mondays to ride ourselves.',
].join('\n\n')

export const about = demoPage(
  '/about',
  'About',
  {
    title: 'About us – Fern & Spoke',
    description: 'Four mechanics, one dog and a former fire station full of bicycles.',
  },
  {
    Hero: {
      heading: 'Four mechanics and an old fire station',
      subheading:
        'What began with one repair stand in a garage is now the place where half the neighbourhood leaves its bikes.',
      ...button('Come and visit', '#b_embed_about'),
      ...picture('The team in front of the red doors of the workshop'),
      imagePosition: 'full',
      textAlign: 'center',
    },
    RichText: { title: 'Our story', body: story },
    Quote: {
      quote: 'A good repair is one that you can explain in a sentence.',
      author: 'Greta Fern',
      role: 'Founder',
      ...picture('Portrait of Greta Fern'),
    },
    Gallery: {
      title: 'Inside the workshop',
      columns: '3',
      images: [
        {
          imageUrl: imagePlaceholder,
          alt: 'Tools hanging in order of size',
          caption: 'Every tool has its hook',
        },
        {
          imageUrl: imagePlaceholder,
          alt: 'A dog asleep under a workbench',
          caption: 'Pedal, head of security',
        },
        {
          imageUrl: imagePlaceholder,
          alt: 'Shelves with second-hand wheels',
          caption: 'Second-hand parts, tested',
        },
      ],
    },
    Embed: {
      embedType: 'map',
      url: 'https://www.openstreetmap.org/export/embed.html?bbox=-2.605,51.445,-2.575,51.465&layer=mapnik',
      title: 'Where to find us',
      aspectRatio: '16:9',
    },
  },
)

export const faq = demoPage(
  '/faq',
  'FAQ',
  {
    title: 'Questions – Fern & Spoke',
    description: 'Opening hours, waiting times, guarantees and everything else that riders ask us.',
  },
  {
    FAQAccordion: {
      title: 'What riders ask us',
      items: [
        {
          q: 'Do I need an appointment?',
          a: 'For quick fixes, no: come by and wait. For check-ups please [choose a size](/pricing) and call ahead.',
        },
        {
          q: 'How long will it take?',
          a: 'Most repairs are done **by the next afternoon**. If a part has to be ordered, we tell you before you leave the bike.',
        },
        {
          q: 'Is there a guarantee?',
          a: 'Two years on our work, and the maker’s guarantee on parts. Bring the bike, not the receipt: we keep records.',
        },
        {
          q: 'Do you repair e-bikes?',
          a: 'Yes, Bosch and Shimano systems in full. For other drives we look after everything but the motor.',
        },
        {
          q: 'Can I borrow a bike meanwhile?',
          a: 'If yours stays overnight, usually yes. It is free with the commuter plan and € 8 a day otherwise.',
        },
      ],
    },
    CTA: {
      title: 'Your question is not here?',
      description: 'Ask at the counter, Tuesday to Saturday from nine to six.',
      ...button('Find the workshop', '/about'),
    },
  },
)
