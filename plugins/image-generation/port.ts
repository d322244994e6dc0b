import { slot } from '../../kernel/index.ts'
import type { Picture, TokenUsage } from '../llm/port.ts'

/** The shapes that a picture may be asked for in. */
export const aspects = ['landscape', 'square', 'portrait'] as const
export type Aspect = (typeof aspects)[number]

/** Width to height. */
export const ratios = ['1:1', '3:2', '2:3', '16:9', '9:16'] as const
export type Ratio = (typeof ratios)[number]

/** How good a picture has to be: `draft` to choose from, `final` to go into a page. */
export type ImageTier = 'draft' | 'final'

/** What every request for a picture comes with. */
interface Asked {
  readonly prompt: string
  readonly model: string
  readonly tier: ImageTier
  /** Milliseconds for everything. */
  readonly timeoutMs: number
  /** Aborts when the picture is no longer needed. */
  readonly signal: AbortSignal
  /** Takes what the call took, once, as far as the provider tells it. */
  spent(usage: TokenUsage): void
}

export interface ImageOrder extends Asked {
  readonly aspect: Aspect
}

/** What a provider signs a part of its answer with, to be sent back with it. */
interface Signed {
  readonly signature?: string | undefined
}

/** What was said at one time in a conversation; `Shown` is how a picture stands in it. */
export interface Turn<Shown> {
  readonly role: 'person' | 'model'
  readonly parts: readonly (Signed & ({ readonly type: 'text'; readonly text: string } | ({ readonly type: 'picture' } & Shown)))[]
}

/** The next message of a conversation. */
export interface ImageMessage extends Asked {
  readonly ratio: Ratio
  /** What was said before, oldest first. */
  readonly turns: readonly Turn<{ readonly picture: Picture }>[]
  /** What the message is about. */
  readonly pictures: readonly Picture[]
}

/** A text may be empty where its signature is not. */
export type ImagePiece = Signed & ({ readonly type: 'text'; readonly text: string } | { readonly type: 'image'; readonly bytes: Uint8Array })

/** A model that makes pictures. What it gives comes from outside, and is checked like an upload. */
export interface ImageGenerator {
  /** As requests and IMAGE_GEN_PROVIDER name it, such as `openai`. */
  readonly provider: string
  modelOf(tier: ImageTier): string
  /** Makes one picture. Throws a `ModelFailure`; `undefined` is an answer without a picture. */
  make(order: ImageOrder): Promise<Uint8Array | undefined>
  /** Goes on with a conversation, and tells its pieces as they arrive. Throws a `ModelFailure`; leaving the loop closes the connection. */
  converse?(message: ImageMessage): AsyncIterable<ImagePiece>
}

/** What makes pictures, one for each provider; `undefined` stands for one that is not set up. */
export const imageGenerators = slot<ImageGenerator | undefined>('image-generation.generators')
