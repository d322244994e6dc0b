/** Sentences about images. They name sources only if the person has to choose one. */
export const texts = {
  whichSource: 'Should the image come from a photo library, or should it be generated?',
  /** Names the author, as photo libraries require. */
  credit: (name: string, address: string) => `The image is by ${name}: ${address}`,
  stage: (number: number, count: number) =>
    count === 1 ? 'Preparing image' : `Preparing image ${number} of ${count}`,
} as const
