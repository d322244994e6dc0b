import { defineBlock } from './define.ts'

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
