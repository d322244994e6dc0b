import type { ErrorCategory } from '../../content/model.ts'
import type { NameSource } from '../../content/naming.ts'
import type { Operation } from '../../content/operations/index.ts'
import { homeFirst } from '../../content/slugs.ts'
import { promptExcerpt } from '../message.ts'
import type { ChatDebug, ChatResult } from '../result.ts'
import type { Remembered } from '../sessions/memory.ts'
import { siteOf } from '../sessions/pending-plans.ts'
import { notesIn, planTexts, summaryOf } from '../texts/changes.ts'
import { texts } from '../texts/texts.ts'
import { longestSuggestion, type Source } from '../types/plan.ts'
import { byRules, type PlannerFailure, type PlannerFailureKind } from '../types/planner.ts'
import type { Done, Ending, NotVaried, RunEnd } from '../types/run.ts'
import { providerIn } from './plan.ts'
import type { EndedRun, MessageRun, RunContext } from './run.ts'

/** The status, sentences and facts of an ending. */
interface Wording {
  /** 200 by default. */
  readonly status?: RunEnd['status']
  readonly outcome: string
  readonly category?: ErrorCategory
  /** Set for failures only. */
  readonly reason?: string | undefined
  readonly ops?: readonly Operation[]
  readonly result: PartialResult
}

type PartialResult = Pick<ChatResult, 'status' | 'summary' | 'changes'> & Partial<ChatResult>

/** The context of sentences: the names of the site, and the draft. */
interface SentenceContext extends NameSource {
  readonly context: RunContext
  /** Creates a result that mentions the page and changes nothing; `more` overrides its fields. */
  reply(status: ChatResult['status'], summary: string, more?: Partial<ChatResult>): PartialResult
}

/** Returns the HTTP status and the result of an ending. */
export function respond(run: MessageRun, { ending, context }: EndedRun): RunEnd {
  const { chat, request, record, tier } = run
  const { slug } = context.selection
  const setting: SentenceContext = {
    context,
    manifest: run.site.manifest,
    reply: (status, summary, more) => ({ status, summary, changes: [], mentionedSlugs: [slug], ...more }),
  }
  const wording = wordingOf(ending, setting)
  const { suggestions, summary, ...result } = wording.result
  const { modelKey = record.facts()?.tier ?? tier, ...given } = sourceOf(ending)
  // A run that asked no model names the provider that would be asked.
  const source = isLocal(given) ? { ...given, plannerSource: providerIn(chat, request.provider) } : given
  const { plannerSource, modelUsed } = source
  // Local planners offer fewer suggestions, and instead of a message sentences made of its words, which may be long.
  const most = isLocal(given) ? 4 : 5
  const mayBeLong = isLocal(given) && ['unsupported', 'question'].includes(ending.kind)
  const offered = suggestions?.filter((text) => mayBeLong || text.length <= longestSuggestion).slice(0, most)
  const isReplaced =
    ending.kind === 'applied' || (ending.kind === 'held' && ending.plan.id !== context.pending?.id)
  const isElsewhere = result.status === 'applied' && slug !== request.slug
  return {
    status: wording.status ?? 200,
    result: {
      previewVersion: context.draft.version,
      plannerSource,
      modelUsed,
      modelKey,
      ...(isElsewhere && { updatedSlug: slug }),
      ...result,
      summary: [summary, ...remarksOf(run, context, given, isReplaced), ...metIn(ending)].join(' '),
      ...(offered && { suggestions: offered }),
      debug: debugOf(run, wording, source, ending, slug),
    },
  }
}

/** Sentences about what else happened to the message. */
function remarksOf(
  { request }: MessageRun,
  { pending }: RunContext,
  source: Source,
  isReplaced: boolean,
): string[] {
  const isUnread = isLocal(source) && (request.attachments ?? []).length > 0
  return [
    ...(isUnread ? [texts.attachmentsUnread()] : []),
    ...(pending && isReplaced ? [texts.dropped(promptExcerpt(pending.message))] : []),
  ]
}

