import { imagePlaceholder } from '../field-kinds.ts'
import { defineBlock } from './define.ts'

export const gallery = defineBlock({
  type: 'Gallery',
  displayName: 'Gallery',
  description: 'A grid of images with captions.',
  category: 'media',
  headingLevel: true,
  props: {
    title: { kind: 'text' },
    columns: { kind: 'enum', options: ['2', '3', '4'], default: '3' },
    images: {
      kind: 'list',
      need: 'filled',
      itemFields: {
        imageUrl: {
          kind: 'image',
          need: 'filled',
          imageSpec: { aspectRatio: 'landscape', width: 800, height: 600 },
        },
        alt: { kind: 'imageAlt', label: 'Image description' },
        caption: { kind: 'text' },
      },
    },
  },
  starter: {
    title: '',
    columns: '3',
    images: [
      { imageUrl: imagePlaceholder, alt: 'First image of the gallery', caption: '' },
      { imageUrl: imagePlaceholder, alt: 'Second image of the gallery', caption: '' },
      { imageUrl: imagePlaceholder, alt: 'Third image of the gallery', caption: '' },
    ],
  },
})

const slide = { imageUrl: imagePlaceholder, imageAlt: 'Image of this slide' }

export const carousel = defineBlock({
  type: 'Carousel',
  displayName: 'Carousel',
  description: 'Large images that slide one after the other, each with a text if wanted.',
  category: 'content',
  headingLevel: false,
  props: {
    items: {
      kind: 'list',
      need: 'filled',
      label: 'Slides',
      itemFields: {
        imageUrl: {
          kind: 'image',
          need: 'filled',
          imageSpec: { aspectRatio: 'landscape', width: 1200, height: 600 },
        },
        imageAlt: { kind: 'imageAlt', label: 'Image description' },
        heading: { kind: 'text' },
        description: { kind: 'text', multiline: true },
        ctaText: { kind: 'text', label: 'Button text' },
        ctaHref: { kind: 'url', label: 'Button link' },
      },
    },
    autoplay: { kind: 'enum', options: ['true', 'false'], default: 'false' },
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
        ...slide, heading: 'End with an invitation', description: 'Say what to do next.',
        ctaText: 'Get in touch', ctaHref: '/',
      },
    ],
    autoplay: 'false',
    interval: 5000,
  },
})

export const embed = defineBlock({
  type: 'Embed',
  displayName: 'Embed',
  description: 'A map, a post or another page inside a frame.',
  category: 'media',
  headingLevel: false,
  props: {
    embedType: { kind: 'enum', options: ['map', 'social', 'custom'], default: 'map' },
    url: { kind: 'url', need: 'filled', label: 'Address' },
    title: { kind: 'text' },
    aspectRatio: { kind: 'enum', options: ['16:9', '4:3', '1:1'], default: '16:9' },
  },
  starter: {
    embedType: 'map',
    url: 'https://www.openstreetmap.org/export/embed.html?bbox=-0.15,51.49,-0.09,51.52',
    title: '',
    aspectRatio: '16:9',
  },
})

export const video = defineBlock({
  type: 'Video',
  displayName: 'Video',
  description: 'A video with a poster image.',
  category: 'media',
  headingLevel: false,
  props: {
    src: { kind: 'url', need: 'filled', label: 'Video address' },
    title: { kind: 'text' },
    posterUrl: { kind: 'image', imageSpec: { aspectRatio: 'landscape', width: 1200, height: 675 } },
    autoplay: { kind: 'enum', options: ['true', 'false'], default: 'false' },
    loop: { kind: 'enum', options: ['true', 'false'], default: 'false' },
  },
  starter: { src: '/video.mp4', title: '', posterUrl: '', autoplay: 'false', loop: 'false' },
})
