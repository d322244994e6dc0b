import { homeFirst } from '../../content/slugs.ts'
import type { ErrorCategory } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import { siteOf } from '../apply/candidate.ts'
import { debugOf } from '../run/debug.ts'
import type { Done, Ending, NotVaried } from '../run/ending.ts'
import type { PendingPlan } from '../sessions/pending-plan.ts'
import type { PlannerFailure } from '../planners/planner-failure.ts'
import { refinementsOf } from '../texts/refine.ts'
import type { ChatResult } from '../result.ts'
import type { RunEnd } from '../run/runner.ts'
import type { DeclaredSite, Run, Scene } from '../run/run.ts'
import { byRulesAlone, type Source } from '../planners/source.ts'
import { blockWords, typeName, typeWords } from '../texts/change-line.ts'
import { textsIn } from '../texts/index.ts'
import type { Texts } from '../texts/texts.ts'
import type { Remark, Step } from '../validate/step.ts'

/** Where a run ended: what the draft is like now, as far as the run knows. */
export interface Place {
  readonly version: number
  /** The page that was worked on; the requested one where none was. */
  readonly slug: string
  /** The pages that the run began with; none where it did not get so far. */
  readonly pages: readonly Page[]
  /** Pages on which something that the run did could not be taken back. */
  readonly kept?: readonly string[] | undefined
}

/** The place of a run that saw the draft. */
export function placeOf({ draft, selection }: Scene, slug: string = selection.slug): Place {
  return { version: draft.version, slug, pages: draft.pages }
}

/** An ending in words, before the fields that every result has. */
export interface Told extends Pick<RunEnd, 'status'> {
  readonly result: Said
  readonly outcome: string
  readonly source: Source
  readonly category?: ErrorCategory | undefined
  /** Of failures only. */
  readonly reason?: string | undefined
  readonly ops?: readonly Operation[] | undefined
  readonly done?: Done
}

type Said = Pick<ChatResult, 'status' | 'summary' | 'changes'> & Partial<ChatResult>

/** What has no model behind it says less. */
const mostSuggestions = ({ plannerTier }: Source): number => (plannerTier === 'full_llm' ? 5 : 4)

/** Gives an ending its status and its words. The only place where sentences for people are put together. */
export function respond(run: Run, ending: Ending, place: Place): RunEnd {
  const texts = textsIn(run.locale)
  const told = tell(run, ending, texts, place)
  const { plannerSource, modelUsed, modelKey = run.record.facts()?.tier ?? run.tier } = told.source
  run.timeline.reached('done')
  const { suggestions, ...result } = told.result
  return {
    status: told.status,
    result: {
      previewVersion: place.version,
      plannerSource,
      modelUsed,
      modelKey,
      ...result,
      summary: summaryIn(texts, run, { told, place }),
      ...(suggestions && { suggestions: suggestions.slice(0, mostSuggestions(told.source)) }),
      ...(result.updatedSlug === undefined && place.slug !== run.request.slug && result.status === 'applied' && { updatedSlug: place.slug }),
      debug: debugOf(run, told, place.slug),
    },
  }
}

/** An ending in the words that a session remembers. */
export function summaryOf(run: Run, ending: Ending, place: Place): string {
  const texts = textsIn(run.locale)
  return summaryIn(texts, run, { told: tell(run, ending, texts, place), place })
}

/** Says so where something is attached that only a model would have looked at, and where something could not be taken back. */
function summaryIn(texts: Texts, { request: { attachments = [] } }: Run, { told, place: { kept = [] } }: { readonly told: Told; readonly place: Place }): string {
  const { source, result } = told
  const isUnread = attachments.length > 0 && source.modelUsed === 'rules'
  return [result.summary, ...(isUnread ? [texts.attachmentsUnread()] : []), ...(kept.length > 0 ? [texts.kept(kept)] : [])].join(' ')
}

