/** The changed settings of the site in words, and what takes each back. */
import { memberAt, settingNames } from '../../../content/setting-names.ts'
import { call } from '../service.ts'
import type { Operation } from './place.ts'
import { titleOf, type Diff } from './review.ts'
import { draftId } from './site.ts'

export type SettingDiff = Diff['siteConfig']['fieldDiffs'][number]

const names: Readonly<Record<string, string>> = settingNames

/** The name of a setting, such as `Group in the menu “What we do”`. */
export function nameOfSetting({ path }: Pick<SettingDiff, 'path'>): string {
  const member = memberAt(path)
  if (!member) return names[path] ?? path
  if (member.setting === 'redirects') return `Old address ${member.name}`
  return member.setting === 'navGroups'
    ? `Group in the menu “${member.name}”`
    : `Name in the menu of “${titleOf(member.name)}”`
}

/** A value of a setting; a group lists the titles of its pages. */
export const wordsOfSetting = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((slug) => titleOf(String(slug))) : value

/** Whether a setting can be as before: a name and a logo can be changed, but not taken away. */
export const isRevertible = ({ path, before }: SettingDiff): boolean =>
  before !== undefined || memberAt(path) !== undefined

/** The operation that makes a setting as before. Groups are stored all at once. */
export async function reverting({ path, before }: SettingDiff): Promise<Operation> {
  const member = memberAt(path)
  const change = (patch: object): Operation => ({ op: 'update_site_config', pageSlug: undefined, patch })
  if (!member) return change({ [path]: before })
  const { setting, name } = member
  if (setting !== 'navGroups') return change({ [setting]: { [name]: before ?? '' } })
  const { navGroups } = await call('GET /draft/site-config', { query: draftId.value })
  const others = Object.entries(navGroups ?? {}).filter(([each]) => each !== name)
  const own = before === undefined ? [] : [[name, before] as const]
  return change({ navGroups: Object.fromEntries([...others, ...own]) })
}
