import { setTimeout as pause } from 'node:timers/promises'
import { errorCode } from '../../kernel/index.ts'

/** The part of an answer that decides whether it is asked for again. */
interface Answered {
  readonly status: number
  /** The header by its lower-case name. */
  readonly header: (name: string) => string | undefined
}

interface Repeats {
  /**
   * Whether a repeated request changes nothing: others are only repeated where the server has refused to take
   * them.
   */
  readonly isRead: boolean
  /** The longest time to wait before a repeat, also where the server asks for more. */
  readonly longestMs: number
  readonly signal?: AbortSignal | undefined
}

const most = 3
const firstWaitMs = 200
/** Answers of a server or proxy that is overloaded or starts again. */
const passing = new Set([502, 503, 504])
/** The server has counted the request and not carried it out. */
const tooMany = 429
const broken = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * Asks again, at most three times, where the answer shows a fault that passes: 429, for reads also 502, 503,
 * 504 and a connection that broke. Waits as long as `Retry-After` says, within `longestMs`, else a little
 * longer each time.
 */
export async function withRepeats<T>(
  ask: () => Promise<T>,
  answered: (answer: T) => Answered,
  { isRead, longestMs, signal }: Repeats,
): Promise<T> {
  for (let repeats = 0; ; repeats += 1) {
    const wait = Math.min(firstWaitMs * 2 ** repeats, longestMs)
    const isLast = repeats === most || signal?.aborted
    try {
      const answer = await ask()
      const { status, header } = answered(answer)
      if (isLast || !(status === tooMany || (isRead && passing.has(status)))) return answer
      await pause(Math.min(askedFor(header) ?? wait, longestMs), undefined, { signal })
    } catch (error) {
      if (isLast || !isRead || !isBroken(error)) throw error
      await pause(wait, undefined, { signal })
    }
  }
}

/**
 * Returns the time in milliseconds that a server asks to wait for: in seconds, or until a time beside its own
 * one.
 */
function askedFor(header: Answered['header']): number | undefined {
  const wanted = header('retry-after') ?? header('x-contentful-ratelimit-reset')
  if (wanted === undefined || wanted.trim() === '') return undefined
  const ms = Number.isNaN(Number(wanted))
    ? Date.parse(wanted) - Date.parse(header('date') ?? '')
    : Number(wanted) * 1000
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}

/** Whether a connection broke, for an error of the platform or of a client, which has it as its cause. */
function isBroken(error: unknown): boolean {
  if (broken.has(errorCode(error) ?? '')) return true
  return error instanceof Error && error.cause !== undefined && isBroken(error.cause)
}
