import * as v from 'valibot'
import type { Call } from '../../../kernel/index.ts'

export const Started = v.object({ streamId: v.string() })

/** The query field after whose number a stream continues. */
export const afterSeq = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, 'must be the _seq of the last event that was seen, a whole number from 0'),
    v.transform(Number),
  ),
)

export const resumeHeaders = {
  'last-event-id': 'The id of the last event that was received: the stream continues after it.',
}

/** Returns the number of the last event that a reader has seen; EventSource sends it as a header. */
export function lastSeen(
  header: Call['header'],
  query: { readonly afterSeq?: number | undefined },
): number | undefined {
  const sent = header('last-event-id') ?? ''
  return /^\d{1,15}$/.test(sent) ? Number(sent) : query.afterSeq
}
