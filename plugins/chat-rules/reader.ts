import type { Words } from '../chat/types/reader.ts'
import { isAnswer, isConfirmation, isCourtesy, isRefusal, isRequest, wantsPlanFirst } from './message/replies.ts'
import { cleanMessage } from './message/request.ts'

/** How messages are read before anything is planned. */
export const words: Words = { clean: cleanMessage, wantsPlanFirst, isConfirmation, isRefusal, isCourtesy, isAnswer, isRequest }

const making = new Set(['add', 'build', 'create', 'draft', 'make', 'new', 'write', 'anlegen', 'baue', 'erstelle', 'erzeuge', 'leg', 'lege', 'mach', 'neue'])
const pages = new Set(['page', 'pages', 'subpage', 'seite', 'seiten', 'unterseite'])

/** Tells whether a message asks for a new page, by whole words outside quotes: only then a page that is missing does not matter. */
export function asksForNewPage(message: string): boolean {
  const said = message.slice(0, 2_000).split(/["“”„]/).filter((_, index) => index % 2 === 0)
  const found = new Set(said.join(' ').toLowerCase().match(/\p{L}+/gu))
  return [...found].some((word) => making.has(word)) && [...found].some((word) => pages.has(word))
}
