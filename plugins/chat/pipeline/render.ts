import type { ErrorCategory } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { homeFirst } from '../../content/slugs.ts'
import type { ChatResult } from '../result.ts'
import { siteOf } from '../sessions/pending-plans.ts'
import type { DeclaredSite, PendingPlan, Run, RunEnd } from '../types/run.ts'
import { blockWords, typeName } from '../texts/change-line.ts'
import { textsIn } from '../texts/index.ts'
import { notesIn, planTexts, refinementsOf } from '../texts/plan-texts.ts'
import type { Texts } from '../texts/texts.ts'
import type { Done, Ended, Ending, NotVaried, Place } from '../types/ending.ts'
import { byRulesAlone, type PlannerFailure, type Source } from '../types/planner.ts'

/** An ending in words, before the fields that every result has. */
export interface Told extends Pick<Ended, 'ending' | 'place'>, Wording {}

/** What an ending says by itself, wherever the run was. */
export interface Wording extends Pick<RunEnd, 'status'> {
  readonly result: Said
  readonly outcome: string
  readonly source: Source
  readonly category?: ErrorCategory | undefined
  /** Of failures only. */
  readonly reason?: string | undefined
  readonly ops?: readonly Operation[] | undefined
  readonly done?: Done
}

export type Said = Pick<ChatResult, 'status' | 'summary' | 'changes'> & Partial<ChatResult>

/** Gives an ending its status and its words. */
export function tell({ request: { attachments = [] }, locale, site }: Pick<Run, 'request' | 'locale' | 'site'>, { ending, place }: Ended): Told {
  const texts = textsIn(locale)
  const words = inWords(ending, texts, place, site)
  const { kept = [] } = place
  const isUnread = attachments.length > 0 && words.source.modelUsed === 'rules'
  const summary = [words.result.summary, ...(isUnread ? [texts.attachmentsUnread()] : []), ...(kept.length > 0 ? [texts.kept(kept)] : [])].join(' ')
  return { ...words, ending, place, result: { ...words.result, summary } }
}

function inWords(ending: Ending, texts: Texts, place: Place, site: DeclaredSite): Wording {
  const { slug } = place
  const nothing = nothingOn(slug)
  switch (ending.kind) {
    case 'answered': {
      const { status, summary, findings, suggestions, source } = ending
      const outcome = source.plannerTier === 'full_llm' ? 'content_answer' : status
      return { status: 200, outcome, source, result: { status, summary, changes: [...findings], suggestions: [...suggestions] } }
    }
    case 'asked': {
      const { question, suggestions, source } = ending
      return { status: 200, outcome: 'needs_clarification', category: 'ambiguity', source, result: asking(slug, question, suggestions) }
    }
    case 'unsupported': {
      const { alone, suggestions, source } = ending
      const summary = alone ? texts.unsupportedAlone() : texts.unsupported()
      return { status: 200, outcome: alone ? 'unsupported_without_provider' : 'needs_clarification', source, result: asking(slug, summary, suggestions) }
    }
    case 'varied':
    case 'notVaried':
      return ofVariations(ending, texts, slug)
    case 'blocked':
      return { status: 200, source: ending.source, ...blocked(ending, { texts, manifest: site.manifest }, slug) }
    case 'unchanged': {
      const { summary = texts.unchanged(), notes, source } = ending
      const said = [summary, ...notesIn(texts, notes, site.manifest)].join(' ')
      return { status: 200, outcome: 'no_effective_change', category: 'no_effective_change', source, result: { ...nothing, status: 'applied', summary: said } }
    }
    case 'held':
      return tellHeld(ending.plan, place, site)
    case 'applied':
      return tellApplied(ending, texts, place, site)
    case 'invalid': {
      const { outcome, category, problems, why, approved, source } = ending
      const summary = approved === undefined ? texts.invalid() : texts.invalidApproved(approved === 'kept')
      const validationErrors = problems.slice(0, mostProblems).map((problem) => `${category}: ${problem}`)
      return { status: 400, outcome, category, reason: problems[0], source, result: { ...nothing, changes: why ? [texts.unapplied(why)] : [], status: 'validation_error', summary, validationErrors } }
    }
    case 'mismatched':
    case 'nothingPending':
    case 'discarded':
      return withoutPlan(ending, texts, slug)
    case 'failed':
      return failed(ending.failure, ending.source, texts, slug)
    case 'approvalFailed': {
      const { why, category, reason, source } = ending
      const result: Said = { changes: [texts.unapplied(why)], status: 'error', summary: texts.approvalFailed(), validationErrors: [`${category}: ${reason}`] }
      return { status: 500, outcome: 'apply_pending_plan_error', category, reason, source, result }
    }
  }
}

const nothingOn = (slug: string): Pick<Said, 'changes' | 'mentionedSlugs'> => ({ changes: [], mentionedSlugs: [slug] })

