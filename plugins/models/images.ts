import { slot } from '../../kernel/index.ts'
import type { Picture, TokenUsage } from './model.ts'

/** The formats of a single image. */
export const aspects = ['landscape', 'square', 'portrait'] as const
export type Aspect = (typeof aspects)[number]

/** Width to height. */
export const ratios = ['1:1', '3:2', '2:3', '16:9', '9:16'] as const
export type Ratio = (typeof ratios)[number]

/** The quality of an image: `draft` to choose from, `final` for pages. */
export type ImageTier = 'draft' | 'final'

/** The common part of image requests. */
interface ImageRequest {
  readonly prompt: string
  readonly model: string
  readonly tier: ImageTier
  /** The time limit of the request. */
  readonly timeoutMs: number
  /** Aborts when the image is no longer needed. */
  readonly signal: AbortSignal
  /** Receives the token usage of the call once, if the provider reports it. */
  spent(usage: TokenUsage): void
}

export interface ImageOrder extends ImageRequest {
  readonly aspect: Aspect
}

/** A provider's signature for a part of its answer, to be sent back with it. */
interface Signed {
  readonly signature?: string | undefined
}

/** One turn of a conversation; `Image` is its representation of an image. */
export interface Turn<Image> {
  readonly role: 'person' | 'model'
  readonly parts: readonly (Signed &
    ({ readonly type: 'text'; readonly text: string } | ({ readonly type: 'picture' } & Image)))[]
}

/** The next message of a conversation. */
export interface ImageMessage extends ImageRequest {
  readonly ratio: Ratio
  /** The previous turns, oldest first. */
  readonly turns: readonly Turn<{ readonly picture: Picture }>[]
  /** The images to which the message refers. */
  readonly pictures: readonly Picture[]
}

/** A text may be empty if it has a signature. */
export type ImagePiece = Signed &
  ({ readonly type: 'text'; readonly text: string } | { readonly type: 'image'; readonly bytes: Uint8Array })

/** An image provider. Its images are untrusted and verified like uploads. */
export interface ImageGenerator {
  /** The name in requests and in IMAGE_GEN_PROVIDER, such as `openai`. */
  readonly provider: string
  modelOf(tier: ImageTier): string
  /** Generates one image; `undefined` for an answer without an image. Throws a `ModelFailure`. */
  make(order: ImageOrder): Promise<Uint8Array | undefined>
  /** Continues a conversation, yielding pieces. Throws a `ModelFailure`; leaving the loop disconnects. */
  converse?(message: ImageMessage): AsyncIterable<ImagePiece>
}

/** Image generators, one per provider; `undefined` if not configured. */
export const imageGenerators = slot<ImageGenerator | undefined>('llm.imageGenerators')
