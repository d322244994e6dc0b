import { slot } from '../../kernel/index.ts'

/** A recording to transcribe. */
export interface Recording {
  /** Named `recording.<extension>` by its content, regardless of the name given by the client. */
  readonly file: File
  /** The spoken language as two letters; without it the model detects it. */
  readonly language: string | undefined
  /** Words to expect, at most 400 characters. */
  readonly prompt: string | undefined
}

/** A provider of transcripts. */
export interface Transcriber {
  /** Tried in this order until one succeeds. */
  readonly models: readonly string[]
  /** Returns the text, which is empty for silence. Throws a {@link TranscriptionFailure}. */
  transcribe(recording: Recording, model: string, signal: AbortSignal): Promise<string>
}

/** A failed transcription. The message is for people: it names the remedy and contains no key. */
export class TranscriptionFailure extends Error {
  override readonly name = 'TranscriptionFailure'
  /** True if the other models of this transcriber would fail as well, because the key was rejected. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false, cause }: { readonly isFinal?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause })
    this.isFinal = isFinal
  }
}

/** Transcribers, tried one after the other; `undefined` stands for one that is not configured. */
export const transcribers = slot<Transcriber | undefined>('audio.transcribers')