const asking = (slug: string, summary: string, suggestions: readonly string[]): Said =>
  ({ ...nothingOn(slug), status: 'needs_clarification', summary, suggestions: [...suggestions] })

function ofVariations(ending: Extract<Ending, { kind: 'varied' | 'notVaried' }>, texts: Texts, slug: string): Wording {
  const { source } = ending
  if (ending.kind === 'notVaried') {
    const { why, alone, suggestions } = ending
    return { status: 200, outcome: notVariedOutcomes[why], source, result: asking(slug, texts.notVaried(why, alone), suggestions) }
  }
  const { set, modelKey, facts } = ending
  return { status: 200, outcome: 'variations', source, result: { ...set, changes: [], status: 'ok', summary: texts.varied(set.variations.length, facts), modelKey } }
}

const notVariedOutcomes: Readonly<Record<NotVaried, string>> = {
  noBlock: 'variation_request_redirect',
  noModel: 'unsupported_without_provider',
  nothing: 'needs_clarification',
  noImages: 'needs_clarification',
  tooLong: 'needs_clarification',
}

/** A yes that meets no plan or another one than it names, and a no. */
function withoutPlan(ending: Extract<Ending, { kind: 'mismatched' | 'nothingPending' | 'discarded' }>, texts: Texts, slug: string): Wording {
  switch (ending.kind) {
    case 'mismatched': {
      const result: Said = { ...nothingOn(slug), status: 'validation_error', summary: texts.mismatched(), pendingPlanId: ending.pendingPlanId, validationErrors: [`not_found: ${texts.mismatched()}`] }
      return { status: 409, outcome: 'pending_plan_mismatch', category: 'not_found', source: byRulesAlone, result }
    }
    case 'nothingPending':
      return { status: 409, outcome: 'pending_plan_missing', category: 'not_found', source: byRulesAlone, result: { ...nothingOn(slug), status: 'needs_clarification', summary: texts.nothingPending() } }
    case 'discarded':
      return { status: 200, outcome: 'canceled', source: byRulesAlone, result: { changes: [], status: 'canceled', summary: texts.discarded(ending.had) } }
  }
}

/** So many of a plan's problems are told. */
const mostProblems = 5

const excerpt = (text: string): string => text.slice(0, 300)

interface BlockedWords {
  readonly texts: Texts
  readonly manifest: DeclaredSite['manifest']
}

function blocked({ by, suggestions }: Extract<Ending, { kind: 'blocked' }>, { texts, manifest }: BlockedWords, slug: string): Pick<Wording, 'outcome' | 'category' | 'reason' | 'result'> {
  const result = { status: 'needs_clarification' as const, mentionedSlugs: [slug], suggestions: [...suggestions] }
  if (by.kind === 'structure') {
    const summary = texts.blockedStructure(by.ops)
    return { outcome: 'blocked_structural_capability', category: 'operation_failed', reason: summary, result: { ...result, summary, changes: [texts.blockTypes()] } }
  }
  const { ops, blockTypes } = by.playground
  const changes = [texts.demoAllows([...ops], [...blockTypes].map((type) => typeName(type, { texts, manifest })))]
  return { outcome: 'blocked_demo_mode', category: 'planner_refusal', reason: by.problems[0], result: { ...result, summary: texts.blockedDemo(), changes } }
}

function failed(failure: PlannerFailure, source: Source, texts: Texts, slug: string): Wording {
  const { kind, message: reason, details } = failure
  const error = { status: 'error' as const, changes: details.told === undefined ? [] : [excerpt(details.told)], mentionedSlugs: [slug] }
  switch (kind) {
    case 'provider':
      return { status: 503, outcome: 'api_error', category: 'internal_error', reason, source, result: { ...error, summary: texts.provider(details) } }
    case 'budget':
      return { status: 503, outcome: 'api_error', category: 'internal_error', reason, source, result: { ...error, summary: texts.budget() } }
    case 'unrepaired': {
      const validationErrors = (details.attempts ?? [reason]).slice(0, mostProblems).map((problem) => `schema_violation: ${excerpt(problem)}`)
      return { status: 400, outcome: 'repair_failed', category: 'schema_violation', reason, source, result: { ...error, status: 'validation_error', changes: [], summary: texts.invalid(), validationErrors } }
    }
    case 'refused':
      return { status: 200, outcome: 'planning_refusal', category: 'planner_refusal', reason, source, result: { ...error, status: 'needs_clarification', changes: [], summary: texts.refused() } }
    case 'incomplete':
      return { status: 500, outcome: 'planning_incomplete', category: 'incomplete_output', reason, source, result: { ...error, summary: texts.incomplete() } }
    case 'unusable': {
      const validationErrors = (details.attempts ?? [reason]).slice(-3).map((attempt) => `malformed_output: ${excerpt(attempt)}`)
      return { status: 500, outcome: 'planning_exhausted', category: 'malformed_output', reason, source, result: { ...error, summary: texts.unusable(), validationErrors } }
    }
  }
}

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
