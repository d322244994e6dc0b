import { Refusal, type Logger, type ServerEvent } from '../../../kernel/index.ts'
import type { Picture, TokenUsage, ImageGenerator, ImageMessage, Ratio } from '../../models/port.ts'
import type { Media } from '../port.ts'
import type { UsageLog } from '../../models/usage/port.ts'
import type { Conversation, Conversations, StoredTurn } from './conversations.ts'
import { toAlt, toRefusal } from './generate.ts'
import { ratioIn, toRatio, type ReadReferences } from './references.ts'
import { refusals } from './refusals.ts'
import type { ImageChatAnswer, ImageChatEvent, ImageChatRequest } from './schemas.ts'

/** A piece of an answer, in order of arrival. */
type Piece =
  | { readonly type: 'status'; readonly stage: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly url: string; readonly alt: string }

/** The answer to one message; generation starts when it is read. */
interface ImageAnswer {
  readonly chatId: string
  readonly ratio: Ratio
  /** The number of unreadable reference images, known at the end of the answer. */
  skipped(): number
  /** The pieces, to be read once and completely. Throws the refusals of the route. */
  readonly pieces: AsyncIterable<Piece>
}

/** Limited, because images are held in memory until they are stored. */
const maxConcurrent = 8
/** The maximum number of images in a message and the turns before it. */
const maxPictures = 14
const defaultRatio: Ratio = '3:2'

/** Creates the function that answers one message of a conversation. Refuses with 503 `image_chat_not_configured`. An aborted answer is not remembered and stores nothing more. */
export function createImageChat(context: {
  readonly generator: ImageGenerator | undefined
  readonly conversations: Conversations
  readonly readReferences: ReadReferences
  readonly media: Media
  readonly usage: Pick<UsageLog, 'addCall'>
  readonly timeoutMs: number
  readonly log: Logger
}): (request: ImageChatRequest, signal: AbortSignal) => Promise<ImageAnswer> {
  const { generator, conversations, readReferences, media, usage, timeoutMs, log } = context
  let running = 0

  return async (request, signal) => {
    const { prompt } = request
    if (!generator?.converse) throw refusals.chatNotConfigured()
    const model = generator.modelOf('draft')
    const converse = generator.converse.bind(generator)
    if (running >= maxConcurrent) throw refusals.tooManyConversations()
    const conversation = await conversationFor(request, conversations)
    const { id: chatId, ratio, turns, references } = conversation
    let skipped = 0

    async function* pieces(): AsyncGenerator<Piece> {
      running++
      const answered: TurnPart[] = []
      let tokens: TokenUsage | undefined
      try {
        // The newest come first, because their number is limited.
        const wanted = [...new Set([...references, ...addressesIn(turns).toReversed()])].slice(0, maxPictures)
        if (wanted.length > 0) yield { type: 'status', stage: 'references' }
        const read = await readReferences(wanted, signal)
        const shown = references.filter((address) => read.has(address))
        skipped = references.length - shown.length
        yield { type: 'status', stage: 'generating' }
        const pictures = shown.flatMap((address) => read.get(address) ?? [])
        const message = { prompt, ratio, turns: toTurns(turns, read), pictures }
        const spent = (usage: TokenUsage): void => void (tokens = usage)
        for await (const piece of converse({ ...message, model, tier: 'draft', timeoutMs, signal, spent })) {
          if (piece.type === 'text') {
            const { type, text, signature } = piece
            addPart(answered, { type, text, signature })
            if (text !== '') yield { type, text }
          } else {
            const { url } = await media.keep(piece.bytes, { prefix: 'gen', name: toAlt(prompt), signal })
            addPart(answered, { type: 'picture', address: url, signature: piece.signature })
            yield { type: 'image', url, alt: toAlt(prompt) }
          }
        }
        if (answered.every((part) => part.type === 'text' && part.text === '')) throw refusals.noData()
        signal.throwIfAborted()
        const promptParts = [
          ...shown.map((address) => ({ type: 'picture', address }) as const),
          { type: 'text', text: prompt } as const,
        ]
        await conversations.update({
          ...conversation,
          references: [],
          turns: [...turns, { role: 'person', parts: promptParts }, { role: 'model', parts: answered }],
        })
      } catch (error) {
        throw toRefusal(error, { signal, log })
      } finally {
        running--
        if (tokens) await usage.addCall({ model, ...tokens })
      }
    }
    return { chatId, ratio, skipped: () => skipped, pieces: pieces() }
  }
}

