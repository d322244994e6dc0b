import { createHash } from 'node:crypto'
import { isInternal } from '../../content/fields.ts'
import type { Operation } from '../../content/operations/index.ts'

export const severities = ['error', 'warning', 'info'] as const

export type Severity = (typeof severities)[number]

/** Where in a draft something was found; a finding about the whole site has no page. */
export interface Place {
  readonly slug?: string | undefined
  readonly pageId?: string | undefined
  readonly blockId?: string | undefined
  readonly blockType?: string | undefined
  /** As editable paths are written: `cards[2].imageAlt`, `meta.title`. */
  readonly path?: string | undefined
  /** The same with the ids of rows in place of their positions. */
  readonly stablePath?: string | undefined
  readonly itemId?: string | undefined
  /** The position of the block on its page; what has none comes first. */
  readonly blockIndex?: number | undefined
}

/** How a finding can be put right. */
export type Fix = { readonly label: string; readonly candidates?: readonly string[] } & (
  | { readonly kind: 'auto' | 'suggest'; readonly ops: readonly Operation[] }
  /** It takes a text of the caller. */
  | { readonly kind: 'suggest'; readonly write: (text: string) => Operation }
)

/** Makes the operation that gives one field another value; `null` takes an optional one away. */
export type Write = (value: unknown) => Operation

/** The fix that writes a value; `undefined` where the field cannot be written. */
export const writes = (kind: Fix['kind'], label: string, write: Write | undefined, value: unknown): Fix | undefined =>
  write && { kind, label, ops: [write(value)] }

/** The fix that writes a text of the caller; `undefined` where the field cannot be written. */
export const takesText = (label: string, write: Write | undefined, candidates?: readonly string[]): Fix | undefined =>
  write && { kind: 'suggest', label, write, ...(candidates && { candidates }) }

/** What a rule found. */
export interface Found {
  readonly at: Place
  /** One sentence for people, without markup. */
  readonly message: string
  /** The value that is wrong; a dismissal lapses when it changes. */
  readonly value?: unknown
  /** Tells findings of one rule at one place apart. */
  readonly of?: string
  readonly fix?: Fix | undefined
}

/** What a rule found, with an id that stays the same while the place does. */
export interface Finding {
  readonly id: string
  readonly rule: string
  readonly severity: Severity
  readonly message: string
  readonly at: Place
  readonly fix: Fix | undefined
  /** For people; at most 120 characters. */
  readonly value: string | undefined
  /** Of the whole value. */
  readonly fingerprint: string
}

const hash = (text: string, length: number): string => createHash('sha256').update(text).digest('hex').slice(0, length)

export function toFinding(rule: string, severity: Severity, { at, message, value, of = '', fix }: Found): Finding {
  const place = [rule, at.pageId ?? at.slug ?? '', at.blockId ?? '', at.stablePath ?? at.path ?? '', of]
  const isLong = fix && 'ops' in fix && JSON.stringify(fix.ops).length > longestFix
  return {
    id: `chk_${hash(place.join('\n'), 16)}`,
    rule,
    severity,
    message,
    at,
    fix: isLong ? undefined : fix,
    value: excerpt(value),
    fingerprint: hash(JSON.stringify(value ?? null), 12),
  }
}

/** A longer fix is left to people, so that a report of 2,000 findings stays one that can be sent. */
const longestFix = 16 * 1024

function excerpt(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const text = typeof value === 'string' ? value : JSON.stringify(value, (name, inner: unknown) => (isInternal(name) ? undefined : inner))
  return Array.from(text.slice(0, 480)).slice(0, 120).join('')
}

/** Within one page: by block, path and rule. */
export const byPlace = (a: Finding, b: Finding): number =>
  (a.at.blockIndex ?? -1) - (b.at.blockIndex ?? -1) || compare(a.at.path ?? '', b.at.path ?? '') || compare(a.rule, b.rule)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The same for findings of pages in this order, after those of the site itself. */
export function byPageAndPlace(slugs: readonly string[]): typeof byPlace {
  const order = new Map<string | undefined, number>(slugs.map((slug, index) => [slug, index]))
  return (a, b) => (order.get(a.at.slug) ?? -1) - (order.get(b.at.slug) ?? -1) || byPlace(a, b)
}

/** Makes what gives findings that share an id ids of their own, in their order. */
export function ownIds(): (finding: Finding) => Finding {
  const seen = new Map<string, number>()
  return (finding) => {
    const times = (seen.get(finding.id) ?? 0) + 1
    seen.set(finding.id, times)
    return times === 1 ? finding : { ...finding, id: `${finding.id}-${times}` }
  }
}
