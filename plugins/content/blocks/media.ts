import { imagePlaceholder } from '../fields.ts'
import {
  alt,
  choice,
  columns,
  defineBlock,
  filled,
  image,
  labelled,
  link,
  list,
  longText,
  onOff,
  text,
  url,
} from './define.ts'

export const gallery = defineBlock('Gallery', 'A grid of images with captions.', {
  category: 'media',
  props: {
    title: text,
    columns,
    images: list({ imageUrl: image(800, 600, { need: 'filled' }), alt, caption: text }),
  },
  starter: {
    title: '',
    columns: '3',
    images: ['First', 'Second', 'Third'].map((nth) => ({
      imageUrl: imagePlaceholder,
      alt: `${nth} image of the gallery`,
      caption: '',
    })),
  },
})

const slide = { imageUrl: imagePlaceholder, imageAlt: 'Image of this slide' }

export const carousel = defineBlock(
  'Carousel',
  'Large images that slide one after the other, each with a text if wanted.',
  {
    headingLevel: false,
    props: {
      items: list(
        {
          imageUrl: image(1200, 600, { need: 'filled' }),
          imageAlt: alt,
          heading: text,
          description: longText,
          ...link,
        },
        { label: 'Slides' },
      ),
      autoplay: onOff,
      interval: { kind: 'number', label: 'Milliseconds per slide' },
    },
    starter: {
      items: [
        {
          ...slide,
          heading: 'Start strong',
          description: 'The first slide is the one that everybody sees.',
          ctaText: 'Find out more',
          ctaHref: '/',
        },
        { ...slide, heading: 'Then add detail', description: 'Show what the first image could not.' },
        {
          ...slide,
          heading: 'End with an invitation',
          description: 'Say what to do next.',
          ctaText: 'Get in touch',
          ctaHref: '/',
        },
      ],
      autoplay: 'false',
      interval: 5000,
    },
  },
)

export const embed = defineBlock('Embed', 'A map, a post or another page inside a frame.', {
  category: 'media',
  headingLevel: false,
  props: {
    embedType: choice('map', 'map', 'social', 'custom'),
    url: labelled('Address', filled(url)),
    title: text,
    aspectRatio: choice('16:9', '16:9', '4:3', '1:1'),
  },
  starter: {
    embedType: 'map',
    url: 'https://www.openstreetmap.org/export/embed.html?bbox=-0.15,51.49,-0.09,51.52',
    title: '',
    aspectRatio: '16:9',
  },
})

export const video = defineBlock('Video', 'A video with a poster image.', {
  category: 'media',
  headingLevel: false,
  props: {
    src: labelled('Video address', filled(url)),
    title: text,
    posterUrl: image(1200, 675),
    autoplay: onOff,
    loop: onOff,
  },
  starter: { src: '/video.mp4', title: '', posterUrl: '', autoplay: 'false', loop: 'false' },
})
