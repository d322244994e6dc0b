import { slot } from '../../kernel/index.ts'

/** A recording that is to be written down. */
export interface Recording {
  /** Named `recording.<extension>` after its content, whatever the client called it. */
  readonly file: File
  /** The language that is spoken, as two letters; without it the model finds out. */
  readonly language: string | undefined
  /** Words that may come up, at most 400 characters. */
  readonly prompt: string | undefined
}

/** Something that writes down what is said. */
export interface Transcriber {
  /** Tried in this order, until one gives an answer. */
  readonly models: readonly string[]
  /** Gives the text, which is empty where nothing is said. Throws a {@link TranscriptionFailure} otherwise. */
  transcribe(recording: Recording, model: string, signal: AbortSignal): Promise<string>
}

/** A model that gave no text. The message is for people: it names the remedy, and holds no key. */
export class TranscriptionFailure extends Error {
  override readonly name = 'TranscriptionFailure'
  /** True where the other models of this transcriber would fail as well, because of a key that is not accepted. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false, cause }: { readonly isFinal?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause })
    this.isFinal = isFinal
  }
}

/** What writes recordings down, asked one after the other; `undefined` stands for one that is not set up. */
export const transcribers = slot<Transcriber | undefined>('audio.transcribers')