function tell(run: Pick<Run, 'site'>, ending: Ending, texts: Texts, place: Place): Told {
  const { slug } = place
  const nothing = { changes: [], mentionedSlugs: [slug] }
  switch (ending.kind) {
    case 'answered': {
      const { status, summary, findings, suggestions, source } = ending
      const outcome = source.plannerTier === 'full_llm' ? 'content_answer' : status
      return { status: 200, outcome, source, result: { status, summary, changes: [...findings], suggestions: [...suggestions] } }
    }
    case 'asked': {
      const { question, suggestions, source } = ending
      const result: Said = { ...nothing, status: 'needs_clarification', summary: question, suggestions: [...suggestions] }
      return { status: 200, outcome: 'needs_clarification', category: 'ambiguity', source, result }
    }
    case 'unsupported': {
      const { alone, suggestions, source } = ending
      const summary = alone ? texts.unsupportedAlone() : texts.unsupported()
      const result: Said = { ...nothing, status: 'needs_clarification', summary, suggestions: [...suggestions] }
      return { status: 200, outcome: alone ? 'unsupported_without_provider' : 'needs_clarification', source, result }
    }
    case 'varied': {
      const { set, modelKey, facts, source } = ending
      const result: Said = { ...set, changes: [], status: 'ok', summary: texts.varied(set.variations.length, facts), modelKey }
      return { status: 200, outcome: 'variations', source, result }
    }
    case 'notVaried': {
      const { why, alone, suggestions, source } = ending
      const summary = texts.notVaried(why, alone)
      return { status: 200, outcome: notVariedOutcomes[why], source, result: { ...nothing, status: 'needs_clarification', summary, suggestions: [...suggestions] } }
    }
    case 'blocked':
      return { status: 200, source: ending.source, ...blocked(ending, { texts, manifest: run.site.manifest }, slug) }
    case 'unchanged': {
      const { summary = texts.unchanged(), notes, source } = ending
      const said = [summary, ...notesIn(texts, notes, run.site.manifest)].join(' ')
      return { status: 200, outcome: 'no_effective_change', category: 'no_effective_change', source, result: { ...nothing, status: 'applied', summary: said } }
    }
    case 'held':
      return held(ending.plan, place, run.site)
    case 'applied':
      return { status: 200, outcome: 'applied', source: ending.source, ops: ending.done.ops, done: ending.done, result: applied(ending.done, texts, place, ending.source, run.site) }
    case 'invalid': {
      const { outcome, category, problems, why, approved, source } = ending
      const summary = approved === undefined ? texts.invalid() : texts.invalidApproved(approved === 'kept')
      const validationErrors = problems.slice(0, mostProblems).map((problem) => `${category}: ${problem}`)
      return { status: 400, outcome, category, reason: problems[0], source, result: { ...nothing, changes: why ? [texts.unapplied(why)] : [], status: 'validation_error', summary, validationErrors } }
    }
    case 'mismatched': {
      const result: Said = { ...nothing, status: 'validation_error', summary: texts.mismatched(), pendingPlanId: ending.pendingPlanId, validationErrors: [`not_found: ${texts.mismatched()}`] }
      return { status: 409, outcome: 'pending_plan_mismatch', category: 'not_found', source: byRulesAlone, result }
    }
    case 'nothingPending':
      return { status: 409, outcome: 'pending_plan_missing', category: 'not_found', source: byRulesAlone, result: { ...nothing, status: 'needs_clarification', summary: texts.nothingPending() } }
    case 'discarded':
      return { status: 200, outcome: 'canceled', source: byRulesAlone, result: { changes: [], status: 'canceled', summary: texts.discarded(ending.had) } }
    case 'failed':
      return failed(ending.failure, ending.source, texts, slug)
    case 'approvalFailed': {
      const { why, category, reason, source } = ending
      const result: Said = { changes: [texts.unapplied(why)], status: 'error', summary: texts.approvalFailed(), validationErrors: [`${category}: ${reason}`] }
      return { status: 500, outcome: 'apply_pending_plan_error', category, reason, source, result }
    }
  }
}

const notVariedOutcomes: Readonly<Record<NotVaried, string>> = {
  noBlock: 'variation_request_redirect',
  noModel: 'unsupported_without_provider',
  nothing: 'needs_clarification',
  noImages: 'needs_clarification',
  tooLong: 'needs_clarification',
}

/** So many of a plan's problems are told. */
const mostProblems = 5

const excerpt = (text: string): string => text.slice(0, 300)

interface BlockedWords {
  readonly texts: Texts
  readonly manifest: DeclaredSite['manifest']
}

