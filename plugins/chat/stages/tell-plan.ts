import type { Operation } from '../../content/operations/index.ts'
import { homeFirst } from '../../content/slugs.ts'
import type { Done, Ending, Place } from '../run/ending.ts'
import type { DeclaredSite } from '../run/run.ts'
import { siteOf, type PendingPlan } from '../sessions/pending-plan.ts'
import { blockWords } from '../texts/change-line.ts'
import { textsIn } from '../texts/index.ts'
import { notesIn, planTexts } from '../texts/plan-texts.ts'
import { refinementsOf } from '../texts/refine.ts'
import type { Texts } from '../texts/texts.ts'
import type { Said, Wording } from './tell.ts'

/** A plan that waits for approval. */
export function tellHeld(plan: PendingPlan, { pages, slug }: Place, site: DeclaredSite): Wording {
  const { id: pendingPlanId, source, steps, suggestions } = plan
  const { summary, changes, destructiveReasons } = planTexts(plan, pages, siteOf(plan, site))
  const mentioned = plan.mentionedSlugs.filter((each) => pages.some((page) => page.slug === each))
  return {
    status: 200,
    outcome: 'plan_ready_for_approval',
    source,
    ops: steps.map(({ op }) => op),
    result: {
      status: 'plan_ready',
      summary: `${summary} ${textsIn(plan.locale).waits()}`,
      changes,
      mentionedSlugs: mentioned.length > 0 ? [...homeFirst(mentioned)] : [slug],
      suggestions: [...suggestions],
      pendingPlanId,
      ...(destructiveReasons.length > 0 && { destructiveReasons }),
    },
  }
}

/** A plan that is in the draft. */
export function tellApplied({ done, source }: Extract<Ending, { kind: 'applied' }>, texts: Texts, { slug }: Place, { manifest }: DeclaredSite): Wording {
  const { committed, ops, notes, suggestions } = done
  const { results, previewVersion, pages } = committed
  const touched = [...pages.values()]
  const wordsFor = blockWords({ texts, manifest }, touched.flatMap(({ after }) => after ?? []), touched.flatMap(({ before }) => before ?? []))
  const changes = ops.map((op) => texts.change({ op, ...wordsFor(op), tense: 'done' }))
  const { focusBlockId, updatedSlug, mentionedSlugs = [slug] } = results ?? {}
  const undoSlug = undoSlugOf(committed, ops, slug)
  // A model, where there is one, suggests by itself what may follow its own edit.
  const refinements = source.plannerTier === 'deterministic' ? refinementsOf(ops, touched.flatMap(({ after }) => after?.blocks ?? []), manifest, texts) : []
  const result: Said = {
    status: 'applied',
    summary: [texts.applied(changes), ...notesIn(texts, notes, manifest)].join(' '),
    changes,
    mentionedSlugs: [...mentionedSlugs],
    previewVersion,
    suggestions: ops.some(({ op }) => op === 'remove_page') ? [] : [...refinements, ...suggestions],
    ...(focusBlockId !== undefined && { focusBlockId }),
    ...(updatedSlug !== undefined && { updatedSlug }),
    ...(undoSlug !== undefined && { undoSlug }),
  }
  return { status: 200, outcome: 'applied', source, ops, done, result }
}

/** A page whose undo takes the whole change back: the one to go to, the one that was worked on, or any that changed. */
function undoSlugOf({ pages, results }: Done['committed'], ops: readonly Operation[], slug: string): string | undefined {
  const changed = [results?.updatedSlug, slug, ...pages.keys()].find((each) => each !== undefined && pages.has(each))
  return changed ?? ops.flatMap((op) => ('pageSlug' in op ? [op.pageSlug] : []))[0]
}
