import type { ErrorCategory } from '../../content/model.ts'
import { type NameSource, typeName } from '../../content/naming.ts'
import type { Operation } from '../../content/operations/index.ts'
import { homeFirst } from '../../content/slugs.ts'
import type { ChatResult } from '../result.ts'
import { siteOf } from '../sessions/pending-plans.ts'
import { changeLines, notesIn, planTexts, refinementsOf } from '../texts/changes.ts'
import { textsIn } from '../texts/index.ts'
import type { Texts } from '../texts/texts.ts'
import type { Done, Ended, Ending, NotVaried, Place } from '../types/ending.ts'
import { byRulesAlone, type PlannerFailure, type Source } from '../types/planner.ts'
import type { Run, RunEnd } from '../types/run.ts'

/** A rendered ending, before the fields that every result has. */
export interface Rendered extends Pick<Ended, 'ending' | 'place'>, Wording {}

/** The status, sentences and facts of an ending. */
interface Wording extends Pick<RunEnd, 'status'> {
  readonly result: PartialResult
  readonly outcome: string
  readonly source: Source
  readonly category?: ErrorCategory | undefined
  /** Of failures only. */
  readonly reason?: string | undefined
  readonly ops?: readonly Operation[] | undefined
  readonly done?: Done
}

type PartialResult = Pick<ChatResult, 'status' | 'summary' | 'changes'> & Partial<ChatResult>

/** What sentences depend on: the language, the names of the site, and the place. */
interface Setting extends NameSource {
  readonly texts: Texts
  readonly place: Place
}

/** Gives an ending its HTTP status and its sentences. */
export function render({ request: { attachments = [] }, locale, site }: Pick<Run, 'request' | 'locale' | 'site'>, { ending, place }: Ended): Rendered {
  const texts = textsIn(locale)
  const wording = wordingOf(ending, { texts, place, locale, manifest: site.manifest })
  const { kept = [] } = place
  const isUnread = attachments.length > 0 && wording.source.modelUsed === 'rules'
  const summary = [wording.result.summary, ...(isUnread ? [texts.attachmentsUnread()] : []), ...(kept.length > 0 ? [texts.kept(kept)] : [])].join(' ')
  return { ...wording, ending, place, result: { ...wording.result, summary } }
}

type Of<Kind extends Ending['kind']> = Extract<Ending, { kind: Kind }>

function wordingOf(ending: Ending, setting: Setting): Wording {
  const { texts, place: { slug } } = setting
  switch (ending.kind) {
    case 'answered': {
      const { status, summary, findings, suggestions, source } = ending
      const outcome = source.plannerTier === 'full_llm' ? 'content_answer' : status
      return { status: 200, outcome, source, result: { status, summary, changes: [...findings], suggestions: [...suggestions] } }
    }
    case 'asked':
      return { status: 200, outcome: 'needs_clarification', category: 'ambiguity', source: ending.source, result: asking(slug, ending.question, ending.suggestions) }
    case 'unsupported': {
      const { alone, suggestions, source } = ending
      const summary = alone ? texts.unsupportedAlone() : texts.unsupported()
      return { status: 200, outcome: alone ? 'unsupported_without_provider' : 'needs_clarification', source, result: asking(slug, summary, suggestions) }
    }
    case 'varied': {
      const { set, modelKey, facts, source } = ending
      return { status: 200, outcome: 'variations', source, result: { ...set, changes: [], status: 'ok', summary: texts.varied(set.variations.length, facts), modelKey } }
    }
    case 'notVaried':
      return { status: 200, outcome: notVariedOutcomes[ending.why], source: ending.source, result: asking(slug, texts.notVaried(ending.why, ending.alone), ending.suggestions) }
    case 'blocked':
      return blocked(ending, setting)
    case 'unchanged': {
      const { summary = texts.unchanged(), notes, source } = ending
      const result: PartialResult = { ...nothingOn(slug), status: 'applied', summary: [summary, ...notesIn(notes, setting)].join(' ') }
      return { status: 200, outcome: 'no_effective_change', category: 'no_effective_change', source, result }
    }
    case 'held':
      return held(ending, setting)
    case 'applied':
      return applied(ending, setting)
    case 'invalid':
      return invalid(ending, setting)
    case 'mismatched': {
      const summary = texts.mismatched()
      const result: PartialResult = { ...nothingOn(slug), status: 'validation_error', summary, pendingPlanId: ending.pendingPlanId, validationErrors: [`not_found: ${summary}`] }
      return { status: 409, outcome: 'pending_plan_mismatch', category: 'not_found', source: byRulesAlone, result }
    }
    case 'nothingPending':
      return { status: 409, outcome: 'pending_plan_missing', category: 'not_found', source: byRulesAlone, result: { ...nothingOn(slug), status: 'needs_clarification', summary: texts.nothingPending() } }
    case 'discarded':
      return { status: 200, outcome: 'canceled', source: byRulesAlone, result: { changes: [], status: 'canceled', summary: texts.discarded(ending.had) } }
    case 'failed':
      return failed(ending.failure, ending.source, setting)
    case 'approvalFailed': {
      const { why, category, reason, source } = ending
      const result: PartialResult = { changes: [texts.unapplied(why)], status: 'error', summary: texts.approvalFailed(), validationErrors: [`${category}: ${reason}`] }
      return { status: 500, outcome: 'apply_pending_plan_error', category, reason, source, result }
    }
  }
}

const nothingOn = (slug: string): Pick<PartialResult, 'changes' | 'mentionedSlugs'> => ({ changes: [], mentionedSlugs: [slug] })

const asking = (slug: string, summary: string, suggestions: readonly string[]): PartialResult =>
  ({ ...nothingOn(slug), status: 'needs_clarification', summary, suggestions: [...suggestions] })