function blocked({ by, suggestions }: Extract<Ending, { kind: 'blocked' }>, { texts, manifest }: BlockedWords, slug: string): Pick<Told, 'outcome' | 'category' | 'reason' | 'result'> {
  const result = { status: 'needs_clarification' as const, mentionedSlugs: [slug], suggestions: [...suggestions] }
  if (by.kind === 'structure') {
    const summary = texts.blockedStructure(by.ops)
    return { outcome: 'blocked_structural_capability', category: 'operation_failed', reason: summary, result: { ...result, summary, changes: [texts.blockTypes()] } }
  }
  const { ops, blockTypes } = by.playground
  const changes = [texts.demoAllows([...ops], [...blockTypes].map((type) => typeName(type, { texts, manifest })))]
  return { outcome: 'blocked_demo_mode', category: 'planner_refusal', reason: by.problems[0], result: { ...result, summary: texts.blockedDemo(), changes } }
}

function failed(failure: PlannerFailure, source: Source, texts: Texts, slug: string): Told {
  const { kind, message: reason, details } = failure
  const error = { status: 'error' as const, changes: [excerpt(details.told ?? reason)], mentionedSlugs: [slug] }
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

function held(plan: PendingPlan, { pages, slug }: Place, site: DeclaredSite): Told {
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

/** What is to be said beside the changes, one sentence for each. */
const notesIn = (texts: Texts, notes: readonly Remark[], manifest: DeclaredSite['manifest']): string[] =>
  notes.map((note) => (note.kind === 'said' ? note.text : texts.note({ kind: note.kind, type: typeName(note.type, { texts, manifest }) })))

/** A plan that waits, in the words of its own language and of its site. */
export function planTexts({ locale, summary, notes, steps, images = [], reasons }: PendingPlan, pages: readonly Page[], { manifest }: DeclaredSite) {
  const texts = textsIn(locale)
  const words = { texts, manifest }
  const lookedFor = images.map((image) => texts.image({ ...image, block: typeName(image.type, words), field: typeWords(image.type, words).field }))
  return {
    summary: [summary, ...notesIn(texts, notes, manifest)].join(' '),
    changes: [...announcements(steps, { locale, manifest }, pages), ...lookedFor],
    destructiveReasons: reasons.map((reason) => texts.reason(reason)),
  }
}

/** The language of a text, and what the site calls its own block types. */
interface Tongue {
  readonly locale: string
  readonly manifest?: DeclaredSite['manifest']
}

/** One line for each operation of a plan, the planner's own where it wrote one. */
export function announcements(steps: readonly Step[], { locale, manifest }: Tongue, pages: readonly Page[]): string[] {
  const texts = textsIn(locale)
  const wordsFor = blockWords({ texts, manifest }, pages)
  return steps.map(({ op, line }) => line ?? texts.change({ op, ...wordsFor(op), tense: 'planned' }))
}

/** What the log of versions calls a change. */
export function logLineOf(steps: readonly Step[], { locale, manifest }: Tongue, pages: readonly Page[]): string {
  const texts = textsIn(locale)
  const wordsFor = blockWords({ texts, manifest }, pages)
  return texts.applied(steps.map(({ op }) => texts.change({ op, ...wordsFor(op), tense: 'done' })))
}

/** A line of that log, and what is not there of the change so far. */
export function logLineWith(line: string, notes: readonly Remark[], { locale, manifest }: Tongue): string {
  return [line, ...notesIn(textsIn(locale), notes, manifest)].join(' ')
}

function applied({ committed, ops, notes, suggestions }: Done, texts: Texts, { slug }: Place, { plannerTier }: Source, { manifest }: DeclaredSite): Said {
  const { results, previewVersion, pages } = committed
  const touched = [...pages.values()]
  const wordsFor = blockWords({ texts, manifest }, touched.flatMap(({ after }) => after ?? []), touched.flatMap(({ before }) => before ?? []))
  const changes = ops.map((op) => texts.change({ op, ...wordsFor(op), tense: 'done' }))
  const { focusBlockId, updatedSlug, mentionedSlugs = [slug] } = results ?? {}
  const undoSlug = undoSlugOf(committed, ops, slug)
  // A model, where there is one, suggests by itself what may follow its own edit.
  const refinements = plannerTier === 'deterministic' ? refinementsOf(ops, touched.flatMap(({ after }) => after?.blocks ?? []), manifest, texts) : []
  return {
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
}

/** A page whose undo takes the whole change back: the one to go to, the one that was worked on, or any that changed. */
function undoSlugOf({ pages, results }: Done['committed'], ops: readonly Operation[], slug: string): string | undefined {
  const changed = [results?.updatedSlug, slug, ...pages.keys()].find((each) => each !== undefined && pages.has(each))
  return changed ?? ops.flatMap((op) => ('pageSlug' in op ? [op.pageSlug] : []))[0]
}
