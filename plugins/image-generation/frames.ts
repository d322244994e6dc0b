import { Refusal, type Logger, type ServerEvent } from '../../kernel/index.ts'
import type { ImageAnswer } from './image-chat.ts'
import { toAlt } from './generate.ts'
import type { ImageChatAnswer, ImageChatEvent } from './schemas.ts'

/** An answer as the events of a stream; a failure is one of them, and the last one is always `done`. */
export async function* framesOf({ chatId, ratio, pieces }: ImageAnswer, log: Logger): AsyncGenerator<ServerEvent<ImageChatEvent>> {
  yield { event: 'chatId', data: { chatId, aspectRatio: ratio } }
  try {
    for await (const { type: event, ...data } of pieces) yield { event, data }
  } catch (error) {
    if (!(error instanceof Refusal)) log.error({ err: error }, 'a conversation about images failed')
    yield { event: 'error', data: error instanceof Refusal ? { error: error.code, reason: error.reason } : { error: 'internal_error', reason: 'Something went wrong inside the service. Its log has the details.' } }
  }
  yield { event: 'done', data: {} }
}

/** An answer as a whole. */
export async function wholeOf({ chatId, ratio, pieces, skipped }: ImageAnswer, prompt: string): Promise<ImageChatAnswer> {
  let [text, url]: [string, string | null] = ['', null]
  for await (const piece of pieces) {
    if (piece.type === 'text') text += piece.text
    if (piece.type === 'image') url = piece.url
  }
  return { chatId, url, alt: toAlt(prompt), ...(text !== '' && { text }), aspectRatio: ratio, skippedReferences: skipped() }
}