const notVariedOutcomes: Readonly<Record<NotVaried, string>> = {
  noBlock: 'variation_request_redirect',
  noModel: 'unsupported_without_provider',
  nothing: 'needs_clarification',
  noImages: 'needs_clarification',
  tooLong: 'needs_clarification',
}

const mostProblems = 5

function held({ plan }: Of<'held'>, { place: { pages, slug }, manifest }: Setting): Wording {
  const { summary, changes, destructiveReasons } = planTexts(plan, pages, siteOf(plan, { manifest, allowStructuralEdits: undefined }))
  const mentioned = plan.mentionedSlugs.filter((each) => pages.some((page) => page.slug === each))
  return {
    status: 200,
    outcome: 'plan_ready_for_approval',
    source: plan.source,
    ops: plan.steps.map(({ op }) => op),
    result: {
      status: 'plan_ready',
      summary: `${summary} ${textsIn(plan.locale).waits()}`,
      changes,
      mentionedSlugs: mentioned.length > 0 ? [...homeFirst(mentioned)] : [slug],
      suggestions: [...plan.suggestions],
      pendingPlanId: plan.id,
      ...(destructiveReasons.length > 0 && { destructiveReasons }),
    },
  }
}

function applied({ done, source }: Of<'applied'>, { texts, place: { slug }, ...names }: Setting): Wording {
  const { committed, ops, notes, suggestions } = done
  const { results: { focusBlockId, updatedSlug, mentionedSlugs = [slug] } = {}, previewVersion, pages } = committed
  const after = [...pages.values()].flatMap((page) => page.after ?? [])
  const before = [...pages.values()].flatMap((page) => page.before ?? [])
  const changes = changeLines(ops, 'done', names, after, before)
  const undoSlug = undoSlugOf(committed, ops, slug)
  // A model suggests what may follow its own edit.
  const refinements = source.plannerTier === 'deterministic' ? refinementsOf(ops, after.flatMap(({ blocks }) => blocks), names) : []
  const result: PartialResult = {
    status: 'applied',
    summary: [texts.applied(changes), ...notesIn(notes, names)].join(' '),
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

/** A page whose undo rolls back the complete change: the one to go to, the one that was worked on, or any that changed. */
function undoSlugOf({ pages, results }: Done['committed'], ops: readonly Operation[], slug: string): string | undefined {
  const changed = [results?.updatedSlug, slug, ...pages.keys()].find((each) => each !== undefined && pages.has(each))
  return changed ?? ops.flatMap((op) => ('pageSlug' in op ? [op.pageSlug] : []))[0]
}

function invalid({ outcome, category, problems, why, approved, source }: Of<'invalid'>, { texts, place: { slug } }: Setting): Wording {
  const summary = approved === undefined ? texts.invalid() : texts.invalidApproved(approved === 'kept')
  const validationErrors = problems.slice(0, mostProblems).map((problem) => `${category}: ${problem}`)
  const result: PartialResult = { ...nothingOn(slug), changes: why ? [texts.unapplied(why)] : [], status: 'validation_error', summary, validationErrors }
  return { status: 400, outcome, category, reason: problems[0], source, result }
}

function blocked({ by, suggestions, source }: Of<'blocked'>, { texts, place: { slug }, ...names }: Setting): Wording {
  const result = { status: 'needs_clarification' as const, mentionedSlugs: [slug], suggestions: [...suggestions] }
  if (by.kind === 'structure') {
    const summary = texts.blockedStructure(by.ops)
    return { status: 200, outcome: 'blocked_structural_capability', category: 'operation_failed', reason: summary, source, result: { ...result, summary, changes: [texts.blockTypes()] } }
  }
  const { ops, blockTypes } = by.playground
  const changes = [texts.demoAllows([...ops], [...blockTypes].map((type) => typeName(type, names)))]
  return { status: 200, outcome: 'blocked_demo_mode', category: 'planner_refusal', reason: by.problems[0], source, result: { ...result, summary: texts.blockedDemo(), changes } }
}

const excerpt = (text: string): string => text.slice(0, 300)

function failed({ kind, message: reason, details }: PlannerFailure, source: Source, { texts, place: { slug } }: Setting): Wording {
  const error = { status: 'error' as const, changes: details.notice === undefined ? [] : [excerpt(details.notice)], mentionedSlugs: [slug] }
  const listed = (category: string, attempts: readonly string[]): string[] => attempts.map((problem) => `${category}: ${excerpt(problem)}`)
  const { attempts = [reason] } = details
  switch (kind) {
    case 'provider':
      return { status: 503, outcome: 'api_error', category: 'internal_error', reason, source, result: { ...error, summary: texts.provider(details) } }
    case 'budget':
      return { status: 503, outcome: 'api_error', category: 'internal_error', reason, source, result: { ...error, summary: texts.budget() } }
    case 'unrepaired': {
      const validationErrors = listed('schema_violation', attempts.slice(0, mostProblems))
      return { status: 400, outcome: 'repair_failed', category: 'schema_violation', reason, source, result: { ...error, status: 'validation_error', changes: [], summary: texts.invalid(), validationErrors } }
    }
    case 'refused':
      return { status: 200, outcome: 'planning_refusal', category: 'planner_refusal', reason, source, result: { ...error, status: 'needs_clarification', changes: [], summary: texts.refused() } }
    case 'incomplete':
      return { status: 500, outcome: 'planning_incomplete', category: 'incomplete_output', reason, source, result: { ...error, summary: texts.incomplete() } }
    case 'unusable':
      return { status: 500, outcome: 'planning_exhausted', category: 'malformed_output', reason, source, result: { ...error, summary: texts.unusable(), validationErrors: listed('malformed_output', attempts.slice(-3)) } }
  }
}
