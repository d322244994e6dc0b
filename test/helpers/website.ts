import type { RequestListener } from 'node:http'
import type { Test } from 'tap'
import * as v from 'valibot'
import { mountForTest } from '../../kernel/testing.ts'
import type { Page, Props } from '../../plugins/content/page.ts'
import { page, publishing, type PublishingOptions } from './publishing.ts'
import { serve } from './raw.ts'
import { editor } from './stack.ts'

/** A website that stores what is published to it, and drafts of it. */

export const siteId = 'acme'
export const threePages = [page('/'), page('/about'), page('/prices')]
/** The body of a publish. */
export const Sent = v.object({
  pages: v.array(v.custom<Page>(() => true)),
  siteConfig: v.optional(v.record(v.string(), v.unknown())),
})

interface Website {
  pages: readonly Page[]
  siteConfig?: Readonly<Record<string, unknown>> | undefined
  /** The block types that it declares. */
  blocks?: unknown
  /** What the site lists, if that is not what it has. */
  lists?: (() => unknown) | undefined
  /** Awaited before a publish is answered. */
  whilePublished?: (() => Promise<unknown>) | undefined
  /** Whether the answer to a publish gets lost. */
  isUnanswered?: boolean | undefined
  /** Whether it answers nothing at all. */
  isAway?: boolean | undefined
}

/** A website that stores what is published to it. */
export async function withWebsite(
  t: Test,
  {
    variables,
    ...options
  }: PublishingOptions & { readonly variables?: Readonly<Record<string, string>> } = {},
  pages = threePages,
  listener?: RequestListener,
) {
  const website: Website = { pages }
  const listen: RequestListener = async (request, response) => {
    if (website.isAway) return request.destroy()
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const { pages, siteConfig } = website
    if (request.url?.startsWith('/api/editor/pages'))
      return answer(200, website.lists?.() ?? { pages, siteConfig })
    if (request.url === '/api/editor/blocks' && website.blocks) return answer(200, website.blocks)
    if (request.url !== '/api/editor/publish') return answer(404, {})
    const sent = v.parse(Sent, JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()))
    Object.assign(website, sent)
    await website.whilePublished?.()
    if (website.isUnanswered) return answer(502, {})
    return answer(200, { ok: true, slugs: sent.pages.map(({ slug }) => slug) })
  }
  const origin = await serve(t, listener ?? listen)
  const mounted = mountForTest(
    t,
    publishing({ env: { ORCHESTRATOR_CORS_ORIGINS: origin, ...variables }, ...options }),
  )
  const ask = (request: Parameters<typeof mounted.inject>[0]) => mounted.inject(request)
  await editor(ask, { siteId, session: 'dev' }).send('/sites/register', { name: 'Acme', previewUrl: origin })
  const headingOf = (slug: string) =>
    website.pages.find((page) => page.slug === slug)?.blocks[0]?.props['heading']
  return { website, origin, headingOf, mounted, draft: (session: string) => draftOf(ask, session) }
}

export const Diff = v.looseObject({
  summary: v.looseObject({ totalChangedFields: v.number() }),
  pages: v.array(v.object({ slug: v.string(), status: v.string() })),
  conflicts: v.array(v.looseObject({ id: v.string() })),
})
const Slugs = v.object({ slugs: v.array(v.string()) })
const DraftPage = v.looseObject({
  blocks: v.tupleWithRest([v.looseObject({ props: v.record(v.string(), v.unknown()) })], v.unknown()),
})
const Log = v.object({ entries: v.array(v.unknown()) })
const Scheduled = v.object({ scheduled: v.array(v.unknown()) })
export const Fields = v.record(v.string(), v.unknown())

export function draftOf(ask: Parameters<typeof editor>[0], session: string) {
  const edit = editor(ask, { siteId, session })
  const get = async (path: string, query = {}): Promise<unknown> => (await edit.get(path, query)).json()
  const post = async (path: string, body: object): Promise<unknown> => (await edit.send(path, body)).json()
  const props = async (slug: string): Promise<Props> =>
    v.parse(DraftPage, await get('/draft/pages', { slug })).blocks[0].props
  return {
    ...edit,
    fill: () => edit.get('/draft/slugs'),
    slugs: async () => v.parse(Slugs, await get('/draft/slugs')).slugs,
    diff: async () => v.parse(Diff, await get('/publish/diff')),
    heading: (slug: string, heading: string) =>
      edit.ops([{ op: 'update_props', pageSlug: slug, blockId: `b${slug}`, patch: { heading } }]),
    props,
    headingOf: async (slug: string) => (await props(slug))['heading'],
    follow: (body: object = {}) => post('/draft/follow', body),
    decide: (decide: readonly object[]) => post('/draft/conflicts', { decide }),
    log: async () => v.parse(Log, await get('/publish/log')).entries,
    scheduled: async () => v.parse(Scheduled, await get('/publish/scheduled')).scheduled,
    publish: async (body: object = {}) => v.parse(Fields, await post('/publish', body)),
  }
}
