import { mostVariations } from '../port.ts'
import type { SourceKind } from '../../media/port.ts'

const numbers = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const usualCount = 3
const noun = "(?: [\\w'-]+){0,3}? (?:variation|variant|alternative|option)s?"
const counted = new RegExp(`\\b(\\d{1,9}|${numbers.join('|')})${noun}\\b`, 'i')

/** The number of variations that a message asks for. */
export function countIn(message: string): number {
  const number = counted.exec(message)?.[1]?.toLowerCase() ?? ''
  return numbers.indexOf(number) + 1 || Number(number) || usualCount
}

/** Whether a message keeps a field of one of these names, as in `same title`. */
export const keeps = (message: string, names: readonly string[]): boolean =>
  says(message, names, ['same *', 'keep *', 'keep the *', 'keeping the *'])

/** Whether a message is about a field of one of these names alone, as in `cards only`. */
export const isOnlyAbout = (message: string, names: readonly string[]): boolean =>
  says(message, names, ['only *', 'only the *', '* only'])

function says(message: string, names: readonly string[], phrases: readonly string[]): boolean {
  const text = ` ${message
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.join(' ')} `
  return names.some((name) => phrases.some((phrase) => text.includes(` ${phrase.replace('*', name)} `)))
}

/** A pattern in which `IMAGE` is any word for an image. */
const pattern = (source: string): RegExp =>
  new RegExp(source.replaceAll('IMAGE', '(?:images?|photos?|pictures?|illustrations?)\\b'), 'i')
const mentioned = pattern('\\bIMAGE')
const shared = pattern('\\bsame new IMAGE|\\b(?:same|one) IMAGE for (?:all|each|every)\\b')
const keeping = "(?:\\b(?:no|without|same|keep|keeping)|(?:n't|\\bnot) \\w+)"
const keepsImage = pattern(`${keeping}(?: (?:the|any|new|other|same)){0,2} IMAGE`)
const leads = 'with|and|of|use|find|generate|new|other|another|different|fresh'
const parts = 'alt|caption|credit|description|position|text'
const wished = pattern(`\\b(?:${leads})(?: [\\w-]+){0,2} IMAGE(?! (?:${parts})s?\\b)`)
const near = (words: string): RegExp =>
  pattern(`\\b(?:${words})(?:[ -][\\w-]+)?[ -]IMAGE|\\bIMAGE(?: \\w+){0,2} (?:${words})\\b`)
const sources: readonly (readonly [SourceKind, RegExp])[] = [
  ['stock', near('stock|unsplash|library')],
  ['generated', near('ai|generated?|dall-e')],
  ['brand', near('brand|drive')],
]
const isFile = /\.(?:png|jpe?g|webp|gif|avif|svg)(?:[?#]|$)/i

/** What a message says about images. An address counts if it is of an image file, or images are mentioned. */
export function imagesIn(message: string) {
  const found = message.match(/https?:\/\/[^\s"'`<>“”„«»]+/gi) ?? []
  const addresses = found
    .map((each) => each.replace(/[.,;:!?)]{1,8}$/, ''))
    .filter((each) => URL.canParse(each) && (mentioned.test(message) || isFile.test(each)))
    .slice(0, mostVariations)
  const isShared = shared.test(message)
  const isRequested =
    addresses.length > 0 || (wished.test(message) && (isShared || !keepsImage.test(message)))
  return {
    addresses,
    isShared,
    isAsked: isRequested,
    source: sources.find(([, named]) => named.test(message))?.[0],
  }
}
