import * as v from 'valibot'
import type { ModelEdit, ModelPage } from './draft-model.ts'

/** Pages that all editors of a draft change. */
export const shared = ['/', '/shared-a', '/shared-b', '/shared-c']

/** Pages of one editor; their slugs begin with its prefix. */
export const home = (own: string): string => `${own}-home`
/** A page that is created and removed. */
export const extra = (own: string): string => `${own}-extra`
/** The two slugs of a page that moves. */
export const places = (own: string): readonly [string, string] => [`${own}-here`, `${own}-there`]
/** A page with a link to the page that moves. */
export const links = (own: string): string => `${own}-links`

/** Long enough for a page to span several pages of the database file. */
const filler = 'It has to be said at length. '.repeat(300)

/** The id of the single block of a page, unchanged by a move. */
const blockOf = (slug: string): string => `b_page${slug.replaceAll('/', '_').replace('-there', '-here')}`

/** The page document that a client sends. */
export const toPage = (slug: string, { marker, link }: ModelPage) => ({
  id: `p${slug.replaceAll('/', '_')}`,
  slug,
  title: `Page ${slug}`,
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [
    { id: blockOf(slug), type: 'RichText', props: { title: marker, body: `Go [on](${link}). ${filler}` } },
  ],
})

/** The compared parts of a page document. */
export const ReadPage = v.pipe(
  v.object({ blocks: v.tuple([v.object({ props: v.object({ title: v.string(), body: v.string() }) })]) }),
  v.transform(({ blocks: [{ props }] }): ModelPage => ({
    marker: props.title,
    link: /\]\((.*?)\)/.exec(props.body)?.[1] ?? 'no link',
  })),
)

/** The initial pages of a draft. */
export function initialPages(owners: readonly string[]): ReadonlyMap<string, ModelPage> {
  const slugs = [...shared, ...owners.flatMap((own) => [home(own), places(own)[0], links(own)])]
  const pages = new Map(slugs.map((slug): [string, ModelPage] => [slug, { marker: 'new', link: '/' }]))
  for (const own of owners) pages.set(links(own), { marker: 'new', link: places(own)[0] })
  return pages
}

/** The operations of a batch. */
export function toOperations(batch: Extract<ModelEdit, { kind: 'batch' }>): readonly object[] {
  const { marker, moves, removes, creates, marks, names } = batch
  return [
    ...(moves ? [{ op: 'rename_page', pageSlug: moves.from, newPageSlug: moves.to }] : []),
    ...(removes === undefined ? [] : [{ op: 'remove_page', pageSlug: removes }]),
    ...(creates === undefined ? [] : [{ op: 'create_page', page: toPage(creates, { marker, link: '/' }) }]),
    ...marks.map((slug) => ({
      op: 'update_props',
      pageSlug: slug,
      blockId: blockOf(slug),
      patch: { title: marker },
    })),
    ...(names ? [{ op: 'update_site_config', patch: { name: marker } }] : []),
  ]
}
