import { imagePlaceholder } from '../field-kinds.ts'
import type { Page } from '../model.ts'

const story = [
  'Greta Fern opened the workshop in 2011 with a box of tools and one rule: *nobody leaves without knowing what was done*.',
  'Samir Spoke – yes, really – joined a year later, and today we are four.',
  'We train one apprentice at a time, repair donated bikes for people who need one, and close on Mondays to ride ourselves.',
].join('\n\n')

export const about: Page = {
  id: 'p_about',
  slug: '/about',
  title: 'About',
  updatedAt: '2026-01-01T09:00:00.000Z',
  meta: {
    title: 'About us – Fern & Spoke',
    description: 'Four mechanics, one dog and a former fire station full of bicycles.',
  },
  blocks: [
    {
      id: 'b_hero_about',
      type: 'Hero',
      props: {
        heading: 'Four mechanics and an old fire station',
        subheading: 'What began with one repair stand in a garage is now the place where half the neighbourhood leaves its bikes.',
        ctaText: 'Come and visit',
        ctaHref: '#b_embed_about',
        imageUrl: imagePlaceholder,
        imageAlt: 'The team in front of the red doors of the workshop',
        imagePosition: 'full',
        textAlign: 'center',
      },
    },
    { id: 'b_richtext_about', type: 'RichText', props: { title: 'Our story', body: story } },
    {
      id: 'b_quote_about',
      type: 'Quote',
      props: {
        quote: 'A good repair is one that you can explain in a sentence.',
        author: 'Greta Fern',
        role: 'Founder',
        imageUrl: imagePlaceholder,
        imageAlt: 'Portrait of Greta Fern',
      },
    },
    {
      id: 'b_gallery_about',
      type: 'Gallery',
      props: {
        title: 'Inside the workshop',
        columns: '3',
        images: [
          {
            imageUrl: imagePlaceholder, alt: 'Tools hanging in order of size',
            caption: 'Every tool has its hook',
          },
          {
            imageUrl: imagePlaceholder, alt: 'A dog asleep under a workbench',
            caption: 'Pedal, head of security',
          },
          {
            imageUrl: imagePlaceholder, alt: 'Shelves with second-hand wheels',
            caption: 'Second-hand parts, tested',
          },
        ],
      },
    },
    {
      id: 'b_embed_about',
      type: 'Embed',
      props: {
        embedType: 'map',
        url: 'https://www.openstreetmap.org/export/embed.html?bbox=-2.605,51.445,-2.575,51.465&layer=mapnik',
        title: 'Where to find us',
        aspectRatio: '16:9',
      },
    },
  ],
}
