import type { SaidImages } from '../../chat/port.ts'
import { hasPhrase, type Words } from '../../content/words.ts'
import { otherFields } from '../images/nouns.ts'
import { determiners, fresh, indefinite, isImage, isSourceWord, negating } from '../images/vocabulary.ts'

const keeping = ['same image', 'same images', 'same photo', 'same picture', 'keep the image', 'keep the images', 'gleiches bild', 'gleichen bild', 'selbe bild', 'behalte das bild']
const shared = ['same new image', 'same new photo', 'same image for all', 'same photo for all', 'gleiche neue bild', 'gleichen neuen bild', 'gleiche bild für alle']
/** Words before requested images; other words before `image` refer to existing ones. */
const adding = new Set(['with', 'and', 'including', 'plus', 'mit', 'und', 'samt', 'inklusive', 'generate', 'find', 'use', 'using'])
const isAddress = /\.(?:png|jpe?g|webp|gif|avif|svg)(?:[?#]|$)/i
const mostAddresses = 12
/** The window of words around an image in which its source is searched. */
const nearBefore = 2
const nearAfter = 4

/** Parses the image options of a message. Addresses count if they have an image extension, or if images are mentioned. */
export function imagesIn(message: string, words: Words): SaidImages {
  const { list } = words
  const places = list.flatMap((word, at) => (isImage(word) ? [at] : []))
  const addressesFound = (message.match(/https?:\/\/[^\s"'`<>“”„«»]+/gi) ?? []).map((address) => address.replace(/[.,;:!?)]{1,8}$/, ''))
  const addresses = addressesFound.filter((address) => URL.canParse(address) && (places.length > 0 || isAddress.test(address))).slice(0, mostAddresses)
  const isShared = shared.some((phrase) => hasPhrase(words, phrase))
  const isKept = !isShared && keeping.some((phrase) => hasPhrase(words, phrase))
  const source = places.flatMap((at) => list.slice(Math.max(0, at - nearBefore), at + nearAfter).flatMap((word) => isSourceWord(word) ?? []))[0]
  return { addresses, isShared, source, isAsked: addresses.length > 0 || (!isKept && places.some((at) => isWanted(list, at))) }
}

/** `With new photos`, but not `the text beside the photo` or `the photo caption`. */
function isWanted(words: readonly string[], at: number): boolean {
  const start = words.slice(0, at).findLastIndex((word) => !isDescribing(word)) + 1
  const lead = words[start - 1] ?? ''
  if (negating.has(lead) || otherFields.has(words[at + 1] ?? '')) return false
  return adding.has(lead) || words.slice(start, at).some((word) => fresh.has(word)) || ofImage.test(words.slice(0, at).join(' '))
}

/** `Three variations of the hero image`. */
const ofImage = /(?:variation|variant|alternative|option|version)\p{L}{0,2} (?:of|for|von|für)(?: \p{L}+){0,2}$/u

const isDescribing = (word: string): boolean => fresh.has(word) || determiners.has(word) || indefinite.has(word) || isSourceWord(word) !== undefined