/** A sentence about the plans of others that the run has outdated. */
function metIn(ending: Ending): string[] {
  const [first, ...more] = ending.kind === 'applied' ? ending.met : []
  return first ? [texts.met([first, ...more])] : []
}

/** Whether no model was asked. */
const isLocal = ({ plannerTier }: Source): boolean => plannerTier === 'demo'

function sourceOf(ending: Ending): Source {
  if (ending.kind === 'held') return ending.plan.source
  return 'source' in ending ? ending.source : byRules
}

const longestReason = 300

function debugOf(
  { how, message, promptHash, request, id, record }: MessageRun,
  { status = 200, outcome, category, reason, ops }: Wording,
  { plannerSource, modelUsed, plannerTier }: Source,
  ending: Ending,
  currentPage: string,
): ChatDebug {
  const { activeBlockId, activeEditablePath, executionMode } = request
  const { skippedOps = [] } = (ending.kind === 'applied' ? ending.committed.results : undefined) ?? {}
  const { calls, ...total } = record.meter.total()
  const { attempt = 1 } = record.facts() ?? {}
  const isFailure = status >= 400 || category === 'planner_refusal' || category === 'operation_failed'
  return {
    traceId: how.id,
    promptHash,
    promptExcerpt: promptExcerpt(message),
    outcome,
    ...(category && { reasonCategory: category }),
    ...(isFailure && reason !== undefined && { reason: reason.slice(0, longestReason) }),
    ...(ending.kind === 'unsupported' && { hint: ending.hint, offer: ending.offer }),
    ...(ops && { intent: 'edit_plan', opTypes: [...new Set(ops.map(({ op }) => op))], opCount: ops.length }),
    plannerTier,
    modelUsed,
    plannerSource,
    executionMode,
    ...(calls > 0 && total),
    ...(attempt > 1 && { planningAttempts: attempt }),
    ...(skippedOps.length > 0 && { skippedOpCount: skippedOps.length, skippedOps: [...skippedOps] }),
    timeline: record.timeline(),
    currentPage,
    siteId: id.siteId,
    ...(activeBlockId !== undefined && { activeBlockId }),
    ...(activeEditablePath !== undefined && { activeEditablePath }),
  }
}

const untouching: readonly Ending['kind'][] = ['failed', 'mismatched', 'nothingPending']

/** Returns the memory entry of a run. */
export function remembered(
  { message, person }: MessageRun,
  ending: Ending,
  { summary }: ChatResult,
): Remembered {
  return { person, message, answered: summary, question: questionAfter(ending) }
}

/** Returns the memory entry of a plan that is about to be applied. */
export function rememberedEdit(
  run: MessageRun,
  context: RunContext,
  { changes, notes, source }: Pick<Done, 'changes' | 'notes'> & { readonly source: Source },
): Remembered {
  const summary = summaryOf(changes, notes, run.site)
  const answered = [summary, ...remarksOf(run, context, source, true)].join(' ')
  return { person: run.person, message: run.message, answered, question: { kind: 'settled' } }
}

function questionAfter(ending: Ending): Remembered['question'] {
  if (ending.kind === 'question' && ending.open) return { kind: 'asked', question: ending.open }
  if (untouching.includes(ending.kind)) return { kind: 'untouched' }
  return { kind: ['question', 'unsupported'].includes(ending.kind) ? 'failed' : 'settled' }
}

type Of<Kind extends Ending['kind']> = Extract<Ending, { kind: Kind }>

