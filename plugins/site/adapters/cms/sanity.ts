import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { parseExactly } from '../../../content/numbers.ts'
import { isPlainObject, parsedJson } from '../../../content/plain-object.ts'
import { createCmsClient, required, valueAt, type Variables } from './client.ts'
import {
  cmsContent,
  documentType,
  type CmsContent,
  type CmsContentOptions,
  type CmsDocument,
} from './content.ts'

const Result = v.object({ result: v.array(v.unknown()) })

const query = `*[_type == "${documentType}"]{"id": _id, key, title, position, document}`

/**
 * The content of a site in Sanity, in published documents of the type `editorDocument` (key, title: string,
 * position: number, document: text). A publish is one transaction.
 *
 * Reads `SANITY_PROJECT_ID`, `SANITY_DATASET` (`production` by default), `SANITY_API_TOKEN` and, for another
 * address, `SANITY_API_URL`. A missing variable is an Error when content is read or published.
 */
export function sanityContent(variables: Variables, options: CmsContentOptions = {}): CmsContent {
  const ask = createCmsClient('Sanity', variables['SANITY_API_TOKEN'], options)
  const addressOf = (what: string): string => {
    const dataset = encodeURIComponent(variables['SANITY_DATASET'] ?? 'production')
    const root =
      variables['SANITY_API_URL'] ??
      `https://${encodeURIComponent(required(variables, 'SANITY_PROJECT_ID'))}.api.sanity.io`
    return `${root}/v2025-02-19/data/${what}/${dataset}`
  }
  const put = (id: string, { key, title, position, document }: CmsDocument) => ({
    createOrReplace: {
      _id: id,
      _type: documentType,
      key,
      title,
      position,
      document: JSON.stringify(document),
    },
  })
  return cmsContent(
    {
      name: 'Sanity',
      async read() {
        const search = new URLSearchParams({ query, perspective: 'published' })
        const { result } = await ask(Result, `${addressOf('query')}?${search}`)
        return result.map((fields) => ({ id: valueAt(fields, 'id'), fields: withDocument(fields) }))
      },
      async write({ created, updated, removed }) {
        const mutations = [
          ...created.map((document) => put(idOf(document), document)),
          ...updated.map((record) => put(record.id, record)),
          ...removed.map(({ id }) => ({ delete: { id } })),
        ]
        if (mutations.length > 0)
          await ask(v.unknown(), `${addressOf('mutate')}?visibility=sync`, {
            method: 'POST',
            json: { mutations },
          })
      },
    },
    options,
  )
}

/**
 * Returns the fields of an entry with the document itself: a page is stored as text, because Sanity has no
 * nested arrays.
 */
function withDocument(fields: unknown): unknown {
  const document = valueAt(fields, 'document')
  return isPlainObject(fields) && typeof document === 'string'
    ? { ...fields, document: parsedJson(document, parseExactly) ?? document }
    : fields
}

const idOf = ({ key }: CmsDocument): string =>
  `editor-${createHash('sha256').update(key).digest('hex').slice(0, 24)}`