type TurnPart = StoredTurn['parts'][number]

/** Adds a part to an answer; consecutive texts without a signature become one. */
function addPart(parts: TurnPart[], part: TurnPart): void {
  const last = parts.at(-1)
  const isPlain = last?.signature === undefined && part.signature === undefined
  if (isPlain && last?.type === 'text' && part.type === 'text')
    parts.splice(-1, 1, { type: 'text', text: last.text + part.text })
  else parts.push(part)
}

/** Returns the conversation of a message. A change of the ratio gives it a new id. */
async function conversationFor(
  { prompt, chatId, aspectRatio, referenceImageUrl, referenceImageUrls }: ImageChatRequest,
  conversations: Conversations,
): Promise<Conversation> {
  const current = await conversations.find(chatId)
  const ratio = ratioIn(prompt) ?? toRatio(aspectRatio) ?? current?.ratio ?? defaultRatio
  if (current?.ratio === ratio) return current
  const references =
    chatId === undefined
      ? new Set([...(referenceImageUrl === undefined ? [] : [referenceImageUrl]), ...referenceImageUrls])
      : []
  return conversations.begin(
    { turns: current?.turns ?? [], ratio, references: current?.references ?? [...references] },
    current,
  )
}

const addressesIn = (turns: readonly StoredTurn[]): readonly string[] =>
  turns.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'picture' ? [part.address] : [])))

/** Returns the turns with their readable images. */
function toTurns(turns: readonly StoredTurn[], read: ReadonlyMap<string, Picture>): ImageMessage['turns'] {
  const all = turns.map(({ role, parts }) => ({
    role,
    parts: parts.flatMap((part): ImageMessage['turns'][number]['parts'] => {
      if (part.type === 'text') return [part]
      const picture = read.get(part.address)
      return picture ? [{ type: 'picture', picture, signature: part.signature }] : []
    }),
  }))
  return all.filter(({ parts }) => parts.length > 0)
}

/** Converts an answer to server-sent events. A failure is an event, and the last event is always `done`. */
export async function* toEvents(
  { chatId, ratio, pieces }: ImageAnswer,
  log: Logger,
): AsyncGenerator<ServerEvent<ImageChatEvent>> {
  yield { event: 'chatId', data: { chatId, aspectRatio: ratio } }
  try {
    for await (const { type: event, ...data } of pieces) yield { event, data }
  } catch (error) {
    if (!(error instanceof Refusal)) log.error({ err: error }, 'image conversation failed')
    yield {
      event: 'error',
      data:
        error instanceof Refusal
          ? { error: error.code, reason: error.reason }
          : {
              error: 'internal_error',
              reason: 'Something went wrong inside the service. Its log has the details.',
            },
    }
  }
  yield { event: 'done', data: {} }
}

/** Collects a complete answer. */
export async function toAnswer(
  { chatId, ratio, pieces, skipped }: ImageAnswer,
  prompt: string,
): Promise<ImageChatAnswer> {
  let [text, url]: [string, string | null] = ['', null]
  for await (const piece of pieces) {
    if (piece.type === 'text') text += piece.text
    if (piece.type === 'image') url = piece.url
  }
  return {
    chatId,
    url,
    alt: toAlt(prompt),
    ...(text !== '' && { text }),
    aspectRatio: ratio,
    skippedReferences: skipped(),
  }
}
