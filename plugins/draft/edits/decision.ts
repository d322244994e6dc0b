import { merge, type MergeRequest, type Winner } from '../../content/merge/index.ts'
import type { Page } from '../../content/page.ts'
import type { EditOf } from '../change-set.ts'
import { decisionLabel } from '../label.ts'

/** Returns the conflicts that a caller decides, with the chosen sides; none for any other edit. */
export async function decisionsIn(
  request: MergeRequest,
  { isDecision, decided }: Pick<EditOf<'follow'>, 'isDecision' | 'decided'>,
) {
  if (!isDecision) return []
  // A merge lists the conflicts that nothing has decided.
  const { conflicts } = await merge(request)
  return conflicts.flatMap((conflict) => {
    const winner = decided?.get(conflict.id)
    return winner ? [{ ...conflict, winner }] : []
  })
}

type Decided = Awaited<ReturnType<typeof decisionsIn>>[number] & { readonly winner: Winner }

/** Returns the label of a decision, with the names that pages and blocks have on either side. */
export function labelOfDecision(decisions: readonly Decided[], { ours, theirs, manifest }: MergeRequest) {
  const pages = new Map<string, { readonly before: Page | undefined; readonly after: Page | undefined }>()
  for (const { slug } of decisions)
    pages.set(slug, { before: theirs.pages.get(slug), after: ours.pages.get(slug) })
  return decisionLabel(decisions, { pages, manifest })
}
