import type { RequestListener } from 'node:http'
import type { Test } from 'tap'
import * as v from 'valibot'
import type { Clock } from '../../kernel/index.ts'
import { mountForTest, stillClock } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import { noon, page, publishing } from './publishing.ts'
import { serve } from './raw.ts'
import { editor } from './stack.ts'

const Sent = v.object({
  pages: v.array(v.custom<Page>(() => true)),
  siteConfig: v.optional(v.record(v.string(), v.unknown())),
  redirects: v.optional(v.array(v.unknown())),
})
const Fields = v.record(v.string(), v.unknown())
const Diff = v.looseObject({
  pages: v.array(v.looseObject({ slug: v.string(), status: v.string() })),
  conflicts: v.array(v.unknown()),
})

/** A website that stores what is published to it, and a draft of it that has followed. */
export async function withSite(
  t: Test,
  slugs: readonly string[],
  {
    siteConfig,
    props = {},
    time = stillClock(noon),
  }: {
    readonly siteConfig?: Readonly<Record<string, unknown>>
    readonly props?: Readonly<Record<string, object>>
    readonly time?: Clock
  } = {},
) {
  const site: v.InferOutput<typeof Sent> = {
    pages: slugs.map((slug) => page(slug, `Of ${slug}`, { ...props[slug] })),
    ...(siteConfig && { siteConfig }),
  }
  const loss = { isNext: false }
  const listen: RequestListener = async (request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url?.startsWith('/api/editor/pages')) return answer(200, site)
    if (request.url !== '/api/editor/publish') return answer(404, {})
    Object.assign(site, v.parse(Sent, JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())))
    const { isNext } = loss
    loss.isNext = false
    return isNext ? answer(502, {}) : answer(200, { ok: true })
  }
  const origin = await serve(t, listen)
  const mounted = mountForTest(
    t,
    publishing({ env: { ORCHESTRATOR_CORS_ORIGINS: origin }, time, publish: { lookEveryMs: 10 } }),
  )
  const draft = (session: string) => editor((request) => mounted.inject(request), { siteId: 'acme', session })
  const edit = draft('dev')
  await edit.send('/sites/register', { name: 'Acme', previewUrl: origin })
  await edit.get('/draft/slugs')
  const diff = async () => v.parse(Diff, (await edit.get('/publish/diff')).json())
  await diff()
  return {
    ...edit,
    draft,
    origin,
    site,
    diff,
    /** Each page of the site with its heading, in order. */
    pages: () => site.pages.map(({ slug, blocks }) => [slug, blocks[0]?.props['heading']]),
    /** The slugs that still differ. */
    open: async () => {
      const { pages, conflicts } = await diff()
      t.strictSame(conflicts, [])
      return pages.flatMap(({ slug, status }) => (status === 'unchanged' ? [] : [slug]))
    },
    /** Publishes; the site stores it, and its answer is lost. */
    publishUnanswered: async (body: object = {}) => {
      loss.isNext = true
      return v.parse(Fields, (await edit.send('/publish', body)).json())
    },
    publish: async (body: object = {}) => v.parse(Fields, (await edit.send('/publish', body)).json()),
    rename: (pageSlug: string, newPageSlug: string) =>
      edit.ops([{ op: 'rename_page', pageSlug, newPageSlug }]),
  }
}
