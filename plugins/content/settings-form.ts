import { marked, withMarks, withoutExact } from './numbers.ts'
import type { SiteConfig } from './page.ts'
import { isPlainObject, mapValues, ownValue, picked, type PlainObject, sameJson } from './plain-object.ts'

/** The key of a site config in a draft for the settings that its site has in another form, as they are there. */
export const sourceKey = '$source'

const isText = (value: unknown): value is string => typeof value === 'string'

const textIn = (value: unknown) => (isText(value) ? value : undefined)
const listIn = (value: unknown) => (Array.isArray(value) ? value.filter(isText) : undefined)

/** Reads the members of a map that can be read; PHP writes an empty map as a list. */
const mapOf = (read: (value: unknown) => unknown) => (value: unknown) => {
  if (Array.isArray(value) && value.length === 0) return {}
  return isPlainObject(value) ? picked(mapValues(value, read), (each) => each !== undefined) : undefined
}

const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  name: textIn,
  logo: textIn,
  purpose: textIn,
  tone: textIn,
  constraints: listIn,
  navLabels: mapOf(textIn),
  navGroups: mapOf(listIn),
  themeOverrides: mapOf(textIn),
} satisfies Partial<Record<keyof SiteConfig, unknown>>

const readSetting = (name: string, value: unknown): unknown => {
  const read = ownValue(readers, name)
  return read ? read(value) : value
}

/**
 * Returns the settings of a site in the form of a draft: without what of a known key cannot be read, such as
 * `null`, which is beside them as the site has it. The same object if all of it can be read; settings
 * that are no object count as absent.
 */
export function settingsInDraftForm(config: unknown): SiteConfig | undefined {
  if (!isPlainObject(config)) return undefined
  const read = mapValues(config, (value, name) => readSetting(name, withoutExact(value)))
  const source = picked(config, (value, name) => !sameJson(value, read[name]))
  const isRead = Object.keys(source).length === 0
  const all = isRead ? config : { ...picked(read, isGiven), [sourceKey]: marked(source) }
  return isSettings(all) ? all : undefined
}

/**
 * Returns settings of a client without what is `null` in those that are known; PHP writes an empty map as a
 * list. What else is in another form stays, to be refused.
 */
export function withoutNullSettings(config: unknown): unknown {
  if (!isPlainObject(config)) return config ?? undefined
  const known = mapValues(config, (value, name) => {
    if (!Object.hasOwn(readers, name)) return value
    if (Array.isArray(value) && value.length > 0) return value.filter(isNoNull)
    return isPlainObject(value) ? picked(value, isNoNull) : (readSetting(name, value) ?? value)
  })
  return picked(known, (value, name) => value !== null || !Object.hasOwn(readers, name))
}

const isNoNull = (value: unknown): boolean => value !== null
const isGiven = (value: unknown): boolean => value !== undefined

/** Whether the settings have the form of a draft; what their site has beside them is of any form. */
const isSettings = (config: PlainObject): config is SiteConfig => isPlainObject(config)

/**
 * Returns the settings of a draft as their site has them: what cannot be read is as it was, unless the draft
 * has set another value. The same object if all of it could be read.
 */
export const settingsOfSite = (config: SiteConfig): SiteConfig => restored(config, (source) => source)

/** Returns settings as `settingsOfSite` does, as they are sent: with integers of all sizes. */
export const settingsToSend = (config: SiteConfig): SiteConfig => restored(config, withMarks)

function restored(config: SiteConfig, exact: (source: unknown) => unknown): SiteConfig {
  const { [sourceKey]: source, ...read } = config
  if (!isPlainObject(source)) return config
  const own = mapValues(source, (value, name) => settingOfSite(name, exact(value), ownValue(read, name)))
  const all = picked({ ...read, ...own }, isGiven)
  return isSettings(all) ? all : config
}

function settingOfSite(name: string, source: unknown, now: unknown): unknown {
  const read = readSetting(name, withoutExact(withMarks(source)))
  if (sameJson(read, now)) return source
  if (!isPlainObject(source) || !isPlainObject(read)) return now
  const own = isPlainObject(now) ? now : {}
  const staying = picked(source, (_value, member) => sameJson(ownValue(read, member), ownValue(own, member)))
  const all = { ...own, ...staying }
  return Object.keys(all).length > 0 ? all : now
}
