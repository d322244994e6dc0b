import { isPlainObject } from '../../../content/plain-object.ts'
import { coerceSlug } from '../../../content/slugs.ts'
import { wordSet, type Words } from '../words.ts'
import { pageAt, slugFor, without, type Loose } from './place.ts'
import type { Row } from './row.ts'

const creating = wordSet('create add make new build erstelle erstellen neue neuen anlegen lege')
const pages = wordSet('page seite')
const inside = wordSet('to on into in at onto auf in zu zur')
const pageKeys = ['slug', 'path', 'route', 'pageSlug', 'title', 'id', 'meta', 'blocks']

/** Rows for operations that create pages; they may make several of one. */
export const pageRows: readonly Row<Loose, Loose | readonly Loose[]>[] = [
  {
    name: 'a page beside its envelope',
    apply(op) {
      if (op['op'] !== 'create_page' || isPlainObject(op['page'])) return op
      const slug = [op['page'], op['slug'], op['path'], op['route'], op['newPageSlug'], op['pageSlug']].find((value) => typeof value === 'string')
      const blocks = Array.isArray(op['blocks']) ? op['blocks'] : isPlainObject(op['block']) ? [op['block']] : undefined
      const title = op['title'] ?? op['newTitle']
      const page = {
        ...(slug !== undefined && { slug }),
        ...(typeof title === 'string' && { title }),
        ...(isPlainObject(op['meta']) && { meta: op['meta'] }),
        ...(blocks && { blocks }),
      }
      return Object.keys(page).length === 0 ? op : { ...without(op, ...pageKeys, 'newPageSlug', 'newTitle', 'block', 'page'), page }
    },
  },
  {
    name: 'a page that is there already, with blocks for it',
    apply(op, place) {
      const page = op['page']
      if (op['op'] !== 'create_page' || !isPlainObject(page) || !Array.isArray(page['blocks'])) return op
      const { slug } = page
      const isHere = slug === undefined || pageAt(place, slugFor(place, slug))?.slug === place.input.selection.slug
      if (!isHere) return op
      return page['blocks'].filter(isPlainObject).map((block) => ({ op: 'add_block', pageSlug: place.input.selection.slug, block }))
    },
  },
  {
    name: 'a block for a page that is to be created',
    apply(op, place) {
      if (op['op'] !== 'add_block' || !isPlainObject(op['block']) || !asksForPage(place.words)) return op
      const slug = slugFor(place, op['pageSlug'])
      if (slug === undefined || pageAt(place, slug) || place.created.has(slug)) return op
      return { op: 'create_page', page: { slug, blocks: [op['block']] } }
    },
  },
  {
    name: 'the slug of a new page without its slash',
    apply(op) {
      const page = op['page']
      if (op['op'] !== 'create_page' || !isPlainObject(page)) return op
      const given = page['slug'] ?? page['path'] ?? page['route']
      const slug = coerceSlug(given) ?? given
      return slug === page['slug'] ? op : { ...op, page: { ...without(page, 'path', 'route'), slug } }
    },
  },
]

/** "add a page about prices", "create a new page", and never "add a hero to the about page". */
function asksForPage({ list }: Words): boolean {
  return list.some((word, at) => {
    const end = list.findIndex((later, place) => place > at && pages.has(later))
    return creating.has(word) && end >= 0 && end - at <= 5 && !list.slice(at, end).some((between) => inside.has(between))
  })
}
