import { withoutEntries } from '../content/carry.ts'
import { nameToRemove } from '../content/read-pages.ts'
import { countsIn, summaryOf } from '../content/diff/index.ts'
import type { Compared } from './comparison.ts'
import { entriesNotFound, siteUnreadable } from './refusals.ts'

/**
 * Takes entries that cannot be read off the site, by their names: they are in no draft, so that only a publish that names
 * them deletes them. Refuses names without such an entry with 400 `entries_not_found`.
 */
export function withoutNamed(compared: Compared, names: readonly string[]): Compared {
  const { baseline, diff } = compared
  if (!baseline) throw siteUnreadable()
  const { site, removed } = withoutEntries(baseline, names)
  const there = new Set(removed.flatMap((entry) => nameToRemove(entry) ?? []))
  const missing = names.filter((name) => !there.has(name))
  if (missing.length > 0) throw entriesNotFound(missing)
  const entries = removed.map(({ slug }) => ({ slug, status: 'removed', changedFields: 0 }) as const)
  const [pages, shown] = [
    [...diff.pages, ...entries],
    [...diff.shown, ...entries],
  ]
  const summary = summaryOf([countsIn(shown)], diff.siteConfig)
  return { ...compared, baseline: site, removed: [...there], diff: { ...diff, pages, shown, summary } }
}
