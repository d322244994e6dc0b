import type { Props, SiteConfig } from '../model.ts'
import {
  atPages,
  definesHeader,
  headerOf,
  redirectsKey,
  redirectsOf,
  settledRedirects,
} from '../redirects.ts'
import { withMarks } from '../numbers.ts'
import { settingsInDraftForm, settingsOfSite, sourceKey } from '../settings-form.ts'
import { type ConflictPlace, createLedger, type Taken } from './conflict.ts'
import { menusAfter, type PagesAt } from './menu.ts'
import { isPlainObject, memberPath, ownValue, picked, sameJson } from '../plain-object.ts'
import { mergeMap, mergeProp, type Rules } from './props.ts'
import { each, type MergedValue, type Three } from './sides.ts'
import { mergeKeys } from './values.ts'

/** The keys of a site config that are merged by their own keys also where a side lacks them. */
const maps = ['navLabels', 'navGroups']

const isMapOrAbsent = (value: unknown): boolean => value === undefined || isPlainObject(value)

/**
 * Merges the site config by its keys, and objects in it by theirs. A side without a config has not changed
 * it, nor has one with redirects alone changed the header.
 *
 * The places have an empty slug, and the paths of the diff, such as `name`, `navLabels["/about"]` and
 * `redirects["/about"]`.
 */
export function mergeConfig(
  { base, ours, theirs }: Three<SiteConfig | undefined>,
  rules: Rules,
  at: PagesAt = { slugs: [], renames: [], theirs: new Set() },
): MergedValue<SiteConfig | undefined> {
  if (!theirs) {
    const own = ours && menusAfter({ base: base ?? {}, ours, theirs: {} }, at).ours
    return { merged: sameJson(own, ours) ? ours : own, base }
  }
  if ([base, ours, theirs].some((side) => side?.[sourceKey] !== undefined)) {
    const sides = each({ base, ours, theirs }, (side) => side && settingsOfSite(side))
    const done = mergeConfig(sides, rules, at)
    const inForm = (merged: SiteConfig | undefined) =>
      merged === sides.ours ? ours : merged === sides.theirs ? theirs : settingsInDraftForm(withMarks(merged))
    return { merged: inForm(done.merged), base: done.base === sides.base ? base : inForm(done.base) }
  }
  const header = headerOf(base ?? ours)
  const whole = (side: SiteConfig): SiteConfig => (definesHeader(side) ? side : { ...header, ...side })
  const sides: Three<Props> = each({ base: base ?? {}, ours: ours ?? base ?? {}, theirs }, whole)
  const done = mergeKeys(menusAfter(sides, at), (name, values) => {
    if (name === redirectsKey && isPlainObject(values.ours) && isPlainObject(values.theirs))
      return mergeRedirects(values, rules, at.slugs)
    const place: ConflictPlace = { slug: '', path: pathOfSetting(name) }
    return maps.includes(name) && Object.values(values).every(isMapOrAbsent)
      ? mergeMap(place, values, rules, quoted)
      : mergeProp(place, values, undefined, rules)
  })
  return { merged: sameJson(done.merged, sides.ours) ? ours : done.merged, base: done.base }
}

/**
 * Merges redirects by address, and settles them: what both sides list may lead on from one to the other. A
 * page at an address ends its redirect, whatever the sides have there. An empty list stays: without one, a
 * site takes none.
 */
function mergeRedirects(
  values: Three<unknown>,
  rules: Rules,
  slugs: readonly string[],
): MergedValue<unknown> {
  const all = each(values, (side) => redirectsOf({ [redirectsKey]: side }) ?? {})
  const isAtPage = Object.keys(all.ours).length + Object.keys(all.theirs).length > 0 && atPages(slugs)
  if (!isAtPage) return { merged: values.ours, base: values.theirs }
  const path = pathOfSetting(redirectsKey)
  const free = each(all, (side) => picked(side, (_to, from) => !isAtPage(from)))
  const done = mergeMap({ slug: '', path }, free, rules, quoted)
  const before = redirectsOf({ [redirectsKey]: done.merged }) ?? {}
  const open = new Set(rules.ledger.conflicts.map((conflict) => conflict.path))
  // Of settings alone it is unknown which of them pages end.
  const merged =
    slugs.length > 0 ? settledRedirects(before, [], (from) => open.has(quoted(path, from))) : before
  for (const from of Object.keys({ ...all.ours, ...merged }))
    if (ownValue(merged, from) !== ownValue(before, from) || (from in all.ours && isAtPage(from)))
      rules.ledger.take({ slug: '', path: quoted(path, from) }, 'changed')
  return { merged: sameJson(merged, all.ours) ? values.ours : merged, base: done.base ?? {} }
}

/** Returns the places of the settings that a change of a site config has set. */
export function changedSettings(before: SiteConfig, after: SiteConfig): readonly Taken[] {
  const ledger = createLedger({})
  mergeConfig({ base: before, ours: before, theirs: after }, { ledger, draft: 'ours' })
  return ledger.taken
}

/** Returns the path of a setting in the diff and in conflicts. */
const pathOfSetting = (key: string): string => memberPath('', key === redirectsKey ? 'redirects' : key)

/** The place of the redirect from an address. */
export const placeOfRedirect = (from: string): ConflictPlace => ({
  slug: '',
  path: quoted(pathOfSetting(redirectsKey), from),
})

const quoted = (path: string, name: string) => `${path}[${JSON.stringify(name)}]`
