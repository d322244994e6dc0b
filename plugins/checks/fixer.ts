import * as v from 'valibot'
import type { CommitRequest, Drafts } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Checker } from './checker.ts'
import { planFixes, type Chosen, type FixPlan } from './fix.ts'
import type { ManifestShelf } from './manifest-shelf.ts'
import { Fixed } from './schemas.ts'

/** What is kept under an idempotency key; the report is that of the draft as it is. */
const Answer = v.omit(Fixed, ['report'])

export interface Fixer {
  /**
   * Puts findings right in one change, with operations made from the draft as it is. Refuses as `planFixes` and
   * `Drafts.commit` do, so with 409 when the draft changes meanwhile.
   */
  fix(id: DraftId, chosen: Chosen & { readonly dryRun: boolean }, context: Omit<CommitRequest, 'id' | 'edit'>): Promise<Omit<Fixed, 'report'>>
}

export function createFixer({ drafts, checker, shelf }: { readonly drafts: Drafts; readonly checker: Checker; readonly shelf: ManifestShelf }): Fixer {
  return {
    async fix(id, chosen, context) {
      const again = await drafts.answered({ id, idempotency: context.idempotency })
      if (again) return v.parse(Answer, again.answer)
      const { version, findings } = await checker.check(id)
      const plan = planFixes(findings, chosen)
      if (chosen.dryRun) return toFixed('dry_run', plan)
      if (plan.ops.length === 0) return toFixed('no_effective_change', plan)
      const summary = `Fixed ${plan.applied.length === 1 ? 'one finding' : `${plan.applied.length} findings`} of the checks.`
      const edit = { kind: 'operations', source: 'direct', logSource: 'checks', ops: plan.ops, manifest: await shelf.read(id), summary } as const
      const expect = typeof context.expect === 'number' ? context.expect : version
      return drafts.commit({ ...context, id, edit, channel: 'checks', expect }, ({ previewVersion }) => toFixed('applied', plan, previewVersion))
    },
  }
}

function toFixed(status: Fixed['status'], { applied, skipped, ops }: FixPlan, previewVersion?: number): Omit<Fixed, 'report'> {
  return { status, applied: [...applied], skipped: [...skipped], ops: [...ops], ...(previewVersion !== undefined && { previewVersion }) }
}
