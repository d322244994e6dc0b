import type { Dismissal } from '../dismissals/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { FindingDocument, Report } from './schemas.ts'
import type { Finding, Severity } from './view/finding.ts'

const maxFindings = 2_000

export interface ReportFilter {
  readonly slugs?: ReadonlySet<string> | undefined
  readonly rules?: ReadonlySet<string> | undefined
  readonly severity?: Severity | undefined
  readonly includeDismissed?: boolean
}

/** True if a finding is dismissed with its current value. */
export const isDismissed = ({ id, fingerprint }: Finding, marks: ReadonlyMap<string, Dismissal>): boolean =>
  marks.get(id)?.fingerprint === fingerprint

/** Builds the report of a check. Dismissed findings are only counted, and listed on request. */
export function toReport(
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
  { slugs, rules, severity, includeDismissed = false }: ReportFilter = {},
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
