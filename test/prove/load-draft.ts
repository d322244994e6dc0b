/** The draft that generated requests refer to: many pages, many blocks, many rows, and a long text. */
import * as v from 'valibot'
import { ask, read, type RequestSpec } from './ask.ts'

export const at = { session: 'load', siteId: 'load' }
export const stamp = '2026-01-01T00:00:00.000Z'

export const post = (path: string, body: object): RequestSpec => ({
  method: 'POST',
  path,
  body: { ...at, ...body },
})
export const toPage = (slug: string, blocks: readonly object[]) => ({
  id: `p${slug}`,
  slug,
  title: slug,
  updatedAt: stamp,
  blocks,
})
export const bootstrap = (pages: readonly object[]): RequestSpec =>
  post('/draft/bootstrap', { pages, overwrite: true })
export const blockOf = (id: string, props: object) => ({ id, type: 'CTA', props })

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** As many pages as are checked. */
const usual = 1_900

const pagesOf = (count: number) => [
  toPage('/', [blockOf('home', { title: 'x', ctaText: 'Here', ctaHref: '/blocks' })]),
  toPage('/blocks', [
    {
      id: 'b0',
      type: 'CardGrid',
      props: {
        title: 'x',
        cards: numbers(1_000).map((index) => ({
          id: `r${index}`,
          title: 'x',
          ctaText: 'x',
          ctaHref: `/page-${index}`,
        })),
      },
    },
    ...numbers(2_000).map((index) => blockOf(`b${index + 1}`, { title: 'x', ctaHref: `/page-${index}` })),
  ]),
  toPage('/text', [
    { id: 'text', type: 'RichText', props: { title: 'x', body: 'x [y](/page-1) '.repeat(30_000) } },
  ]),
  ...numbers(count).map((index) =>
    toPage(`/page-${index}`, [
      blockOf(`p${index}`, { title: `Page ${index}`, ctaHref: `/page-${index + 1}` }),
    ]),
  ),
]

/** Replaces the draft, and loads the modules of chat. */
export async function fillDraft(port: number, count = usual): Promise<void> {
  read(await ask({ port }, bootstrap(pagesOf(count))), v.looseObject({}))
  read(await ask({ port }, post('/chat', { slug: '/', message: 'hello' })), v.looseObject({}))
}
