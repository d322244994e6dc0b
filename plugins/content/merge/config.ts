import { memberPath } from '../diff/fields.ts'
import type { Props, SiteConfig } from '../model.ts'
import { definesHeader, headerOf, redirectsKey } from '../redirects.ts'
import type { ConflictPlace } from './conflict.ts'
import { isPlainObject } from '../plain-object.ts'
import { mergeMap, mergeProp, type Rules } from './props.ts'
import { each, type MergedValue, type Three } from './sides.ts'
import { mergeKeys } from './values.ts'

/** The keys of a site config that are merged by their own keys also where a side lacks them. */
const maps = ['navLabels', 'navGroups']

/**
 * Merges the site config by its keys, and objects in it by theirs. A side without a config has not changed it, nor has one
 * with redirects alone changed the header.
 *
 * The places have an empty slug, and the paths of the diff, such as `name`, `navLabels["/about"]` and `redirects["/about"]`.
 */
export function mergeConfig(
  { base, ours, theirs }: Three<SiteConfig | undefined>,
  rules: Rules,
): MergedValue<SiteConfig | undefined> {
  if (!theirs) return { merged: ours, base }
  const header = headerOf(base ?? ours)
  const whole = (side: SiteConfig): SiteConfig => (definesHeader(side) ? side : { ...header, ...side })
  const sides: Three<Props> = each({ base: base ?? {}, ours: ours ?? base ?? {}, theirs }, whole)
  const done = mergeKeys(sides, (name, values) => {
    if (name === redirectsKey && isPlainObject(values.ours) && isPlainObject(values.theirs))
      return mergeRedirects(values, rules)
    const place: ConflictPlace = { slug: '', path: pathOfSetting(name) }
    return maps.includes(name)
      ? mergeMap(place, values, rules, quoted)
      : mergeProp(place, values, undefined, rules)
  })
  return { merged: done.merged === sides.ours ? ours : done.merged, base: done.base }
}

/** Merges redirects by address. An empty list stays: without one, a site takes none. */
function mergeRedirects(values: Three<unknown>, rules: Rules): MergedValue<unknown> {
  const { merged = {}, base = {} } = mergeMap(
    { slug: '', path: pathOfSetting(redirectsKey) },
    values,
    rules,
    quoted,
  )
  return { merged, base }
}

/** Returns the path of a setting in the diff and in conflicts. */
export const pathOfSetting = (key: string): string => memberPath('', key === redirectsKey ? 'redirects' : key)

const quoted = (path: string, name: string) => `${path}[${JSON.stringify(name)}]`
