import { definePlugin, optional } from '../../kernel/index.ts'
import { imageSources, imageWork } from '../chat/port.ts'
import { demoLock } from '../demo/port.ts'
import { media } from '../media/port.ts'
import { createImageWork } from './work.ts'

/** New images for chat: reads which ones a plan asks for, and finds them in the sources. */
export default definePlugin({
  name: 'chat-images',
  tag: 'Chat',
  needs: { imageSources, demoLock: optional(demoLock), media: optional(media) },
  gives: { imageWork },
}).setup(({ needs: { imageSources, demoLock, media }, log }) => {
  // A public demo only has its own images.
  const sources = demoLock?.playground ? [] : imageSources
  const owns = (address: string): boolean => media?.owns(address) === true
  return { gives: { imageWork: createImageWork({ sources, log, owns }) } }
})
