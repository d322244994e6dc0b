import type { Budget } from '../../models/usage/port.ts'

const andMore = (more: number): string => (more > 0 ? ` and ${more} more` : '')

/** Fixed texts for people. */
export const texts = {
  again: 'The answer could not be used. Planning again',
  whatInstead: 'I did not get that. What should change on this page?',
  whichBlock: 'Which section should change? Select it, or name it.',
  suggestions: [
    'Rewrite the hero headline',
    'Add a section with testimonials',
    'Shorten the text of the hero',
    'Which sections can I add?',
  ],
  tooLong: (characters: number) =>
    `This message is too long to plan from: it may have about ${characters} characters. Which part should come first?`,
  unchanged: (fields: readonly string[], more: number) =>
    `Left as they were: ${fields.join('; ')}${andMore(more)}.`,
  partly: (slugs: readonly string[], more: number) =>
    `Only a part was looked at of ${slugs.join(', ')}${andMore(more)}, because it is too long for one request. ` +
    'Name or select what else should change.',
  beyond: (places: number) =>
    `The text is in ${places} more ${places === 1 ? 'place' : 'places'}. Send the request again to replace it there.`,
  cut: 'The answer was cut off, so that one change is missing.',
  nothing: 'Nothing was changed.',
  bothButtons:
    'Both buttons are meant, the one in the hero and the one at the end of the page. What should each of them say?',
  whichAddress: 'New images can be neither looked for nor made here. What is the address of the image?',
  whatIsShown: 'The image cannot be looked at, so that it has to be described in words. What does it show?',
  describes: (text: string) => `Set the image description to "${text}"`,
  undescribed: (count: number) =>
    count === 1 ? 'One image could not be described.' : `${count} images could not be described.`,
  lookingUp: 'Looking something up',
  /** The provider asks to wait. */
  waiting: (seconds: number) =>
    `The language model takes no more requests for now. Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
  noPlan: (times: number) =>
    `The model gave no plan that can be used, ${times} times. Word the request differently, or ask for less at once.`,
  noVariation: (times: number) =>
    `The model gave no variation that can be used, ${times} times. Say differently what the variations should be like, or ask for fewer.`,
  unrepaired:
    'The plan of the model cannot be applied, and came back with mistakes when it was sent back. ' +
    'Word the request differently, or ask for less at once.',
  spent: ({ spentUsd, perDayUsd }: Budget) =>
    `Models have cost ${dollars(spentUsd)} today, and CHAT_BUDGET_USD_PER_DAY allows ${dollars(perDayUsd)}. Raise it, or wait until midnight UTC.`,
}

const inCents = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const inParts = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumSignificantDigits: 1,
  maximumSignificantDigits: 2,
})

/** An amount for people, with two digits where it is less than a cent. */
const dollars = (usd: number): string => (usd > 0 && usd < 0.01 ? inParts : inCents).format(usd)
