import type { Clock } from '../../kernel/index.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'
import { tooManyDismissals } from './refusals.ts'
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
export const isDismissed = ({ id, fingerprint }: Finding, marks: ReadonlyMap<string, Dismissal>): boolean => marks.get(id)?.fingerprint === fingerprint

/** Builds the report of a check. Dismissed findings are only counted, and listed on request. */
export function toReport(
  { siteId, session }: DraftId,
  { version, findings, pages, generatedAt }: { readonly version: number; readonly findings: readonly Finding[]; readonly pages: number; readonly generatedAt: string },
  marks: ReadonlyMap<string, Dismissal>,
  { slugs, rules, severity, includeDismissed = false }: ReportFilter = {},
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

interface Dismissal {
  /** The fingerprint of the dismissed value: a dismissal lapses when the value changes. */
  readonly fingerprint: string
  readonly at: string
  readonly note?: string | undefined
}

/** Dismissals by (draft, finding id). */
const dismissals = defineCollection('check_dismissals', trusted<Dismissal>(), { columns: {} })

type Target = Pick<Finding, 'id' | 'fingerprint'>

/** Creates the store of dismissals, at most 5,000 per draft. */
export const createDismissals = (store: Store, clock: Clock, limit = 5_000) => ({
  /** Returns the dismissals of a draft by finding id. */
  async of(id: DraftId): Promise<ReadonlyMap<string, Dismissal>> {
    const marks = await store.of(dismissals).list(draftKey(id), { limit })
    return new Map(marks.map(({ key, body }) => [key, body]))
  },
  /**
   * Dismisses or restores a finding. At the limit, deletes dismissals that match no current finding; if there
   * are none, refuses with 409 `too_many_dismissals`.
   */
  set: (id: DraftId, finding: Target, { dismissed, note }: { readonly dismissed: boolean; readonly note?: string | undefined }, findings: readonly Target[]): Promise<void> =>
    store.transaction(async (tx) => {
      const marks = tx.of(dismissals)
      if (!dismissed) return void (await marks.remove(draftKey(id), finding.id))
      const isNew = (await marks.get(draftKey(id), finding.id)) === undefined
      if (isNew && (await marks.count(draftKey(id))) >= limit) {
        const present = new Map(findings.map((each) => [each.id, each.fingerprint]))
        const lapsed = (await marks.list(draftKey(id), { limit })).filter(({ key, body }) => present.get(key) !== body.fingerprint)
        if (lapsed.length === 0) throw tooManyDismissals(limit)
        for (const { key } of lapsed) await marks.remove(draftKey(id), key)
      }
      const body = { fingerprint: finding.fingerprint, at: clock.now().toISOString(), ...(note !== undefined && { note }) }
      await marks.put(draftKey(id), finding.id, { body, columns: {} })
    }),
})
