import { setTimeout as pause } from 'node:timers/promises'
import { give, pace, systemClock } from '../../kernel/index.ts'
import { type Ask, mountForTest } from '../../kernel/testing.ts'
import { contentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import type { Block, Page, Props } from '../../plugins/content/page.ts'
import * as v from 'valibot'
import { publishing } from './publishing.ts'
import { editor } from './stack.ts'
import type { TeardownTest } from './raw.ts'

/** A site that grows in one dimension, and what a person and the site itself change of it. */
export interface Dimension {
  /** The content of the site, with a word in everything that changes. */
  readonly site: (n: number, word: string) => SiteContent
  /** What a person changes, with a word. */
  readonly edits: (n: number, word: string) => readonly Props[]
  /** A page that is changed. */
  readonly slug: string
  /** A field that the site leaves out on reading. */
  readonly hides?: string
}

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

const stamp = '2026-01-01T12:00:00.000Z'
const quote = (id: string, text: string): Block => ({ id, type: 'Quote', props: { quote: text } })
const pageOf = (slug: string, blocks: readonly Block[], more: Props = {}): Page => ({
  id: slug === '/' ? 'p_home' : `p${slug}`,
  slug,
  title: `Page ${slug}`,
  updatedAt: stamp,
  ...more,
  blocks: [...blocks],
})
const home = pageOf('/', [quote('home', 'Welcome')])
const byName = <T>(n: number, nameOf: (at: number) => string, valueOf: (at: number) => T) =>
  Object.fromEntries(times(n, (at) => [nameOf(at), valueOf(at)]))
const update = (pageSlug: string, blockId: string, patch: Props) => ({
  op: 'update_props',
  pageSlug,
  blockId,
  patch,
})
const rename = (pageSlug: string, newPageSlug: string) => ({ op: 'rename_page', pageSlug, newPageSlug })
const onePage = (blocks: readonly Block[], more: Props = {}): SiteContent => ({
  pages: [home, pageOf('/a', blocks, more)],
})
const settings = (patch: Props) => ({ op: 'update_site_config', patch })
const small = (n: number): readonly Page[] => times(n, (at) => pageOf(`/p${at}`, [quote(`b${at}`, 'Text')]))
/** A slug of the same words as others, and so of the same page id. */
const sameWords = (at: number): string =>
  `/p${at.toString(2).padStart(16, '0').replaceAll('0', '-').replaceAll('1', '_')}a`
const isOld = (word: string): boolean => word === 'old'

export const dimensions: Readonly<Record<string, Dimension>> = {
  pages: {
    site: (n, word) => ({ pages: [home, ...times(n, (at) => pageOf(`/p${at}`, [quote(`b${at}`, word)]))] }),
    edits: (n, word) => times(n, (at) => update(`/p${at}`, `b${at}`, { quote: word })),
    slug: '/p0',
  },
  'fields that the site leaves out': {
    site: (n, word) => ({ pages: [home, ...times(n, (at) => pageOf(`/p${at}`, [quote(`b${at}`, word)]))] }),
    edits: (n, word) => times(n, (at) => update(`/p${at}`, `b${at}`, { quote: word, author: word })),
    slug: '/p0',
    hides: 'author',
  },
  blocks: {
    site: (n, word) => onePage(times(n, (at) => quote(`b${at}`, word))),
    edits: (n, word) => times(n, (at) => update('/a', `b${at}`, { quote: word })),
    slug: '/a',
  },
  'blocks in another order': {
    site: (n, word) => {
      const blocks = times(n, (at) => quote(`b${at}`, 'Text'))
      return onePage(isOld(word) ? blocks : [...blocks.slice(n / 2), ...blocks.slice(0, n / 2)])
    },
    edits: (n) => times(n / 2, (at) => ({ op: 'move_block', pageSlug: '/a', blockId: `b${n - 1 - at}` })),
    slug: '/a',
  },
  'blocks that come and go': {
    site: (n, word) =>
      onePage(times(n, (at) => quote(isOld(word) || at % 2 === 0 ? `b${at}` : `${word}${at}`, 'Text'))),
    edits: (n, word) =>
      times(n / 2, (at) =>
        at % 2 === 0
          ? { op: 'remove_block', pageSlug: '/a', blockId: `b${at * 2}` }
          : { op: 'add_block', pageSlug: '/a', block: quote(`${word}-${at}`, 'New') },
      ),
    slug: '/a',
  },
  'blocks of one id': {
    site: (n, word) => onePage(times(n, () => quote('b', word))),
    edits: (_n, word) => [update('/a', 'b', { quote: word })],
    slug: '/a',
  },
  rows: {
    site: (n, word) =>
      onePage([
        {
          id: 'f',
          type: 'FAQAccordion',
          props: { title: 'T', items: times(n, (at) => ({ id: `r${at}`, q: word, a: 'A' })) },
        },
      ]),
    edits: (n, word) =>
      times(n, (at) => ({
        op: 'update_item',
        pageSlug: '/a',
        blockId: 'f',
        listKey: 'items',
        index: at,
        patch: { q: word },
      })),
    slug: '/a',
  },
  'rows without ids': {
    site: (n, word) =>
      onePage([
        {
          id: 'f',
          type: 'FAQAccordion',
          props: { title: 'T', items: times(n, (at) => ({ q: at % 2 === 0 ? word : `q${at}`, a: 'A' })) },
        },
      ]),
    edits: (n, word) =>
      times(n / 2, (at) => ({
        op: 'update_item',
        pageSlug: '/a',
        blockId: 'f',
        listKey: 'items',
        index: at * 2,
        patch: { q: word },
      })),
    slug: '/a',
  },
  keys: {
    site: (n, word) =>
      onePage([
        {
          id: 'b',
          type: 'Quote',
          props: {
            quote: 'Q',
            ...byName(
              n,
              (at) => `k${at}`,
              () => word,
            ),
          },
        },
      ]),
    edits: (n, word) => [
      update(
        '/a',
        'b',
        byName(
          n,
          (at) => `k${at}`,
          () => word,
        ),
      ),
    ],
    slug: '/a',
  },
  'keys of a page': {
    site: (n, word) =>
      onePage(
        [quote('b', word)],
        byName(
          n,
          (at) => `k${at}`,
          () => word,
        ),
      ),
    edits: (_n, word) => [update('/a', 'b', { quote: word })],
    slug: '/a',
  },
  'a chain of redirects': {
    site: (n, word) => ({
      pages: [home, pageOf('/a', [quote('b', word)])],
      redirects: times(n, (at) => ({ from: `/r${at}`, to: at === n - 1 ? '/a' : `/r${at + 1}` })),
    }),
    edits: (n, word) => [
      update('/a', 'b', { quote: word }),
      settings({
        redirects: byName(
          n,
          (at) => `/${word}${at}`,
          (at) => `/r${at}`,
        ),
      }),
    ],
    slug: '/a',
  },
  'redirects that change': {
    site: (n, word) => ({
      pages: [home, pageOf('/a', [quote('b', word)])],
      redirects: times(n, (at) => ({ from: `/r${at}`, to: `/a?${word}` })),
    }),
    edits: (n, word) => [
      settings({
        redirects: byName(
          n,
          (at) => `/r${at}`,
          () => `/a?of=${word}`,
        ),
      }),
    ],
    slug: '/a',
  },
  'redirects to a renamed page': {
    site: (n, word) => ({
      pages: [home, pageOf('/a', [quote('b', word)])],
      redirects: times(n, (at) => ({ from: `/r${at}`, to: '/a' })),
    }),
    edits: (_n, word) => [rename('/a', `/a-${word}`)],
    slug: '/',
  },
  'renamed pages': {
    site: (n) => ({ pages: [home, ...small(n)], redirects: [] }),
    edits: (n, word) => times(n, (at) => rename(`/p${at}`, `/${word}-${at}`)),
    slug: '/p0',
  },
  'pages that change addresses': {
    site: (n) => ({ pages: [home, ...small(n)], redirects: [] }),
    edits: (n) => [
      rename('/p0', '/free'),
      ...times(n - 1, (at) => rename(`/p${at + 1}`, `/p${at}`)),
      rename('/free', `/p${n - 1}`),
    ],
    slug: '/p0',
  },
  'links to a renamed page': {
    site: (n, word) => ({
      pages: [
        home,
        ...times(n, (at) => pageOf(`/p${at}`, [quote(`b${at}`, `[${word}](/p${(at + 1) % n})`)])),
      ],
    }),
    edits: (_n, word) => [rename('/p0', `/${word}`)],
    slug: '/p1',
  },
  'pages that come': {
    site: (n, word) => ({
      pages: [home, ...(isOld(word) ? [] : times(n, (at) => pageOf(`/${word}${at}`, [quote('b', word)])))],
    }),
    edits: (n, word) =>
      times(n, (at) => ({ op: 'create_page', page: { slug: `/${word}-${at}`, blocks: [quote('b', word)] } })),
    slug: '/',
  },
  'pages that both add': {
    site: (n, word) => ({
      pages: [home, ...(isOld(word) ? [] : times(n, (at) => pageOf(`/new${at}`, [quote('b', word)])))],
    }),
    edits: (n, word) =>
      times(n, (at) => ({ op: 'create_page', page: { slug: `/new${at}`, blocks: [quote('b', word)] } })),
    slug: '/',
  },
  'pages that go': {
    site: (n, word) => ({
      pages: [home, ...small(n * 3).filter((_page, at) => isOld(word) || at % 3 !== 0)],
    }),
    edits: (n, word) =>
      times(n, (at) =>
        at % 2 === 0
          ? { op: 'remove_page', pageSlug: `/p${at * 3 + 1}` }
          : update(`/p${at * 3}`, `b${at * 3}`, { quote: word }),
      ),
    slug: '/p2',
  },
  'pages in another order': {
    site: (n, word) => ({ pages: [home, ...(isOld(word) ? small(n) : small(n).toReversed())] }),
    edits: (n) => times(n / 2, (at) => ({ op: 'move_page', pageSlug: `/p${n - 1 - at}` })),
    slug: '/p0',
  },
  'pages of one id': {
    site: (n, word) => ({
      pages: [home, ...times(n, (at) => ({ ...pageOf(`/p${at}`, [quote(`b${at}`, word)]), id: 'p' }))],
    }),
    edits: (n, word) => times(n, (at) => update(`/p${at}`, `b${at}`, { quote: word })),
    slug: '/p0',
  },
  'pages without ids': {
    site: (n, word) => ({
      pages: [home, ...times(n, (at) => ({ ...pageOf(sameWords(at), [quote(`b${at}`, word)]), id: '' }))],
    }),
    edits: (n, word) => times(n, (at) => update(sameWords(at), `b${at}`, { quote: word })),
    slug: sameWords(0),
  },
  'entries that cannot be read': {
    site: (n, word) => ({
      pages: [home, pageOf('/a', [quote('b', word)])].concat(
        times(n, (at): Page => {
          const { title: _title, ...rest } = pageOf(`/bad${at}`, [])
          return rest as Page
        }),
      ),
    }),
    edits: (_n, word) => [update('/a', 'b', { quote: word })],
    slug: '/a',
  },
  'entries of one slug': {
    site: (n, word) => ({ pages: [home, ...times(n, () => pageOf('/a', [quote('b', word)]))] }),
    edits: (_n, word) => [update('/a', 'b', { quote: word })],
    slug: '/a',
  },
  'blocks that cannot be read': {
    site: (n, word) => onePage([quote('b', word), ...times(n, (at) => ({ id: `x${at}` }) as Block)]),
    edits: (_n, word) => [update('/a', 'b', { quote: word })],
    slug: '/a',
  },
  'menu labels': {
    site: (n, word) => ({
      pages: [home, ...small(n)],
      siteConfig: {
        navLabels: byName(
          n,
          (at) => `/p${at}`,
          () => word,
        ),
      },
    }),
    edits: (n, word) => [
      settings({
        navLabels: byName(
          n,
          (at) => `/p${at}`,
          () => word,
        ),
      }),
    ],
    slug: '/',
  },
  'menu groups': {
    site: (n, word) => ({
      pages: [home, ...small(n)],
      siteConfig: {
        navGroups: byName(
          n,
          (at) => `Group ${at}`,
          (at) => [`/p${at}`, ...(isOld(word) ? [] : ['/'])],
        ),
      },
    }),
    edits: (n) => [
      settings({
        navGroups: byName(
          n,
          (at) => `Group ${at}`,
          (at) => [`/p${n - 1 - at}`],
        ),
      }),
    ],
    slug: '/',
  },
  'members of a menu group': {
    site: (n, word) => ({
      pages: [home, ...small(n)],
      siteConfig: { navGroups: { All: times(n, (at) => `/p${at}`).slice(isOld(word) ? 0 : 1) } },
    }),
    edits: (n) => [settings({ navGroups: { All: times(n, (at) => `/p${n - 1 - at}`) } })],
    slug: '/',
  },
  history: {
    site: (_n, word) => onePage([quote('b', word), quote('c', 'Text')]),
    edits: (n, word) =>
      [...times(n, (at) => update('/a', 'c', { quote: `${word} ${at}` }))].flatMap((each) => [each]),
    slug: '/a',
  },
}

const Diff = v.looseObject({ conflicts: v.array(v.looseObject({ id: v.string() })) })
const Log = v.looseObject({ entries: v.array(v.looseObject({ version: v.number(), source: v.string() })) })
const Rows = v.looseObject({ entries: v.array(v.looseObject({ id: v.string() })) })
const Snapshots = v.looseObject({ snapshots: v.array(v.looseObject({ commit: v.string() })) })

/** The most operations of a batch, and decisions of a request. */
const [mostOps, mostDecided] = [200, 1_000]
const chunks = <T>(list: readonly T[], size: number): (readonly T[])[] =>
  times(Math.ceil(list.length / size), (at) => list.slice(at * size, (at + 1) * size))

/** Does something; the name says what. */
export type Step = (name: string, work: () => Promise<unknown>) => Promise<void>

/** Copies a site page by page, so that the adapter holds the event loop no longer than the service may. */
async function copyOf({ pages, siteConfig, redirects }: SiteContent): Promise<SiteContent> {
  const copies: Page[] = []
  for (const page of pages) {
    await pace()
    copies.push(structuredClone(page))
  }
  return {
    pages: copies,
    ...structuredClone({ ...(siteConfig && { siteConfig }), ...(redirects && { redirects }) }),
  }
}

/** Two drafts of a site live through everything that a person and the site can do, over the routes. */
export async function live(t: TeardownTest, dimension: Dimension, n: number, step: Step): Promise<void> {
  let content: SiteContent = dimension.site(n, 'old')
  const readContent = async (): Promise<SiteContent> => {
    const { pages, ...rest } = await copyOf(content)
    return { pages: pages.map(shownOf), ...rest }
  }
  const shownOf = (page: Page): Page => ({
    ...page,
    blocks: page.blocks.map((block) => {
      if (dimension.hides === undefined) return block
      const { [dimension.hides]: _hidden, ...props } = block.props
      return { ...block, props }
    }),
  })
  const writeContent = async (written: SiteContent) => void (content = await copyOf(written))
  const setting = publishing({
    time: systemClock,
    env: { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme', PUBLISH_TARGET: 'adapter' },
    seeds: [give(contentAdapter, { readContent, writeContent })],
  })
  const mounted = mountForTest(t, setting)
  const ask: Ask = (request) => mounted.inject(request)
  const draft = editor(ask, { siteId: 'acme', session: 'dev' })
  const other = editor(ask, { siteId: 'acme', session: 'other' })
  const { slug } = dimension
  const diff = async (of = draft) => v.parse(Diff, (await of.get('/publish/diff')).json())
  const edit = async (word: string, of = draft) => {
    for (const ops of chunks(dimension.edits(n, word), mostOps)) await of.ops(ops)
  }
  const newest = async (source: string) =>
    v.parse(Log, (await draft.get('/history/log')).json()).entries.findLast((each) => each.source === source)
      ?.version ?? 0
  const decide = async (conflicts: readonly { readonly id: string }[]) => {
    for (const some of chunks(conflicts, mostDecided))
      await draft.send('/draft/conflicts', {
        decide: some.map(({ id }, at) => ({ id, take: at % 2 === 0 ? 'draft' : 'site' })),
      })
  }
  let shown: readonly { readonly id: string }[] = []

  await step('fill', async () => {
    await draft.get('/draft/slugs')
    await other.get('/draft/slugs')
  })
  await step('first diff', async () => [await diff(), await diff(other)])
  await step('edit', () => edit('draft'))
  await step('diff', diff)
  await step('follow a site that changed', async () => {
    content = { ...content, ...dimension.site(n, 'site') }
    shown = (await diff()).conflicts
    await draft.get('/draft/slugs')
  })
  await step('refused publish', () => draft.send('/publish'))
  await step('decide', async () => decide(shown.slice(0, n / 2)))
  await step('undo a decision', async () =>
    draft.send('/history/undo-change', { version: await newest('site'), withDependents: true }),
  )
  await step('edit what was shown', () => edit('typed'))
  await step('diff of what was typed', diff)
  await step('schedule', async () => {
    await draft.send('/publish', { at: new Date(Date.now() + 3_600_000).toISOString() })
    await draft.get('/publish/scheduled')
  })
  await step('publish a part', () =>
    draft.send('/publish', { pages: [slug], overwrite: true, siteConfig: true }),
  )
  await step('publish', () => draft.send('/publish', { overwrite: true, allowDelete: true }))
  await step('follow a publish', async () => [await diff(other), await diff()])
  await step('edit beside', () => edit('beside', other))
  await step('publish at a time', async () => {
    const newestRow = async () =>
      v.parse(Rows, (await other.get('/publish/log', { limit: '1' })).json()).entries[0]?.id
    const before = await newestRow()
    const at = new Date(Date.now() + 50).toISOString()
    const { status } = await other.send('/publish', { at, overwrite: true, allowDelete: true })
    // Each read counts as work of the step.
    for (let left = status === 202 ? 80 : 0; left > 0 && (await newestRow()) === before; left--)
      await pause(250)
    await other.get('/publish/scheduled')
  })
  await step('read history', async () => {
    await draft.get('/history/log', { limit: '100' })
    await draft.get('/history/page', { slug, version: String(await newest('direct')) })
    await draft.get('/history/status', { slug })
  })
  await step('undo', async () => {
    await draft.undo(slug)
    await draft.redo(slug)
    await draft.send('/history/undo', { slug, mine: true })
  })
  await step('undo a change', async () =>
    draft.send('/history/undo-change', { version: await newest('direct'), withDependents: true }),
  )
  await step('restore a version', async () =>
    draft.send('/history/restore', { slug, targetVersion: await newest('direct') }),
  )
  await step('rename', () => draft.ops([rename(slug, '/renamed')]))
  await step('publish a rename', async () => [
    await draft.send('/publish', { overwrite: true, allowDelete: true }),
    await diff(other),
  ])
  await step('rename back', () => draft.ops([rename('/renamed', slug)]))
  await step('edit again', () => edit('again'))
  await step('discard a page', () => draft.send('/history/discard', { slug }))
  await step('discard', () => draft.send('/history/discard'))
  await step('publish again', async () => {
    const { snapshots } = v.parse(Snapshots, (await draft.get('/restore/snapshots')).json())
    await draft.send('/publish', { commit: snapshots.at(-1)?.commit, overwrite: true, allowDelete: true })
    await diff()
  })
  await step('content', async () => {
    await draft.get('/publish/content')
    await draft.get('/publish/log')
    await draft.get('/publish/status')
  })
}
