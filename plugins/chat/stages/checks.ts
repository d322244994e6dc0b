import type { Checks } from '../../checks/port.ts'
import type { Outcome } from '../planners/plan.ts'
import type { Run, Scene } from '../run/run.ts'
import { textsIn } from '../texts/index.ts'

const mostShown = 10

/** Lets the checks answer what asks for them: with what they find, or with a plan that puts right what can be. */
export async function answeredByChecks(outcome: Outcome, { id, locale }: Run, { draft }: Scene, { checks }: { readonly checks: Checks | undefined }): Promise<Outcome> {
  if (outcome.kind !== 'answer' || !outcome.checks) return outcome
  const { checks: { slug, fixes }, ...answer } = outcome
  if (!checks) return answer
  const texts = textsIn(locale)
  if (fixes) {
    const { ops, labels } = await checks.fixes(id, slug)
    if (ops.length === 0) return { ...answer, summary: texts.nothingToFix() }
    return { kind: 'plan', plan: { summary: texts.fixes(ops.length), changeLog: labels, ops } }
  }
  const { summary, findings } = await checks.report(id, slug)
  const title = draft.pages.find((page) => page.slug === slug)?.title
  return {
    ...answer,
    summary: texts.checked(summary, title),
    findings: findings.slice(0, mostShown).map(({ message, slug: at, blockType, path }) => {
      const place = [slug === undefined ? at : undefined, blockType, path].filter((part) => part !== undefined).join(' ')
      return place === '' ? message : `${place}: ${message}`
    }),
    suggestions: summary.fixable > 0 ? [texts.fixAll(slug === undefined), ...answer.suggestions].slice(0, 4) : answer.suggestions,
  }
}
