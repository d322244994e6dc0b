import type { DraftId } from '../scope/port.ts'
import type { Dismissal } from './dismissals.ts'
import type { Finding, Severity } from './view/finding.ts'
import type { FindingDocument, Report } from './schemas.ts'

const mostFindings = 2_000

/** Which findings are wanted; all of them without it. */
export interface Wanted {
  readonly slugs?: ReadonlySet<string> | undefined
  readonly rules?: ReadonlySet<string> | undefined
  readonly severity?: Severity | undefined
  readonly includeDismissed?: boolean
}

/** A finding whose mark is that of its present value. */
export const isDismissed = ({ id, fingerprint }: Finding, marks: ReadonlyMap<string, Dismissal>): boolean => marks.get(id)?.fingerprint === fingerprint

/** What callers are told of a check. Dismissed findings count as such only, and are listed where they are asked for. */
export function toReport(
  { siteId, session }: DraftId,
  { version, findings, pages, generatedAt }: { readonly version: number; readonly findings: readonly Finding[]; readonly pages: number; readonly generatedAt: string },
  marks: ReadonlyMap<string, Dismissal>,
  { slugs, rules, severity, includeDismissed = false }: Wanted = {},
): Report {
  const summary = { error: 0, warning: 0, info: 0, dismissed: 0, fixable: 0, pages }
  const shown: Finding[] = []
  for (const finding of findings) {
    const { at, rule, severity: own, fix } = finding
    if ((slugs && (at.slug === undefined || !slugs.has(at.slug))) || (rules && !rules.has(rule)) || (severity && own !== severity)) continue
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
    findings: shown.slice(0, mostFindings).map((finding) => toDocument(finding, marks)),
    truncated: shown.length > mostFindings,
  }
}

/** Why a draft is not published as it is, from a report of its errors; `undefined` where none is left that was not dismissed. */
export function objectionTo({ summary: { error }, findings }: Report): string | undefined {
  const [first] = findings
  if (!first) return undefined
  const where = first.slug === undefined ? '' : ` (${first.slug})`
  return `The checks found ${error === 1 ? 'an error' : `${error} errors`}, so nothing was published. The first: ${first.message}${where} Fix or dismiss what GET /checks lists.`
}

function toDocument(finding: Finding, marks: ReadonlyMap<string, Dismissal>): FindingDocument {
  const { id, rule, severity, message, value, fingerprint, fix, at: { blockIndex: _index, stablePath: _stable, ...place } } = finding
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
    ...(fix && { fix: { kind: fix.kind, label: fix.label, ...('ops' in fix ? { ops: [...fix.ops] } : { ops: [], needs: 'text' }), ...candidates } }),
    fingerprint,
    dismissed: mark !== undefined,
    ...(mark && { dismissedAt: mark.at, ...(mark.note !== undefined && { note: mark.note }) }),
  }
}
