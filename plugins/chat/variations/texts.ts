import { mostVariations } from '../port.ts'

/** Every sentence about variations for people. */
export const texts = {
  made: (made: number, requested: number): string =>
    [
      texts.shown(made, 'Here'),
      ...(requested > mostVariations
        ? [`At most ${mostVariations} can be written at once.`]
        : made < requested
          ? ['The others were not usable.']
          : []),
    ].join(' '),
  again: (made: number): string => texts.shown(made, 'Here again'),
  shown: (made: number, here: string): string =>
    `${here} ${made === 1 ? 'is 1 variation' : `are ${made} variations`}; nothing is changed until you choose one.`,
  noAddress:
    'Images stay as they are, because no source of images is available; put the address of an image into the message to use it.',
  notFound: 'No suitable image was found in time for some variations: they keep the current one.',
  noImage: 'This block has no image that could be changed.',
  nothing: 'This block has nothing that variations may change. Select another one, or allow more changes.',
  onlyImages:
    'The variations differ only in their images, and none was found in time. Say what the images should show, or let the texts differ too.',
  tooLong:
    'This block and the message are too long for a language model. Split the block, or shorten the message.',
}
