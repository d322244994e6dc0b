import type { SiteConfig } from '../model.ts'
import { sameJson } from '../same-json.ts'
import { fieldDiff } from './fields.ts'
import type { FieldDiff, SiteConfigDiff } from './schema.ts'

/**
 * Compares what the two configs show in the header of the site: name, logo, menu labels and menu groups.
 *
 * All other keys never count, and the differences are sorted by path. A side without a config says nothing
 * about the header, so nothing has changed.
 */
export function diffSiteConfig(before: SiteConfig | undefined, after: SiteConfig | undefined): SiteConfigDiff {
  if (before === undefined || after === undefined) return { status: 'unchanged', fieldDiffs: [] }
  const [old, current] = [headerValues(before), headerValues(after)]
  const fieldDiffs: FieldDiff[] = []
  for (const path of [...new Set([...old.keys(), ...current.keys()])].toSorted(byCodePoint)) {
    const values = { before: old.get(path), after: current.get(path) }
    if (!sameJson(values.before, values.after)) fieldDiffs.push(fieldDiff(path, values, kindOf(path)))
  }
  return { status: statusOf(old.size, current.size, fieldDiffs.length), fieldDiffs }
}

/** The compared values of a config by their path, such as `navLabels["/about"]`. */
function headerValues({ name, logo, navLabels = {}, navGroups = {} }: SiteConfig): ReadonlyMap<string, unknown> {
  const entries: [path: string, value: unknown][] = [['name', name], ['logo', logo]]
  for (const [key, map] of Object.entries({ navLabels, navGroups })) {
    for (const [name, value] of Object.entries(map)) entries.push([`${key}[${JSON.stringify(name)}]`, value])
  }
  return new Map(entries.filter(([, value]) => value !== undefined))
}

function kindOf(path: string): FieldDiff['kind'] {
  if (path === 'logo') return 'image'
  return path === 'name' ? 'text' : 'other'
}

function statusOf(before: number, after: number, differences: number): SiteConfigDiff['status'] {
  if (differences === 0) return 'unchanged'
  if (before === 0) return 'added'
  return after === 0 ? 'removed' : 'modified'
}

/** Compares two texts by code point, the same on every machine and in every language. */
export function byCodePoint(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return (a.codePointAt(i) ?? 0) - (b.codePointAt(i) ?? 0)
  }
  return a.length - b.length
}
