import * as v from 'valibot'
import { askCms, required, type Variables } from './ask.ts'
import { cmsContent, documentType, type CmsContent, type CmsContentOptions, type CmsDocument, type CmsRecord } from './content.ts'

const Entries = v.object({
  total: v.number(),
  items: v.array(v.object({ sys: v.object({ id: v.string() }), fields: v.object({ key: v.string(), title: v.string(), position: v.number(), document: v.unknown() }) })),
})
const Entry = v.object({ sys: v.object({ id: v.string(), version: v.number() }) })

/** Entries in one answer of the delivery API. */
const most = 1000

/**
 * The content of a site in Contentful, in published entries of the content type `editorDocument` (key, title: short text,
 * position: integer, document: JSON object).
 *
 * Reads `CONTENTFUL_SPACE_ID`, `CONTENTFUL_ENVIRONMENT` (`master` without it), `CONTENTFUL_DELIVERY_TOKEN`, for a publish
 * `CONTENTFUL_MANAGEMENT_TOKEN` and `CONTENTFUL_LOCALE` (`en-US` without it), and for other addresses `CONTENTFUL_BASE_URL`
 * and `CONTENTFUL_MANAGEMENT_URL`. A missing variable is an Error when content is read or published.
 */
export function contentfulContent(variables: Variables, options: CmsContentOptions = {}): CmsContent {
  const delivery = askCms('Contentful', variables['CONTENTFUL_DELIVERY_TOKEN'], options)
  const management = askCms('Contentful', variables['CONTENTFUL_MANAGEMENT_TOKEN'], options)
  const locale = variables['CONTENTFUL_LOCALE'] ?? 'en-US'
  const entriesAt = (root: string): string => {
    const [space, environment] = [required(variables, 'CONTENTFUL_SPACE_ID'), variables['CONTENTFUL_ENVIRONMENT'] ?? 'master'].map(encodeURIComponent)
    return `${root}/spaces/${space}/environments/${environment}/entries`
  }
  const managed = (id = ''): string => {
    required(variables, 'CONTENTFUL_MANAGEMENT_TOKEN')
    return `${entriesAt(variables['CONTENTFUL_MANAGEMENT_URL'] ?? 'https://api.contentful.com')}${id && `/${encodeURIComponent(id)}`}`
  }
  const body = ({ key, title, position, document }: CmsDocument) => ({
    fields: Object.fromEntries(Object.entries({ key, title, position, document }).map(([name, value]) => [name, { [locale]: value }])),
  })
  const publish = async ({ sys: { id, version } }: v.InferOutput<typeof Entry>): Promise<void> => {
    await management(v.unknown(), `${managed(id)}/published`, { method: 'PUT', headers: { 'x-contentful-version': String(version) } })
  }
  return cmsContent({
    name: 'Contentful',
    async read() {
      const records: CmsRecord[] = []
      for (;;) {
        const search = new URLSearchParams({ content_type: documentType, limit: String(most), skip: String(records.length), order: 'sys.id' })
        const { items, total } = await delivery(Entries, `${entriesAt(variables['CONTENTFUL_BASE_URL'] ?? 'https://cdn.contentful.com')}?${search}`)
        records.push(...items.map(({ sys, fields }) => ({ id: sys.id, ...fields })))
        if (items.length === 0 || records.length >= total) return records
      }
    },
    async write({ created, updated, removed }) {
      for (const document of created) await publish(await management(Entry, managed(), { method: 'POST', headers: { 'x-contentful-content-type': documentType }, json: body(document) }))
      for (const record of updated) {
        const { sys } = await management(Entry, managed(record.id))
        await publish(await management(Entry, managed(record.id), { method: 'PUT', headers: { 'x-contentful-version': String(sys.version) }, json: body(record) }))
      }
      for (const { id } of removed) {
        await management(v.unknown(), `${managed(id)}/published`, { method: 'DELETE' })
        await management(v.unknown(), managed(id), { method: 'DELETE' })
      }
    },
  }, options)
}
