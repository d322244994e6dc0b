import * as v from 'valibot'
import { createCmsClient, required, valueAt, type Variables } from './client.ts'
import { cmsContent, type CmsContent, type CmsContentOptions, type CmsDocument } from './content.ts'
import type { CmsEntry } from './entries.ts'

const Entries = v.object({
  data: v.array(v.unknown()),
  meta: v.object({ pagination: v.object({ pageCount: v.number() }) }),
})

/**
 * The content of a site in Strapi 5, in published entries of the collection type `editor-document` (key,
 * title: text, position: integer, document: JSON).
 *
 * Reads `STRAPI_URL` and `STRAPI_TOKEN`. A missing variable is an Error when content is read or published.
 */
export function strapiContent(variables: Variables, options: CmsContentOptions = {}): CmsContent {
  const ask = createCmsClient('Strapi', variables['STRAPI_TOKEN'], options)
  const addressOf = (id = ''): string =>
    `${required(variables, 'STRAPI_URL').replace(/\/$/, '')}/api/editor-documents${id && `/${encodeURIComponent(id)}`}`
  const body = ({ key, title, position, document }: CmsDocument) => ({
    data: { key, title, position, document },
  })
  return cmsContent(
    {
      name: 'Strapi',
      async read() {
        const entries: CmsEntry[] = []
        for (let page = 1; ; page += 1) {
          const search = new URLSearchParams({
            'pagination[page]': String(page),
            'pagination[pageSize]': '100',
            sort: 'key',
            status: 'published',
          })
          const { data, meta } = await ask(Entries, `${addressOf()}?${search}`)
          entries.push(...data.map((fields) => ({ id: valueAt(fields, 'documentId'), fields })))
          if (page >= meta.pagination.pageCount) return entries
        }
      },
      async write({ created, updated, removed }) {
        for (const document of created)
          await ask(v.unknown(), `${addressOf()}?status=published`, { method: 'POST', json: body(document) })
        for (const record of updated)
          await ask(v.unknown(), `${addressOf(record.id)}?status=published`, {
            method: 'PUT',
            json: body(record),
          })
        for (const { id } of removed) await ask(v.unknown(), addressOf(id), { method: 'DELETE' })
      },
    },
    options,
  )
}
