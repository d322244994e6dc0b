import * as v from 'valibot'
import { mapValues, picked } from '../../../content/plain-object.ts'
import { createCmsClient, required, valueAt, type Variables } from './client.ts'
import {
  cmsContent,
  documentType,
  type CmsContent,
  type CmsContentOptions,
  type CmsDocument,
} from './content.ts'
import type { CmsEntry } from './entries.ts'

const Entries = v.object({ total: v.number(), items: v.array(v.unknown()) })
const Entry = v.object({ sys: v.object({ id: v.string(), version: v.number() }) })

/** The maximum number of entries in one answer of the delivery API. */
const most = 1000

/**
 * The content of a site in Contentful, in published entries of the content type `editorDocument` (key, title:
 * short text, position: integer, document: JSON object).
 *
 * Reads `CONTENTFUL_SPACE_ID`, `CONTENTFUL_ENVIRONMENT` (`master` by default), `CONTENTFUL_DELIVERY_TOKEN`;
 * for publishing `CONTENTFUL_MANAGEMENT_TOKEN` and `CONTENTFUL_LOCALE` (`en-US` by default); for other
 * addresses `CONTENTFUL_BASE_URL` and `CONTENTFUL_MANAGEMENT_URL`. A missing variable is an Error on use.
 */
export function contentfulContent(variables: Variables, options: CmsContentOptions = {}): CmsContent {
  const delivery = createCmsClient('Contentful', variables['CONTENTFUL_DELIVERY_TOKEN'], options)
  const management = createCmsClient('Contentful', variables['CONTENTFUL_MANAGEMENT_TOKEN'], options)
  const locale = variables['CONTENTFUL_LOCALE'] ?? 'en-US'
  const entriesAt = (root: string): string => {
    const space = encodeURIComponent(required(variables, 'CONTENTFUL_SPACE_ID'))
    const environment = encodeURIComponent(variables['CONTENTFUL_ENVIRONMENT'] ?? 'master')
    return `${root}/spaces/${space}/environments/${environment}/entries`
  }
  const managed = (id = ''): string => {
    required(variables, 'CONTENTFUL_MANAGEMENT_TOKEN')
    const entries = entriesAt(variables['CONTENTFUL_MANAGEMENT_URL'] ?? 'https://api.contentful.com')
    return id === '' ? entries : `${entries}/${encodeURIComponent(id)}`
  }
  const body = ({ key, title, position, document }: CmsDocument) => ({
    fields: mapValues(
      picked<unknown>({ key, title, position, document }, (value) => value !== undefined),
      (value) => ({ [locale]: value }),
    ),
  })
  const at = (version: number) =>
    ({ method: 'PUT', headers: { 'x-contentful-version': String(version) } }) as const
  const publish = ({ sys: { id, version } }: v.InferOutput<typeof Entry>): Promise<unknown> =>
    management(v.unknown(), `${managed(id)}/published`, at(version))
  return cmsContent(
    {
      name: 'Contentful',
      async read() {
        const entries: CmsEntry[] = []
        for (;;) {
          const page = { limit: String(most), skip: String(entries.length), order: 'sys.id' }
          const search = new URLSearchParams({ content_type: documentType, ...page })
          const root = variables['CONTENTFUL_BASE_URL'] ?? 'https://cdn.contentful.com'
          const { items, total } = await delivery(Entries, `${entriesAt(root)}?${search}`)
          entries.push(
            ...items.map((item) => ({
              id: valueAt(valueAt(item, 'sys'), 'id'),
              fields: valueAt(item, 'fields'),
            })),
          )
          if (items.length === 0 || entries.length >= total) return entries
        }
      },
      async write({ created, updated, removed }) {
        for (const document of created) {
          const headers = { 'x-contentful-content-type': documentType }
          await publish(await management(Entry, managed(), { method: 'POST', headers, json: body(document) }))
        }
        for (const record of updated) {
          const { sys } = await management(Entry, managed(record.id))
          await publish(
            await management(Entry, managed(record.id), { ...at(sys.version), json: body(record) }),
          )
        }
        for (const { id } of removed) {
          await management(v.unknown(), `${managed(id)}/published`, { method: 'DELETE' })
          await management(v.unknown(), managed(id), { method: 'DELETE' })
        }
      },
    },
    options,
  )
}
