import type { MessageReader } from '../chat/port.ts'
import { wordsOf } from '../content/words.ts'
import { imageIntentOf, sourceAlone } from './images/intent.ts'
import { nounsFor } from './images/nouns.ts'
import { isAnswer, isConfirmation, isCourtesy, isRefusal, isRequest, wantsPlanFirst } from './message/replies.ts'
import { cleanMessage } from './message/request.ts'
import { imagesIn } from './variations/images.ts'
import { countIn, longestMessage, variationIntentOf } from './variations/intent.ts'

const making = new Set(['add', 'build', 'create', 'draft', 'make', 'new', 'write', 'anlegen', 'baue', 'erstelle', 'erzeuge', 'leg', 'lege', 'mach', 'neue'])
const pages = new Set(['page', 'pages', 'subpage', 'seite', 'seiten', 'unterseite'])

/** Matches complete words outside quotes. */
function asksForNewPage(message: string): boolean {
  const unquoted = message.slice(0, 2_000).split(/["“”„]/).filter((_, index) => index % 2 === 0)
  const words = new Set(unquoted.join(' ').toLowerCase().match(/\p{L}+/gu))
  return [...words].some((word) => making.has(word)) && [...words].some((word) => pages.has(word))
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
