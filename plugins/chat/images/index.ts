import { definePlugin, optional } from '../../../kernel/index.ts'
import { type Finding, imageWork, type ImageWork } from '../port.ts'
import { demoLock } from '../../demo/port.ts'
import { imageSources, media } from '../../media/port.ts'
import { blockField, unchangedField } from './fields.ts'
import { search, type SearchMeans } from './search.ts'
import { chosenIn, fittingImages, queryOf, whichSource } from './wanted.ts'

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

/** The props whose text says what an offered image should show. */
const describing = ['imageAlt', 'heading', 'title']

/** Creates the image work. It writes nothing, and an image that is not found stays unchanged. */
function createImageWork(means: SearchMeans): ImageWork {
  const { sources } = means
  /** Whether images can be both searched and generated. */
  const hasChoice = (): boolean =>
    (['stock', 'generated'] as const).every((kind) =>
      sources.some((source) => source.kind === kind && source.available),
    )

  return {
    get available() {
      return sources.some(({ available }) => available)
    },
    chosen: chosenIn,
    planned(requested, input, choice) {
      const { images, omitted } = fittingImages(requested, input, choice)
      const isOpen = choice === undefined && images.some(({ source }) => source === undefined) && hasChoice()
      return {
        images,
        notes: omitted > 0 ? [{ kind: 'unfit_images', type: '' }] : [],
        question: isOpen ? whichSource(input) : undefined,
      }
    },
    async find(run, images, scene) {
      const sought = images.flatMap((image) => {
        const field = unchangedField(image, scene)
        return field ? [{ ...image, field }] : []
      })
      const found: Finding[] = []
      if (sought.length > 0) {
        await search(run, sought, scene, means, (image, index) => {
          const field = sought[index]?.field
          if (!image || !field) return
          const { type } = field
          // Names the author, as photo libraries require.
          const credit = image.credit && `The image is by ${image.credit.name}: ${image.credit.address}`
          found.push({ type, credit, operation: (now) => unchangedField(field, now)?.setTo(image) })
        })
      }
      return run.signal.aborted ? [] : found
    },
    async illustrate(run, blocks, { settled, source, scene }) {
      const sought = blocks.flatMap((block) => {
        const field = blockField(scene.selection, block, scene, 'imageUrl')
        const text = describing.map((name) => block.props[name]).find((each) => typeof each === 'string')
        const words = text?.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ') ?? ''
        return field ? [{ field, query: queryOf(words) ?? block.type, source }] : []
      })
      await search(run, sought, scene, means, (image, index) => {
        const op = image && sought[index]?.field.setTo(image)
        settled(op?.op === 'update_props' ? op.patch : undefined, index)
      })
    },
  }
}
