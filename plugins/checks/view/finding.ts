import { createHash } from 'node:crypto'
import { isInternal } from '../../content/fields.ts'
import type { Operation } from '../../content/operations/index.ts'
import { findingId, type IdParts } from '../dismissals/port.ts'

export const severities = ['error', 'warning', 'info'] as const

export type Severity = (typeof severities)[number]

/** The place of a finding; a finding about the site itself has no page. */
export interface Place {
  readonly slug?: string | undefined
  readonly pageId?: string | undefined
  readonly blockId?: string | undefined
  readonly blockType?: string | undefined
  /** An editable path: `cards[2].imageAlt`, `meta.title`. */
  readonly path?: string | undefined
  /** The path with row ids instead of positions. */
  readonly stablePath?: string | undefined
  readonly itemId?: string | undefined
  /** The position of the block on its page. */
  readonly blockIndex?: number | undefined
}

/** A way to fix a finding. */
export type Fix = { readonly label: string; readonly candidates?: readonly string[] } & (
  | { readonly kind: 'auto' | 'suggest'; readonly ops: readonly Operation[] }
  /** Needs a text from the caller. */
  | { readonly kind: 'suggest'; readonly write: (text: string) => Operation }
)

/** Creates the operation that writes a field; `null` removes an optional value. */
export type Write = (value: unknown) => Operation

/** Returns a fix that writes a value; `undefined` if the field cannot be written. */
export const writes = (
  kind: Fix['kind'],
  label: string,
  write: Write | undefined,
  value: unknown,
): Fix | undefined => write && { kind, label, ops: [write(value)] }

/** Returns a fix that writes a text of the caller; `undefined` if the field cannot be written. */
export const takesText = (
  label: string,
  write: Write | undefined,
  candidates?: readonly string[],
): Fix | undefined => write && { kind: 'suggest', label, write, ...(candidates && { candidates }) }

/** A match of a rule. */
export interface Found {
  readonly at: Place
  /** One sentence for people, without markup. */
  readonly message: string
  /** The offending value; a dismissal lapses when it changes. */
  readonly value?: unknown
  /** Distinguishes findings of one rule at the same place. */
  readonly of?: string
  readonly fix?: Fix | undefined
}

/** A finding. Its id depends only on the rule and the place. */
export interface Finding {
  readonly id: string
  readonly parts: IdParts
  readonly rule: string
  readonly severity: Severity
  readonly message: string
  readonly at: Place
  readonly fix: Fix | undefined
  /** An excerpt of at most 120 characters. */
  readonly value: string | undefined
  /** The fingerprint of the complete value. */
  readonly fingerprint: string
}

const fingerprintOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex')
    .slice(0, 12)

export function toFinding(
  rule: string,
  severity: Severity,
  { at, message, value, of = '', fix }: Found,
): Finding {
  const { slug = '', pageId = slug, blockId = '', path = '', stablePath = path } = at
  const parts = { rule, pageId, blockId, path: stablePath, of }
  const isLong = fix && 'ops' in fix && JSON.stringify(fix.ops).length > maxFixCharacters
  return {
    id: findingId(parts),
    parts,
    rule,
    severity,
    message,
    at,
    fix: isLong ? undefined : fix,
    value: excerpt(value),
    fingerprint: fingerprintOf(value),
  }
}

/** The maximum size of a fix; larger ones are omitted, which limits the size of reports. */
const maxFixCharacters = 16 * 1024

function excerpt(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const text =
    typeof value === 'string'
      ? value
      : JSON.stringify(value, (name, inner: unknown) => (isInternal(name) ? undefined : inner))
  return Array.from(text.slice(0, 480)).slice(0, 120).join('')
}

/** Orders the findings of one page by block, path and rule. */
export const byPlace = (a: Finding, b: Finding): number =>
  (a.at.blockIndex ?? -1) - (b.at.blockIndex ?? -1) ||
  compare(a.at.path ?? '', b.at.path ?? '') ||
  compare(a.rule, b.rule)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Orders findings of the site itself first, then those of pages in the given order. */
export function byPageAndPlace(slugs: readonly string[]): typeof byPlace {
  const order = new Map<string | undefined, number>(slugs.map((slug, index) => [slug, index]))
  return (a, b) => (order.get(a.at.slug) ?? -1) - (order.get(b.at.slug) ?? -1) || byPlace(a, b)
}

/** Creates a function that makes duplicate ids of findings unique. */
export function uniqueIds(): (finding: Finding) => Finding {
  const seen = new Map<string, number>()
  return (finding) => {
    const times = (seen.get(finding.id) ?? 0) + 1
    seen.set(finding.id, times)
    return times === 1 ? finding : { ...finding, id: `${finding.id}-${times}` }
  }
}
