import type { MessageReader } from '../chat/port.ts'
import { hasAny, wordSet, wordsOf } from '../content/words.ts'
import { imageIntentOf, sourceAlone } from './images/intent.ts'
import { nounsFor } from './images/nouns.ts'
import { isAnswer, isConfirmation, isCourtesy, isRefusal, isRequest, wantsPlanFirst } from './message/replies.ts'
import { cleanMessage, longestMessage } from './message/request.ts'
import { imagesIn } from './variations/images.ts'
import { countIn, variationIntentOf } from './variations/intent.ts'

const making = wordSet('add build create draft make new write anlegen baue erstelle erzeuge leg lege mach neue')
const pages = wordSet('page pages subpage seite seiten unterseite')

function asksForNewPage(message: string): boolean {
  const words = wordsOf(message.slice(0, longestMessage))
  return hasAny(words, making) && hasAny(words, pages)
}

/** The message reader for English and German. */
export const reader: MessageReader = {
  clean: cleanMessage,
  wantsPlanFirst,
  isConfirmation,
  isRefusal,
  isCourtesy,
  isAnswer,
  isRequest,
  asksForNewPage,
  imageIntent: (message, types) => imageIntentOf(message, nounsFor(types)),
  imageSource: sourceAlone,
  variationIntent: variationIntentOf,
  variationCount: countIn,
  variationImages: (message) => imagesIn(message, wordsOf(message.slice(0, longestMessage))),
}
