import { button, demoPage, picture } from './page.ts'

export const home = demoPage(
  '/',
  'Home',
  {
    title: 'Fern & Spoke – bicycle workshop',
    description:
      'Repairs, servicing and careful advice for everyday bicycles. Most jobs are done the next day.',
  },
  {
    Banner: {
      text: 'Spring check-ups are open: bring your bike before the end of April and the brake pads are on us.',
      variant: 'success',
      ...button('See what is included', '/services'),
    },
    Hero: {
      eyebrow: 'Bicycle workshop since 2011',
      heading: 'Your bike, ready for every day',
      subheading: 'We look after the bicycles that take people to work, to school and out of town.',
      ...button('Book a repair', '/services'),
      secondaryCtaText: 'See prices',
      secondaryCtaHref: '/pricing',
      ...picture('A mechanic adjusting the gears of a green city bike'),
      imagePosition: 'right',
      textAlign: 'left',
    },
    FeatureGrid: {
      title: 'A workshop that keeps its word',
      columns: '3',
      features: [
        {
          icon: '🕑',
          title: 'Back by tomorrow',
          description: 'Leave your bike before ten and ride it home the next afternoon.',
        },
        {
          icon: '💬',
          title: 'The price comes first',
          description: 'We call you before we change a part, and the estimate is what you pay.',
        },
        {
          icon: '♻️',
          title: 'Repair before replace',
          description: 'Worn parts are rebuilt wherever that is safe. The rest we recycle.',
        },
      ],
    },
    Stats: {
      title: 'Fourteen years at the stand',
      stats: [
        { value: '21,000', label: 'bikes repaired', description: 'and every one of them test-ridden' },
        { value: '94 %', label: 'done the next day' },
        { value: '2 years', label: 'guarantee on our work' },
      ],
    },
    CardGrid: {
      title: 'What brings you here?',
      subtitle: 'Three ways to start',
      columns: '3',
      cardVariant: 'default',
      cards: [
        {
          title: 'Something is broken',
          description: 'A flat tyre, a slipping chain, brakes that squeal: drop in, no appointment needed.',
          ...button('Repairs', '/services'),
        },
        {
          title: 'Time for a check-up',
          description: 'A yearly service keeps small faults small. Choose from three sizes.',
          ...button('Compare prices', '/pricing'),
        },
        {
          title: 'I am not sure yet',
          description: 'Ask us anything. The coffee is free, and so is the advice.',
          ...button('Common questions', '/faq'),
        },
      ],
    },
    Testimonials: {
      title: 'What riders say',
      items: [
        {
          quote: 'They fixed in ten minutes what I had put up with for two years.',
          author: 'Nadia Brandt',
          role: 'Rides to work, 14 km a day',
        },
        {
          quote:
            'I was told I did not need the new wheel I had come to buy. I have been a customer ever since.',
          author: 'Owen Pritchard',
        },
        {
          quote: 'Our delivery bikes are back on the road before the lunch rush. Every time.',
          author: 'Leila Haddad',
          role: 'Runs a bakery',
        },
      ],
    },
    CTA: {
      title: 'Bring it in today',
      description: 'We are open Tuesday to Saturday, and for quick fixes you never need an appointment.',
      ...button('Find the workshop', '/about'),
      secondaryCtaText: 'See prices',
      secondaryCtaHref: '/pricing',
    },
  },
)
