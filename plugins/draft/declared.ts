/** What a request declares about the website that a draft belongs to. */
import * as v from 'valibot'
import { findJsonProblem } from '../../kernel/index.ts'
import { parseManifest } from '../content/manifest.ts'
import type { Manifest, Registry } from '../content/model.ts'
import { invalidField } from './refusals.ts'

export const SiteCapabilities = v.pipe(
  v.object({
    allowStructuralEdits: v.boolean(),
    manifestStatus: v.picklist(['loading', 'ready', 'degraded']),
    checkedAt: v.string(),
    reason: v.optional(v.string()),
    manifestVersion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    blockCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  }),
  v.title('SiteCapabilities'),
  v.description('What the site in the editor can do at the moment.'),
)

/** Reads the block types that a site declares, sent as an object or as JSON text. Blank counts as none. */
export function readManifest(raw: unknown, registry: Registry): Manifest | undefined {
  if (raw === undefined || raw === '') return undefined
  if (raw === null) throw invalidField('componentsManifest', 'leave it out where there is none')
  const verdict = parseManifest(fromText('componentsManifest', raw), registry)
  if (!verdict.ok) throw invalidField(['componentsManifest', verdict.path].filter(Boolean).join('.'), verdict.problem)
  return verdict.manifest
}

/** Reads whether the site allows structural edits; `undefined` where the request does not say. */
export function readCapabilities(raw: unknown): boolean | undefined {
  if (raw === undefined || raw === '') return undefined
  const parsed = v.safeParse(SiteCapabilities, fromText('siteCapabilities', raw))
  if (parsed.success) return parsed.output.allowStructuralEdits
  const [issue] = parsed.issues
  throw invalidField(['siteCapabilities', v.getDotPath(issue)].filter(Boolean).join('.'), `expected ${issue.expected}`)
}

function fromText(field: string, raw: unknown): unknown {
  if (typeof raw !== 'string') return raw
  const value = parsed(field, raw)
  const problem = findJsonProblem(value)
  if (problem !== undefined) throw invalidField(field, problem)
  return value
}

function parsed(field: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalidField(field, 'this text is not JSON')
  }
}
