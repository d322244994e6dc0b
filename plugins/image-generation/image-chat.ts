import type { Logger } from '../../kernel/index.ts'
import type { TokenUsage } from '../llm/port.ts'
import type { Media } from '../media/port.ts'
import type { UsageLog } from '../usage/port.ts'
import type { Conversation, Conversations } from './conversations.ts'
import { toRefusal } from './failure.ts'
import { toAlt } from './generate.ts'
import type { ImageGenerator, Ratio } from './port.ts'
import { ratioIn, toRatio } from './ratio.ts'
import type { ReadReferences } from './references.ts'
import { refusals } from './refusals.ts'
import type { ImageChatRequest } from './schemas.ts'

/** What an answer tells. */
export type Piece =
  | { readonly type: 'status'; readonly stage: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly url: string; readonly alt: string }

/** The answer to one message, which begins once it is read. */
export interface Turn {
  readonly chatId: string
  readonly ratio: Ratio
  /** How many pictures could not be read; known once the answer is. */
  skipped(): number
  /** To be read once, to its end or not at all. Throws what the route refuses with. */
  readonly pieces: AsyncIterable<Piece>
}

export interface ImageChatContext {
  readonly generator: ImageGenerator | undefined
  readonly conversations: Conversations
  readonly readReferences: ReadReferences
  readonly media: Media
  readonly usage: Pick<UsageLog, 'addCall'>
  readonly timeoutMs: number
  readonly log: Logger
}

/** Pictures are held in memory until they are stored. */
const mostAtOnce = 8
const mostReferences = 14
const usual: Ratio = '3:2'

/** Makes what talks about pictures. Refuses with 503 `image_chat_not_configured`. An answer that is aborted is not remembered, and stores nothing from then on. */
export function createImageChat({ generator, conversations, readReferences, media, usage, timeoutMs, log }: ImageChatContext): (request: ImageChatRequest, signal: AbortSignal) => Turn {
  let running = 0

  /** The conversation that a message belongs to. One whose ratio changes gets another id. */
  function conversationFor({ prompt, chatId, aspectRatio, referenceImageUrl, referenceImageUrls }: ImageChatRequest): Conversation {
    const known = conversations.find(chatId)
    const ratio = ratioIn(prompt) ?? toRatio(aspectRatio) ?? known?.ratio ?? usual
    if (known?.ratio === ratio) return known
    const addresses = chatId === undefined ? [...(referenceImageUrl === undefined ? [] : [referenceImageUrl]), ...referenceImageUrls] : []
    return conversations.begin({ turns: known?.turns ?? [], ratio, addresses: known?.addresses ?? addresses }, known)
  }

  return (request, signal) => {
    const { prompt } = request
    if (!generator?.converse) throw refusals.chatNotConfigured()
    const model = generator.modelOf('draft')
    const converse = generator.converse.bind(generator)
    if (running >= mostAtOnce) throw refusals.crowded()
    const conversation = conversationFor(request)
    const { id: chatId, ratio, turns, addresses } = conversation
    let skipped = 0

    async function* pieces(): AsyncGenerator<Piece> {
      running++
      let [text, last]: [string, string | undefined] = ['', undefined]
      let took: TokenUsage | undefined
      try {
        if (addresses.length > 0) yield { type: 'status', stage: 'references' }
        const read = await readReferences(addresses.slice(0, mostReferences), signal)
        skipped = read.skipped + Math.max(0, addresses.length - mostReferences)
        yield { type: 'status', stage: 'generating' }
        for await (const piece of converse({ prompt, ratio, turns, pictures: read.pictures, model, tier: 'draft', timeoutMs, signal, spent: (usage) => (took = usage) })) {
          if (piece.type === 'text') {
            text += piece.text
            yield piece
          } else {
            last = (await media.keep(piece.bytes, { prefix: 'gen', signal })).url
            yield { type: 'image', url: last, alt: toAlt(prompt) }
          }
        }
        if (text === '' && last === undefined) throw refusals.noData()
        signal.throwIfAborted()
        const said = [{ role: 'person', text: prompt }, { role: 'model', text: text || 'Here is the picture.' }] as const
        conversations.keep({ ...conversation, turns: [...turns, ...said], addresses: last === undefined ? addresses : [last] })
      } catch (error) {
        throw toRefusal(error, { signal, log })
      } finally {
        running--
        if (took) await usage.addCall({ model, ...took })
      }
    }
    return { chatId, ratio, skipped: () => skipped, pieces: pieces() }
  }
}
