import { slot } from '../../kernel/index.ts'

export interface Recording {
  /** Named `recording.<extension>` by its content, whatever the client's name. */
  readonly file: File
  /** The spoken language as two letters; if absent, the model detects it. */
  readonly language: string | undefined
  /** Expected words, at most 400 characters. */
  readonly prompt: string | undefined
}

/** A failed transcription. The message is for people: it names the remedy and contains no key. */
export class TranscriptionFailure extends Error {
  override readonly name = 'TranscriptionFailure'
  /** True if the other models of this transcriber would fail too, because the key was rejected. */
  readonly isFinal: boolean

  constructor(
    message: string,
    { isFinal = false, cause }: { readonly isFinal?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.isFinal = isFinal
  }
}

/** A provider of transcripts. */
export interface Transcriber {
  /** The models, tried in this order until one succeeds. */
  readonly models: readonly string[]
  /** Returns the text, which is empty for silence. Throws a {@link TranscriptionFailure}. */
  transcribe(recording: Recording, model: string, signal: AbortSignal): Promise<string>
}

/** Transcribers, in the order in which they are tried; `undefined` if not configured. */
export const transcribers = slot<Transcriber | undefined>('llm.transcribers')
