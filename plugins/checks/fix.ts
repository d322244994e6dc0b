import * as v from 'valibot'
import { Refusal } from '../../kernel/index.ts'
import type { Operation } from '../content/operations/index.ts'
import type { CommitRequest, Drafts } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Checker } from './checker.ts'
import type { Finding } from './view/finding.ts'
import { noAutoFix } from './refusals.ts'
import { Fixed } from './schemas.ts'

/** Operations that put findings right, and what is left as it is. */
export interface FixPlan {
  readonly applied: readonly string[]
  readonly skipped: readonly { readonly id: string; readonly reason: string }[]
  readonly ops: readonly Operation[]
  /** What each operation does, in a few words. */
  readonly labels: readonly string[]
}

/** What a caller chose. */
export interface Chosen {
  readonly findingIds: readonly string[]
  readonly allowSuggested: boolean
  readonly values: Readonly<Record<string, string>>
}

/**
 * Plans the fixes of findings of the draft as it is now. Of two that write to one place the first is taken.
 *
 * Refuses with 400 `no_auto_fix` where none of those that are still there can be fixed this way.
 */
export function planFixes(findings: readonly Finding[], { findingIds, allowSuggested, values }: Chosen): FixPlan {
  const byId = new Map(findings.map((finding) => [finding.id, finding]))
  const applied: string[] = []
  const skipped: { id: string; reason: string }[] = []
  const steps: { readonly op: Operation; readonly label: string }[] = []
  const places = new Set<string>()
  for (const id of new Set(findingIds)) {
    const finding = byId.get(id)
    const own = finding && opsOf(finding, { allowSuggested, text: Object.hasOwn(values, id) ? values[id] : undefined })
    if (!own) skipped.push({ id, reason: 'already_fixed' })
    else if (typeof own === 'string') skipped.push({ id, reason: own })
    else if (own.flatMap(placesOf).some((place) => places.has(place))) skipped.push({ id, reason: 'conflict' })
    else {
      for (const place of own.flatMap(placesOf)) places.add(place)
      steps.push(...own.map((op) => ({ op, label: finding?.fix?.label ?? '' })))
      applied.push(id)
    }
  }
  if (applied.length === 0 && skipped.some(({ reason }) => reason !== 'already_fixed')) throw noAutoFix()
  // The other operations name pages by the slugs that they have now.
  const inOrder = steps.toSorted((a, b) => Number(a.op.op === 'rename_page') - Number(b.op.op === 'rename_page'))
  return { applied, skipped, ops: inOrder.map(({ op }) => op), labels: inOrder.map(({ label }) => label) }
}

function opsOf({ fix }: Finding, { allowSuggested, text }: { readonly allowSuggested: boolean; readonly text: string | undefined }): readonly Operation[] | string {
  if (!fix) return 'not_fixable'
  if (fix.kind === 'suggest' && !allowSuggested) return 'suggestion_not_allowed'
  if ('ops' in fix) return fix.ops
  return text === undefined || text.trim() === '' ? 'needs_text' : [fix.write(text)]
}

/** What an operation writes to: props, fields of a row, entries of the menu; for a rename the page and its new address. */
function placesOf(op: Operation): readonly string[] {
  if (op.op === 'rename_page') return [op.pageSlug, op.newPageSlug ?? op.pageSlug].map((slug) => `page ${slug}`)
  if (!('patch' in op)) return [JSON.stringify(op)]
  const { patch, ...where } = op
  return Object.entries(patch).flatMap(([name, value]: readonly [string, unknown]) => {
    const parts = name === 'navLabels' ? Object.keys(value ?? {}) : [value]
    return value === undefined ? [] : parts.map((part) => JSON.stringify([where, name, name === 'navLabels' && part]))
  })
}

/** What is kept under an idempotency key; the report is that of the draft as it is. */
const Answer = v.omit(Fixed, ['report'])
type Answer = v.InferOutput<typeof Answer>

const mostTries = 10

/**
 * Makes what puts findings right in one change, with operations made from the draft as it is, and made again when it changes
 * meanwhile. Refuses as `planFixes` and `Drafts.commit` do.
 */
export function createFixer({ drafts, checker }: { readonly drafts: Drafts; readonly checker: Checker }) {
  return async (id: DraftId, chosen: Chosen & { readonly dryRun: boolean }, context: Omit<CommitRequest, 'id' | 'edit'>): Promise<Answer> => {
    const again = await drafts.answered({ id, idempotency: context.idempotency })
    if (again) return v.parse(Answer, again.answer)
    for (let tries = 1; ; tries += 1) {
      const { version, findings, manifest } = await checker.check(id)
      const plan = planFixes(findings, chosen)
      if (chosen.dryRun) return toAnswer('dry_run', plan)
      if (plan.ops.length === 0) return toAnswer('no_effective_change', plan)
      const summary = `Fixed ${plan.applied.length === 1 ? 'one finding' : `${plan.applied.length} findings`} of the checks.`
      const edit = { kind: 'operations', source: 'direct', logSource: 'checks', ops: plan.ops, manifest, summary } as const
      const isStated = typeof context.expect === 'number'
      try {
        const expect = isStated ? context.expect : version
        return await drafts.commit({ ...context, id, edit, channel: 'checks', expect }, ({ previewVersion }) => ({ ...toAnswer('applied', plan), previewVersion }))
      } catch (error) {
        if (isStated || tries === mostTries || !(error instanceof Refusal) || error.code !== 'version_mismatch') throw error
      }
    }
  }
}

const toAnswer = (status: Answer['status'], { applied, skipped, ops }: FixPlan): Answer => ({ status, applied: [...applied], skipped: [...skipped], ops: [...ops] })
