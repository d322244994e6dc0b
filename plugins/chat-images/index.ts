import { definePlugin, optional } from '../../kernel/index.ts'
import { imageSources, imageWork, messageReader } from '../chat/port.ts'
import { demoLock } from '../demo/port.ts'
import { media } from '../media/port.ts'

/** New images for chat: reads which ones a message or plan asks for, and finds them in the sources. */
export default definePlugin({
  name: 'chat-images',
  tag: 'Chat',
  needs: { imageSources, reader: messageReader, demoLock: optional(demoLock), media: optional(media) },
  gives: { imageWork },
}).setup(({ needs: { imageSources, reader, demoLock, media }, log }) => {
  // A public demo only has its own images.
  const sources = demoLock?.playground ? [] : imageSources
  const owns = (address: string): boolean => media?.owns(address) === true
  return {
    gives: {
      async imageWork(longestImageMs) {
        if (sources.length === 0) return undefined
        const [words, { createImageWork }] = await Promise.all([reader(), import('./work.ts')])
        return createImageWork(words, { sources, log, longestImageMs, owns })
      },
    },
  }
})
