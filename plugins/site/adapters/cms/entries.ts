import type { SiteContent } from '../../../content/adapter.ts'
import { toBaseline } from '../../../content/baseline.ts'
import { isPlainObject, ownValue } from '../../../content/plain-object.ts'
import { placed, type Unreadable } from '../../../content/read-pages.ts'

/** An entry of a CMS as it came: nothing in it is checked. */
export interface CmsEntry {
  readonly id: unknown
  /** `key`, `position` and `document`, each of which may be missing or of another type. */
  readonly fields: unknown
}

/** An entry that is of the site: by its key, or because it cannot be read. */
export interface CmsRecord {
  /** Empty if the CMS gave none: such an entry is never written. */
  readonly id: string
  readonly key: string | undefined
  readonly position: number | undefined
  readonly document: unknown
}

/** What the entries of a CMS are read as. */
export interface ReadEntries {
  readonly content: SiteContent
  /** The entries of the pages by slug, in their order. */
  readonly pages: ReadonlyMap<string, CmsRecord>
  readonly settings: CmsRecord | undefined
  /** The entries that cannot be read. */
  readonly unreadable: ReadonlyMap<Unreadable, CmsRecord>
}

export const pagePrefix = 'page:'
export const configKey = 'site-config'

/**
 * Reads the entries of a CMS, in the order of their positions; those without one are last. One that cannot be
 * read is listed in `unreadable`, and costs no other. Entries with other keys are not of the site.
 */
export function readEntries(entries: readonly CmsEntry[]): ReadEntries {
  const records = entries
    .map(recordOf)
    .filter(({ key }) => key === undefined || key === configKey || key.startsWith(pagePrefix))
    .toSorted((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity))
  const faulty = new Map<Unreadable, CmsRecord>()
  const usable = records.filter((record, at) => {
    const fault = faultOf(record)
    if (fault !== undefined) faulty.set(unreadableOf(record, at, fault), record)
    return fault === undefined
  })
  const settings = usable.find(({ key }) => key === configKey)
  const documents = usable.filter(({ key }) => key !== configKey)
  const read = toBaseline({
    pages: documents.map(({ document }) => document),
    siteConfig: settings?.document,
  }) ?? { pages: [] }
  const found = new Map(read.unreadable?.map((each) => [each.raw, each]))
  const pages = new Map<string, CmsRecord>()
  const slugs = read.pages.values()
  for (const record of documents) {
    const each = found.get(record.document)
    if (each) faulty.set(named(each, record), record)
    else pages.set(slugs.next().value?.slug ?? '', record)
  }
  const unreadable = [...faulty.keys()]
  const content = { ...read, ...(unreadable.length > 0 && { unreadable }) }
  return { content, pages, settings, unreadable: faulty }
}

function recordOf({ id, fields: given }: CmsEntry): CmsRecord {
  const fields = isPlainObject(given) ? given : {}
  const [key, position] = [ownValue(fields, 'key'), ownValue(fields, 'position')]
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    key: typeof key === 'string' && key !== '' ? key : undefined,
    position: typeof position === 'number' ? position : undefined,
    document: ownValue(fields, 'document'),
  }
}

/** Says why an entry cannot be read; `undefined` if its document may be. */
function faultOf({ id, key, document }: CmsRecord): string | undefined {
  if (key === undefined) return 'its entry has no key'
  if (id === '') return 'its entry has no id'
  if (document === undefined || document === null || document === '') return 'its entry has no document'
  if (!isPlainObject(document)) return 'its document is not a JSON object'
  return key === configKey && !isSettings(document) ? 'its settings are of another form' : undefined
}

function isSettings(siteConfig: unknown): boolean {
  try {
    return toBaseline({ pages: [], siteConfig }) !== undefined
  } catch {
    return false
  }
}

const slugIn = ({ key = '' }: CmsRecord): string =>
  key.startsWith(pagePrefix) ? key.slice(pagePrefix.length) : key

const unreadableOf = (record: CmsRecord, at: number, reason: string): Unreadable => {
  const slug = slugIn(record)
  return slug === '' ? placed(at, record, reason) : { slug, reason }
}

/** Returns an entry by the slug of its key if its document has none: a page there would have the same key. */
function named(entry: Unreadable, record: CmsRecord): Unreadable {
  const { name, ...rest } = entry
  const slug = slugIn(record)
  return name === undefined || slug === '' ? entry : { ...rest, slug }
}
