/** The changed settings of the site in words, and what takes each back. */
import { settingNames } from '../../../content/setting-names.ts'
import { call } from '../service.ts'
import type { Operation } from './place.ts'
import { titleOf, type Diff } from './review.ts'
import { draftId } from './site.ts'

export type SettingDiff = Diff['siteConfig']['fieldDiffs'][number]

const names: Readonly<Record<string, string>> = settingNames

/** The part of a setting that a path such as `navLabels["/faq"]` names. */
function partOf(path: string) {
  const [, list = '', key] = /^(navLabels|navGroups|redirects)\[(".*")\]$/s.exec(path) ?? []
  return key === undefined ? undefined : { list, key: String(JSON.parse(key)) }
}

/** The name of a setting, such as `Group in the menu “What we do”`. */
export function nameOfSetting({ path }: Pick<SettingDiff, 'path'>): string {
  const part = partOf(path)
  if (!part) return names[path] ?? path
  if (part.list === 'redirects') return `Old address ${part.key}`
  return part.list === 'navGroups'
    ? `Group in the menu “${part.key}”`
    : `Name in the menu of “${titleOf(part.key)}”`
}

/** A value of a setting; a group lists the titles of its pages. */
export const wordsOfSetting = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((slug) => titleOf(String(slug))) : value

/** Whether a setting can be as before: a name and a logo can be changed, but not taken away. */
export const isRevertible = ({ path, before }: SettingDiff): boolean =>
  before !== undefined || partOf(path) !== undefined

/** The operation that makes a setting as before. Groups are stored all at once. */
export async function reverting({ path, before }: SettingDiff): Promise<Operation> {
  const part = partOf(path)
  const change = (patch: object): Operation => ({ op: 'update_site_config', pageSlug: undefined, patch })
  if (!part) return change({ [path]: before })
  if (part.list !== 'navGroups') return change({ [part.list]: { [part.key]: before ?? '' } })
  const { navGroups } = await call('GET /draft/site-config', { query: draftId.value })
  const others = Object.entries(navGroups ?? {}).filter(([name]) => name !== part.key)
  const own = before === undefined ? [] : [[part.key, before] as const]
  return change({ navGroups: Object.fromEntries([...others, ...own]) })
}