function wordingOf(ending: Ending, setting: SentenceContext): Wording {
  const { reply } = setting
  const asking = (outcome: string, summary: string, offered: readonly string[]): Wording => ({
    outcome,
    result: reply('needs_clarification', summary, { suggestions: [...offered] }),
  })
  switch (ending.kind) {
    case 'answer': {
      const { status, summary, findings, suggestions, source, opens, undoes } = ending
      const outcome = source.plannerTier === 'full_llm' ? 'content_answer' : status
      const more = {
        ...(opens && { mentionedSlugs: [...opens] }),
        ...(undoes !== undefined && { undoSlug: undoes }),
      }
      const result = { status, summary, changes: [...findings], suggestions: [...suggestions], ...more }
      return { outcome, result }
    }
    case 'question':
      return { ...asking('needs_clarification', ending.question, ending.suggestions), category: 'ambiguity' }
    case 'unsupported': {
      const { suggestions, source, hint, isHintAll } = ending
      if (!isLocal(source)) return asking('needs_clarification', texts.unsupported(), suggestions)
      const summary = isHintAll && hint !== undefined ? hint : withHint(hint)
      return asking('unsupported_without_provider', summary, suggestions)
    }
    case 'varied': {
      const { set, modelKey, summary } = ending
      return { outcome: 'variations', result: { ...set, changes: [], status: 'ok', summary, modelKey } }
    }
    case 'notVaried':
      return asking(notVariedOutcomes[ending.why], ending.summary, ending.suggestions)
    case 'blocked':
      return blocked(ending, setting)
    case 'unchanged': {
      const { summary = texts.unchanged(), notes = [] } = ending
      const result = reply('applied', [summary, ...notesIn(notes, setting)].join(' '))
      return { outcome: 'no_effective_change', category: 'no_effective_change', result }
    }
    case 'held':
      return held(ending, setting)
    case 'applied':
      return applied(ending, setting)
    case 'invalid': {
      const { outcome, category, problems, approved } = ending
      const summary = approved === undefined ? texts.invalid() : texts.invalidApproved(approved === 'pending')
      const validationErrors = problems.slice(0, mostProblems).map((problem) => `${category}: ${problem}`)
      const result = reply('validation_error', summary, { validationErrors })
      return { status: 400, outcome, category, reason: problems[0], result }
    }
    case 'mismatched': {
      const summary = texts.mismatched()
      const more = { pendingPlanId: ending.pendingPlanId, validationErrors: [`not_found: ${summary}`] }
      const result = reply('validation_error', summary, more)
      return { status: 409, outcome: 'pending_plan_mismatch', category: 'not_found', result }
    }
    case 'nothingPending': {
      const { outdated } = ending
      const why = outdated === undefined ? texts.nothingPending() : `${outdated} ${texts.askAgain()}`
      const result = reply('needs_clarification', why)
      return { status: 409, outcome: 'pending_plan_missing', category: 'not_found', result }
    }
    case 'discarded': {
      const summary = texts.discarded(ending.had, setting.context.memory.openQuestion !== undefined)
      return { outcome: 'canceled', result: { changes: [], status: 'canceled', summary } }
    }
    case 'failed':
      return failed(ending.failure, setting)
    case 'approvalFailed': {
      const { category, reason } = ending
      const text = { summary: texts.approvalFailed(), changes: [excerpt(reason)] }
      const result: PartialResult = { ...text, status: 'error', validationErrors: [`${category}: ${reason}`] }
      return { status: 500, outcome: 'apply_pending_plan_error', category, reason, result }
    }
  }
}

/** A hint says what is possible without a model. */
const withHint = (hint: string | undefined): string =>
  hint === undefined ? `${texts.unsupportedAlone()} ${texts.needsModel()}` : `${hint} ${texts.needsModel()}`

const notVariedOutcomes: Readonly<Record<NotVaried['why'], string>> = {
  noBlock: 'variation_request_redirect',
  noModel: 'unsupported_without_provider',
  impossible: 'needs_clarification',
}

const mostProblems = 5

