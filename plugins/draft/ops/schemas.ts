import * as v from 'valibot'
import { Operations } from '../../content/operations/parse.ts'
import { ShownText } from '../../content/shown-text.ts'
import { describedBy } from '../../../kernel/index.ts'
import { changeFields, siteFields } from '../port.ts'
import type { DraftId } from '../../scope/port.ts'

/** The body as the handler parses it. */
const Described = v.pipe(
  v.object({ ...changeFields, ops: Operations, ...siteFields }),
  v.examples([exampleFor({ session: 'dev', siteId: 'demo' })]),
)

/** The operations have their own parser, which reports each problem. */
export const OpsBody = v.pipe(
  v.object({ ...Described.entries, ops: v.optional(v.unknown()) }),
  describedBy(Described),
)

export const Applied = v.object({
  status: v.literal('applied'),
  summary: v.string(),
  changes: v.array(v.string()),
  mentionedSlugs: v.array(v.string()),
  previewVersion: v.number(),
  focusBlockId: v.optional(v.string()),
  updatedSlug: v.optional(v.string()),
  duplicatedPages: v.optional(
    v.array(v.object({ slug: v.string(), blockIdMap: v.record(v.string(), v.string()) })),
  ),
  appliedCount: v.number(),
  skippedOps: v.array(
    v.object({
      index: v.number(),
      op: v.string(),
      reason: v.string(),
      pageSlug: v.optional(v.string()),
      blockId: v.optional(v.string()),
    }),
  ),
  fuzzyMatches: v.array(
    v.object({
      requestedId: v.string(),
      resolvedId: v.string(),
      resolvedIndex: v.number(),
      strategy: v.string(),
    }),
  ),
  notes: v.array(v.string()),
  message: ShownText,
})
export type Applied = v.InferOutput<typeof Applied>

/**
 * Returns a valid request, even for an empty draft: it creates a page.
 *
 * Hardly any site has this slug; if one does, the refusal names it.
 */
export function exampleFor({ siteId, session }: DraftId) {
  const page = { slug: '/hello', title: 'Hello', blocks: [] }
  return { session, siteId, ops: [{ op: 'create_page' as const, page }] }
}
