import { inLanguage } from '../content/naming.ts'

/** Sentences about images. They name sources only if the person has to choose one. */
const en = {
  whichSource: 'Should the image come from a photo library, or should it be generated?',
  /** Clients recognise these by their first words, which are the same in every language. */
  sources: ['Use Unsplash', 'Generate with AI', 'Either'],
  willSet: (count: number) => (count === 1 ? 'I will set the new image.' : `I will set ${count} new images.`),
  nothingFound: 'Nothing fitting was found in time, so no image was changed. Say what it should show, or give the address of an image.',
  /** None of the requested images has a field. */
  noneFits: 'There is no such image here that could be changed, so nothing was changed. Name the block, and say in a few words what its image should show.',
  changedConcurrently: 'Somebody else has changed this place meanwhile, so no image was changed. Ask again.',
  noImage: (block: string) => `${block} has no image that could be changed, so nothing was changed.`,
  /** Names the author, as photo libraries require. */
  credit: (name: string, address: string) => `The image is by ${name}: ${address}`,
  stage: (number: number, count: number) =>
    (count === 1 ? 'Preparing image' : `Preparing image ${number} of ${count}`),
}

const de: typeof en = {
  whichSource: 'Soll das Bild aus einer Fotodatenbank kommen, oder soll es erzeugt werden?',
  sources: ['Use Unsplash (ein Foto suchen)', 'Generate with AI (ein Bild erzeugen)', 'Either (egal)'],
  willSet: (count) => (count === 1 ? 'Ich setze das neue Bild ein.' : `Ich setze ${count} neue Bilder ein.`),
  nothingFound: 'Es wurde rechtzeitig nichts Passendes gefunden, deshalb wurde kein Bild geändert. Sagen Sie, was es zeigen soll, oder nennen Sie die Adresse eines Bildes.',
  noneFits: 'Hier gibt es kein solches Bild, das sich ändern ließe, deshalb wurde nichts geändert. Nennen Sie den Block, und sagen Sie mit wenigen Worten, was sein Bild zeigen soll.',
  changedConcurrently: 'Jemand anderes hat diese Stelle inzwischen geändert, deshalb wurde kein Bild geändert. Bitten Sie noch einmal darum.',
  noImage: (block) => `${block} hat kein Bild, das sich ändern ließe, deshalb wurde nichts geändert.`,
  credit: (name, address) => `Das Bild ist von ${name}: ${address}`,
  stage: (number, count) => (count === 1 ? 'Bild wird vorbereitet' : `Bild ${number} von ${count} wird vorbereitet`),
}

export const imageTextsIn = (locale: string): typeof en => inLanguage({ en, de }, locale)
