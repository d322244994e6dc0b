import type { ImageSource } from '../chat/port.ts'
import type { UsageLog } from '../usage/port.ts'
import type { Durations } from './durations.ts'
import type { Generate } from './generate.ts'

const progressEveryMs = 1_000
/** Until the picture is there. */
const mostPercent = 95

export interface GeneratingParts {
  readonly generate: Generate
  readonly usage: Pick<UsageLog, 'countGeneration'>
  readonly durations: Durations
  readonly available: boolean
  readonly longestMs: number
}

/** Makes the source of images of chat that has them made, within the limit of `POST /image/generate`. */
export function createGeneratingSource({ generate, usage, durations, available, longestMs }: GeneratingParts): ImageSource {
  return {
    kind: 'generated',
    available,
    longestMs,
    async find({ query, signal, holder, spent, progress }) {
      usage.countGeneration(holder)
      const begun = performance.now()
      const ticking = setInterval(() => progress(Math.min(mostPercent, (100 * (performance.now() - begun)) / durations.usual)), progressEveryMs)
      try {
        const prompt = `A picture for a website, without any text or logo in it. It shows: ${query}`
        const { url } = await generate({ prompt, aspect: 'landscape', tier: 'final', signal, spent })
        return { address: url, alt: query }
      } finally {
        clearInterval(ticking)
      }
    },
  }
}
