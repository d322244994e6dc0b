import type { SiteConfig } from '../content/page.ts'
import { redirectsKey } from '../content/redirects.ts'
import { isPlainObject, ownValue, picked, sameJson } from '../content/plain-object.ts'
import type { ConfigRecord } from './collections.ts'

/** The keys of a site config whose members are changed, and undone, one by one. */
const maps: ReadonlySet<string> = new Set(['navLabels', redirectsKey])

/** Whether the members of a key are settings of their own. */
export const isMap = (key: string): boolean => maps.has(key)

type SettingPath = Pick<ConfigRecord, 'key' | 'member'>

/** Returns the changes between two site configs. */
export const configRecords = (before: SiteConfig, after: SiteConfig): readonly ConfigRecord[] =>
  changedKeys(before, after).flatMap((key) => {
    const [old, now] = [before[key], after[key]]
    if (!isMap(key) || !isPlainObject(old) || !isPlainObject(now)) return [toRecord({ key }, old, now)]
    return changedKeys(old, now).map((member) =>
      toRecord({ key, member }, ownValue(old, member), ownValue(now, member)),
    )
  })

const changedKeys = (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !sameJson(ownValue(before, key), ownValue(after, key)),
  )

/** Returns a record without missing sides. */
const toRecord = (place: SettingPath, before: unknown, after: unknown): ConfigRecord => ({
  ...place,
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
})

/** Returns the place of a record in the site config. */
export const pathOf = ({ key, member }: SettingPath): readonly string[] =>
  member === undefined ? [key] : [key, member]

/** Returns the value of a site config at the place of a record. */
export function settingAt(config: SiteConfig, { key, member }: SettingPath): unknown {
  const value = ownValue(config, key)
  if (member === undefined) return value
  return isPlainObject(value) ? ownValue(value, member) : undefined
}

/** Returns a site config with another value at the place of a record; `undefined` removes what is there. */
export function withSetting(config: SiteConfig, { key, member }: SettingPath, value: unknown): SiteConfig {
  if (member === undefined) return withValue(config, key, value)
  const map = ownValue(config, key)
  return { ...config, [key]: withValue(isPlainObject(map) ? map : {}, member, value) }
}

const withValue = (object: Readonly<Record<string, unknown>>, name: string, value: unknown) =>
  value === undefined ? picked(object, (_value, each) => each !== name) : { ...object, [name]: value }

/** Returns the settings that records concern, before and after them. */
export function settingsIn(records: readonly ConfigRecord[]) {
  const side = (of: 'before' | 'after') =>
    records.reduce<SiteConfig>((config, record) => withSetting(config, record, record[of]), {})
  return { before: side('before'), after: side('after') }
}

/** Merges the records of two consecutive changes. */
export function joinedConfig(
  earlier: readonly ConfigRecord[],
  later: readonly ConfigRecord[],
): readonly ConfigRecord[] {
  const records = new Map(earlier.map((record) => [pathName(record), record]))
  for (const record of later) {
    const whole = record.member === undefined ? undefined : records.get(pathName({ key: record.key }))
    if (whole) {
      const { [record.key]: after } = withSetting({ [record.key]: whole.after }, record, record.after)
      records.set(pathName(whole), toRecord({ key: record.key }, whole.before, after))
      continue
    }
    let { before } = records.get(pathName(record)) ?? record
    if (record.member === undefined)
      for (const [name, member] of records) {
        if (member.key !== record.key || member.member === undefined) continue
        before = withSetting({ [record.key]: before }, member, member.before)[record.key]
        records.delete(name)
      }
    records.set(pathName(record), toRecord(placeOf(record), before, record.after))
  }
  return [...records.values()].filter(({ before, after }) => !sameJson(before, after))
}

const placeOf = ({ key, member }: SettingPath): SettingPath => ({
  key,
  ...(member !== undefined && { member }),
})
const pathName = ({ key, member }: SettingPath): string => JSON.stringify([key, member])
