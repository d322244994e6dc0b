import * as v from 'valibot'
import type { RequestListener } from 'node:http'
import { noon } from '../helpers/publishing.ts'

const Row = v.object({ id: v.string(), q: v.string(), a: v.string() })
const SitePage = v.looseObject({
  slug: v.string(),
  blocks: v.array(v.looseObject({ id: v.string(), props: v.looseObject({ items: v.array(Row) }) })),
})
const Labels = v.record(v.string(), v.string())
const Content = v.object({
  pages: v.array(SitePage),
  siteConfig: v.looseObject({ navLabels: v.optional(Labels, {}) }),
})

export type SiteRow = v.InferOutput<typeof Row>
export const rowOf = (id: string): SiteRow => ({ id, q: `Question ${id}`, a: 'An answer' })

/** A page with one list of rows. */
export const pageOfRows = (slug: string, ids: readonly string[]) => ({
  id: `p${slug}`,
  slug,
  title: slug,
  updatedAt: noon,
  blocks: [{ id: `faq${slug}`, type: 'FAQAccordion', props: { title: slug, items: ids.map(rowOf) } }],
})

/** A website whose pages are lists of rows; it stores what is published with its menu labels, and changes by itself. */
export function createSiteOfRows() {
  let content: v.InferOutput<typeof Content> = {
    pages: [pageOfRows('/', ['first'])],
    siteConfig: { name: 'Acme', navLabels: {} },
  }
  let publishes = 0
  const listener: RequestListener = async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url?.startsWith('/api/editor/pages')) return answer(200, content)
    if (request.url !== '/api/editor/publish') return answer(404, {})
    content = v.parse(Content, JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()))
    publishes += 1
    return answer(200, { ok: true, slugs: content.pages.map(({ slug }) => slug) })
  }
  return {
    listener,
    publishes: () => publishes,
    /** Every row, as `<slug> <id>`, and every menu label, as `label <slug>`. */
    rows: (): readonly string[] => [
      ...content.pages.flatMap(({ slug, blocks }) =>
        blocks.flatMap(({ props }) => props.items.map(({ id }) => `${slug} ${id}`)),
      ),
      ...Object.keys(content.siteConfig.navLabels).map((slug) => `label ${slug}`),
    ],
    /** Adds a menu label, as somebody does who changes the site itself. */
    label(slug: string): void {
      content.siteConfig.navLabels = { ...content.siteConfig.navLabels, [slug]: slug }
    },
    /** Adds a row, or a page with it, as somebody does who changes the site itself. */
    add(slug: string, id: string): void {
      const page = content.pages.find((page) => page.slug === slug)
      page?.blocks[0]?.props.items.push(rowOf(id))
      if (!page) content.pages.push(v.parse(SitePage, pageOfRows(slug, [id])))
    },
  }
}
