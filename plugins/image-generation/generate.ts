import { Refusal, type Clock, type Logger } from '../../kernel/index.ts'
import { createLimiter } from '../auth/port.ts'
import { ModelFailure, type ModelSpending } from '../llm/port.ts'
import type { Media } from '../media/port.ts'
import type { Aspect, ImageTier } from './port.ts'
import { choose, type Providers } from './providers.ts'
import { refusals } from './refusals.ts'
import type { GeneratedImage } from './schemas.ts'

/** A picture that is to be made. */
export interface Order {
  readonly prompt: string
  readonly aspect: Aspect
  readonly tier: ImageTier
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly signal: AbortSignal
  /** Takes what the model took, whatever becomes of the picture. */
  spent(call: ModelSpending): void
}

export type Generate = (order: Order) => Promise<GeneratedImage>

export interface GenerateContext {
  readonly providers: Providers
  /** Models that an order may name; empty, any. */
  readonly allowed: readonly string[]
  readonly media: Media
  readonly clock: Clock
  readonly durations: Durations
  readonly timeoutMs: number
  readonly log: Logger
}

/** Pictures are held in memory until they are stored. */
const mostAtOnce = 8
const longestAlt = 200

/** Makes the function that makes one picture and stores it. It refuses as `POST /image/generate` does; after an abort nothing is stored. */
export function createGenerate({ providers, allowed, media, clock, durations, timeoutMs, log }: GenerateContext): Generate {
  const limited = createLimiter(mostAtOnce)
  return async ({ prompt, aspect, tier, provider, model: named, signal, spent }) => {
    const { generator, isFallback } = choose(provider, providers)
    if (named !== undefined && allowed.length > 0 && !allowed.includes(named)) throw refusals.modelNotAllowed()
    // A model is one of the provider that was asked for.
    const model = isFallback ? generator.modelOf(tier) : (named ?? generator.modelOf(tier))
    return limited(async () => {
      if (signal.aborted) throw refusals.canceled()
      const begun = clock.now().getTime()
      try {
        const bytes = await generator.make({ prompt, aspect, tier, model, timeoutMs, signal, spent: (usage) => spent({ model, ...usage }) })
        if (!bytes?.length) throw refusals.noData()
        const { url, width, height } = await media.keep(bytes, { prefix: 'gen', signal })
        durations.add(clock.now().getTime() - begun)
        return { url, alt: toAlt(prompt), provider: generator.provider, model, width, height, ...(isFallback && { fallback: true }) }
      } catch (error) {
        throw toRefusal(error, { signal, log })
      }
    })
  }
}

/** The beginning of a prompt, never half a character of it. */
export const toAlt = (prompt: string): string => prompt.slice(0, longestAlt).replace(/[\ud800-\udbff]$/, '')

/** How long pictures take. */
export interface Durations {
  add(milliseconds: number): void
  /** The mean of the last ones. */
  readonly usual: number
}

const remembered = 10
/** Before any has been made. */
const firstGuess = 35_000

export function createDurations(): Durations {
  const last: number[] = []
  return {
    add(milliseconds) {
      last.push(milliseconds)
      if (last.length > remembered) last.shift()
    },
    get usual() {
      return last.length === 0 ? firstGuess : last.reduce((sum, each) => sum + each, 0) / last.length
    },
  }
}

/** What the checks of uploads refuse: of a generated picture it is the provider's fault. */
const unfit: ReadonlySet<string> = new Set(['content_mismatch', 'image_dimensions', 'file_damaged'])

/** The refusal for a picture that could not be made; whatever has another reason stays as it is. Operators find what the provider called it in the log. */
export function toRefusal(error: unknown, { signal, log }: { readonly signal: AbortSignal; readonly log: Logger }): unknown {
  if (signal.aborted) return refusals.canceled()
  if (error instanceof Refusal && unfit.has(error.code)) return refusals.noData()
  if (!(error instanceof ModelFailure)) return error
  const { kind, status, reason, retryAfterMs, provider, said: { type, requestId } } = error
  log.warn({ kind, status, provider, type, requestId }, 'a picture could not be made')
  if (kind === 'refused') return refusals.refused(reason)
  if (kind === 'timeout') return refusals.timedOut(reason)
  return status === 429 ? refusals.busy(reason, retryAfterMs) : refusals.failed(reason)
}
