import * as v from 'valibot'
import { findJsonProblem } from '../../kernel/index.ts'
import { parseManifest } from '../content/manifest.ts'
import type { Manifest, Registry } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import { parseOperations } from '../content/operations/parse.ts'
import type { Committed } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import { exampleFor } from './example.ts'
import { invalidField, invalidOperations, tooManyOperations } from './refusals.ts'
import { SiteCapabilities, type Applied } from './schemas.ts'

/** Reads the operations of a request. Refuses what is none with 400 and an example, and more than `limit` with 413. */
export function readOperations(raw: unknown, id: DraftId, limit: number): readonly Operation[] {
  if (Array.isArray(raw) && raw.length > limit) throw tooManyOperations(limit)
  const parsed = parseOperations(raw)
  if (parsed.ok) return parsed.ops
  const missing = raw === undefined
  const message = missing ? 'ops is required: a list of at least one operation' : parsed.message
  throw invalidOperations(message, missing ? [{ path: 'ops', message }] : parsed.issues, exampleFor(id))
}

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

/** What the caller is told of an applied batch. */
export function toApplied({ previewVersion, results, notes }: Committed): Applied {
  if (!results) throw new Error('a batch of operations has no results')
  const { duplicatedPages, mentionedSlugs, skippedOps, fuzzyMatches, focusBlockId, updatedSlug, appliedCount } = results
  return {
    focusBlockId,
    updatedSlug,
    appliedCount,
    status: 'applied',
    summary: 'Changes applied.',
    changes: [],
    previewVersion,
    mentionedSlugs: [...mentionedSlugs],
    skippedOps: skippedOps.map((skip) => ({ ...skip })),
    fuzzyMatches: fuzzyMatches.map((match) => ({ ...match })),
    ...(duplicatedPages.length > 0 && { duplicatedPages: duplicatedPages.map(({ slug, blockIdMap }) => ({ slug, blockIdMap: { ...blockIdMap } })) }),
    notes: [...notes],
  }
}
