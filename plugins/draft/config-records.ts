import type { SiteConfig } from '../content/page.ts'
import { redirectsKey } from '../content/redirects.ts'
import { isPlainObject, ownValue, sameJson } from '../content/plain-object.ts'
import type { ConfigRecord } from './collections.ts'

/** The keys of a site config whose members are changed, and undone, one by one. */
const maps: ReadonlySet<string> = new Set(['navLabels', redirectsKey])

/** Whether the members of a key are settings of their own. */
export const isMap = (key: string): boolean => maps.has(key)

type SettingPath = Pick<ConfigRecord, 'key' | 'member'>
type Side = 'before' | 'after'

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

/** Creates a copy of a site config that is changed setting by setting; each map in it is copied once. */
export function configEdit(before: SiteConfig) {
  let config: Record<string, unknown> | undefined
  const maps = new Map<string, Record<string, unknown>>()
  /** Sets the value at the place of a record to that of one side; `undefined` removes what is there. */
  function set({ key, member, ...sides }: ConfigRecord, side: Side): void {
    config ??= { ...before }
    if (member === undefined) maps.delete(key)
    if (member === undefined) return setIn(config, key, sides[side])
    const former = ownValue(config, key)
    const map = maps.get(key) ?? (isPlainObject(former) ? { ...former } : {})
    maps.set(key, map)
    config[key] = map
    setIn(map, member, sides[side])
  }
  return {
    set,
    /**
     * Sets a value that is as on either side of a record to that of one side; returns false for another
     * value.
     */
    turn(record: ConfigRecord, to: Side): boolean {
      const value = ownValue(config ?? before, record.key)
      const map = isPlainObject(value) ? value : {}
      const now = record.member === undefined ? value : ownValue(map, record.member)
      if (sameJson(now, record[to])) return true
      const isOther = sameJson(now, record[to === 'before' ? 'after' : 'before'])
      if (isOther) set(record, to)
      return isOther
    },
    /** The same object as before if nothing was set. */
    result: (): SiteConfig => config ?? before,
  }
}

function setIn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) delete object[name]
  else object[name] = value
}

/** Returns a site config with what records have on one side. */
export function withSettings(config: SiteConfig, records: readonly ConfigRecord[], side: Side) {
  const edit = configEdit(config)
  for (const record of records) edit.set(record, side)
  return edit.result()
}

/** Returns the settings that records concern, before and after them. */
export const settingsIn = (records: readonly ConfigRecord[]) => ({
  before: withSettings({}, records, 'before'),
  after: withSettings({}, records, 'after'),
})
