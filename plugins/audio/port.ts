import { slot } from '../../kernel/index.ts'

export { TranscriptionFailure } from './failure.ts'

export interface Recording {
  /** Named `recording.<extension>` by its content, whatever the client's name. */
  readonly file: File
  /** The spoken language as two letters; if absent, the model detects it. */
  readonly language: string | undefined
  /** Expected words, at most 400 characters. */
  readonly prompt: string | undefined
}

/** A provider of transcripts. */
export interface Transcriber {
  /** The models, tried in this order until one succeeds. */
  readonly models: readonly string[]
  /** Returns the text, which is empty for silence. Throws a {@link TranscriptionFailure}. */
  transcribe(recording: Recording, model: string, signal: AbortSignal): Promise<string>
}

/** Transcribers, in the order in which they are tried; `undefined` if not configured. */
export const transcribers = slot<Transcriber | undefined>('audio.transcribers')
