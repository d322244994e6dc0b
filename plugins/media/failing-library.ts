import * as v from 'valibot'
import { type Logger, Refusal } from '../../kernel/index.ts'

/** What a list has besides its images if its library failed. */
export const Shortfall = v.object({
  degraded: v.pipe(v.optional(v.literal(true)), v.description('The images may be incomplete.')),
  reason: v.pipe(v.optional(v.string()), v.description('The reason, as a sentence.')),
})

/**
 * Returns the result of a call of a library; if the library failed, what `instead` makes of the reason.
 *
 * A library fails by a refusal with a 5xx status. Throws all else, such as a refusal of the request.
 */
export async function unlessFailed<T>(
  pending: Promise<T>,
  instead: (reason: string, cause: unknown) => T,
): Promise<T> {
  try {
    return await pending
  } catch (error) {
    if (!(error instanceof Refusal) || error.status < 500) throw error
    return instead(error.reason, error)
  }
}

/** Returns the result of a call of a library, or `empty` with a reason, so that editors keep working. */
export const orDegraded = <T extends object>(
  pending: Promise<T>,
  empty: T,
  { log, ...details }: { readonly log: Pick<Logger, 'warn'>; readonly library: string },
): Promise<T & v.InferOutput<typeof Shortfall>> =>
  unlessFailed<T & v.InferOutput<typeof Shortfall>>(pending, (reason, err) => {
    log.warn({ err, ...details }, 'a library of images failed')
    return { ...empty, degraded: true, reason }
  })
