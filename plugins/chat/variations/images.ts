import { hasAny, hasPhrase, wordSet, type Words } from '../model/words.ts'

const imageWords = wordSet('image images picture pictures photo photos bild bilder bildern foto fotos')
const keeping = ['same image', 'same images', 'keep the image', 'keep the images', 'gleiches bild', 'gleichen bild', 'behalte das bild']
const isImage = /\.(?:png|jpe?g|webp|gif|avif|svg)(?:[?#]|$)/i
const mostAddresses = 12

/** What a message says about images: the addresses that it names, and whether it asks for any. */
export interface SaidImages {
  readonly addresses: readonly string[]
  readonly isAsked: boolean
}

/** Reads the addresses of images in a message: those that end as one does, and all of them where it speaks of images. */
export function imagesIn(message: string, words: Words): SaidImages {
  const isSpoken = hasAny(words, imageWords)
  const found = (message.match(/https?:\/\/[^\s"'`<>“”„«»]+/gi) ?? []).map((address) => address.replace(/[.,;:!?)]{1,8}$/, ''))
  const addresses = found.filter((address) => URL.canParse(address) && (isSpoken || isImage.test(address))).slice(0, mostAddresses)
  const isKept = keeping.some((phrase) => hasPhrase(words, phrase))
  return { addresses, isAsked: addresses.length > 0 || (isSpoken && !isKept) }
}
