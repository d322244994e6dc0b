/** Arbitraries of three states of a site: few places, so that edits meet. */
import fc, { pick } from './property.ts'
import type { Block, AvailableTypes, Page, Props, SiteConfig } from '../../plugins/content/model.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { ingestPage } from '../../plugins/content/ingest.ts'
import { manifestOf, pageOf } from './content-fixtures.ts'

const fields = {
  heading: { kind: 'text' },
  body: { kind: 'richtext' },
  link: { kind: 'link' },
  rows: { kind: 'list', itemFields: { q: { kind: 'text' }, a: { kind: 'text' } } },
  steps: { kind: 'list', itemFields: { q: { kind: 'text' } } },
  tags: { kind: 'stringList' },
}
const declared = (type: string) => ({
  type,
  displayName: type,
  propsSchema: {
    type: 'object',
    properties: {
      heading: {},
      body: {},
      link: {},
      rows: { type: 'array' },
      steps: { type: 'array' },
      tags: {},
    },
  },
  defaultProps: {},
  fields,
})

/** Two block types with lists of rows. */
export const known: AvailableTypes = { registry, manifest: manifestOf([declared('Note'), declared('Card')]) }

/** A state of a site, and the slugs that its pages had first. */
export interface State {
  readonly pages: readonly Page[]
  readonly config: SiteConfig
}

const word = pick('one', 'two', 'three')
const place = fc.nat({ max: 2 })

const rowOf = (id: string, q = 'one'): Props => ({ id, q, a: 'one' })

export const blockOf = (id: string, type = 'Note'): Block => ({
  id,
  type,
  props: {
    heading: 'one',
    body: { text: 'one', more: 'one' },
    link: { href: 'one', label: 'one' },
    rows: [rowOf('r1'), rowOf('r2'), rowOf('r3')],
    steps: [{ q: 'one' }, { q: 'two' }, { q: 'two' }, { q: 'three' }],
    tags: ['one'],
  },
})

/** The first state. */
export const start: State = {
  pages: ['/', '/a', '/b'].map((slug) =>
    pageOf(slug, [blockOf('x'), blockOf('y'), blockOf('z')], {
      title: 'one',
      uid: slug,
      meta: { title: 'one', description: 'one' },
    }),
  ),
  config: { name: 'one', navLabels: { '/a': 'one' }, navGroups: { More: ['/a', '/b'] } },
}

type Edit = (state: State) => State
type PageEdit = (page: Page) => Page
type BlockEdit = (block: Block) => Block

const moved = <T>(list: readonly T[], from: number, to: number): readonly T[] => {
  const element = list[from]
  return element === undefined ? list : list.toSpliced(from, 1).toSpliced(to, 0, element)
}

function listEdits<T>(added: fc.Arbitrary<T>, edit: fc.Arbitrary<(element: T) => T>) {
  return fc.oneof(
    fc.tuple(place, edit).map(
      ([at, change]) =>
        (list: readonly T[]) =>
          list.map((element, index) => (index === at ? change(element) : element)),
    ),
    place.map((at) => (list: readonly T[]) => list.toSpliced(at, 1)),
    fc.tuple(place, place).map(
      ([from, to]) =>
        (list: readonly T[]) =>
          moved(list, from, to),
    ),
    fc.tuple(place, added).map(
      ([at, element]) =>
        (list: readonly T[]) =>
          list.toSpliced(at, 0, element),
    ),
  )
}

/** Leaves out elements that repeat a key. */
const unique =
  <T>(keyOf: (element: T) => unknown) =>
  (list: readonly T[]): readonly T[] =>
    list.filter((element, at) => list.findIndex((other) => keyOf(other) === keyOf(element)) === at)

const listOf = (value: unknown): readonly Props[] => (Array.isArray(value) ? value : [])

const rowEdits = listEdits<Props>(
  fc.tuple(pick('r1', 'r4', 'r5'), word).map(([id, q]) => rowOf(id, q)),
  fc.tuple(pick('q', 'a'), word).map(([name, value]) => (row: Props) => ({ ...row, [name]: value })),
)
const stepEdits = listEdits<Props>(
  word.map((q) => ({ q })),
  word.map((q) => (row: Props) => ({ ...row, q })),
)

const propEdit = (withSteps: boolean): fc.Arbitrary<(props: Props) => Props> =>
  fc.oneof(
    word.map((heading) => (props: Props) => ({ ...props, heading })),
    fc.constant(({ heading: _heading, ...props }: Props) => props),
    fc
      .tuple(pick('text', 'more'), word)
      .map(([name, value]) => ({ body, ...props }: Props) => ({
        ...props,
        body: Object.assign({}, body, { [name]: value }),
      })),
    fc
      .tuple(pick('href', 'label'), word)
      .map(([name, value]) => ({ link, ...props }: Props) => ({
        ...props,
        link: Object.assign({}, link, { [name]: value }),
      })),
    fc.array(word, { maxLength: 2 }).map((tags) => (props: Props) => ({ ...props, tags })),
    rowEdits.map((edit) => (props: Props) => ({
      ...props,
      rows: unique<Props>(({ id }) => id)(edit(listOf(props['rows']))),
    })),
    ...(withSteps
      ? [stepEdits.map((edit) => (props: Props) => ({ ...props, steps: edit(listOf(props['steps'])) }))]
      : []),
  )

