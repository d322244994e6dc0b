import type { Operation } from '../content/operations/index.ts'
import type { Finding } from './finding.ts'
import { noAutoFix } from './refusals.ts'

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

/** What an operation writes to: a page and a prop, row field or entry of it. */
function placesOf(op: Operation): readonly string[] {
  const { op: _name, ...rest } = op
  const { patch = {}, ...where } = 'patch' in rest ? rest : { ...rest, patch: {} }
  const names = Object.entries(patch).filter(([, value]) => value !== undefined).map(([name]) => name)
  return names.length > 0 ? names.map((name) => JSON.stringify([where, name])) : [JSON.stringify([op.op, 'pageSlug' in op ? op.pageSlug : ''])]
}
