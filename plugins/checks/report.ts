import type { Clock } from '../../kernel/index.ts'
import type { Dismissal, Dismissals } from './dismissals/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Checked, Checker } from './checker.ts'
import { planFixes } from './fix.ts'
import type { Checks } from './port.ts'
import { pageNotFound, unknownRule } from './refusals.ts'
import { maxFixes, type FindingDocument, type Report } from './schemas.ts'
import type { Finding, Severity } from './view/finding.ts'

const maxFindings = 2_000

interface ReportFilter {
  readonly slugs?: ReadonlySet<string> | undefined
  readonly rules?: ReadonlySet<string> | undefined
  readonly severity?: Severity | undefined
  readonly includeDismissed?: boolean
}

/** Creates the reports of drafts; `of` reports a check, and refuses pages and rules that do not exist. */
export function createReports({
  checker,
  dismissals,
  clock,
  isRule,
}: {
  readonly checker: Checker
  readonly dismissals: Dismissals
  readonly clock: Clock
  readonly isRule: (id: string) => boolean
}) {
  async function of(id: DraftId, { version, findings, slugs }: Checked, filter: ReportFilter = {}) {
    for (const slug of filter.slugs ?? []) if (!slugs.includes(slug)) throw pageNotFound(slug)
    for (const rule of filter.rules ?? []) if (!isRule(rule)) throw unknownRule(rule)
    const facts = { version, findings, pages: slugs.length, generatedAt: clock.now().toISOString() }
    return toReport(id, facts, await dismissals.of(id), filter)
  }
  const checks: Checks = {
    report: async (id, slug) => of(id, await checker.check(id), { slugs: only(slug) }),
    async fixes(id, slug) {
      const [{ findings }, dismissed] = await Promise.all([checker.check(id), dismissals.of(id)])
      const findingIds = findings
        .filter(({ at, fix }) => fix?.kind === 'auto' && (slug === undefined || at.slug === slug))
        .filter((finding) => !isDismissed(finding, dismissed))
        .slice(0, maxFixes)
        .map((finding) => finding.id)
      return planFixes(findings, { findingIds, allowSuggested: false, values: {} })
    },
  }
  return { of, checks }
}

/** Returns a filter for one value, if any. */
export const only = (one: string | undefined): ReadonlySet<string> | undefined =>
  one === undefined ? undefined : new Set([one])

/** True if a finding is dismissed with its current value. */
const isDismissed = ({ id, fingerprint }: Finding, marks: ReadonlyMap<string, Dismissal>): boolean =>
  marks.get(id)?.fingerprint === fingerprint

/** Builds the report of a check. Dismissed findings are only counted, and listed on request. */
function toReport(
  { siteId, session }: DraftId,
  {
    version,
    findings,
    pages,
    generatedAt,
  }: {
    readonly version: number
    readonly findings: readonly Finding[]
    readonly pages: number
    readonly generatedAt: string
  },
  marks: ReadonlyMap<string, Dismissal>,
  { slugs, rules, severity, includeDismissed = false }: ReportFilter,
): Report {
  const summary = { error: 0, warning: 0, info: 0, dismissed: 0, fixable: 0, pages }
  const shown: Finding[] = []
  for (const finding of findings) {
    const { at, rule, severity: own, fix } = finding
    if (
      (slugs && (at.slug === undefined || !slugs.has(at.slug))) ||
      (rules && !rules.has(rule)) ||
      (severity && own !== severity)
    )
      continue
    const isOpen = marks.size === 0 || !isDismissed(finding, marks)
    if (isOpen) summary[own] += 1
    else summary.dismissed += 1
    if (isOpen && fix?.kind === 'auto') summary.fixable += 1
    if (isOpen || includeDismissed) shown.push(finding)
  }
  return {
    session,
    siteId,
    version,
    generatedAt,
    status: summary.error > 0 ? 'failed' : summary.warning > 0 ? 'warnings' : 'passed',
    summary,
    findings: shown.slice(0, maxFindings).map((finding) => toDocument(finding, marks)),
    truncated: shown.length > maxFindings,
  }
}

/** Explains why a draft must not be published, by a report of its errors; `undefined` without any. */
export function publishObjection({ summary: { error }, findings }: Report): string | undefined {
  const [first] = findings
  if (!first) return undefined
  const where = first.slug === undefined ? '' : ` (${first.slug})`
  return `The checks found ${error === 1 ? 'an error' : `${error} errors`}, so nothing was published. The first: ${first.message}${where} Fix or dismiss what GET /checks lists.`
}

function toDocument(finding: Finding, marks: ReadonlyMap<string, Dismissal>): FindingDocument {
  const {
    id,
    rule,
    severity,
    message,
    value,
    fingerprint,
    fix,
    at: { blockIndex: _index, stablePath: _stable, ...place },
  } = finding
  const mark = isDismissed(finding, marks) ? marks.get(id) : undefined
  const candidates = fix?.candidates && { candidates: [...fix.candidates] }
  return {
    id,
    rule,
    category: rule.split('.', 1)[0] ?? rule,
    severity,
    message,
    ...place,
    ...(value !== undefined && { value }),
    ...(fix && {
      fix: {
        kind: fix.kind,
        label: fix.label,
        ...('ops' in fix ? { ops: [...fix.ops] } : { ops: [], needs: 'text' }),
        ...candidates,
      },
    }),
    fingerprint,
    dismissed: mark !== undefined,
    ...(mark && { dismissedAt: mark.at, ...(mark.note !== undefined && { note: mark.note }) }),
  }
}
