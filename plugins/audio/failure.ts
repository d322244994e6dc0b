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
