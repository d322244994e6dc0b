import type { ImageWork } from '../chat/port.ts'
import { chosenIn, whichSource } from './choice.ts'
import { ownTarget, unchangedTarget } from './fields.ts'
import { queryFor } from './query.ts'
import { search, type SearchMeans } from './search.ts'
import { texts } from './texts.ts'
import { fittingImages } from './wanted.ts'

/** Creates the image work. It writes nothing, and an image that is not found stays unchanged. */
export function createImageWork(means: SearchMeans): ImageWork {
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
    planned(asked, { input, choice }) {
      const { images, left } = fittingImages(asked, input, choice)
      const isOpen = choice === undefined && images.some(({ source }) => source === undefined) && hasChoice()
      return {
        images,
        notes: left > 0 ? [{ kind: 'unfit_images', type: '' }] : [],
        question: isOpen ? whichSource(input) : undefined,
      }
    },
    async find(run, images, ask) {
      const sought = images.flatMap((image) => {
        const target = unchangedTarget(image, ask.input)
        return target ? [{ ...image, target }] : []
      })
      if (sought.length === 0) return []
      const found = await search(run, sought, ask, means)
      return found.map(({ target, image }) => ({
        type: target.type,
        credit: image.credit && texts.credit(image.credit.name, image.credit.address),
        operation: (scene) => unchangedTarget(target, scene)?.setTo(image),
      }))
    },
    async illustrate(run, blocks, { settled, source, ...ask }) {
      const { input } = ask
      const sought = blocks.flatMap((block) => {
        const target = ownTarget(input.selection, block, input, 'imageUrl')
        return target ? [{ target, query: queryFor('', target, input), source }] : []
      })
      await search(run, sought, ask, means, (image, index) => {
        const op = image && sought[index]?.target.setTo(image)
        settled(op?.op === 'update_props' ? op.patch : undefined, index)
      })
    },
  }
}
