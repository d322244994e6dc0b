import * as v from 'valibot'
import { ManifestDocument } from '../content/manifest.ts'
import { describedBy } from '../../kernel/index.ts'
import { BaseVersion, Client } from '../draft/port.ts'
import { Session, SiteId } from '../scope/port.ts'
import { severities } from './view/finding.ts'

/** The maximum number of findings that one change can fix. */
export const maxFixes = 200

const target = { session: Session, siteId: SiteId }
const findingId = v.pipe(
  v.string(),
  v.regex(/^chk_[0-9a-f]{16}(?:-\d{1,6}){0,2}$/, 'must be the id of a finding'),
)

export const ChecksQuery = v.object({
  ...target,
  slug: v.optional(v.string()),
  severity: v.optional(v.picklist(severities)),
  rule: v.optional(v.string()),
  includeDismissed: v.optional(v.string()),
})
export const RunBody = v.object({
  ...target,
  slugs: v.optional(v.pipe(v.array(v.string()), v.maxLength(2_000))),
  rules: v.optional(v.pipe(v.array(v.string()), v.maxLength(200))),
  componentsManifest: v.optional(v.pipe(v.unknown(), describedBy(ManifestDocument))),
  external: v.pipe(
    v.optional(v.boolean(), false),
    v.description('Also checks links to other sites by requesting them.'),
  ),
})
export const FixBody = v.pipe(
  v.object({
    ...target,
    findingIds: v.pipe(v.array(findingId), v.minLength(1), v.maxLength(maxFixes)),
    baseVersion: BaseVersion,
    client: Client,
    dryRun: v.optional(v.boolean(), false),
    allowSuggested: v.pipe(v.optional(v.boolean(), false), v.description('Also applies suggestions.')),
    values: v.pipe(
      v.optional(v.record(v.string(), v.pipe(v.string(), v.maxLength(10_000))), {}),
      v.description('Texts for suggestions that need one, by finding id.'),
    ),
  }),
  v.examples([
    {
      session: 'dev',
      siteId: 'demo',
      findingIds: ['chk_0123456789abcdef'],
      dryRun: true,
      allowSuggested: false,
      values: {},
    },
  ]),
)
export const DismissBody = v.pipe(
  v.strictObject({
    ...target,
    findingId,
    dismissed: v.optional(v.boolean(), true),
    note: v.optional(v.pipe(v.string(), v.maxLength(300))),
  }),
  v.examples([
    {
      session: 'dev',
      siteId: 'demo',
      findingId: 'chk_0123456789abcdef',
      dismissed: true,
      note: 'It comes next week.',
    },
  ]),
)
export const IntegrationBody = v.object(target)

const Fix = v.object({
  kind: v.picklist(['auto', 'suggest']),
  label: v.string(),
  ops: v.array(v.unknown()),
  needs: v.optional(v.literal('text')),
  candidates: v.optional(v.array(v.string())),
})

export const FindingDocument = v.object({
  id: v.string(),
  rule: v.string(),
  category: v.string(),
  severity: v.picklist(severities),
  message: v.string(),
  slug: v.optional(v.string()),
  pageId: v.optional(v.string()),
  blockId: v.optional(v.string()),
  blockType: v.optional(v.string()),
  path: v.optional(v.string()),
  itemId: v.optional(v.string()),
  value: v.optional(v.string()),
  fix: v.optional(Fix),
  fingerprint: v.string(),
  dismissed: v.boolean(),
  dismissedAt: v.optional(v.string()),
  note: v.optional(v.string()),
})
export type FindingDocument = v.InferOutput<typeof FindingDocument>

export const Report = v.object({
  session: v.string(),
  siteId: v.string(),
  version: v.number(),
  generatedAt: v.string(),
  status: v.picklist(['failed', 'warnings', 'passed']),
  summary: v.object({
    error: v.number(),
    warning: v.number(),
    info: v.number(),
    dismissed: v.number(),
    fixable: v.number(),
    pages: v.number(),
  }),
  findings: v.array(FindingDocument),
  truncated: v.boolean(),
})
export type Report = v.InferOutput<typeof Report>

export const Rules = v.object({
  rules: v.array(
    v.object({
      id: v.string(),
      category: v.string(),
      severity: v.picklist(severities),
      title: v.string(),
      fix: v.nullable(v.picklist(['auto', 'suggest'])),
      params: v.record(v.string(), v.union([v.number(), v.array(v.string())])),
    }),
  ),
})

export const Fixed = v.object({
  status: v.picklist(['applied', 'dry_run', 'no_effective_change']),
  applied: v.array(v.string()),
  skipped: v.array(v.object({ id: v.string(), reason: v.string() })),
  ops: v.array(v.unknown()),
  previewVersion: v.optional(v.number()),
  report: Report,
})
export type Fixed = v.InferOutput<typeof Fixed>

export const Dismissed = v.object({ ok: v.literal(true), findingId: v.string(), dismissed: v.boolean() })

export const Integration = v.object({
  results: v.array(
    v.object({ id: v.string(), ok: v.boolean(), severity: v.picklist(severities), reason: v.string() }),
  ),
})
export type Integration = v.InferOutput<typeof Integration>
