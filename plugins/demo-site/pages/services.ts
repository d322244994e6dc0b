import { imagePlaceholder } from '../../content/fields.ts'
import { button, demoPage, picture } from './page.ts'

const electric = `We read the fault memory, update the drive and test the battery.

- Bosch and Shimano systems
- battery health report included
- loan bike on request`

export const services = demoPage(
  '/services',
  'Services',
  {
    title: 'Services – Fern & Spoke',
    description: 'Quick repairs, yearly check-ups and complete rebuilds for every kind of bicycle.',
  },
  {
    Hero: {
      heading: 'From a flat tyre to a full rebuild',
      subheading:
        'City bikes, cargo bikes, children’s bikes, and the racer at the back of the garage: we work on all of them.',
      ...button('See prices', '/pricing'),
      ...picture('A row of bicycles waiting for their service'),
      imagePosition: 'left',
      textAlign: 'left',
    },
    TwoColumn: {
      variant: 'default',
      left: [
        { type: 'heading', text: 'The yearly check-up' },
        {
          type: 'paragraph',
          text: 'An hour at the stand once a year saves most of the repairs that would otherwise follow.',
        },
        {
          type: 'list',
          items: [
            'Brakes and gears adjusted',
            'Wheels trued, tyres checked for cuts',
            'Chain and bearings cleaned and oiled',
            'A test ride, and a note of what to watch',
          ],
        },
        { type: 'cta', label: 'Choose a check-up', href: '/pricing' },
      ],
      right: [{ type: 'image', src: imagePlaceholder, alt: 'Hands truing a wheel in a stand' }],
    },
    Tabs: {
      title: 'What we work on',
      tabs: [
        {
          label: 'City bikes',
          content:
            'For bikes that stand outside in all weathers we check **lights, hub gears and chain cases** too.',
        },
        { label: 'E-bikes', content: electric },
        {
          label: 'Cargo bikes',
          content: 'Our lift takes up to 120 kg. Please book ahead, so that the large stand is free.',
        },
        {
          label: 'Children’s bikes',
          content: 'Outgrown? We take it back and put its value towards the next size.',
        },
      ],
    },
    Carousel: {
      items: [
        {
          ...picture('A restored touring bike with leather saddle'),
          heading: 'A tourer from 1978',
          description: 'New bearings, old soul: ready for another forty years.',
        },
        {
          ...picture('A cargo bike with a wooden box'),
          heading: 'The bakery’s cargo bike',
          description: 'Stronger brakes for the hill, and a box that keeps bread dry.',
        },
        {
          ...picture('A small red bike with stabilisers'),
          heading: 'Third child, same bike',
          description: 'Fresh paint, new tyres, same bell.',
          ...button('Ask about yours', '/faq'),
        },
      ],
      autoplay: 'false',
      interval: 6000,
    },
    Video: {
      src: '/videos/fix-a-flat.mp4',
      title: 'Fix a flat tyre in four minutes',
      posterUrl: imagePlaceholder,
      autoplay: 'false',
      loop: 'false',
    },
    CTA: {
      title: 'Not sure what it needs?',
      description: 'Tell us what you hear or feel while riding. We usually know within a minute.',
      ...button('Common questions', '/faq'),
    },
  },
)
