import * as v from 'valibot'
import { Refusal } from '../../kernel/index.ts'
import type { Operation } from '../content/operations/index.ts'
import type { CommitRequest, Drafts } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Checker } from './checker.ts'
import type { Finding } from './view/finding.ts'
import { noAutoFix } from './refusals.ts'
import { Fixed } from './schemas.ts'

/** The operations that fix findings, each with a short label, and the skipped findings. */
export type FixPlan = ReturnType<typeof planFixes>

/** The findings that a caller wants to fix, and how. */
interface Choice {
  readonly findingIds: readonly string[]
  readonly allowSuggested: boolean
  readonly values: Readonly<Record<string, string>>
}

/**
 * Plans the fixes of findings in the current draft. If two of them write to the same place, the first wins.
 *
 * Refuses with 400 `no_auto_fix` if none of the remaining findings can be fixed this way.
 */
export function planFixes(findings: readonly Finding[], { findingIds, allowSuggested, values }: Choice) {
  const byId = new Map(findings.map((finding) => [finding.id, finding]))
  const applied: string[] = []
  const skipped: { id: string; reason: string }[] = []
  const steps: { readonly op: Operation; readonly label: string }[] = []
  const places = new Set<string>()
  for (const id of new Set(findingIds)) {
    const finding = byId.get(id)
    const own =
      finding && opsOf(finding, { allowSuggested, text: Object.hasOwn(values, id) ? values[id] : undefined })
    if (!own) skipped.push({ id, reason: 'already_fixed' })
    else if (typeof own === 'string') skipped.push({ id, reason: own })
    else if (own.flatMap(pathsOf).some((place) => places.has(place))) skipped.push({ id, reason: 'conflict' })
    else {
      for (const place of own.flatMap(pathsOf)) places.add(place)
      steps.push(...own.map((op) => ({ op, label: finding?.fix?.label ?? '' })))
      applied.push(id)
    }
  }
  if (applied.length === 0 && skipped.some(({ reason }) => reason !== 'already_fixed')) throw noAutoFix()
  // Renames come last, because the other operations use the current slugs.
  const inOrder = steps.toSorted(
    (a, b) => Number(a.op.op === 'rename_page') - Number(b.op.op === 'rename_page'),
  )
  return { applied, skipped, ops: inOrder.map(({ op }) => op), labels: inOrder.map(({ label }) => label) }
}

function opsOf(
  { fix }: Finding,
  { allowSuggested, text }: { readonly allowSuggested: boolean; readonly text: string | undefined },
): readonly Operation[] | string {
  if (!fix) return 'not_fixable'
  if (fix.kind === 'suggest' && !allowSuggested) return 'suggestion_not_allowed'
  if ('ops' in fix) return fix.ops
  return text === undefined || text.trim() === '' ? 'needs_text' : [fix.write(text)]
}

/** Returns the places that an operation writes: props, row fields, menu entries; for a rename, both slugs. */
function pathsOf(op: Operation): readonly string[] {
  if (op.op === 'rename_page')
    return [op.pageSlug, op.newPageSlug ?? op.pageSlug].map((slug) => `page ${slug}`)
  if (!('patch' in op)) return [JSON.stringify(op)]
  const { patch, ...where } = op
  return Object.entries(patch).flatMap(([name, value]: readonly [string, unknown]) => {
    const parts = name === 'navLabels' ? Object.keys(value ?? {}) : [value]
    return value === undefined
      ? []
      : parts.map((part) => JSON.stringify([where, name, name === 'navLabels' && part]))
  })
}

/** The stored answer of an idempotency key; the report always describes the current draft. */
const FixAnswer = v.omit(Fixed, ['report'])
type FixAnswer = v.InferOutput<typeof FixAnswer>

const maxTries = 10

/**
 * Creates the function that fixes findings in one change. Plans again if the draft changes in the meantime.
 * Refuses like `planFixes` and `Drafts.commit`.
 */
export function createFixer({ drafts, checker }: { readonly drafts: Drafts; readonly checker: Checker }) {
  return async (
    id: DraftId,
    chosen: Choice & { readonly dryRun: boolean },
    context: Omit<CommitRequest, 'id' | 'edit'>,
  ): Promise<FixAnswer> => {
    const again = await drafts.answered({ id, idempotency: context.idempotency })
    if (again) return v.parse(FixAnswer, again.answer)
    for (let tries = 1; ; tries += 1) {
      const { version, findings, manifest } = await checker.check(id)
      const plan = planFixes(findings, chosen)
      if (chosen.dryRun) return toAnswer('dry_run', plan)
      if (plan.ops.length === 0) return toAnswer('no_effective_change', plan)
      const summary = `Fixed ${plan.applied.length === 1 ? 'one finding' : `${plan.applied.length} findings`} of the checks.`
      const edit = {
        kind: 'operations',
        source: 'direct',
        logSource: 'checks',
        ops: plan.ops,
        manifest,
        summary,
      } as const
      const isExplicit = typeof context.expect === 'number'
      try {
        const expect = isExplicit ? context.expect : version
        return await drafts.commit(
          { ...context, id, edit, channel: 'checks', expect },
          ({ previewVersion }) => ({ ...toAnswer('applied', plan), previewVersion }),
        )
      } catch (error) {
        if (
          isExplicit ||
          tries === maxTries ||
          !(error instanceof Refusal) ||
          error.code !== 'version_mismatch'
        )
          throw error
      }
    }
  }
}

const toAnswer = (status: FixAnswer['status'], { labels: _labels, ...plan }: FixPlan): FixAnswer => ({
  status,
  ...plan,
})
