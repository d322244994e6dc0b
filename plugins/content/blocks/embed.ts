import { defineBlock } from './define.ts'

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
