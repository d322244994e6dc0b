import { Refusal, type Clock, type Logger, limitConcurrency } from '../../../kernel/index.ts'
import { ModelFailure, type ModelSpending, type Aspect, type ImageTier } from '../../models/port.ts'
import type { Media } from '../port.ts'
import { choose, type Providers } from './providers.ts'
import { refusals } from './refusals.ts'
import type { GeneratedImage } from './schemas.ts'

/** An image to generate. */
interface Order {
  readonly prompt: string
  readonly aspect: Aspect
  readonly tier: ImageTier
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly signal: AbortSignal
  /** Receives the token usage, even if the image fails. */
  spent(call: ModelSpending): void
}

export type Generate = (order: Order) => Promise<GeneratedImage>

/** Limited, because images are held in memory until they are stored. */
const maxConcurrent = 8

/** Creates the image generation. Refuses like `POST /image/generate`; an aborted call stores nothing. */
export function createGenerate(context: {
  readonly providers: Providers
  /** The models that requests may choose; all if empty. */
  readonly allowed: readonly string[]
  readonly media: Media
  readonly clock: Clock
  readonly durations: Durations
  readonly timeoutMs: number
  readonly log: Logger
}): Generate {
  const { providers, allowed, media, clock, durations, timeoutMs, log } = context
  const limited = limitConcurrency(maxConcurrent)
  return async ({ prompt, aspect, tier, provider, model: requested, signal, spent }) => {
    const { generator, isFallback } = choose(provider, providers)
    if (requested !== undefined && allowed.length > 0 && !allowed.includes(requested))
      throw refusals.modelNotAllowed()
    // The requested model belongs to the requested provider.
    const model = isFallback ? generator.modelOf(tier) : (requested ?? generator.modelOf(tier))
    return limited(async () => {
      if (signal.aborted) throw refusals.canceled()
      const startedAt = clock.now().getTime()
      try {
        const bytes = await generator.make({
          prompt,
          aspect,
          tier,
          model,
          timeoutMs,
          signal,
          spent: (usage) => spent({ model, ...usage }),
        })
        if (!bytes?.length) throw refusals.noData()
        const { url, width, height } = await media.keep(bytes, { prefix: 'gen', name: toAlt(prompt), signal })
        durations.add(clock.now().getTime() - startedAt)
        return {
          url,
          alt: toAlt(prompt),
          provider: generator.provider,
          model,
          width,
          height,
          ...(isFallback && { fallback: true }),
        }
      } catch (error) {
        throw toRefusal(error, { signal, log })
      }
    })
  }
}

/** Returns the start of a prompt, without splitting a surrogate pair. */
export const toAlt = (prompt: string): string => prompt.slice(0, 200).replace(/[\ud800-\udbff]$/, '')

export type Durations = ReturnType<typeof createDurations>

/** Creates the record of the durations of images. */
export function createDurations() {
  const last: number[] = []
  return {
    add(milliseconds: number): void {
      last.push(milliseconds)
      if (last.length > 10) last.shift()
    },
    /** The mean of the last ten durations, or an estimate before the first one. */
    get expected(): number {
      return last.length === 0 ? 35_000 : last.reduce((sum, each) => sum + each, 0) / last.length
    },
  }
}

/** Refusals of the upload checks, which for a generated image are failures of the provider. */
const invalidImage: ReadonlySet<string> = new Set(['content_mismatch', 'image_dimensions', 'file_damaged'])

/** Converts the error of a failed image to a refusal; returns other errors unchanged. */
export function toRefusal(
  error: unknown,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): unknown {
  if (signal.aborted) return refusals.canceled()
  if (error instanceof Refusal && invalidImage.has(error.code)) return refusals.noData()
  if (!(error instanceof ModelFailure)) return error
  const { kind, status, reason, retryAfterMs } = error
  log.warn(error.toLog(), 'image generation failed')
  if (kind === 'refused') return refusals.refused(reason)
  if (kind === 'timeout') return refusals.timedOut(reason)
  return status === 429 ? refusals.busy(reason, retryAfterMs) : refusals.failed(reason)
}