const blockEdit = (withSteps: boolean): fc.Arbitrary<BlockEdit> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: propEdit(withSteps).map((edit) => (block: Block) => ({
        ...block,
        props: edit(block.props),
      })),
    },
    { weight: 1, arbitrary: pick('Note', 'Card').map((type) => (block: Block) => ({ ...block, type })) },
  )

const pageEdit = (withSteps: boolean): fc.Arbitrary<PageEdit> =>
  fc.oneof(
    { weight: 1, arbitrary: word.map((title) => (page: Page) => ({ ...page, title })) },
    { weight: 1, arbitrary: word.map((theme) => (page: Page) => ({ ...page, theme })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(pick('title', 'description', 'ogImage'), word)
        .map(([name, value]) => (page: Page) => ({ ...page, meta: { ...page.meta, [name]: value } })),
    },
    {
      weight: 6,
      arbitrary: listEdits(
        fc.tuple(pick('x', 'n', 'm'), pick('Note', 'Card')).map(([id, type]) => blockOf(id, type)),
        blockEdit(withSteps),
      ).map((edit) => (page: Page) => ({
        ...page,
        blocks: unique<Block>(({ id }) => id)(edit(page.blocks)),
      })),
    },
  )

const configEdit: fc.Arbitrary<(config: SiteConfig) => SiteConfig> = fc.oneof(
  word.map((name) => (config: SiteConfig) => ({ ...config, name })),
  fc
    .tuple(pick('/a', '/b'), word)
    .map(([slug, label]) => (config: SiteConfig) => ({
      ...config,
      navLabels: { ...config.navLabels, [slug]: label },
    })),
  fc.subarray(['/a', '/b']).map((More) => (config: SiteConfig) => ({ ...config, navGroups: { More } })),
)

const renamed = (withNewIds: boolean): fc.Arbitrary<Edit> =>
  fc.tuple(place, pick('/r', '/s', '/b')).map(([at, slug]) => ({ pages, config }) => {
    const isFree = !pages.some((page) => page.slug === slug)
    const rename = (page: Page): Page => ({
      ...page,
      slug,
      ...(withNewIds && { id: `p_${slug.slice(1)}_renamed` }),
    })
    return {
      config,
      pages: pages.map((page, index) =>
        index === at && isFree && page['uid'] !== '/n' && page['uid'] !== '/m' ? rename(page) : page,
      ),
    }
  })

/** Some edits of a site, one after another. */
function edits(withSteps: boolean, withNewIds: boolean): fc.Arbitrary<Edit> {
  const added = pick('/n', '/m').map((slug) => pageOf(slug, [blockOf('x')], { title: 'one', uid: slug }))
  const onPages = listEdits(added, pageEdit(withSteps)).map((edit) => ({ pages, config }: State) => ({
    config,
    pages: unique<Page>(({ slug }) => slug)(unique<Page>(({ uid }) => uid)(edit(pages))),
  }))
  const one = fc.oneof(
    { weight: 8, arbitrary: onPages },
    {
      weight: 1,
      arbitrary: configEdit.map((edit) => ({ pages, config }: State) => ({ pages, config: edit(config) })),
    },
    { weight: 1, arbitrary: renamed(withNewIds) },
  )
  return fc
    .array(one, { maxLength: 6 })
    .map((list) => (state: State) => list.reduce((now, edit) => edit(now), state))
}

const ingested = ({ pages, config }: State): State => ({
  config,
  pages: pages.map((page) => ingestPage(page, known)),
})

/** A base and two states made of it; with rows that have no ids, if wanted. */
export const threeStates = ({ withSteps }: { readonly withSteps: boolean }) =>
  fc.boolean().chain((withNewIds) => {
    const some = edits(withSteps, withNewIds)
    return fc.tuple(some, some, some).map(([first, here, there]) => {
      const base = ingested(first(start))
      return { base, ours: ingested(here(base)), theirs: ingested(there(base)) }
    })
  })

/** The renames between two states. */
export const renamesBetween = (from: State, to: State): ReadonlyMap<string, string> =>
  new Map(
    from.pages.flatMap(({ uid, slug }): [string, string][] => {
      const now = to.pages.find((page) => page['uid'] === uid)
      if (now) return now.slug === slug ? [] : [[slug, now.slug]]
      return to.pages.some((page) => page.slug === slug) ? [[slug, '']] : []
    }),
  )
