/**
 * Why a call gave no whole answer. `overload` and `network` may pass by themselves; `provider` needs somebody to change a
 * setting, `uninstalled` a package; `refused` and `truncated` are the model's own ends; `aborted` is the caller's.
 */
export type ModelFailureKind = 'overload' | 'network' | 'timeout' | 'provider' | 'uninstalled' | 'refused' | 'truncated' | 'aborted'

/** What a provider said of a call that failed, for the log alone. */
export interface ProviderWords {
  readonly requestId?: string | undefined
  readonly type?: string | undefined
  readonly text?: string | undefined
}

/** A call that failed. Its reason names the provider, the remedy and the variable, and holds nothing of what the provider said. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly kind: ModelFailureKind
  readonly reason: string
  /** As people know it, such as `Anthropic`; `undefined` where they would not. */
  readonly provider: string | undefined
  /** The HTTP status, or the one that stands for an error in the middle of an answer. */
  readonly status: number | undefined
  /** How long the provider asked to wait. */
  readonly retryAfterMs: number | undefined
  readonly said: ProviderWords

  constructor(kind: ModelFailureKind, reason: string, { provider, status, retryAfterMs, said = {}, cause }: {
    readonly provider: string | undefined
    readonly status?: number | undefined
    readonly retryAfterMs?: number | undefined
    readonly said?: ProviderWords
    readonly cause?: unknown
  }) {
    super(reason, cause === undefined ? {} : { cause })
    this.kind = kind
    this.reason = reason
    this.provider = provider
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.said = said
  }

  /** What operators look for in the log. */
  toLog() {
    const { kind, status, reason, said } = this
    return { kind, status, reason, ...said }
  }
}