function held({ plan }: Of<'held'>, { context, manifest }: SentenceContext): Wording {
  const { pages } = context.draft
  const site = siteOf(plan, { manifest })
  const { summary, changes, destructiveReasons } = planTexts(plan, pages, site)
  const mentioned = plan.mentionedSlugs.filter((each) => pages.some((page) => page.slug === each))
  return {
    outcome: 'plan_ready_for_approval',
    ops: plan.steps.map(({ op }) => op),
    result: {
      status: 'plan_ready',
      summary: `${summary} ${texts.waits()}`,
      changes,
      mentionedSlugs: mentioned.length > 0 ? [...homeFirst(mentioned)] : [context.selection.slug],
      suggestions: [...plan.suggestions],
      pendingPlanId: plan.id,
      ...(destructiveReasons.length > 0 && { destructiveReasons }),
    },
  }
}

function applied(
  { committed, ops, changes, notes, suggestions }: Of<'applied'>,
  names: SentenceContext,
): Wording {
  const { results, previewVersion, pages } = committed
  const { slug } = names.context.selection
  const { focusBlockId, updatedSlug, mentionedSlugs = [slug] } = results ?? {}
  // Undo on any changed page rolls back the complete change; prefers `updatedSlug`, then the current page.
  const undoSlug =
    [updatedSlug, slug, ...pages.keys()].find((each) => each !== undefined && pages.has(each)) ??
    ops.flatMap((op) => ('pageSlug' in op ? [op.pageSlug] : []))[0]
  const result: PartialResult = {
    status: 'applied',
    summary: summaryOf(changes, notes, names),
    changes: [...changes],
    mentionedSlugs: [...mentionedSlugs],
    previewVersion,
    suggestions: ops.some(({ op }) => op === 'remove_page') ? [] : [...suggestions],
    ...(focusBlockId !== undefined && { focusBlockId }),
    ...(updatedSlug !== undefined && { updatedSlug }),
    ...(undoSlug !== undefined && { undoSlug }),
  }
  return { outcome: 'applied', ops, result }
}

function blocked({ by, ...offered }: Of<'blocked'>, { reply }: SentenceContext): Wording {
  const suggestions = [...offered.suggestions]
  if (by.kind === 'demo') {
    const result = reply('needs_clarification', texts.blockedDemo(), { suggestions })
    return { outcome: 'blocked_demo_mode', category: 'planner_refusal', reason: by.problems[0], result }
  }
  const reason = texts.blockedStructure(by.ops)
  const result = reply('needs_clarification', reason, { changes: [texts.blockTypes()], suggestions })
  return { outcome: 'blocked_structural_capability', category: 'operation_failed', reason, result }
}

const failures = {
  provider: { status: 503, outcome: 'api_error', category: 'internal_error' },
  budget: { status: 503, outcome: 'api_error', category: 'internal_error' },
  unrepaired: { status: 400, outcome: 'repair_failed', category: 'schema_violation' },
  refused: { status: 200, outcome: 'planning_refusal', category: 'planner_refusal' },
  incomplete: { status: 500, outcome: 'planning_incomplete', category: 'incomplete_output' },
  unusable: { status: 500, outcome: 'planning_exhausted', category: 'malformed_output' },
} as const

type ByFailure<T> = Readonly<Partial<Record<PlannerFailureKind, T>>>

const excerpt = (text: string): string => text.slice(0, 300)

function failed({ kind, message: reason, details }: PlannerFailure, { reply }: SentenceContext): Wording {
  const { notice, attempts = [reason] } = details
  const facts = failures[kind]
  const shown: ByFailure<ChatResult['status']> = {
    unrepaired: 'validation_error',
    refused: 'needs_clarification',
  }
  const status = shown[kind] ?? 'error'
  const summary = kind === 'unrepaired' ? texts.invalid() : texts[kind](details)
  const changes = status === 'error' && notice !== undefined ? [excerpt(notice)] : []
  const listed: ByFailure<readonly string[]> = {
    unrepaired: attempts.slice(0, mostProblems),
    unusable: attempts.slice(-3),
  }
  const validationErrors = listed[kind]?.map((problem) => `${facts.category}: ${excerpt(problem)}`)
  const result = reply(status, summary, { changes, ...(validationErrors && { validationErrors }) })
  return { ...facts, reason, result }
}
