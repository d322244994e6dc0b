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
